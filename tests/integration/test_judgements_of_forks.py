"""A fork's run: without its key a judge is not asked, and what it says all the same counts in no second stage."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from fuzz.stored_runs import tie
from raggate_action.action.baseline import JobBaseline
from raggate_action.errors import ExitCode
from raggate_action.report.report_input import Reporting
from raggate_action.run.decision_text_and_exit_code import exit_code
from raggate_action.run.run_execution import execute
from raggate_action.run.run_plan import RunRequest
from raggate_action.run.stored_runs import baseline_of, recount_stored
from raggate_action.run_store import read_stored
from raggate_action.schema.origin import BaselineNote, Origin
from raggate_action.schema.run import Run
from raggate_action.suite_files import load_suite
from tests.command_line import raggate
from tests.fake_chat.server import FakeChat, fake_chat
from tests.judged_suites import judging, lie, member, rows_of, truth, write_answers, write_labels, write_suite

KEY = {"ADA_KEY": "sk-hush-hush"}


def origin(*, fork: bool) -> Origin:
    return Origin(
        repository="o/r", server_url="https://github.com", event="pull_request", workflow_run_id=7, head_sha="a" * 40, fork=fork
    )  # fmt: skip


def judged_base(folder: Path, chat: FakeChat) -> None:
    """A judge with a key, tried by people, and the run of the base branch."""
    write_suite(folder, {"q1": truth(1), "q2": truth(2), "q3": truth(3)}, [member("ada", chat, api_key_env="ADA_KEY")])
    write_labels(folder, right=40, faults=30)
    assert raggate("run", "raggate.json", "--out", "base", cwd=folder, **KEY).returncode == ExitCode.RELEASE


def run_without_key(folder: Path, *, fork: bool) -> Reporting:
    with mock.patch.dict(os.environ, {"PATH": "/usr/bin", "CI": "true"}, clear=True):
        loaded = load_suite(folder / "raggate.json", environment=os.environ)
        request = RunRequest(
            loaded=loaded,
            suite_file="raggate.json",
            scope="full",
            out=folder / "head",
            baseline=baseline_of(folder / "base", loaded)[0],
            origin=origin(fork=fork),
        )
        return execute(request).reporting


def test_a_fork_without_the_key_is_judged_by_rules_and_nothing_is_inconclusive_for_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with fake_chat({"ada": judging()}, keys=KEY.values()) as chat:
        judged_base(tmp_path, chat)
        asked = len(chat.asked)
        write_answers(tmp_path, {"q1": truth(1), "q2": lie(2), "q3": truth(9)})
        reporting = run_without_key(tmp_path, fork=True)
        assert len(chat.asked) == asked
        assert not chat.refused
    assert exit_code(reporting.run.decision) == ExitCode.RELEASE
    lost = reporting.comparison.judges_lost if reporting.comparison is not None else None
    assert lost is not None
    assert (lost.excused, lost.cases) == ("no-key", 3)
    comment = (tmp_path / "head/comment.md").read_text()
    assert "**Not measured as on the base branch:** 3 cases: `q1`, `q2`, `q3`." in comment
    assert reporting.run.panel is not None
    assert "ADA_KEY is not set" in (reporting.run.panel.unavailable or "")
    assert capsys.readouterr().err.count("ADA_KEY is not set") == 1
    for row in rows_of(tmp_path / "head").values():
        assert row["outcomes"]["faithfulness"]["reason"] == "no-adjudicator"
        assert "judges" not in row


def test_in_a_workflow_that_is_given_secrets_a_judge_without_its_key_is_lost(tmp_path: Path) -> None:
    with fake_chat({"ada": judging()}, keys=KEY.values()) as chat:
        judged_base(tmp_path, chat)
        write_answers(tmp_path, {"q1": truth(1), "q2": lie(2), "q3": truth(9)})
        reporting = run_without_key(tmp_path, fork=False)
        assert not chat.refused
    assert exit_code(reporting.run.decision) == ExitCode.INCONCLUSIVE
    rows = rows_of(tmp_path / "head")
    assert rows["q1"]["outcomes"]["faithfulness"]["kind"] == "passed", "said before, and no key is needed to know it"
    assert rows["q2"]["outcomes"]["faithfulness"]["reason"] == "judge"
    assert rows["q2"]["judges"][0]["lost"]["code"] == "judge-key"


def add_known_bad(folder: Path, answer: str) -> None:
    """A known-bad answer that nothing but judges can block."""
    case = {
        "case_id": "bad",
        "question": "May I return it?",
        "released": False,
        "blocked_at": "answer faithfulness",
        "trace": {"answer": answer, "context": ["desk"]},
    }
    with (folder / "cases.jsonl").open("a") as cases:
        cases.write(json.dumps(case) + "\n")


def known_bad_gate(run: Run) -> tuple[str, str, int]:
    gate = next(each for each in run.gates if each.gate == "known_bad_blocked")
    return gate.status, gate.level, gate.unmeasured


def test_a_known_bad_case_that_only_judges_can_block_is_not_measured_on_a_fork_and_red_where_they_let_it_through(
    tmp_path: Path,
) -> None:
    with fake_chat({"ada": judging()}, keys=KEY.values()) as chat:
        write_suite(tmp_path, {"q1": truth(1)}, [member("ada", chat, api_key_env="ADA_KEY")])
        add_known_bad(tmp_path, lie(5))
        write_labels(tmp_path, right=40, faults=30)
        assert raggate("run", "raggate.json", "--out", "base", cwd=tmp_path, **KEY).returncode == ExitCode.RELEASE
        on_a_fork = run_without_key(tmp_path, fork=True)
        assert exit_code(on_a_fork.run.decision) == ExitCode.RELEASE
        assert known_bad_gate(on_a_fork.run) == ("unmeasured", "warn", 1)
        comment = (tmp_path / "head/comment.md").read_text()
        assert "1 of 1 known-bad case not measured**:" in comment
        assert "no rule blocks them, and only judges can: `bad`" in comment
        assert "not blocked" not in comment
        shown = raggate("explain", "head", cwd=tmp_path).stdout
        assert (
            "bad: known bad: only judges could tell whether it is blocked at answer faithfulness\n0 of 1 cases fail, 0 of 1 known-bad case blocked"
            in shown
        )
        again = raggate("report", "head", "--baseline", "base", cwd=tmp_path)
        assert again.stdout == comment
        later = raggate("report", "base", "--baseline", "head", cwd=tmp_path)
        assert later.returncode == ExitCode.USAGE
        assert "is a run of a fork" in later.stderr
        (tmp_path / "cases.jsonl").write_text((tmp_path / "cases.jsonl").read_text().replace(lie(5), truth(5)))
        let_through = raggate("run", "raggate.json", "--out", "worse", "--baseline", "base", cwd=tmp_path, **KEY)
    assert let_through.returncode == ExitCode.BLOCK
    assert "known-bad case not blocked" in (tmp_path / "worse/comment.md").read_text()


def test_a_known_bad_case_that_a_forks_judges_blocked_is_not_measured_in_the_second_stage(tmp_path: Path) -> None:
    with fake_chat({"ada": judging()}) as chat:
        write_suite(tmp_path, {"good": truth(1)}, [member("ada", chat)])
        add_known_bad(tmp_path, lie(5))
        write_labels(tmp_path, right=40, faults=30)
        done = raggate("run", "raggate.json", "--out", "judged", cwd=tmp_path)
    assert done.returncode == ExitCode.RELEASE
    told = in_second_stage(tmp_path / "judged").run
    assert known_bad_gate(told) == ("unmeasured", "warn", 1)
    assert told.decision.kind == "release"


def in_second_stage(directory: Path) -> Reporting:
    compared = JobBaseline(None, BaselineNote(missing="none"))
    return recount_stored(
        read_stored(directory), directory, compared.baseline, found=(origin(fork=True), compared.note)
    )


def forge(directory: Path) -> None:
    """Judges who are said to have found everything in order, with nothing beside it that says otherwise."""
    rows = list(rows_of(directory).values())
    for row in rows:
        row.pop("by_rules", None)
        row["state"] = "passed"
        row.pop("first_failed_stage", None)
        row["hallucinations"] = []
        row["outcomes"]["faithfulness"] = {"kind": "passed"}
        for claim in row["claims"]:
            claim |= {"verdict": "supported", "judged": True, "supported_by": ["desk"]}
    (directory / "cases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    tie(directory)


@pytest.mark.parametrize("is_forged", [False, True])
def test_what_judges_said_in_a_forks_artifact_counts_in_no_second_stage(tmp_path: Path, *, is_forged: bool) -> None:
    answers = {"good": truth(1), "bad": lie(2)}
    with fake_chat({"ada": judging()}) as chat:
        write_suite(tmp_path, answers, [member("ada", chat)])
        write_labels(tmp_path, right=40, faults=30)
        done = raggate("run", "raggate.json", "--out", "judged", cwd=tmp_path)
    assert done.returncode == ExitCode.BLOCK
    write_suite(tmp_path, answers)
    raggate("run", "raggate.json", "--out", "plain", cwd=tmp_path)
    if is_forged:
        forge(tmp_path / "judged")
    judged, plain = in_second_stage(tmp_path / "judged").run, in_second_stage(tmp_path / "plain").run
    assert judged.decision.kind == plain.decision.kind == "release"
    assert judged.counts == plain.counts
    told: list[dict[str, Any]] = [run.gate_counts["faithfulness"].model_dump() for run in (judged, plain)]
    assert told[0] == told[1]
    assert judged.panel is not None
    assert judged.panel.armed == ()
    assert "does not count" in (judged.panel.unavailable or "")
    assert judged.judging is None or judged.judging.judgements == 0
