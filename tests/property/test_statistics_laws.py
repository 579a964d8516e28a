"""Our statistics are those of scipy, scikit-learn and statsmodels, for whatever is counted.

They are imported where they are used: it takes seconds, and not every process of a test run comes to it.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from raggate_action.core.statistics.agreement import ConfusionTable, cohen_kappa, failing_agreement, gwet_ac1
from raggate_action.core.statistics.intervals import (
    beta_below,
    beta_quantile,
    clopper_pearson,
    lower_limit,
    upper_limit,
)
from raggate_action.schema.base import Rate
from tests.thorough import examples

COUNTS = st.integers(0, 400)
TABLES = st.builds(ConfusionTable, COUNTS, COUNTS, COUNTS, COUNTS)
RATES = st.integers(0, 3_000).flatmap(lambda total: st.builds(Rate, hits=st.integers(0, total), total=st.just(total)))


@settings(max_examples=examples(60), deadline=None)
@given(RATES.filter(lambda rate: rate.total > 0), st.sampled_from([0.8, 0.9, 0.95, 0.99]))
def test_the_interval_is_clopper_and_pearson_s(rate: Rate, confidence: float) -> None:
    from scipy.stats import binomtest
    from statsmodels.stats.proportion import proportion_confint

    ours = clopper_pearson(rate, confidence=confidence)
    theirs = binomtest(rate.hits, rate.total).proportion_ci(confidence, method="exact")
    assert ours == pytest.approx((theirs.low, theirs.high), abs=1e-10)
    assert ours == pytest.approx(
        proportion_confint(rate.hits, rate.total, alpha=1 - confidence, method="beta"), abs=1e-10
    )
    assert 0 <= ours.low <= rate.value <= ours.high <= 1


@settings(max_examples=examples(60), deadline=None)
@given(RATES.filter(lambda rate: 0 < rate.hits < rate.total))
def test_at_a_limit_what_was_seen_is_just_as_improbable_as_was_said(rate: Rate) -> None:
    from scipy.stats import binom

    upper, lower = upper_limit(rate), lower_limit(rate)
    assert binom.cdf(rate.hits, rate.total, upper) == pytest.approx(0.05, rel=1e-8)
    assert binom.sf(rate.hits - 1, rate.total, lower) == pytest.approx(0.05, rel=1e-8)


POSITIVE = st.floats(0.05, 2_000)


@settings(max_examples=examples(100), deadline=None)
@given(st.floats(0, 1), POSITIVE, POSITIVE)
def test_the_beta_distribution_is_scipy_s(x: float, a: float, b: float) -> None:
    from scipy.stats import beta

    assert beta_below(x, a, b) == pytest.approx(beta.cdf(x, a, b), abs=1e-9)


@settings(max_examples=examples(60), deadline=None)
@given(st.floats(0.001, 0.999), st.floats(1, 2_000), st.floats(1, 2_000))
def test_a_quantile_undoes_the_distribution(probability: float, a: float, b: float) -> None:
    from scipy.stats import beta

    assert beta_quantile(probability, a, b) == pytest.approx(beta.ppf(probability, a, b), abs=1e-9)


def sides(table: ConfusionTable) -> tuple[list[int], list[int]]:
    pairs = [pair for n, pair in zip(table, ((0, 0), (0, 1), (1, 0), (1, 1)), strict=True) for _ in range(n)]
    return [first for first, _ in pairs], [second for _, second in pairs]


@settings(max_examples=examples(60), deadline=None)
@given(TABLES)
def test_kappa_is_scikit_learn_s_and_statsmodels(table: ConfusionTable) -> None:
    from sklearn.metrics import cohen_kappa_score
    from statsmodels.stats.inter_rater import cohens_kappa

    ours = cohen_kappa(table)
    if ours is None:
        # Both raters put everything on one side, or there is nothing.
        assert table.total in {table.both_good, table.both_faulty}
        return
    assert ours == pytest.approx(cohen_kappa_score(*sides(table), labels=[0, 1]), abs=1e-12)
    square = [[table.both_good, table.second_faulty], [table.second_good, table.both_faulty]]
    assert ours == pytest.approx(cohens_kappa(square, return_results=False), abs=1e-12)


@settings(max_examples=examples(60), deadline=None)
@given(TABLES.filter(lambda table: table.total > 0))
def test_agreement_knows_no_order_of_raters_nor_of_sides(table: ConfusionTable) -> None:
    turned = ConfusionTable(table.both_good, table.second_good, table.second_faulty, table.both_faulty)
    mirrored = ConfusionTable(table.both_faulty, table.second_good, table.second_faulty, table.both_good)
    for measure in (cohen_kappa, gwet_ac1):
        assert measure(table) == pytest.approx(measure(turned))
        assert measure(table) == pytest.approx(measure(mirrored))
    assert failing_agreement(table) == failing_agreement(turned)
    for value in (cohen_kappa(table), gwet_ac1(table)):
        assert value is None or -1 <= value <= 1 + 1e-12
