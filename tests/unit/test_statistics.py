"""Agreement and intervals, by worked numbers."""

from __future__ import annotations

import pytest

from raggate_action.core.statistics.agreement import ConfusionTable, cohen_kappa, failing_agreement, gwet_ac1
from raggate_action.core.statistics.intervals import clopper_pearson, lower_limit, upper_limit
from raggate_action.schema.base import rate_of

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
