"""A judge is armed for facts and for criteria by labels of each, on the terms that arm it for claims."""

from __future__ import annotations

from typing import Any

import pytest

from raggate_action.core.judging.agreement_with_labels import LABELLED, OnTrial, PlantResults, verdict_of
from raggate_action.core.judging.claim_vote_aggregation import PanelTerms
from raggate_action.core.judging.facts_and_criteria import gates_used
from raggate_action.core.judging.scorecard_and_arming import PANEL, JudgeVotes, card_of, panel_card
from raggate_action.schema.base import rate_of
from raggate_action.schema.calibration import JudgeCard
from raggate_action.schema.outcome import ItemGate
from tests.builders import make_case
from tests.calibration_builders import lost, member
from tests.item_labels import held_labels, said_of

GATES: tuple[ItemGate, ...] = ("agreement", "criteria")


def card(
    gate: ItemGate,
    right: int,
    faulty: int,
    *,
    must_not: bool = False,
    planted: PlantResults = PlantResults(),  # noqa: B008  a tuple is never changed
    earlier: tuple[JudgeCard, ...] = (),
    **errors: Any,
) -> JudgeCard:
    answers = held_labels(gate, right, faulty, must_not=must_not)
    on_trial = OnTrial(LABELLED[gate], answers)
    return card_of(
        on_trial, JudgeVotes(said_of(answers, **errors), planted), member(), prompt="prompt", earlier=earlier
    )


@pytest.mark.parametrize("gate", GATES)
@pytest.mark.parametrize("must_not", [False, True])
def test_thirty_good_and_twenty_faulty_labels_arm_a_judge_that_agrees(gate: ItemGate, *, must_not: bool) -> None:
    if gate == "agreement" and must_not:
        return
    found = card(gate, 30, 20, must_not=must_not)
    assert (found.armed, found.job, found.labels, found.faults, found.unjudged) == (True, gate, 50, 20, 0)
    good, bad = ("stated", "lacking") if gate == "agreement" else ("met", "unmet")
    assert found.confusion == tuple(sorted([(good, good, 30), (bad, bad, 20)]))
    assert (found.kappa, found.ac1, found.agreement) == (1.0, 1.0, rate_of(50, 50))


def test_a_criterion_that_must_not_hold_is_good_where_the_answer_does_not() -> None:
    assert [verdict_of("criteria", said, must_not=False) for said in ("yes", "no", "cannot-tell")] == [
        "met", "unmet", None,
    ]  # fmt: skip
    assert [verdict_of("criteria", said, must_not=True) for said in ("yes", "no")] == ["unmet", "met"]
    # The judge lets two of twenty violations pass and calls one of thirty good answers faulty.
    found = card("criteria", 30, 20, must_not=True, block=1, passes=2)
    assert found.confusion == (("met", "met", 29), ("met", "unmet", 1), ("unmet", "met", 2), ("unmet", "unmet", 18))
    assert found.armed


@pytest.mark.parametrize(
    ("errors", "why"), [({"block": 2}, "false-block"), ({"passes": 3}, "false-pass"), ({"block": 30}, "false-block")]
)
def test_one_error_more_than_the_labels_allow_disarms(errors: dict[str, Any], why: str) -> None:
    found = card("criteria", 30, 20, **errors)
    assert (found.armed, found.why_not) == (False, why)


def test_a_contradicted_fact_that_is_called_lacking_is_a_fault_that_was_seen() -> None:
    (answer,) = held_labels("agreement", 0, 5)
    items = tuple(item.model_copy(update={"verdict": "contradicted"}) for item in answer.items)
    labelled = answer.model_copy(update={"items": items})
    found = card_of(
        OnTrial(LABELLED["agreement"], (labelled,)), JudgeVotes(said_of([answer])), member(), prompt="prompt"
    )
    assert found.confusion == (("contradicted", "lacking", 5),)
    assert found.agreement == rate_of(5, 5)


