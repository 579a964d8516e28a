"""Answers held against facts and criteria on two runs: whose votes count beside whose, and what nobody else says."""

from __future__ import annotations

from typing import Any

import pytest

from raggate_action.core.comparison.same_judges import unjudged, without_panel
from raggate_action.core.counting.judge_only_findings import unblocked_reason
from raggate_action.core.gates.diagnosis import gate
from raggate_action.core.judging.item_vote_aggregation import fold_items
from raggate_action.core.judging.rescored_answer import rescored_verdicts
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.judgement import ItemSaid
from raggate_action.schema.outcome import Failed, Unmeasured
from raggate_action.schema.verdicts import Verdicts
from tests.builders import make_rules
from tests.held_answers import ARMED, all_hold, held_draft, held_row
from tests.row_builders import compare, make_row

ANSWER = "The shop opens at nine."
REFERENCE = "The shop opens at nine. It is closed on Sundays."
RULES = make_rules(has_judges=True)
GATES = RULES.gates
GOOD: dict[str, ItemSaid] = {"fact-1": "stated", "fact-2": "stated"}
BAD: dict[str, ItemSaid] = {"fact-1": "stated", "fact-2": "contradicted"}


def row(said: dict[str, ItemSaid] | None = None, *, prompt: str = "prompt", **fields: Any) -> CaseRun:
    judgements = [each.model_copy(update={"prompt": prompt}) for each in all_hold(said or {}, ANSWER)]
    return held_row(ANSWER, judgements, asked=said is not None, **{"reference_answer": REFERENCE, **fields})


def test_what_the_same_judges_see_anew_is_one() -> None:
    found = compare([row(BAD)], [row(GOOD)])
    assert found.regressions == ("q0",)


def test_without_its_panel_a_row_has_no_verdict_on_facts() -> None:
    judged = row(BAD)
    assert judged.state == "failed"
    alone = without_panel(judged, GATES)
    assert isinstance(alone.outcomes["agreement"], Unmeasured)
    assert alone.state == "passed"


def test_in_a_strangers_run_no_judge_decides_a_fact_whatever_the_row_says() -> None:
    for stored in (row(BAD), row(BAD).model_copy(update={"by_rules": None}), row(GOOD)):
        bare = unjudged(stored, GATES)
        outcome = bare.outcomes["agreement"]
        assert isinstance(outcome, Unmeasured)
        assert (outcome.reason, bare.answer_votes, bare.state) == ("no-adjudicator", None, "passed")


def test_by_other_demands_votes_hold_for_facts_of_the_same_words() -> None:
    now = held_draft(ANSWER, reference_answer=REFERENCE)
    votes = fold_items(now.items, all_hold(BAD, ANSWER), ARMED, answer=ANSWER)
    # The baseline had a criterion more, and asked for the facts in another order.
    then = held_draft(
        ANSWER, reference_answer="It is closed on Sundays. The shop opens at nine.", criteria=["names an hour"]
    )
    said = rescored_verdicts(then.claims, Verdicts(claims=now.claims, answer_votes=votes), None)
    outcomes = gate(then, said, RULES).outcomes
    assert isinstance(outcomes["agreement"], Failed)
    assert [str(each) for each in outcomes["agreement"].problems] == [
        "fact-contradicted: fact-1: “It is closed on Sundays.”"
    ]
    assert isinstance(outcomes["criteria"], Unmeasured)
    assert outcomes["criteria"].reason == "no-adjudicator"


@pytest.mark.parametrize(("reason", "advises", "expected"), [
    ("no-adjudicator", True, "no-adjudicator"),
    ("no-adjudicator", False, None),
    ("judge", False, "judge"),
])  # fmt: skip
def test_a_known_bad_case_that_only_criteria_block_is_open_where_no_judge_was_heard(
    reason: Any, advises: Any, expected: str | None
) -> None:
    bad = make_row(
        0, kind="known_bad", blocked_at="behaviour", outcomes={"criteria": Unmeasured(reason=reason, detail="")}
    )
    assert unblocked_reason(bad, GATES, panel_advises=advises) == expected
