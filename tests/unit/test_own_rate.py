"""Hallucinations of single answers beside the base branch's own rate: the arithmetic, and what it does to a case."""

from __future__ import annotations

import pytest
from scipy.stats import beta, binom

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
    # 4 in 300: the rate r with P(4 or fewer of 300) = 1/2 is 4.666/300 = 0.01555, by the binomial distribution. Of 60
    # answers it gives P(3 or more) = 0.067, P(4 or more) = 0.014.
    rate = beta.ppf(0.5, 5, 296)
    assert binom.cdf(4, 300, rate) == pytest.approx(0.5)
    assert binom.sf([2, 3], 60, rate) == pytest.approx([0.067, 0.0143], abs=5e-4)
    three, four = counted(FalseAnswers(4, 300), false=3, right=57), counted(FalseAnswers(4, 300), false=4, right=56)
    assert three == OwnRate(main_false=4, main_answers=300, here_false=3, here_answers=60)
    assert four is None
    assert three is not None
    assert own_rate_in_words(three) == "main: 1 in 75 answers; here: 1 in 20"


def test_of_few_answers_of_main_without_any_one_or_two_are_chance_and_of_many_none_but_one() -> None:
    # 0 in 60: (1 - r)^60 = 1/2, r = 1 - 2^(-1/60) = 0.01149. Of 60 answers P(2 or more) = 1 - 1/2 - 60 r (1 - r)^59
    # = 0.151, P(3 or more) = 0.031. 0 in 300: r = 0.00231, P(1 or more) = 1 - 2^(-1/5) = 0.129, P(2 or more) = 0.008.
    few, many = FalseAnswers(0, 60), FalseAnswers(0, 300)
    two = counted(few, false=2, right=58)
    assert two is not None
    assert own_rate_in_words(two) == "main: none in 60 answers; here: 1 in 30"
    assert counted(few, false=3, right=57) is None
    assert counted(many, false=1, right=59) is not None
    assert counted(many, false=2, right=58) is None
    assert counted(FalseAnswers(0, 0), false=1, right=59) is None


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
        pytest.param(wrong(), FalseAnswers(0, 75), True, id="main has none, of answers so few that it may be chance"),
        pytest.param(wrong(), FalseAnswers(0, 0), False, id="nothing is known of main's answers"),
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
