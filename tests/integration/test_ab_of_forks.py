"""A fork's run beside its baseline: without its key nobody compares, and what it says all the same counts nowhere."""

from __future__ import annotations

import json
import os
from pathlib import Path
from unittest import mock

import pytest

from raggate_action.action.baseline import JobBaseline
from raggate_action.cli.publish_command import recount_archive
from raggate_action.errors import ExitCode
from raggate_action.report.report_input import Reporting
from raggate_action.run.count_and_decide import report_on
from raggate_action.run.decision_text_and_exit_code import exit_code
from raggate_action.run.run_execution import execute
from raggate_action.run.run_plan import RunRequest
from raggate_action.run.stored_runs import baseline_of, stored_baseline
from raggate_action.run_store import read_stored
from raggate_action.schema.decision import RunGate
from raggate_action.schema.origin import BaselineNote, Origin
from raggate_action.suite_files import load_suite
from tests.ab_suites import panel
from tests.command_line import raggate
from tests.fake_chat.server import FakeChat, fake_chat
from tests.judged_suites import lie, truth, write_answers, write_suite
from tests.pair_judges import honest, scripted

KEY = {"ADA_KEY": "sk-hush-hush"}
BEFORE = {f"q{number}": truth(number) for number in range(3)}
AFTER = {**BEFORE, "q1": lie(1)}
HONEST = scripted(honest(BEFORE.values()))


def origin(*, fork: bool) -> Origin:
    return Origin(
        repository="o/r", server_url="https://github.com", event="pull_request", workflow_run_id=7, head_sha="a" * 40, fork=fork
    )  # fmt: skip


def based(folder: Path, chat: FakeChat) -> None:
    """A baseline, and an app that answers one question otherwise by now; the judge needs a key, the gate blocks."""
    gates = {"ab": {"level": "block"}}
    write_suite(folder, BEFORE, ab={"judges": panel(chat, "ada", api_key_env="ADA_KEY")}, gates=gates)
    assert raggate("run", "raggate.json", "--out", "base", cwd=folder, **KEY).returncode == ExitCode.RELEASE
    write_answers(folder, AFTER)


def run(folder: Path, *, fork: bool, **environment: str) -> Reporting:
    with mock.patch.dict(os.environ, {"PATH": "/usr/bin", "CI": "true", **environment}, clear=True):
        loaded = load_suite(folder / "raggate.json", environment=os.environ)
        request = RunRequest(
            loaded=loaded,
            suite_file="raggate.json",
            scope="full",
            out=folder / "head",
            baseline=baseline_of(folder / "base", loaded),
            origin=origin(fork=fork),
        )
        return execute(request).reporting


def gate_of(reporting: Reporting) -> RunGate:
    return next(each for each in reporting.run.gates if each.gate == "ab")


def test_a_fork_without_the_key_is_not_compared_and_nothing_is_inconclusive_for_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with fake_chat({"ada": HONEST}, keys=KEY.values()) as chat:
        based(tmp_path, chat)
        reporting = run(tmp_path, fork=True)
        assert chat.asked == []
    assert exit_code(reporting.run.decision) == ExitCode.RELEASE
    assert (gate_of(reporting).status, gate_of(reporting).level) == ("unmeasured", "warn")
    assert capsys.readouterr().err.count("ADA_KEY is not set") == 1


def test_in_a_workflow_that_is_given_secrets_a_judge_without_its_key_is_lost(tmp_path: Path) -> None:
    with fake_chat({"ada": HONEST}, keys=KEY.values()) as chat:
        based(tmp_path, chat)
        reporting = run(tmp_path, fork=False)
    assert exit_code(reporting.run.decision) == ExitCode.INCONCLUSIVE
    assert (gate_of(reporting).status, gate_of(reporting).level) == ("unmeasured", "block")
    assert reporting.run.ab is not None
    assert [(each.code, each.judgements) for each in reporting.run.ab.judging.lost] == [("judge-key", 2)]


def test_the_second_stage_believes_no_comparison_of_a_fork_and_opens_no_file_of_it(tmp_path: Path) -> None:
    with fake_chat({"ada": HONEST}, keys=KEY.values()) as chat:
        based(tmp_path, chat)
        run(tmp_path, fork=False, **KEY)
    head = tmp_path / "head"
    content = json.loads((head / "run.json").read_text())
    content["ab"]["aggregate"]["headline"]["wins"] = {"treatment": 3, "control": 0, "tie": 0, "identical": 0}
    content["ab"]["unavailable"] = "All judges love it."
    assert content["ab"]["example"]["question_id"]
    content["ab"]["example"]["reason"] = "It is adorable."
    (head / "run.json").write_text(json.dumps(content))
    (head / "findings.md").write_text("The treatment is the best there ever was.")
    (head / "judge_rows.csv").write_bytes(b"\xff\xfe not a table")
    compared = JobBaseline(stored_baseline(tmp_path / "base", suite="returns"), BaselineNote())
    reporting = recount_archive(head, read_stored(head), origin(fork=True), compared)
    assert (gate_of(reporting).status, gate_of(reporting).level) == ("unmeasured", "warn")
    assert reporting.run.judging is None
    texts = report_on(reporting).texts
    assert sorted(texts) == ["comment.md", "comparison.json", "summary.md"]
    for name in ("comment.md", "summary.md"):
        assert "What judges said in a fork's run does not count" in texts[name], name
        for word in ("best there ever", "love it", "treatment", "adorable"):
            assert word not in texts[name], name


def test_judges_words_of_a_forks_baseline_are_not_used_again(tmp_path: Path) -> None:
    with fake_chat({"ada": HONEST}, keys=KEY.values()) as chat:
        based(tmp_path, chat)
        run(tmp_path, fork=True, **KEY)
        assert len(chat.asked) == 2
        (tmp_path / "base").rename(tmp_path / "first")
        (tmp_path / "head").rename(tmp_path / "base")
        write_answers(tmp_path, BEFORE)
        run(tmp_path, fork=False, **KEY)
        assert len(chat.asked) == 4, "the same pair, turned around, but a stranger says what was said of it"
