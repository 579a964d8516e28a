"""What a slip of the hand on the command line costs: a message and exit 2, never a file."""

from __future__ import annotations

import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from tests.command_line import ENVIRONMENT
from tests.forked import Forks
from tests.integration.small_apps import answer_to, asks_for, sent, serving

ROOT = Path(__file__).parents[2]

Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A suite whose answers are recorded."""
    return shutil.copytree(ROOT / "examples/deploy_policy", tmp_path / "place")


@pytest.fixture
def raggate(forks: Forks, folder: Path) -> Command:
    """`raggate-action ARGUMENTS` beside the suite, in a process of its own."""

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return forks.run("-m", "raggate_action", *arguments, cwd=folder, env=ENVIRONMENT)

    return run


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_record_replaces_nothing_but_traces(folder: Path, raggate: Command) -> None:
    (folder / "notes.md").write_text("\nRemember the tea.\n")
    (folder / "chunks.jsonl").write_text('{"chunk_id": "tea", "text": "Tea is served hot."}\n')
    (folder / "folder").mkdir()
    other = {"raggate.yaml": "is there and is no file of traces", "folder": "is a folder"}
    other |= dict.fromkeys(("notes.md", "chunks.jsonl"), "is there and is no file of traces")
    before = contents(folder)
    for name, why in {**other, "./traces.jsonl": ""}.items():
        done = raggate("record", "--out", name)
        expected = why or "is a file of the suite raggate.yaml"
        assert done.returncode == 2
        assert f"{Path(name)} {expected}: it is not replaced\n  Name a new file" in done.stderr
    assert contents(folder) == before


def test_record_refuses_a_file_of_cases_that_looks_like_traces(folder: Path, raggate: Command) -> None:
    (folder / "cases.jsonl").write_text('{"case_id": "tea", "question": "Is tea hot?"}\n')
    suite = "suite: tea\ncases: [cases.jsonl]\ntarget: {kind: recorded, traces: traces.jsonl}\n"
    (folder / "tea.yaml").write_text(suite)
    before = contents(folder)
    done = raggate("record", "tea.yaml", "--out", "cases.jsonl")
    assert done.returncode == 2
    assert "cases.jsonl is a file of the suite tea.yaml: it is not replaced" in done.stderr
    assert contents(folder) == before


def test_record_makes_folders_and_replaces_what_it_wrote_before(folder: Path, raggate: Command) -> None:
    out = folder / "new/made/traces.jsonl"
    assert raggate("record", "--out", "new/made/traces.jsonl").returncode == 0
    written = out.read_bytes()
    out.write_bytes(b"\n" + written.splitlines(keepends=True)[0])
    assert raggate("record", "--out", "new/made/traces.jsonl").returncode == 0
    assert out.read_bytes() == written
    out.write_bytes(b"")
    assert raggate("record", "--out", "new/made/traces.jsonl").returncode == 0
    assert out.read_bytes() == written


@pytest.mark.parametrize("command", [("run",), ("check", "--faults")])
def test_traces_that_are_not_there_leave_the_last_run_as_it_is(
    folder: Path, raggate: Command, command: tuple[str, ...]
) -> None:
    assert raggate("run").returncode == 1
    before = contents(folder)
    for name, why in (("nosuch.jsonl", "does not exist"), ("raggate-run", "is a folder")):
        done = raggate(*command, "--traces", name)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"raggate: --traces names {name}, which {why}\n  Name a file of traces")
    assert contents(folder) == before


def test_traces_that_the_suite_names_and_that_are_not_there_are_inconclusive(folder: Path, raggate: Command) -> None:
    (folder / "traces.jsonl").unlink()
    done = raggate("run")
    assert done.returncode == 3
    assert done.stdout.startswith("raggate: INCONCLUSIVE")


def test_explain_names_what_was_not_measured_and_that_nothing_was_decided(folder: Path, raggate: Command) -> None:
    (folder / "traces.jsonl").write_text("")
    (folder / "cases.yaml").write_text(
        "- {case_id: hot, question: Is tea hot?}\n- {case_id: cold, question: Is tea cold?}\n"
    )
    (folder / "raggate.yaml").write_text(
        "suite: tea\ncases: [cases.yaml]\ntarget: {kind: recorded, traces: traces.jsonl}\n"
    )
    assert raggate("run").returncode == 3
    hot, cold, total, decision = raggate("explain", "raggate-run").stdout.splitlines()
    assert (hot.split(": ")[:2], cold.split(": ")[:2]) == (["hot", "not measured"], ["cold", "not measured"])
    assert "traces.jsonl has no trace of it" in hot
    assert total == "0 of 2 cases fail, 2 not measured; name one to see it in full"
    assert decision.startswith("the run is INCONCLUSIVE: ")


def test_init_says_what_an_app_takes_that_takes_no_post(folder: Path, raggate: Command) -> None:
    """The way out that is told is one: written by hand, the suite asks the app."""

    def by_get(method: str, headers: dict[str, str], _body: object) -> tuple[int, str, bytes]:
        asked = dict(parse_qsl(headers["path"].partition("?")[2]))
        if method != "GET" or "search" not in asked:
            return sent({"detail": "Method Not Allowed"}, 405)
        return sent(answer_to(asked["search"]))

    with serving(by_get) as url:
        for body in ((), ("--body", '{"search": "{{question}}"}')):
            done = raggate("init", "new", "--url", url, *body)
            assert done.returncode == 3
            assert f"{url} takes no POST: 405" in done.stderr
            assert 'by hand, with `request: {method: GET, body: {NAME: "{{question}}"}}` under `target:`' in done.stderr
        request = 'request: {method: GET, body: {search: "{{question}}"}}'
        (folder / "tea.yaml").write_text(
            f"suite: tea\ncases: [tea-cases.yaml]\ntarget:\n  kind: http\n  url: {url}\n  {request}\n"
        )
        (folder / "tea-cases.yaml").write_text("- {case_id: paid, question: When are refunds paid?}\n")
        done = raggate("run", "tea.yaml")
    assert done.stdout.startswith("raggate: RELEASE"), done.stderr


@pytest.mark.parametrize(
    ("name", "suite"),
    [("null", '"null"'), ("true", '"true"'), ("1e3", '"1e3"'), ("2026-01-02", '"2026-01-02"'), ("~", "my-app"),
     ("été", "my-app"), ("日本", "my-app"), ("my tea", "my-tea"), ("tea", "tea")],
)  # fmt: skip
def test_init_names_the_suite_after_its_folder_whatever_that_is_called(
    folder: Path, raggate: Command, name: str, suite: str
) -> None:
    (folder / name).mkdir()
    with serving(asks_for("question")) as url:
        done = raggate("init", f"./{name}", "--url", url)
    assert done.returncode == 0, done.stderr
    assert (folder / name / "raggate.yaml").read_text().startswith(f"suite: {suite}\n")
    assert f" · {suite.strip(chr(34))} · " in done.stdout


def test_init_in_what_is_no_folder_says_so(raggate: Command) -> None:
    with serving(asks_for("question")) as url:
        done = raggate("init", "/dev/null", "--url", url)
    assert done.returncode == 2
    assert "/dev/null" in done.stderr
    assert "raggate.yaml:" not in done.stderr, "no suite of a temporary folder is spoken of"


def test_the_last_run_is_told_with_its_suite_and_with_the_newer_one_that_was_killed(
    folder: Path, raggate: Command, forks: Forks
) -> None:
    assert raggate("run").returncode == 1
    (folder / "slow.py").write_text("import time\n\n\ndef answer(case):\n    time.sleep(20)\n")
    (folder / "slow.yaml").write_text(
        "suite: second\ncases: [slow-cases.yaml]\ntarget: {kind: function, function: 'slow:answer'}\n"
    )
    (folder / "slow-cases.yaml").write_text("- {case_id: paid, question: When are refunds paid?}\n")
    program = ("-m", "raggate_action", "run", "slow.yaml", "--out", "second-run")
    process = forks.start(*program, cwd=folder, env=ENVIRONMENT)
    while not (folder / "second-run/run.json").is_file():
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)
    last, newer = raggate("explain").stderr.splitlines()
    assert last == "raggate: the last run: raggate-run (suite deploy-policy)"
    assert newer.startswith("raggate: second-run is newer, but not finished; if it was stopped: finish it by the same")
    shutil.rmtree(folder / "raggate-run")
    done = raggate("report", "--baseline", "second-run")
    assert done.returncode == 2
    assert "the run in second-run is not finished" in done.stderr


def test_the_help_of_check_says_which_faults_change_no_exit_code(raggate: Command) -> None:
    done = raggate("check", "--faults")
    assert done.returncode == 0
    assert " · 3/7 faults that only labels tell\n" in done.stdout
    assert "faults that only labels\ntell are advice and change no exit code\n" in raggate("check", "--help").stdout
