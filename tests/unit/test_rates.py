from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from raggate_action.core.counting.summary_amounts import mean, nearest_rank
from raggate_action.strings.numbers import (
    apart,
    counted,
    exact_dollars,
    exact_milliseconds,
    percent,
    percent_as_stored,
    percent_number,
    percent_of,
    percent_of_share,
    share,
    whole_number,
)
from raggate_action.strings.visible_text import cut


@pytest.mark.parametrize(
    ("part", "whole", "places", "expected"),
    [
        pytest.param(1, 8, 0, "13", id="12.5 is rounded up"),
        pytest.param(3, 8, 0, "38", id="37.5 is rounded up, and not to the even number"),
        pytest.param(999, 1000, 0, "99", id="all but one of a thousand is not all"),
        pytest.param(1, 1000, 0, "1", id="one of a thousand is not none"),
        pytest.param(19, 20, 1, "95.0", id="what divides evenly is not rounded"),
        pytest.param(1, 3, 1, "33.3", id="a third"),
        pytest.param(2, 3, 1, "66.7", id="two thirds"),
        pytest.param(1, 16, 1, "6.3", id="6.25 is rounded up"),
        pytest.param(9999, 10_000, 1, "99.9", id="one miss in ten thousand is not all"),
        pytest.param(1, 10_000, 1, "0.1", id="one in ten thousand is not none"),
        pytest.param(7, 7, 1, "100.0", id="all"),
        pytest.param(0, 7, 1, "0.0", id="none"),
    ],
)
def test_a_rate_is_rounded_half_up_and_is_all_or_none_only_where_it_is(
    part: int, whole: int, places: int, expected: str
) -> None:
    assert str(percent_of(Fraction(part, whole), places)) == expected


@given(st.integers(1, 10_000), st.data(), st.integers(0, 2))
def test_a_rate_is_off_by_half_a_step_or_marks_what_is_not_all_and_not_none(
    whole: int, data: st.DataObject, places: int
) -> None:
    part = data.draw(st.integers(0, whole))
    exact, shown, step = (
        Fraction(part, whole) * 100,
        Fraction(percent_of(Fraction(part, whole), places)),
        Fraction(1, 10**places),
    )
    assert (shown == 0, shown == 100) == (part == 0, part == whole)
    if step <= exact <= 100 - step:
        assert exact - step / 2 < shown <= exact + step / 2
    else:
        assert abs(shown - exact) < step


def test_a_rate_is_stored_as_it_is_shown() -> None:
    assert percent_number(2, 3) == 66.7
    assert percent(2, 3) == percent_as_stored(percent_number(2, 3)) == percent_of_share(0.66666) == "66.7 %"
    assert (percent_number(0, 0), percent(0, 0)) == (0.0, "not scored")
    # As it is written: 0.285 is a binary fraction a hair below it.
    assert percent_of_share(0.285, 0) == "29 %"


@pytest.mark.parametrize(
    ("values", "percent", "expected"),
    [
        pytest.param([], 95, None, id="no values, no percentile"),
        pytest.param([7.0], 50, 7.0, id="one value is every percentile"),
        # ceil(0.95 * 20) = 19: the 19th of 20 has exactly 95 % at or below it.
        pytest.param([float(n) for n in range(1, 21)], 95, 19.0, id="the 19th of 20"),
        # ceil(0.95 * 21) = ceil(19.95) = 20.
        pytest.param([float(n) for n in range(1, 22)], 95, 20.0, id="the 20th of 21"),
        pytest.param([1.0, 2.0, 3.0, 4.0], 50, 2.0, id="half of four is the second, not a mean of two"),
    ],
)
def test_nearest_rank(values: list[float], percent: int, expected: float | None) -> None:
    assert nearest_rank(values, percent) == expected


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=60), st.integers(1, 100))
def test_nearest_rank_is_the_smallest_value_that_covers_the_percentage(values: list[float], percent: int) -> None:
    ordered = sorted(values)
    found = nearest_rank(ordered, percent)
    assert found is not None

    def covers(value: float) -> bool:
        return 100 * sum(other <= value for other in ordered) >= percent * len(ordered)

    assert covers(found)
    assert not any(covers(value) for value in ordered if value < found)


def test_a_mean_is_exact_before_it_is_rounded() -> None:
    assert mean([1e16, 1.0, -1e16]) == 1 / 3
    assert mean([]) is None


@given(st.permutations([0.1, 0.2, 0.3, 0.7, 1e9, 1e-9]))
def test_no_order_of_values_changes_a_mean(values: list[float]) -> None:
    assert mean(values) == mean(sorted(values))


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        pytest.param(share(Decimal("0.95")), "95 %", id="a whole share"),
        pytest.param(share(Decimal("0.995")), "99.5 %", id="a share with tenths"),
        pytest.param(share(Decimal(1)), "100 %", id="all of it, not 1E+2"),
        pytest.param(share(Decimal(0)), "0 %", id="none of it"),
        pytest.param(exact_milliseconds(8000), "8000 ms", id="whole milliseconds"),
        pytest.param(exact_milliseconds(8000.04), "8000.1 ms", id="above the bar reads above the bar"),
        pytest.param(exact_milliseconds(1.1), "1.1 ms", id="tenths stay tenths"),
        pytest.param(exact_dollars(0.42), "$0.4200", id="dollars"),
        pytest.param(exact_dollars(0.00001), "$0.0001", id="a little money is not none"),
        pytest.param(counted(17, 20), "17 of 20 (85.0 %)", id="counts beside their rate"),
        pytest.param(counted(0, 0), "0 of 0 (not scored)", id="nothing scored has no rate"),
        pytest.param(cut("abcdef", 6), "abcdef", id="what fits is not cut"),
        pytest.param(cut("abc def", 5), "abc…", id="what is cut says so"),
        pytest.param(cut("Yes. But no", 7), "Yes. …", id="behind a sentence the ellipsis stands apart"),
        pytest.param(cut("Yes. But no", 5), "Yes.…", id="where there is room for it"),
    ],
)
def test_numbers_as_people_read_them(shown: str, expected: str) -> None:
    assert shown == expected


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        pytest.param(apart(whole_number, 9000, 8000, 0), ("9000", "8000"), id="what reads apart is left alone"),
        pytest.param(apart(whole_number, 50.4, 50, 0), ("50.4", "50"), id="one more digit"),
        pytest.param(apart(whole_number, 50.0004, 50, 0), ("50.0004", "50"), id="as many as it takes"),
        pytest.param(apart(whole_number, 50.2, 49.6, 0), ("50.2", "49.6"), id="both round to the same"),
        pytest.param(apart(whole_number, 50, 50, 0), ("50", "50"), id="what is equal reads equal"),
        pytest.param(
            apart(exact_milliseconds, 8000.02, 8000.01, 1), ("8000.02 ms", "8000.01 ms"), id="between two tenths"
        ),
        pytest.param(apart(exact_dollars, 0.42009, 0.42001, 4), ("$0.42009", "$0.42001"), id="money"),
        pytest.param(apart(exact_milliseconds, 1e308, 1e300, 1)[0][:6], "100000", id="no number is too large"),
    ],
)
def test_figures_that_are_compared_read_apart(shown: object, expected: object) -> None:
    assert shown == expected


@given(*[st.floats(0, 1e9, allow_nan=False)] * 2)
def test_figures_read_equal_only_where_they_are(amount: float, bar: float) -> None:
    for show, places in ((whole_number, 0), (exact_milliseconds, 1), (exact_dollars, 4)):
        shown = apart(show, amount, bar, places)
        assert (shown[0] == shown[1]) == (amount == bar)
