"""Runs whose judges hold answers against reference answers and criteria: what they may decide, and what it costs."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tests.answer_prompts import holding, is_answer_prompt
from tests.command_line import raggate
from tests.fake_chat.actions import Action, Body, says
from tests.fake_chat.server import fake_chat
from tests.judged_suites import honest, judgements_of, member, reply, rows_of, truth, write_answers, write_suite

REFERENCE = "Somebody can hand it back at no cost. That holds for a month."


def by_words(text: str, answer: str) -> tuple[str, str | None]:
    """A good judge of `truth` and of what is asked of it here."""
    if "hand it back" in text:
        return ("stated", answer) if "no cost" in answer else ("lacking", None)
    if "month" in text:
        return ("contradicted", answer) if "whenever" in answer else ("stated", answer)
    return ("yes", answer) if text in answer else ("no", None)


def judging_both(holds: Any = by_words) -> Callable[[Body], Action]:
    """A judge at both jobs."""

    def made(body: Body) -> Action:
        if is_answer_prompt(body):
            return says(holding(holds)(body))
        return says(reply(body, honest))

    return made


FORTY = {f"q{number}": truth(number) for number in range(40)}


def with_reference(answers: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    return {name: {"reference_answer": REFERENCE} for name in answers}


def test_forty_unlabelled_questions_with_reference_answers_are_neither_red_nor_inconclusive(tmp_path: Path) -> None:
    answers = {**FORTY, "q1": truth(1).replace("for a month", "whenever"), "q2": "The desk has plenty of maps."}
    cases = with_reference(answers)
    with fake_chat({"ada": judging_both(), "bob": judging_both()}) as chat:
        panel = [member("ada", chat), member("bob", chat)]
        write_suite(tmp_path, answers, panel, cases=cases, criteria=[{"must_not": "at no cost"}])
        done = raggate("run", "raggate.json", "--out", "run", cwd=tmp_path)
        assert chat.refused == []
        assert chat.counts == {"ada": 80, "bob": 80}, "one call for each job"
    write_suite(tmp_path, answers, cases=cases)
    without = raggate("run", "raggate.json", "--out", "plain", cwd=tmp_path)
    assert done.returncode == without.returncode == 0, done.stdout + done.stderr
    judged, plain = rows_of(tmp_path / "run"), rows_of(tmp_path / "plain")
    for case_id, row in judged.items():
        fed_by_judges = {gate: row["outcomes"].pop(gate) for gate in ("agreement", "criteria")}
        assert row["outcomes"] == plain[case_id]["outcomes"]
        assert row["state"] == plain[case_id]["state"]
        assert {each["reason"] for each in fed_by_judges.values()} == {"no-adjudicator"}
    assert [item["votes"][0]["said"] for item in judged["q1"]["answer_votes"]["items"]] == [
        "stated", "contradicted", "yes",
    ]  # fmt: skip
    run = json.loads((tmp_path / "run/run.json").read_text())
    gates = {gate["gate"]: gate for gate in run["gates"]}
    assert (gates["agreement"]["level"], gates["agreement"]["status"]) == ("warn", "unmeasured")
    # 40 answers of two facts each: one contradicts one, one lacks the first.
    assert gates["agreement"]["measured"] == {"kind": "advice", "of": "facts", "good": 78, "total": 80}
    assert gates["criteria"]["measured"] == {"kind": "advice", "of": "criteria", "good": 1, "total": 40}
    assert "advises: 78 of 80 facts stated" in (tmp_path / "run/comment.md").read_text()
    assert run["judging"]["judgements"] == 160
    assert run["judging"]["calls"] == 160


def test_an_app_that_has_not_changed_costs_no_call_and_is_rebuilt_from_its_rows(tmp_path: Path) -> None:
    answers = {"a": truth(1), "b": truth(2)}
    with fake_chat({"ada": judging_both()}) as chat:
        write_suite(tmp_path, answers, [member("ada", chat)], cases=with_reference(answers))
        raggate("run", "raggate.json", "--out", "one", cwd=tmp_path)
        asked = chat.counts["ada"]
        done = raggate("run", "raggate.json", "--out", "two", "--baseline", "one", cwd=tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr
        assert chat.counts["ada"] == asked == 4
        write_answers(tmp_path, {**answers, "b": f"{truth(2)} It is easy."})
        raggate("run", "raggate.json", "--out", "three", "--baseline", "one", cwd=tmp_path)
        assert chat.counts["ada"] == asked + 2, "one answer changed: its two jobs are asked again"
    assert [(each.get("job", "claims"), each["reused"]) for each in judgements_of(tmp_path / "two")].count(
        ("answer", True)
    ) == 2
    one, two = rows_of(tmp_path / "one"), rows_of(tmp_path / "two")
    assert one["a"]["answer_votes"]["items"] == two["a"]["answer_votes"]["items"]
    before = (tmp_path / "three/comment.md").read_text()
    again = raggate("report", "three", "--baseline", "one", "--format", "comment", cwd=tmp_path)
    assert again.stdout.strip() == before.strip()
