"""Agreement, intervals and corrected rates, by worked numbers."""

from __future__ import annotations

import random
from math import sqrt

import pytest

from raggate_action.core.judging.corrected_rate import ppi, rogan_gladen
from raggate_action.core.statistics.agreement import ConfusionTable, cohen_kappa, failing_agreement, gwet_ac1
from raggate_action.core.statistics.intervals import clopper_pearson, lower_limit, upper_limit
from raggate_action.schema.base import Rate, rate_of

# By irrCAC 0.4.4, as `dev/oracles.py` prints it.
AC1 = [
    ((92, 3, 3, 2), 0.933701657459),
    ((94, 3, 3, 0), 0.936292206413),
    ((45, 5, 5, 45), 0.8),
    ((29, 1, 2, 18), 0.885539870279),
    ((30, 0, 0, 20), 1.0),
    ((50, 0, 0, 0), 1.0),
    ((0, 25, 25, 0), -1.0),
    ((17, 9, 14, 11), 0.110352673493),
    ((400, 13, 7, 80), 0.94324631101),
]
# By ppi-python 0.2.3, likewise.
PPI = [
    ((40, 3, 2, 5), (30, 150), 0.15505107212475633, 0.07255455119733431, 0.23754759305217835),
    ((30, 10, 10, 10), (400, 950), 0.3521844079753684, 0.23641978506646022, 0.46794903088427653),
    ((45, 0, 0, 5), (95, 950), 0.09999999999999998, 0.08140597239011796, 0.118594027609882),
    ((60, 2, 8, 30), (250, 900), 0.3465519824571801, 0.2834990911003582, 0.409604873814002),
    ((25, 25, 25, 25), (10, 40), 0.5, 0.4020018007729973, 0.5979981992270027),
]


@pytest.mark.parametrize(("table", "expected"), AC1)
def test_ac1_is_irrcac_s(table: tuple[int, int, int, int], expected: float) -> None:
    assert gwet_ac1(ConfusionTable(*table)) == pytest.approx(expected, abs=1e-11)


def test_ac1_by_hand() -> None:
    # 5 of 100 calls of the first and 5 of the second are "faulty": 10/200 = .05; by chance 2 * .05 * .95 = .095;
    # (.94 - .095) / (1 - .095) = .845 / .905.
    assert gwet_ac1(ConfusionTable(92, 3, 3, 2)) == pytest.approx(0.845 / 0.905)


def test_where_nearly_all_is_good_kappa_falls_and_ac1_looks_fine_so_the_faults_are_looked_at() -> None:
    blind = ConfusionTable(94, 3, 3, 0)
    assert cohen_kappa(blind) == pytest.approx(-3 / 97)  # (.94 - .9418) / (1 - .9418)
    assert round(gwet_ac1(blind) or 0, 2) == 0.94
    assert failing_agreement(blind) == 0.0
    assert failing_agreement(ConfusionTable(92, 3, 3, 2)) == 2 * 2 / (2 * 2 + 6)


def test_of_nothing_and_of_one_side_alone_nothing_is_claimed() -> None:
    assert (cohen_kappa(ConfusionTable()), gwet_ac1(ConfusionTable()), failing_agreement(ConfusionTable())) == (
        None,
        None,
        None,
    )
    assert cohen_kappa(ConfusionTable(both_good=50)) is None
    assert failing_agreement(ConfusionTable(both_good=50)) is None
    assert clopper_pearson(rate_of(0, 0)) == (0.0, 1.0)
    assert (lower_limit(rate_of(0, 0)), upper_limit(rate_of(0, 0))) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("rate", "low", "high"),
    # As textbooks have them: 10 of 10, 20 of 20, 19 of 20, 95 of 100.
    [((10, 10), 0.69, 1), ((20, 20), 0.83, 1), ((19, 20), 0.75, 1.0), ((95, 100), 0.89, 0.98)],
)
def test_two_sided_limits(rate: tuple[int, int], low: float, high: float) -> None:
    found = clopper_pearson(rate_of(*rate))
    assert (round(found.low, 2), round(found.high, 2)) == (low, high)


def test_one_sided_limits_of_no_hit_are_the_root_of_five_percent() -> None:
    # (1 - p)^n = .05
    assert upper_limit(rate_of(0, 59)) == pytest.approx(1 - 0.05 ** (1 / 59))
    assert lower_limit(rate_of(59, 59)) == pytest.approx(0.05 ** (1 / 59))


def test_thirty_right_labels_allow_one_error_and_twenty_faulty_ones_two() -> None:
    assert upper_limit(rate_of(1, 30)) < 0.15 < upper_limit(rate_of(2, 30))
    assert upper_limit(rate_of(2, 20)) < 0.30 < upper_limit(rate_of(3, 20))


