"""Which answers of a run and its baseline are the same, seen from the judges' side: who is asked about what."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from raggate_action.report.report_input import Reporting
from raggate_action.run.run_execution import execute
from raggate_action.run.run_plan import RunRequest
from raggate_action.run.stored_runs import baseline_of
from raggate_action.suite_files import load_suite
from tests.ab_suites import panel
from tests.fake_chat.server import FakeChat, fake_chat
from tests.judged_suites import CHUNK, lie, lines, truth, write_answers, write_suite
from tests.pair_judges import by_length, scripted
from tests.pair_prompts import pair_in

OTHER = {"chunk_id": "door", "version": "v1", "text": "The door is opened by the porter."}
CITED = "Returns are free within thirty days [1]."
PLAIN = "Returns are free within thirty days."


def run(folder: Path, out: str, baseline: str | None = None) -> Reporting:
    with mock.patch.dict(os.environ, {"PATH": "/usr/bin", "CI": "true"}, clear=True):
        loaded = load_suite(folder / "raggate.json", environment=os.environ)
        request = RunRequest(
            loaded=loaded,
            suite_file="raggate.json",
            scope="full",
            out=folder / out,
            baseline=baseline_of(folder / baseline, loaded) if baseline is not None else None,
        )
        return execute(request).reporting


def suite(folder: Path, chat: FakeChat, answers: Mapping[str, str], **fields: Any) -> None:
    write_suite(folder, answers, ab={"judges": panel(chat, "ada")}, chunks=(CHUNK, OTHER), **fields)


def asked_about(chat: FakeChat) -> set[str]:
    return {pair_in(each.body).question for each in chat.asked}


@pytest.mark.parametrize("texts", ["quotes", "ids"])
def test_the_same_words_are_the_same_answer_unless_they_cite_by_number_beside_another_context(
    tmp_path: Path, texts: str
) -> None:
    answers = {"cited": CITED, "plain": PLAIN, "kept": CITED.replace("thirty", "30")}
    with fake_chat({"ada": scripted(by_length())}) as chat:
        suite(tmp_path, chat, answers, texts=texts)
        shown(tmp_path, answers, {"cited": ["desk", "door"], "plain": ["desk", "door"], "kept": ["desk"]})
        run(tmp_path, "base")
        shown(tmp_path, answers, {"cited": ["door", "desk"], "plain": ["door", "desk"], "kept": ["desk"]})
        reporting = run(tmp_path, "head", "base")
    assert asked_about(chat) == {"May I return order cited?"}
    assert reporting.run.ab is not None
    assert (reporting.run.ab.identical, reporting.run.ab.changed) == (2, 1)


def shown(folder: Path, answers: Mapping[str, str], context: Mapping[str, Iterable[str]]) -> None:
    (folder / "traces.jsonl").write_text(
        lines({"case_id": name, "answer": text, "context": list(context[name])} for name, text in answers.items())
    )


def test_restricted_words_of_either_side_reach_no_judge_and_no_file(tmp_path: Path) -> None:
    secret = {"chunk_id": "safe", "version": "v1", "text": "The combination of the safe is forty-two seventeen."}
    before = {"q0": truth(0), "q1": truth(1), "q2": truth(2)}
    with fake_chat({"ada": scripted(by_length())}) as chat:
        suite(tmp_path, chat, before)
        # On the baseline everybody may read it, and so the answer was in order.
        (tmp_path / "evidence.jsonl").write_text(lines([CHUNK, OTHER, secret]))
        leaking = {**before, "q1": f"{secret['text']} Ask at the desk."}
        write_answers(tmp_path, leaking)
        run(tmp_path, "base")
        (tmp_path / "evidence.jsonl").write_text(lines([CHUNK, OTHER, {**secret, "principals": ["owner"]}]))
        write_answers(tmp_path, {**before, "q1": lie(1), "q2": f"{secret['text']} Ask at the desk."})
        reporting = run(tmp_path, "head", "base")
    assert chat.asked == []
    assert reporting.run.ab is not None
    assert [(each.reason, each.cases) for each in reporting.run.ab.not_paired] == [("inadmissible", 1)]
    rows = (tmp_path / "head/judge_rows.csv").read_text()
    assert [line.rsplit(",", 2)[1] for line in rows.splitlines() if line.split(",")[2] == "q1"] == ["text"]
    for path in (tmp_path / "head").iterdir():
        assert "forty-two" not in path.read_text(), path.name


def test_known_bad_cases_and_traces_in_the_suite_are_no_answers_of_the_app(tmp_path: Path) -> None:
    trace = {"answer": lie(9), "context": ["desk"]}
    bad = {"case_id": "bad", "question": "?", "released": False, "blocked_at": "answer faithfulness", "trace": trace}
    own = {"case_id": "own", "question": "?", "trace": trace}
    with fake_chat({"ada": scripted(by_length())}) as chat:
        suite(tmp_path, chat, {"q0": truth(0)})
        with (tmp_path / "cases.jsonl").open("a") as cases:
            cases.writelines(json.dumps(each) + "\n" for each in (bad, own))
        run(tmp_path, "base")
        reporting = run(tmp_path, "head", "base")
    assert reporting.run.ab is not None
    assert (reporting.run.ab.identical, reporting.run.ab.not_paired) == (1, ())


@pytest.mark.parametrize(("level", "decision"), [("block", "block"), ("warn", "release")])
def test_a_change_that_takes_the_comparison_out_of_the_suite_demands_less(
    tmp_path: Path, level: str, decision: str
) -> None:
    answers = {"q0": truth(0), "q1": truth(1)}
    with fake_chat({"ada": scripted(by_length())}) as chat:
        suite(tmp_path, chat, answers, gates={"ab": {"level": level}})
        run(tmp_path, "base")
        write_suite(tmp_path, {**answers, "q1": lie(1)}, chunks=(CHUNK, OTHER), gates={"ab": {"level": level}})
        found = run(tmp_path, "head", "base").run
    assert found.decision.kind == decision
    comment = (tmp_path / "head/comment.md").read_text()
    by_base = "this is inconclusive" if level == "block" else "this is released as well"
    said = f"ab `compared` → not set. By the baseline's suite {by_base}."
    assert f"> - **The suite demands less than on the baseline:** {said}" in comment
    assert ("**Way out:** put it back, or copy `waivers: [{gate: policy_weakened, " in comment) == (level == "block")
    weakened = next(each for each in found.gates if each.gate == "policy_weakened")
    assert weakened.status == ("failed" if level == "block" else "passed")
