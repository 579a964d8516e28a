"""The last run, for commands that are given none: which it is, that it is told, and what is said where there is none."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from raggate_action.schema.run import StartedRun
from tests.command_line import raggate

ROOT = Path(__file__).parents[2]
CASE = "migration-freeze-001"
SUITE = "(suite deploy-policy)"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs, the whole one the older."""
    folder = tmp_path_factory.mktemp("runs")
    shutil.copytree(ROOT / "examples/deploy_policy", folder / "suite")
    raggate("run", "suite/raggate.yaml", cwd=folder)
    raggate("run", "suite/raggate.yaml", "--case", CASE, cwd=folder)
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    place = shutil.copytree(made, tmp_path / "place")
    written(place / "raggate-run", 1000)
    written(place / "raggate-case", 2000)
    return place


def written(directory: Path, moment: int) -> None:
    os.utime(directory / "run.json", (moment, moment))


def unfinished(directory: Path) -> None:
    """A run that was stopped: its rows, and a `run.json` that is not complete."""
    run = json.loads((directory / "run.json").read_text())
    started = {key: run[key] for key in StartedRun.model_fields if key in run and key not in {"complete", "taken"}}
    (directory / "run.json").write_text(json.dumps({**started, "complete": False}))


def test_the_newest_run_is_taken_and_told(folder: Path) -> None:
    for newest, cases in (("raggate-case", 1), ("raggate-run", 5)):
        written(folder / newest, 3000)
        done = raggate("explain", cwd=folder)
        assert done.returncode == 0
        assert done.stderr == f"raggate: the last run: {newest} {SUITE}\n"
        assert done.stdout.splitlines()[-1].split(" of ")[1].startswith(f"{cases} ")
        done = raggate("report", cwd=folder)
        assert done.stdout == (folder / newest / "comment.md").read_text()
        written(folder / newest, 1500)
        written(folder / "raggate-case", 1000)
    assert raggate("accept", cwd=folder).stderr.startswith(f"raggate: the last run: raggate-run {SUITE}\n")


def test_a_run_that_is_named_is_told_to_nobody(folder: Path) -> None:
    assert raggate("explain", "raggate-run", cwd=folder).stderr == ""


def test_one_word_is_a_case_of_the_last_run_unless_it_is_a_run(folder: Path) -> None:
    done = raggate("explain", CASE, cwd=folder)
    assert (done.returncode, done.stderr) == (0, f"raggate: the last run: raggate-case {SUITE}\n")
    assert done.stdout.startswith(f"{CASE}: failed")
    done = raggate("explain", "payment-freeze-deploy-001", cwd=folder)
    assert done.returncode == 2, "the last run has it not"
    assert "case 'payment-freeze-deploy-001' is not in raggate-case" in done.stderr
    near = raggate("explain", "migration-freez-001", cwd=folder)
    assert f"Did you mean {CASE}?" in near.stderr
    run = raggate("explain", "raggate-rnu", cwd=folder)
    assert "Did you mean raggate-run" in run.stderr
    assert "no run is in a folder 'suite'" in raggate("explain", "suite", cwd=folder).stderr


def test_a_baseline_is_not_the_run_it_is_compared_with(folder: Path) -> None:
    written(folder / "raggate-run", 3000)
    done = raggate("report", "--baseline", "raggate-run", cwd=folder)
    assert done.stderr.startswith(f"raggate: the last run: raggate-case {SUITE}\n")


def test_with_a_baseline_report_decides_and_exits_as_a_run(folder: Path) -> None:
    shown = raggate("report", "raggate-run", cwd=folder)
    assert (shown.returncode, shown.stderr) == (0, "")
    decided = raggate("report", "raggate-run", "--baseline", "raggate-run", cwd=folder)
    assert decided.returncode == 1
    assert decided.stderr.startswith("raggate: BLOCK")


def test_what_was_stopped_or_is_none_of_ours_is_passed_over(folder: Path) -> None:
    unfinished(folder / "raggate-case")
    written(folder / "raggate-case", 3000)
    (folder / "other").mkdir()
    (folder / "other/run.json").write_text('{"suite": 7}')
    told, newer = raggate("report", cwd=folder).stderr.splitlines()
    assert told == f"raggate: the last run: raggate-run {SUITE}"
    assert newer.startswith("raggate: raggate-case is newer, but not finished; if it was stopped: finish it by")
    for file in (folder / "raggate-case").iterdir():
        os.utime(file, (500, 500))
    assert raggate("report", cwd=folder).stderr == f"{told}\n", "an older one that was stopped is of no interest"


def test_a_baseline_that_is_the_only_run_is_no_run_to_compare(folder: Path) -> None:
    shutil.rmtree(folder / "raggate-case")
    done = raggate("report", "--baseline", "raggate-run", cwd=folder)
    assert done.returncode == 2
    assert "there is no run in this folder beside the baseline raggate-run\n" in done.stderr
    unfinished(folder / "raggate-run")
    done = raggate("report", "--baseline", "raggate-run", cwd=folder)
    assert done.returncode == 2
    assert "the run in raggate-run is not finished" in done.stderr


def test_where_only_an_unfinished_run_is_there_the_way_on_is_told(folder: Path) -> None:
    shutil.rmtree(folder / "raggate-run")
    unfinished(folder / "raggate-case")
    done = raggate("report", cwd=folder)
    assert done.returncode == 2
    assert "the run in raggate-case is not finished" in done.stderr
    assert "`raggate-action run` with --resume, or name it: `raggate-action report raggate-case`" in done.stderr


@pytest.mark.parametrize("command", ["explain", "report", "accept"])
def test_where_no_run_is_there_the_command_that_makes_one_is_told(command: str, tmp_path: Path) -> None:
    done = raggate(command, cwd=tmp_path)
    assert done.returncode == 2
    assert "there is no run in this folder\n  Make one by `raggate-action run`" in done.stderr
    assert f"`raggate-action {command} DIRECTORY`" in done.stderr
