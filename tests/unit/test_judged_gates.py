"""The gates that only judges can feed: what fails them, what is unmeasured, and that advice changes nothing."""

from __future__ import annotations

from typing import Any

import pytest

from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.judgement import ItemSaid
from raggate_action.schema.outcome import Failed, NotApplicable, Outcome, Passed, Unmeasured
from tests.builders import make_chunk, make_rules, make_store
from tests.held_answers import ADVISING_ITEMS, ARMED, all_hold, held_draft, held_row, holds
from tests.panel_builders import CHUNKS, lost

ANSWER = "The shop opens at nine."
REFERENCE = "The shop opens at nine. It is closed on Sundays."
OPEN, CLOSED = "fact-1", "fact-2"
CRITERIA = ["names an hour", {"must_not": "promises a refund"}]


def told(row: CaseRun, gate: str = "agreement") -> list[str]:
    outcome = row.outcomes[gate]  # type: ignore[index]
    assert isinstance(outcome, Failed), outcome
    return [str(problem) for problem in outcome.problems]


def agreement(*said: ItemSaid, answer: str = ANSWER, **fields: Any) -> CaseRun:
    facts = {f"fact-{number}": word for number, word in enumerate(said, 1)}
    return held_row(answer, all_hold(facts, answer), reference_answer=REFERENCE, **fields)


def criteria(*said: ItemSaid, **fields: Any) -> CaseRun:
    held = {f"criterion-{number}": word for number, word in enumerate(said, 1)}
    return held_row(ANSWER, all_hold(held, ANSWER), criteria=CRITERIA, **fields)


def test_an_answer_that_states_every_fact_agrees() -> None:
    outcome = agreement("stated", "stated").outcomes["agreement"]
    assert isinstance(outcome, Passed)
    assert outcome.share is not None
    assert (outcome.share.hits, outcome.share.total) == (2, 2)


def test_a_contradicted_fact_is_named_before_one_that_is_lacking() -> None:
    row = agreement("lacking", "contradicted")
    assert told(row) == [
        "fact-contradicted: fact-2: “It is closed on Sundays.”",
        "fact-lacking: fact-1: “The shop opens at nine.”",
    ]
    assert row.first_failed_stage == "answer completeness"
    assert row.state == "failed"


def test_it_stands_behind_every_other_gate_in_the_diagnosis() -> None:
    row = agreement("lacking", "stated", must_contain=["tea"], criteria=CRITERIA)
    assert row.first_failed_stage == "behaviour", "the missing phrase comes first"
    assert list(row.outcomes)[-4:] == ["behaviour", "slow", "agreement", "criteria"]


def test_a_share_of_the_facts_may_be_enough() -> None:
    assert isinstance(agreement("stated", "lacking").outcomes["agreement"], Failed)
    half = agreement("stated", "lacking", rules=make_rules(has_judges=True, gates={"agreement": {"per_case": "50%"}}))
    assert isinstance(half.outcomes["agreement"], Passed)


def test_what_an_answer_adds_is_no_fact_of_anybody() -> None:
    more = f"{ANSWER} It sells tea, coffee and maps, and has done so since 1921."
    assert isinstance(agreement("stated", "stated", answer=more).outcomes["agreement"], Passed)


@pytest.mark.parametrize(
    ("said", "problems"),
    [
        (("yes", "yes"), ["criterion-violated: criterion-2: “promises a refund”"]),
        (("no", "no"), ["criterion-unmet: criterion-1: “names an hour”"]),
        (
            ("no", "yes"),
            ["criterion-violated: criterion-2: “promises a refund”", "criterion-unmet: criterion-1: “names an hour”"],
        ),
    ],
)
def test_a_criterion_fails_by_what_it_asks(said: tuple[ItemSaid, ...], problems: list[str]) -> None:
    row = criteria(*said)
    assert told(row, "criteria") == problems
    assert row.first_failed_stage == "behaviour"


def test_criteria_that_are_met_pass() -> None:
    outcome = criteria("yes", "no").outcomes["criteria"]
    assert isinstance(outcome, Passed)


def test_what_judges_cannot_tell_is_unmeasured_so_that_no_answer_escapes_by_being_unclear() -> None:
    row = criteria("cannot-tell", "no")
    outcome = row.outcomes["criteria"]
    assert isinstance(outcome, Unmeasured)
    assert (outcome.reason, outcome.detail) == ("judge", "they cannot tell whether the answer meets criterion-1")
    assert row.state == "unmeasured"


def test_a_certain_failure_is_one_whatever_else_cannot_be_told() -> None:
    assert told(criteria("cannot-tell", "yes"), "criteria") == ["criterion-violated: criterion-2: “promises a refund”"]


@pytest.mark.parametrize("said", [("stated", "stated"), ("lacking", "contradicted")])
def test_advising_judges_change_no_outcome(said: tuple[ItemSaid, ...]) -> None:
    row = agreement(*said, terms=ADVISING_ITEMS)
    nobody = agreement(*said, asked=False)
    assert row.outcomes == nobody.outcomes
    assert (row.state, row.first_failed_stage, row.by_rules) == (nobody.state, None, None)
    outcome = row.outcomes["agreement"]
    assert isinstance(outcome, Unmeasured)
    assert outcome.reason == "no-adjudicator"
    assert outcome.share is None
    assert row.answer_votes is not None
    assert [item.advised for item in row.answer_votes.items] == list(said), "it is shown all the same"


