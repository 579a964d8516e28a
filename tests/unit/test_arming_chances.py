"""How likely labels arm a judge at the errors it has made so far, and that nothing is advised that cannot come true."""

from __future__ import annotations

from decimal import Decimal

import pytest
from scipy.stats import binom

from raggate_action.core.judging.scorecard_and_arming import chances_of_arming, meets_limit
from raggate_action.core.statistics.agreement import ConfusionTable
from raggate_action.report.judge_messages import chances_text, wants_labels, what_arms
from raggate_action.schema.base import rate_of
from raggate_action.schema.calibration import ErrorRate, JudgeCard
from raggate_action.schema.judges import Arming


@pytest.mark.parametrize(
    ("block", "passes", "of_hundred"),
    [
        # 30 good and 20 faulty labels allow one error and two: binom(30, .05) <= 1 and binom(20, .05) <= 2.
        (0.05, 0.05, 51),
        (0.10, 0.15, 7),
    ],
)
def test_fifty_labels_arm_few_judges(block: float, passes: float, of_hundred: int) -> None:
    table = ConfusionTable(round(600 * (1 - block)), round(600 * block), round(400 * passes), round(400 * (1 - passes)))
    found = dict(chances_of_arming(table, Arming(), labelled=0))
    assert round(100 * found[50]) == of_hundred
    assert found[50] == pytest.approx(float(binom.cdf(1, 30, block) * binom.cdf(2, 20, passes)), rel=1e-9)
    assert sorted(found.values()) == [*found.values()], "more labels, more chance"
    assert (meets_limit(1, 30, Decimal("0.15")), meets_limit(2, 30, Decimal("0.15"))) == (True, False)


def test_sizes_that_there_are_are_left_out_and_nothing_is_told_of_a_kind_without_labels() -> None:
    assert [size for size, _ in chances_of_arming(ConfusionTable(40, 0, 0, 20), Arming())] == [100, 200]
    assert chances_of_arming(ConfusionTable(40, 0, 0, 0), Arming()) == ()
    assert chances_of_arming(ConfusionTable(0, 0, 2, 18), Arming()) == ()
    wanted = Arming.model_validate({"labels": 120})
    assert [size for size, _ in chances_of_arming(ConfusionTable(20, 0, 0, 10), wanted)] == [200]


def card(*chances: tuple[int, float]) -> JudgeCard:
    error = ErrorRate(rate=rate_of(8, 20), upper=0.6, low=0.2, high=0.6)
    return JudgeCard(
        judge="ada", labels_digest="x", armed=False, why_not="too-few-labels", labels=40, faults=20, missing_labels=10,
        missing_right=10, false_block=error, false_pass=error, agreement=rate_of(26, 40), chances=chances,
    )  # fmt: skip


def test_who_would_label_in_vain_is_told_to_take_another_model() -> None:
    hopeless = card((50, 0.001), (100, 0.0), (200, 0.0))
    assert not wants_labels(hopeless)
    assert what_arms(hopeless) == (
        "choose another model: at its errors so far, 50 labels arm it in 1 of 100 cases, 100 in 0, 200 in 0"
    )
    fair = card((50, 0.2), (100, 0.6), (200, 0.9))
    assert wants_labels(fair)
    assert what_arms(fair) == "label 10 more claims, 10 of them right"
    assert chances_text(fair) == "at its errors so far, 50 labels arm it in 20 of 100 cases, 100 in 60, 200 in 90"
