"""Numbers for people: what they read, and that no reading is better than the truth."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from raggate_action.strings import numbers

COUNTS = st.integers(0, 10_000)
AMOUNTS = st.floats(0, 10_000_000, allow_nan=False)
RATES = st.tuples(COUNTS, COUNTS).map(lambda pair: (min(pair), max(pair)))


def tenths(shown: str) -> int:
    """A shown number of percent or points, in tenths."""
    found = re.search(r"[+-]?\d+\.\d", shown)
    assert found is not None
    return int(found[0].replace(".", ""))


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        pytest.param(numbers.rate(18, 20), "18/20", id="a rate is shown as its counts"),
        pytest.param(numbers.rate(18_000, 20_000), "18,000/20,000", id="large counts are grouped"),
        pytest.param(numbers.rate(0, 0), "–", id="nothing counted shows no counts"),
        pytest.param(numbers.percent(18, 20), "90.0 %", id="18 of 20"),
        pytest.param(numbers.percent(2, 3), "66.7 %", id="a rate is rounded half up"),
        pytest.param(numbers.percent(0, 0), "not scored", id="0 of 0 is not scored"),
        pytest.param(numbers.percent_as_stored(3.41), "3.4 %", id="a stored rate is rounded likewise"),
        pytest.param(numbers.percent_as_stored(3.4), "3.4 %", id="a stored tenth stays as it is"),
        pytest.param(numbers.points((19, 20), (18, 20)), "+5.0 pts", id="a gain"),
        pytest.param(numbers.points((17, 20), (18, 20)), "-5.0 pts", id="a loss"),
        pytest.param(numbers.points((9, 10), (18, 20)), "=", id="equal rates of different size"),
        pytest.param(numbers.points((2, 3), (1, 2)), "+16.7 pts", id="a gain is rounded half up"),
        pytest.param(numbers.points((1, 2), (2, 3)), "-16.7 pts", id="a loss likewise"),
        pytest.param(numbers.points((5_001, 10_000), (1, 2)), "<+0.1 pts", id="a tiny gain is neither 0.0 nor ="),
        pytest.param(numbers.points((4_999, 10_000), (1, 2)), ">-0.1 pts", id="a tiny loss is not hidden"),
        pytest.param(numbers.points((0, 0), (1, 2)), "–", id="no delta from nothing scored now"),
        pytest.param(numbers.points((1, 2), (0, 0)), "–", id="no delta to nothing scored before"),
        pytest.param(numbers.milliseconds(812), "812 ms", id="milliseconds"),
        pytest.param(numbers.milliseconds(812.2), "813 ms", id="a started millisecond counts"),
        pytest.param(numbers.milliseconds(999.5), "1.0 s", id="never 1000 ms"),
        pytest.param(numbers.milliseconds(8_100), "8.1 s", id="seconds"),
        pytest.param(numbers.milliseconds(8_101), "8.2 s", id="a started tenth of a second counts"),
        pytest.param(numbers.milliseconds(59_950), "1 min 0 s", id="never 60.0 s"),
        pytest.param(numbers.milliseconds(125_000), "2 min 5 s", id="minutes"),
        pytest.param(numbers.milliseconds(None), "–", id="no latency reported"),
        pytest.param(numbers.money(1.2), "1.20 USD", id="dollars and cents"),
        pytest.param(numbers.money(1.201), "1.21 USD", id="a started cent counts"),
        pytest.param(numbers.money(0.00421), "0.0043 USD", id="small sums to a hundredth of a cent"),
        pytest.param(numbers.money(0), "0 USD", id="free"),
        pytest.param(numbers.money(None), "–", id="no cost reported"),
        pytest.param(numbers.score(0.916), "0.91", id="a score is rounded down"),
        pytest.param(numbers.score(1), "1.00", id="a perfect score"),
        pytest.param(numbers.score(None), "–", id="no score"),
        pytest.param(numbers.count(1, "case"), "1 case", id="one"),
        pytest.param(numbers.count(1_000, "case"), "1,000 cases", id="many"),
        pytest.param(numbers.count(2, "case that failed", "cases that failed"), "2 cases that failed", id="own plural"),
    ],
)
def test_reads(shown: str, expected: str) -> None:
    assert shown == expected


@given(RATES.filter(lambda pair: pair[1] > 0), RATES.filter(lambda pair: pair[1] > 0))
def test_a_delta_is_rounded_half_up_keeps_its_sign_and_equals_only_what_is_equal(
    now: tuple[int, int], before: tuple[int, int]
) -> None:
    moved, shown = (Fraction(*now) - Fraction(*before)) * 1000, numbers.points(now, before)
    assert (shown == "=") == (moved == 0)
    if shown in {"<+0.1 pts", ">-0.1 pts"}:
        assert abs(moved) < Fraction(1, 2)
    elif moved:
        assert abs(tenths(shown) - moved) <= Fraction(1, 2)
    if moved:
        assert ("-" in shown) == (moved < 0)


@given(AMOUNTS)
def test_no_duration_reads_shorter_than_it_is(amount: float) -> None:
    shown = numbers.milliseconds(amount)
    if found := re.fullmatch(r"([\d,]+) min (\d+) s", shown):
        read = int(found[1].replace(",", "")) * 60_000 + int(found[2]) * 1_000
    elif found := re.fullmatch(r"(\d+)\.(\d) s", shown):
        read = int(found[1]) * 1_000 + int(found[2]) * 100
    else:
        read = int(shown.removesuffix(" ms"))
        assert read < 1_000
    assert amount <= read < amount + (1_000 if "min" in shown else 100 if shown.endswith(" s") else 1) + 1


@given(AMOUNTS)
def test_no_sum_reads_smaller_than_it_is_and_only_nothing_reads_0(dollars: float) -> None:
    shown = numbers.money(dollars)
    assert float(shown.removesuffix(" USD").replace(",", "")) >= dollars
    assert (shown == "0 USD") == (dollars == 0)


@given(st.floats(0, 1, allow_nan=False))
def test_only_a_perfect_score_reads_1(mean: float) -> None:
    assert (numbers.score(mean) == "1.00") == (mean == 1)
    assert float(numbers.score(mean)) <= mean
