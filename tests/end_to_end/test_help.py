"""What `--help` says is true: its commands, its examples as they are written, and what a wrong word is told."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from raggate_action.cli.commands import COMMANDS, Ask, Init
from raggate_action.cli.parser import parse_arguments
from raggate_action.errors import UsageError
from tests.calibration_builders import labels
from tests.command_line import raggate
from tests.end_to_end.test_readme import RECORDED, PlainApp, samples, served
from tests.fake_chat.server import fake_chat
from tests.forked import Forks
from tests.judges_on_trial import judge_by, truth, written
from tests.pair_judges import honest, scripted, sound_of_plants

ROOT = Path(__file__).parents[2]
TEN = ["init", "ask", "run", "explain", "report", "accept", "check", "judges", "ab", "audit"]
LISTED = [name for name, command in COMMANDS.items() if command.place != "unlisted"]
LABELS = labels(30, 20)
TOOL = "So says our policy."


def help_of(*words: str, capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as ended:
        parse_arguments([*words, "--help"])
    assert ended.value.code == 0
    return capsys.readouterr().out


def test_ten_commands_are_listed_and_two_more(capsys: pytest.CaptureFixture[str]) -> None:
    shown = help_of(capsys=capsys)
    first, more = shown.partition("more:")[::2]
    assert re.findall(r"^  ([a-z]+)  ", first.partition("commands:")[2], re.MULTILINE) == TEN
    assert re.findall(r"^  ([a-z]+)  ", more, re.MULTILINE) == ["record", "schema"]
    assert "publish" not in shown
    judges = help_of("judges", capsys=capsys)
    assert re.findall(r"^  (judges [a-z]+)  ", judges, re.MULTILINE) == ["judges label", "judges check"]


@pytest.mark.parametrize("name", ["", *LISTED])
def test_every_help_fits_a_terminal_and_has_three_examples(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    shown = help_of(*name.split(), capsys=capsys)
    assert [line for line in shown.splitlines() if len(line) > 80] == []
    if name:
        assert shown.startswith(f"usage: raggate-action {name}")
        assert len(examples(shown)) == 3


def examples(shown: str) -> list[str]:
    """The lines that can be typed, comments and all."""
    found = re.search(r"^examples:\n((?:  .*\n)+)", shown, re.MULTILINE)
    assert found is not None, shown
    return [line.strip() for line in found[1].splitlines()]


def test_help_is_a_word_as_well(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse_arguments(["help", "run"])
    assert capsys.readouterr().out == help_of("run", capsys=capsys)


@pytest.mark.parametrize("words", [[], ["judges"]], ids=["no command", "judges alone"])
def test_without_a_command_there_is_the_help_and_exit_2(tmp_path: Path, words: list[str]) -> None:
    done = raggate(*words, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (2, "")
    assert "commands:\n" in done.stdout


class AppWithTool(PlainApp):
    """README's app; where its tool is on, every answer has a sentence more."""

    def reply_to(self, question: str) -> dict[str, Any]:
        reply = super().reply_to(question)
        return {**reply, "answer": f"{reply['answer']} {TOOL}"} if self.headers["X-Tool"] else reply


class Sample(NamedTuple):
    """README's shop, as `init` and a run leave it; and the address of its app."""

    folder: Path
    address: str


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sample]:
    folder = tmp_path_factory.mktemp("help") / "shop"
    folder.mkdir()
    judges = {"owl-1": judge_by(truth(LABELS)), "ada": scripted(honest([TOOL, *sound_of_plants()]))}
    with served(AppWithTool) as port, fake_chat(judges) as chat:
        address = f"127.0.0.1:{port}"
        assert raggate("init", "--url", f"http://{address}/ask", cwd=folder).returncode == 0
        members = [{"name": name, "lab": f"lab of {name}", "model": name, "base_url": chat.base_url} for name in judges]
        suite = yaml.safe_load((folder / "raggate.yaml").read_text())
        suite |= {
            "texts": "full",
            "judges": {"panel": members[:1]},
            "ab": {"treatment": {"target": {"headers": {"X-Tool": "on"}}}, "control": {}, "judges": members[1:]},
        }
        (folder / "raggate.yaml").write_text(yaml.safe_dump(suite))
        (folder / "labels.yaml").write_text(written(LABELS))
        (folder / "answers.jsonl").write_text(samples(RECORDED)["answers.jsonl"])
        (folder / "rag.py").write_text(
            'def answer(case):\n    if "lottery" in case["question"]:\n'
            '        return {"answer": "I do not know.", "contexts": []}\n'
            '    return {"answer": "Parcels go back within 30 days.", '
            '"contexts": ["Parcels go back within 30 days."]}\n'
        )
        (folder / "app.py").write_text(
            'import sys\nprint("I do not know." if "lottery" in sys.argv[1] else "Parcels go back within 30 days.")\n'
        )
        (folder / "a.txt").write_text("Parcels go back within 30 days.")
        (folder / "c.jsonl").write_text('{"id": "c1", "text": "Parcels go back within 30 days."}\n')
        done = raggate("run", cwd=folder)
        assert done.returncode == 0, done.stdout + done.stderr
        shutil.copytree(folder / "raggate-run", folder / "main-run")
        yield Sample(folder, address)