def test_a_quorum_that_is_not_armed_decides_nothing() -> None:
    own = ARMED["agreement"]._replace(armed=frozenset("a"))
    row = agreement("lacking", "lacking", terms={**ARMED, "agreement": own})
    assert isinstance(row.outcomes["agreement"], Unmeasured)
    assert row.outcomes["agreement"].reason == "no-adjudicator"


@pytest.mark.parametrize(("code", "reason"), [("judge-timeout", "judge"), ("budget", "budget"), ("cut", "cut")])
def test_judges_that_were_lost_leave_it_unmeasured_for_that_reason(code: Any, reason: str) -> None:
    facts: dict[str, ItemSaid] = {OPEN: "stated", CLOSED: "stated"}
    gone = [each.model_copy(update={"job": "answer"}) for each in (lost("b", code), lost("c", code))]
    row = held_row(ANSWER, [holds("a", facts, ANSWER), *gone], reference_answer=REFERENCE)
    outcome = row.outcomes["agreement"]
    assert isinstance(outcome, Unmeasured)
    assert outcome.reason == reason
    assert f"2 of 3 judges lost, first b ({code}" in outcome.detail
    assert row.state == "unmeasured"


def test_a_judge_that_says_nothing_of_a_fact_is_named() -> None:
    said: dict[str, ItemSaid] = {OPEN: "stated"}
    outcome = held_row(ANSWER, all_hold(said, ANSWER), reference_answer=REFERENCE).outcomes["agreement"]
    assert isinstance(outcome, Unmeasured)
    assert outcome.reason == "judge"
    assert outcome.detail == "whether the answer states fact-2 is open: no verdict of a, b, c"


def test_an_answer_that_declines_is_told_by_gate_4_alone() -> None:
    row = held_row("I do not know.", reference_answer=REFERENCE, criteria=CRITERIA)
    assert isinstance(row.outcomes["answered"], Failed)
    assert row.outcomes["agreement"] == NotApplicable(
        why="the answer is empty or declines, which `answered` tells",
        share={"hits": 0, "total": 2},  # type: ignore[arg-type]
    )
    assert isinstance(row.outcomes["criteria"], NotApplicable)


def test_a_case_that_expects_a_decline_has_its_own_criteria_and_no_facts() -> None:
    asks: list[Any] = ["names whom to ask"]
    said: dict[str, ItemSaid] = {"criterion-1": "no"}
    answer = "I do not know."
    row = held_row(answer, all_hold(said, answer), expect="abstain", reference_answer=REFERENCE, criteria=asks)
    assert told(row, "criteria") == ["criterion-unmet: criterion-1: “names whom to ask”"]
    assert "agreement" not in row.outcomes


def test_a_suite_that_asks_for_neither_has_neither() -> None:
    row = held_row(ANSWER)
    assert set(row.outcomes).isdisjoint({"agreement", "criteria"})
    assert row.answer_votes is None


def test_a_reference_answer_without_judges_is_for_people_alone() -> None:
    row = held_row(ANSWER, rules=make_rules(), reference_answer=REFERENCE, asked=False)
    assert "agreement" not in row.outcomes


def test_criteria_without_judges_are_not_measured_and_not_hidden() -> None:
    row = held_row(ANSWER, rules=make_rules(), criteria=CRITERIA, asked=False)
    outcome = row.outcomes["criteria"]
    assert isinstance(outcome, Unmeasured)
    assert outcome.reason == "no-adjudicator"
    assert row.state == "passed"


def test_what_armed_judges_decide_is_told_apart_from_what_rules_do() -> None:
    row = agreement("lacking", "stated")
    assert row.by_rules is not None
    alone: Outcome = row.by_rules.outcomes["agreement"]
    assert isinstance(alone, Unmeasured)
    assert alone.reason == "no-adjudicator"


HIDDEN = "The vault code is alpha bravo charlie delta echo foxtrot."


def test_what_an_asker_may_not_read_reaches_no_judge_and_no_row() -> None:
    store = make_store(*[make_chunk(*each) for each in CHUNKS.items()], make_chunk("vault", HIDDEN, permitted=False))
    rules = make_rules(store, has_judges=True)
    found = held_draft(ANSWER, rules=rules, reference_answer=f"The shop opens at nine. {HIDDEN}")
    assert [(item.id, item.withheld) for item in found.items] == [("fact-1", False), ("fact-2", True)]
    row = held_row(
        ANSWER,
        all_hold({OPEN: "stated", CLOSED: "stated"}, ANSWER),
        rules=rules,
        reference_answer=f"The shop opens at nine. {HIDDEN}",
    )
    outcome = row.outcomes["agreement"]
    assert isinstance(outcome, Unmeasured)
    assert outcome.reason == "no-adjudicator"
    assert "alpha bravo" not in row.model_dump_json()


def test_under_ids_a_row_names_what_failed_and_quotes_nobody() -> None:
    row = agreement("contradicted", "lacking", criteria=CRITERIA, rules=make_rules(has_judges=True, texts="ids"))
    assert told(row) == ["fact-contradicted: fact-1", "fact-lacking: fact-2"]
    written = row.model_dump_json(include={"answer_votes", "outcomes"})
    assert "nine" not in written
    assert "says so" not in written
    assert row.answer_votes is not None
    assert [item.text for item in row.answer_votes.items] == [None, None, "names an hour", "promises a refund"]
