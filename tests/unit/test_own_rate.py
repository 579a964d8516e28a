"""Hallucinations of single answers beside the base branch's own rate: the arithmetic, and what it does to a case."""

from __future__ import annotations

import pytest
from scipy.stats import binom

from raggate_action.core.comparison.confirmation_asks import Confirmation, standing_without
from raggate_action.core.comparison.own_rate import FalseAnswers, OwnRateCount
from raggate_action.core.statistics.intervals import at_least
from raggate_action.report.decision_words import own_rate_in_words
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.main_answers import OwnRate
from raggate_action.schema.run import Policy
from tests.row_builders import TODAY, failed, false_claim, index, make_row


@pytest.mark.parametrize(("hits", "trials"), [(0, 60), (1, 60), (3, 62), (4, 66), (60, 60), (7, 2000)])
@pytest.mark.parametrize("share", [0.001, 1 / 75, 0.1, 0.9])
def test_the_chance_of_so_many_or_more_is_the_binomial_distributions(hits: int, trials: int, share: float) -> None:
    assert at_least(hits, trials, share) == pytest.approx(binom.sf(hits - 1, trials, share), rel=1e-9)


def counted(main: FalseAnswers, *, false: int, right: int) -> OwnRate | None:
    found = OwnRateCount({"a": main})
    for number in range(false + right):
        found.add(f"q{number}", false=number < false, known=False)
    return found.explained()


def test_mains_rate_explains_what_it_gives_by_chance_in_one_run_of_twenty() -> None:
    # 4 in 300 are 1 in 75. Of 60 answers: P(2 or more) = 1 - (74/75)^60 - 60 (1/75) (74/75)^59 = 1 - 0.447 - 0.362
    # = 0.191; P(3 or more) = 0.191 - 1770 (1/75)^2 (74/75)^58 = 0.191 - 0.144 = 0.047.
    two, three = counted(FalseAnswers(4, 300), false=2, right=58), counted(FalseAnswers(4, 300), false=3, right=57)
    assert two == OwnRate(main_false=4, main_answers=300, here_false=2, here_answers=60)
    assert three is None
    assert two is not None
    assert own_rate_in_words(two) == "main: 1 in 75 answers; here: 1 in 30"


def test_where_main_has_none_one_is_new() -> None:
    assert counted(FalseAnswers(0, 300), false=1, right=59) is None


def test_a_case_that_has_it_on_both_leaves_both_sides() -> None:
    found = OwnRateCount({"a": FalseAnswers(5, 5), "b": FalseAnswers(2, 20)})
    found.add("a", false=False, known=False)
    found.add("b", false=True, known=False)
    found.add("a", false=False, known=True)
    found.add("a", false=True, known=False)
    # 2 in 20 on main give the 1 in 1 of here by a chance of 0.1.
    assert found.explained() == OwnRate(main_false=2, main_answers=20, here_false=1, here_answers=1)


def wrong(position: int = 0, **more: object) -> CaseRun:
    row = make_row(position, hallucinations=(false_claim(),), outcomes={"faithfulness": failed()})
    return row.model_copy(update={"state": "failed", **more})


@pytest.mark.parametrize(
    ("row", "main", "doubtful"),
    [
        pytest.param(wrong(), FalseAnswers(1, 75), True, id="main has one"),
        pytest.param(wrong(), FalseAnswers(0, 75), False, id="main has none, so one answer is enough"),
        pytest.param(wrong(flagged=True), FalseAnswers(1, 75), False, id="a forbidden phrase as well"),
    ],
)
def test_a_certain_hallucination_is_in_doubt_where_mains_answers_have_any(
    row: CaseRun, main: FalseAnswers, *, doubtful: bool
) -> None:
    own = OwnRateCount({"q0": main})
    confirmation = Confirmation(Policy(), decided_on=TODAY, baseline=index([make_row(0)]), own=own)
    assert confirmation.is_doubtful(row) is doubtful


def test_what_mains_latest_answer_has_is_no_matter_of_chance() -> None:
    own = OwnRateCount({"q0": FalseAnswers(1, 1), "q1": FalseAnswers(1, 75)})
    confirmation = Confirmation(Policy(), decided_on=TODAY, baseline=index([wrong(0), make_row(1)]), own=own)
    confirmation.seen(wrong(0))
    confirmation.seen(wrong(1))
    # 1 in 75 explains 1 in 1 with a chance of 1/75 alone.
    assert confirmation.explained() is None
    assert not confirmation.is_false_once(wrong(0))
    assert confirmation.is_false_once(wrong(1))


def test_the_first_other_answer_that_passes_stands_and_one_that_nobody_measured_excuses_nothing() -> None:
    passing, cut = make_row(0), make_row(0).model_copy(update={"state": "unmeasured"})
    failing = make_row(0).model_copy(update={"state": "failed"})
    assert standing_without([wrong(), failing, passing], 0) == 2
    assert standing_without([failing, wrong(), failing], 1) == 0
    assert standing_without([wrong(), cut], 0) is None