def ran(line: str, folder: Path, forks: Forks) -> subprocess.CompletedProcess[str]:
    """A line as a shell reads it; what needs none of a shell is a fork, which is not started anew."""
    words = shlex.split(line, comments=True)
    python = Path(sys.executable).parent
    environment = {"PATH": f"/usr/bin:/bin:{python}", "CI": "true", "HOME": "/nonexistent"}
    if not {"|", ">"}.intersection(words):
        return forks.run("-m", "raggate_action", *words[1:], cwd=folder, env=environment)
    bin_folder = folder.parent / f"{folder.name}-bin"
    bin_folder.mkdir(exist_ok=True)
    program = bin_folder / "raggate-action"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m raggate_action "$@"\n')
    program.chmod(0o755)
    environment |= {"PATH": f"{bin_folder}:{environment['PATH']}"}
    return subprocess.run(
        ["bash", "-c", line], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("name", [name for name in LISTED if name != "init"])
def test_the_examples_run_as_they_are_written(
    name: str, sample: Sample, tmp_path: Path, forks: Forks, capsys: pytest.CaptureFixture[str]
) -> None:
    shop = shutil.copytree(sample.folder, tmp_path / "shop")
    os.utime(shop / "raggate-run/run.json")
    for line in examples(help_of(*name.split(), capsys=capsys)):
        done = ran(line.replace("localhost:8000", sample.address), shop, forks)
        assert done.returncode == 0, (line, done.stdout, done.stderr)
        assert done.stdout or ">" in line, line


@pytest.mark.parametrize("line", examples(cleandoc(Init.__doc__ or "")))
def test_the_examples_of_init_run_in_an_empty_folder(line: str, sample: Sample, tmp_path: Path, forks: Forks) -> None:
    for name in ("answers.jsonl", "rag.py", "app.py"):
        shutil.copy(sample.folder / name, tmp_path)
    done = ran(line.replace("localhost:8000", sample.address), tmp_path, forks)
    assert done.returncode == 0, (line, done.stdout, done.stderr)
    assert (tmp_path / "raggate-run/run.json").is_file()


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("exlpain refund-7", "there is no command `exlpain`; did you mean:\n  raggate-action explain refund-7\n"),
        ("chek", "there is no command `chek`; did you mean:\n  raggate-action check\n"),
        ("judges lable run", "there is no command `judges lable`; did you mean:\n  raggate-action judges label run\n"),
        ("judges fly", "there is no command `judges fly`\n  `raggate-action judges --help` lists the commands.\n"),
        ("frobnicate", "there is no command `frobnicate`\n  `raggate-action --help` lists the commands.\n"),
        ("publsh", "there is no command `publsh`\n"),
        ("--resume run", "no command stands before --resume\n"),
        ("run --basline main-run", "`run` has no option --basline\n  Did you mean --baseline? "),
        ("audit --answr=secret", "`audit` has no option --answr\n  Did you mean --answer? "),
        ("judges check --reuse", "`judges check` has no option --reuse\n  Did you mean --no-reuse? "),
        ("run --base main-run", "`run` has no option --base\n  Did you mean --baseline? "),
        (
            "init --questions q.txt",
            "`init` has no option --questions\n  `raggate-action init --help` has all options.\n",
        ),
        ("run --zzz", "`run` has no option --zzz\n  `raggate-action run --help` has all options.\n"),
        ("run one.yaml two.yaml", "`run` has no use for two.yaml\n"),
        ("record", "the following arguments are required: --out\n"),
        ("report --format pdf", "argument --format: invalid choice: 'pdf'"),
        ("check --show refund", "only `check --faults` takes --show\n"),
        ("check --scope pr --traces t.jsonl", "only `check --faults` takes --scope, --traces\n"),
        ("ab --rows r.csv --case a --scope pr", "reads a file and asks nobody: --scope, --case would change nothing\n"),
        ("ab suite.yaml --rows r.csv --no-reuse", "SUITE, --no-reuse would change nothing\n"),
        ("ab --control-lab North", "the suite names the labs: --control-lab would change nothing\n"),
        ("judges label --count none", "'none' is no count: write 1 or more\n"),
    ],
)
def test_a_wrong_word_is_told_what_was_meant(typed: str, said: str, tmp_path: Path) -> None:
    done = raggate(*shlex.split(typed), cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    assert said in done.stderr
    assert done.stdout == ""
    assert "secret" not in done.stderr, "a value may be one"


def test_an_unknown_option_is_named_before_what_is_missing_for_want_of_it() -> None:
    with pytest.raises(UsageError, match="no option --answr"):
        parse_arguments(["audit", "--answr", "a.txt", "--chunks", "c.jsonl"])


def test_what_stands_behind_two_hyphens_is_no_option() -> None:
    typed = parse_arguments(["ask", "--", "--what is this?"])
    assert typed is not None
    assert isinstance(typed.options, Ask)
    assert typed.options.question == "--what is this?"