def test_a_rate_is_corrected_by_sensitivity_and_specificity() -> None:
    # Observation 30 % faulty; .9 of faulty and .8 of right ones are seen as what they are: (.3 - .2) / (.9 + .8 - 1).
    found = rogan_gladen(
        rate_of(300, 1_000), ConfusionTable(both_good=80, second_faulty=20, second_good=10, both_faulty=90)
    )
    assert found is not None
    assert (found.method, found.observed) == ("rogan-gladen", rate_of(300, 1_000))
    assert found.value == pytest.approx(0.1 / 0.7)
    z = 1.959963984540054
    n, right, faulty = 1_000 + z**2, 102, 102
    p, se, sp = (300 + z**2 / 2) / n, 91 / 102, 81 / 102
    j = se + sp - 1
    value = (p + sp - 1) / j
    shift = 2 * z**2 * (value * se * (1 - se) / faulty - (1 - value) * sp * (1 - sp) / right)
    half = z * sqrt(p * (1 - p) / n + (1 - value) ** 2 * sp * (1 - sp) / right + value**2 * se * (1 - se) / faulty) / j
    assert (found.low, found.high) == pytest.approx((value + shift - half, value + shift + half))


def test_the_labels_own_chance_is_in_the_interval() -> None:
    few, many = (rogan_gladen(rate_of(3_000, 10_000), ConfusionTable(27 * k, 3 * k, 2 * k, 18 * k)) for k in (1, 100))
    assert few is not None
    assert many is not None
    assert few.value == pytest.approx(many.value)
    assert few.high - few.low > 5 * (many.high - many.low)
    # Twenty faulty labels without an error do not make an infallible judge.
    flawless = rogan_gladen(rate_of(500, 1_000_000), ConfusionTable(30, 0, 0, 20))
    assert flawless is not None
    assert flawless.high > 0.01


@pytest.mark.parametrize(
    ("observed", "errors"),
    [
        (rate_of(0, 0), ConfusionTable(30, 0, 0, 20)),
        (rate_of(1, 10), ConfusionTable(19, 0, 0, 20)),
        (rate_of(1, 10), ConfusionTable(30, 0, 0, 19)),
        # Sensitivity .64 and specificity .65: together 1.29.
        (rate_of(1, 10), ConfusionTable(65, 35, 36, 64)),
    ],
)
def test_no_rate_is_corrected_by_few_labels_or_by_a_judge_that_guesses(observed: Rate, errors: ConfusionTable) -> None:
    assert rogan_gladen(observed, errors) is None


def test_a_judge_just_above_guessing_is_enough() -> None:
    assert rogan_gladen(rate_of(4, 10), ConfusionTable(66, 34, 35, 65)) is not None


def test_nineteen_of_twenty_intervals_hold_the_true_rate() -> None:
    draw = random.Random(7)
    held = runs = 0
    for _ in range(600):
        true, se, sp = 0.15, 0.85, 0.93
        right = sum(draw.random() < sp for _ in range(40))
        caught = sum(draw.random() < se for _ in range(25))
        hits = sum(draw.random() < (se if draw.random() < true else 1 - sp) for _ in range(200))
        found = rogan_gladen(rate_of(hits, 200), ConfusionTable(right, 40 - right, 25 - caught, caught))
        assert found is not None
        held, runs = held + (found.low <= true <= found.high), runs + 1
    assert held / runs > 0.93


@pytest.mark.parametrize(("drawn", "others", "value", "low", "high"), PPI)
def test_a_rate_by_labels_of_the_run_is_ppi_python_s(
    drawn: tuple[int, int, int, int], others: tuple[int, int], value: float, low: float, high: float
) -> None:
    found = ppi(ConfusionTable(*drawn), rate_of(*others))
    assert found is not None
    assert (found.value, found.low, found.high) == pytest.approx((value, low, high), abs=1e-9)
    table = ConfusionTable(*drawn)
    assert found.observed == rate_of(table.second_says_faulty + others[0], table.total + others[1])


@pytest.mark.parametrize(
    ("drawn", "others"),
    [
        (ConfusionTable(40, 0, 0, 9), rate_of(10, 100)),  # 49 labels
        (ConfusionTable(40, 0, 0, 10), rate_of(0, 0)),
        (ConfusionTable(49, 1, 0, 0), rate_of(10, 100)),
        (ConfusionTable(0, 0, 1, 49), rate_of(10, 100)),
    ],
)
def test_labels_that_cannot_say_it_say_nothing(drawn: ConfusionTable, others: Rate) -> None:
    assert ppi(drawn, others) is None


def test_a_judge_that_calls_nothing_faulty_leaves_the_labels_alone() -> None:
    found = ppi(ConfusionTable(both_good=90, second_good=10), rate_of(0, 500))
    assert found is not None
    # 10 of 100, and 1.96 * sqrt(.1 * .9 / 100) either way.
    assert (found.value, found.high - found.value) == pytest.approx((0.1, 1.959964 * 0.03), abs=1e-6)