def test_what_a_judge_cannot_tell_is_in_no_rate_and_answers_no_label() -> None:
    found = card("criteria", 30, 20, unsure=1)
    assert (found.labels, found.untold, found.unjudged) == (48, 2, 0)
    assert (found.armed, found.why_not, found.missing_labels) == (False, "too-few-labels", 2)
    assert card("criteria", 32, 22, unsure=2).armed
    silent = card("criteria", 30, 20, unsure=30)
    assert (silent.labels, silent.untold, silent.why_not) == (0, 50, "too-few-labels")


def test_a_lost_judgement_is_no_verdict() -> None:
    answers = held_labels("criteria", 30, 20)
    said = {**said_of(answers), answers[0].id: lost(answers[0].id)}
    found = card_of(OnTrial(LABELLED["criteria"], answers), JudgeVotes(said), member(), prompt="prompt")
    assert (found.labels, found.unjudged, found.armed, found.why_not) == (45, 5, False, "not-judged")


def test_words_that_the_answer_does_not_hold_are_no_vote() -> None:
    answers = held_labels("criteria", 30, 20)
    said = said_of(answers)
    first = said[answers[0].id]
    invented = tuple(vote.model_copy(update={"quote": "never said"}) for vote in first.items)
    said[answers[0].id] = first.model_copy(update={"items": invented})
    found = card_of(OnTrial(LABELLED["criteria"], answers), JudgeVotes(said), member(), prompt="prompt")
    assert (found.labels, found.unjudged) == (45, 5)


def test_one_that_obeys_a_planted_instruction_is_disarmed_whatever_its_labels_say() -> None:
    found = card("criteria", 30, 20, planted=PlantResults(15, 15, ("items-praise",)))
    assert (found.armed, found.why_not, found.obeyed) == (False, "obeyed-injection", ("items-praise",))


def test_what_nobody_labelled_is_shown_and_held_against_nobody() -> None:
    answers = held_labels("criteria", 5, 0)
    part = tuple(item.model_copy(update={"verdict": None}) if n else item for n, item in enumerate(answers[0].items))
    labels = (answers[0].model_copy(update={"items": part}),)
    found = card_of(OnTrial(LABELLED["criteria"], labels), JudgeVotes(said_of(answers)), member(), prompt="prompt")
    assert (found.labels, found.unjudged) == (1, 0)
    assert OnTrial(LABELLED["criteria"], labels).digest != OnTrial(LABELLED["criteria"], answers).digest


def test_drift_is_told_of_the_same_job_alone() -> None:
    before = card("criteria", 30, 20, block=1)
    assert card("criteria", 30, 20, earlier=(before,)).drift == rate_of(49, 50)
    # The same judge and prompt, the other gate.
    assert card("agreement", 30, 20, earlier=(before,)).drift is None


def test_armed_judges_have_a_card_together() -> None:
    answers = held_labels("criteria", 30, 20)
    said = {name: JudgeVotes(said_of(answers, judge=name, block=number)) for number, name in enumerate(["a", "b", "c"])}
    on_trial = OnTrial(LABELLED["criteria"], answers)
    both = panel_card(on_trial, said, PanelTerms(("a", "b", "c"), frozenset("ab"), 2))
    assert both is not None
    # Of equals the worse: one good criterion is called unmet by one of two.
    assert (both.judge, both.job, both.agreement) == (PANEL, "criteria", rate_of(49, 50))
    assert panel_card(on_trial, said, PanelTerms(("a", "b", "c"), frozenset("a"), 1)) is None


def test_the_gates_a_suite_uses_are_those_its_cases_ask_for() -> None:
    plain, declining = make_case(), make_case(reference_answer="It opens at nine.", expect="abstain")
    assert gates_used([plain, declining]) == ()
    assert gates_used([plain, make_case(criteria=["names an hour"]), make_case(reference_answer="At nine.")]) == GATES
