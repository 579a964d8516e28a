"""What follows from a run's answers beside its baseline's: the gate, the decision, the cost, what is believed later."""

from __future__ import annotations

import json
from typing import Any

import pytest

from raggate_action.core.counting.case_state import passes_gates
from raggate_action.core.decision.ab_gate import run_ab_gate
from raggate_action.core.decision.decide import decide
from raggate_action.core.judging.judging_cost import with_pairs
from raggate_action.schema.ab_run import AbJudging, RunAb
from raggate_action.schema.case import Case
from raggate_action.schema.decision import GateReason, RunGate
from raggate_action.schema.judgement import Usage
from raggate_action.schema.judging_counts import JudgingCounts
from raggate_action.schema.outcome import Level, RunGateName
from raggate_action.schema.policy import AbGate
from tests.golden.compared_pages import run_ab
from tests.panel_ab_builders import ahead, identical, lost
from tests.row_builders import count, failed, make_policy, make_row, passed, unmeasured

WORSE = [ahead(f"q{n}", judge, -3) for n in range(12) for judge in ("owl", "lark")]
BETTER = [ahead(f"q{n}", judge, 3) for n in range(12) for judge in ("owl", "lark")]


def gate_of(ab: RunAb | None, level: Level = "warn") -> RunGate | None:
    return next(iter(run_ab_gate(ab, AbGate(level=level))), None)


def test_answers_that_are_the_same_do_not_pass_for_those_that_are_not() -> None:
    same = [identical(f"s{n}", "owl") for n in range(20)]
    gate = gate_of(run_ab([*same, lost("q1", "owl")]))
    assert gate is not None
    assert (gate.status, gate.unmeasured) == ("unmeasured", 1)
    alone = gate_of(run_ab(same))
    assert alone is not None
    assert alone.status == "passed"


@pytest.mark.parametrize(("level", "shown"), [("block", "warn"), ("warn", "warn"), ("off", "off")])
def test_where_nobody_could_be_asked_it_is_not_measured_and_never_blocks(level: Level, shown: Level) -> None:
    gate = gate_of(run_ab([], changed=3, aggregate=None, unavailable="No judge was asked."), level)
    assert gate is not None
    assert (gate.status, gate.level, gate.unmeasured) == ("unmeasured", shown, 3)


def test_a_suite_that_compares_nothing_has_no_such_gate() -> None:
    assert gate_of(None) is None


def decided(ab: RunAb | None, level: Level, **row: Any) -> tuple[str, list[RunGateName]]:
    policy = make_policy(gates={"ab": {"level": level}})
    found = decide(count([make_row(0, policy, **row)], policy), policy=policy, comparison=None, ab=ab)
    reasons = [each.gate.gate for each in found.decision.reasons if isinstance(each, GateReason)]
    return found.decision.kind, reasons


def test_it_blocks_where_the_suite_says_so_and_else_only_warns() -> None:
    assert decided(run_ab(WORSE), "warn") == ("release", [])
    assert decided(run_ab(WORSE), "block") == ("block", ["ab"])
    assert decided(run_ab([lost("q1", "owl")]), "block") == ("inconclusive", ["ab"])
    assert decided(run_ab([lost("q1", "owl")]), "warn")[0] == "release"


def test_judges_that_all_prefer_it_release_no_answer_that_a_gate_has_failed() -> None:
    kind, reasons = decided(run_ab(BETTER), "block", outcomes={"faithfulness": failed()})
    assert kind == "block"
    assert "ab" not in reasons


def test_what_comparing_took_is_part_of_what_judges_cost() -> None:
    own = JudgingCounts(answers=2, judgements=4, calls=4, usage=Usage(input=10, output=2), cost_usd=0.25)
    took = AbJudging(pairs=1, judgements=2, calls=3, usage=Usage(input=7, output=1), cost_usd=0.5, unpriced=("crow",))
    both = with_pairs(own, run_ab([]).model_copy(update={"judging": took}))
    assert (both.calls, both.usage, both.cost_usd) == (7, Usage(input=17, output=3), 0.75)
    assert (both.judgements, both.unpriced) == (4, ("crow",))
    assert with_pairs(own, None) is own


@pytest.mark.parametrize(
    ("fields", "passes"),
    [
        ({"outcomes": {"answered": passed()}}, None),
        ({"outcomes": {"answered": passed()}, "forbids": True}, True),
        ({"outcomes": {"answered": passed(), "faithfulness": passed((2, 2))}}, True),
        ({"outcomes": {"answered": passed(), "faithfulness": unmeasured("no-adjudicator")}}, None),
        ({"outcomes": {"answered": failed()}, "forbids": True}, False),
        ({"outcomes": {"target": unmeasured()}}, None),
    ],
)
def test_that_nothing_speaks_against_an_answer_is_not_known_to_pass(fields: Any, *, passes: bool | None) -> None:
    assert passes_gates(make_row(0, **fields), answerable=True) is passes


@pytest.mark.parametrize(
    ("fields", "answerable", "passes"),
    [
        ({"abstained": True}, False, None),
        ({"abstained": True}, True, False),
        ({"abstained": False}, False, False),
        ({"abstained": True, "outcomes": {"answered": failed("declined"), "behaviour": failed()}}, False, False),
        ({"abstained": True, "expect": "abstain", "outcomes": {"answered": failed("empty-answer")}}, False, False),
    ],
    ids=["nothing says so", "the case says that there is an answer", "no decline", "another gate fails", "empty"],
)
def test_a_decline_is_no_failure_where_nothing_says_that_there_is_an_answer(
    fields: Any, *, answerable: bool, passes: bool | None
) -> None:
    row = make_row(0, **{"state": "failed", "outcomes": {"answered": failed("declined")}, **fields})
    assert passes_gates(row, answerable=answerable) is passes


@pytest.mark.parametrize(
    ("fields", "answerable"),
    [
        ({}, False),
        ({"criteria": ["is polite"], "must_not_contain": ["idiot"]}, False),
        ({"expect": "abstain"}, False),
        ({"expect": "answer"}, True),
        ({"must_contain": ["15 EUR"]}, True),
        ({"required_source_ids": ["fees"]}, True),
        ({"required_points": ["the fee"]}, True),
        ({"reference_answer": "15 EUR."}, True),
        ({"expected_tools": ["search"]}, True),
    ],
)
def test_what_says_that_there_is_an_answer(fields: Any, *, answerable: bool) -> None:
    assert (
        Case.model_validate_json(json.dumps({"case_id": "q", "question": "How much?", **fields})).is_answerable
        is answerable
    )
