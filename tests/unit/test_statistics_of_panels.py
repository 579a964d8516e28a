"""Agreement of many raters and the sign-flip test, by worked numbers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb

import pytest

from raggate_action.core.statistics.agreement import (
    agreeing_pairs,
    agreement_on,
    gwet_ac1_of_many,
    ordinal_alpha,
    seeded_bytes,
    seeded_places,
)
from raggate_action.core.statistics.paired_tests import DRAWS, sign_flip
from raggate_action.schema.ab_result import Alpha, SignFlip
from raggate_action.schema.base import rate_of

# A string for each rater, a place for each thing rated, a point where a rater gave none.
Grid = tuple[str, ...]
# By krippendorff 0.9.0, as `dev/oracles.py` prints it; the first is the example of Krippendorff (2011).
ALPHA: list[tuple[Grid, float | None]] = [
    (("123321412...", "1233224125.3", ".3332342251.", "12332441251."), 0.8153875037548814),
    (("5554535555", "5455535545", "5555445555", "5545534555"), 0.33610565110565116),
    (("12345", "54321", "11111"), -0.3860000000000001),
    (("13", "31"), -0.5),
    (("5555555551", "5555555551"), 1.0),
    (("5.4.3.2.1.", ".5.4.3.2.1", "5544332211"), 1.0),
    (
        ("241355142534", "3413541.2434", "25.254143.35", "141.55143514", "1313.4253525", "24145.152434"),
        0.8400802259797211,
    ),
    (("..3", "4..", "44."), None),
]
# By irrCAC 0.4.4, likewise.
AC1: list[tuple[Grid, float]] = [
    (("tttttttttt", "tttttttttc", "ttttttttct", "tttttttt-t"), 0.856534409325),
    (("tc-tc-tc", "tc-tc-tc", "tc-tc-tc"), 1.0),
    (("ttcct-.", "tc.ct--", "t.cctc-"), 0.646761984861),
    (("ttttccc---", "tttcccc--t", "ttc-ccct--", "t.ttc.c-c-", "tctt.cc--."), 0.568082808951),
    (("cccc", "tttt"), -0.333333333333),
    (("t..-", "tc..", ".cc-"), 1.0),
]


def units(grid: Grid) -> list[list[list[int]]]:
    """A question for each thing rated."""
    return [[[int(given) for given in thing if given != "."]] for thing in zip(*grid, strict=True)]


def sorted_things(grid: Grid) -> list[tuple[int, int, int]]:
    return [(thing.count("t"), thing.count("c"), thing.count("-")) for thing in zip(*grid, strict=True)]


@pytest.mark.parametrize(("grid", "expected"), ALPHA)
def test_alpha_is_krippendorff_s(grid: Grid, expected: float | None) -> None:
    assert ordinal_alpha(units(grid), seed="1").value == (
        None if expected is None else pytest.approx(expected, abs=1e-12)
    )


@pytest.mark.parametrize(("grid", "expected"), AC1)
def test_ac1_of_many_is_irrcac_s(grid: Grid, expected: float) -> None:
    assert gwet_ac1_of_many(sorted_things(grid)) == pytest.approx(expected, abs=1e-11)


def test_alpha_by_hand() -> None:
    # Values 1 1, 1 2 and 3 3: 1 three times, 2 once, 3 twice, six in all. From 1 to 2 lie 3/2 + 1/2 = 2, from 2 to 3
    # 1/2 + 2/2 = 3/2, from 1 to 3 3/2 + 1 + 2/2 = 7/2. Observation 1 * 2**2; by chance 3 * 4 + 2 * 9/4 + 6 * 49/4 = 90.
    assert ordinal_alpha([[[1, 1]], [[1, 2]], [[3, 3]]], seed="1").value == 1 - 5 * 4 / 90


def test_only_the_order_of_values_counts() -> None:
    one = ordinal_alpha([[[1, 2]], [[2, 2]], [[3, 5]], [[5, 5]]], seed="1")
    assert one == ordinal_alpha([[[-7, 0]], [[0, 0]], [[4, 900]], [[900, 900]]], seed="1")
    assert one != ordinal_alpha([[[1, 2]], [[2, 2]], [[3, 2]], [[5, 5]]], seed="1")


@pytest.mark.parametrize(
    "questions", [[], [[]], [[[5]], [[4]]], [[[5, 5]], [[5, 5, 5]]]], ids=["none", "empty", "once", "one value"]
)
def test_alpha_of_nothing_rated_twice_and_of_one_value_is_not_defined(questions: Sequence[list[list[int]]]) -> None:
    assert ordinal_alpha(questions, seed="1") == Alpha()


def test_an_interval_is_drawn_by_questions_with_all_their_things() -> None:
    # In every question judges agree on one thing and are at odds on the other: however questions are drawn, it is so
    # in half of the things. Drawn by things alpha would be anything.
    alike = [[[1, 1], [1, 5]], [[5, 5], [5, 1]]] * 10
    found = ordinal_alpha(alike, seed="1")
    assert found.value is not None
    assert found.low is not None
    assert found.high is not None
    assert found.high - found.low < 0.1
    apart = ordinal_alpha([[thing] for question in alike for thing in question], seed="1")
    assert apart.value == found.value
    assert apart.low is not None
    assert apart.low < found.low - 0.2


def test_an_interval_needs_questions_that_differ() -> None:
    two = ordinal_alpha([[[1, 2], [5, 5]], [[1, 1], [4, 5]]], seed="1")
    assert None not in {two.low, two.high}
    assert ordinal_alpha([[[1, 2], [5, 5]]], seed="1").low is None
    # All there is of scores other than 5 is in one question of ten: .9**10 = 35 % of the draws do without it.
    nearly = ordinal_alpha([[[5, 5]]] * 9 + [[[1, 1]]], seed="1")
    assert nearly == Alpha(value=1.0)


def test_an_interval_is_the_same_for_the_same_seed() -> None:
    grid = units(ALPHA[6][0])
    one, again, other = (ordinal_alpha(grid, seed=seed) for seed in ("1", "1", "2"))
    assert one == again
    assert one.value == other.value
    assert (one.low, one.high) != (other.low, other.high)
    assert one.low is not None
    assert one.value is not None
    assert one.high is not None
    assert one.low < one.value < one.high


def test_agreement_of_three_on_verdicts_by_hand() -> None:
    # Three for the treatment; two for the treatment and one for the control; one and one.
    things = [(3, 0, 0), (2, 1, 0), (1, 1, 0)]
    assert agreeing_pairs(things) == rate_of(4, 7)
    # (1 + 1/3 + 0) / 3 alike; the treatment's share (1 + 2/3 + 1/2) / 3 = 13/18, the control's 5/18; by chance
    # 2 * 13/18 * 5/18 / 2 = 65/324.
    assert gwet_ac1_of_many(things) == pytest.approx((4 / 9 - 65 / 324) / (1 - 65 / 324))
    assert agreement_on(things, 1) == 0.0
    # Two for the control and one against: each of the two has one of its two others beside it.
    assert agreement_on([(1, 2, 0)], 1) == 0.5
    assert agreement_on([(0, 2, 0), (1, 1, 0)], 1) == 2 / 3


def test_where_nothing_is_sorted_twice_no_agreement_is_claimed() -> None:
    assert (gwet_ac1_of_many([]), agreement_on([], 1), agreeing_pairs([])) == (None, None, rate_of(0, 0))
    assert gwet_ac1_of_many([(1, 0, 0), (0, 0, 0)]) is None
    assert agreement_on([(0, 1, 0), (2, 0, 0)], 1) is None
    assert gwet_ac1_of_many([(2, 0, 0)]) == 1.0


def test_ten_of_ten_to_one_side() -> None:
    found = sign_flip([Fraction(-1)] * 10, seed="1")
    assert found == SignFlip(two_sided=rate_of(2, 1024), control=rate_of(1, 1024), exact=True, smallest=2 / 1024)


def test_by_sign_alone_it_is_the_binomial() -> None:
    for treatment in range(13):
        found = sign_flip([Fraction(1)] * treatment + [Fraction(-1)] * (12 - treatment), seed="1")
        assert found is not None
        assert found.control == rate_of(sum(comb(12, k) for k in range(treatment + 1)), 2**12)


def test_differences_of_nothing_stay_in_and_change_no_p_value() -> None:
    without, found = (sign_flip([Fraction(1), Fraction(2), *[Fraction()] * zeros], seed="1") for zeros in (0, 3))
    assert without is not None
    assert found is not None
    assert (without.two_sided, found.two_sided) == (rate_of(2, 4), rate_of(16, 32))
    assert found.smallest == 1 / 16
    still = sign_flip([Fraction(1), Fraction(2), *[Fraction()] * 3], seed="1", still=3)
    assert still == found.model_copy(update={"smallest": 1 / 2})
    nothing = sign_flip([Fraction()] * 4, seed="1")
    assert nothing == SignFlip(two_sided=rate_of(16, 16), control=rate_of(16, 16), exact=True, smallest=1 / 8)
    assert sign_flip([], seed="1") is None


def test_fractions_are_compared_exactly() -> None:
    # A third three times is one: in floats 1/3 + 1/3 + 1/3 - 1 may be more or less than nothing.
    found = sign_flip([Fraction(1, 3)] * 3 + [Fraction(-1)], seed="1")
    assert found is not None
    assert (found.two_sided, found.control) == (rate_of(16, 16), rate_of(9, 16))


def test_above_twenty_differences_ways_are_drawn_and_what_was_found_is_one_of_them() -> None:
    twenty, more = (sign_flip([Fraction(-1)] * n, seed="1") for n in (20, 60))
    assert twenty is not None
    assert (twenty.exact, twenty.control) == (True, rate_of(1, 2**20))
    assert more == SignFlip(
        two_sided=rate_of(1, DRAWS + 1), control=rate_of(1, DRAWS + 1), exact=False, smallest=1 / (DRAWS + 1)
    )


@pytest.mark.parametrize("treatment", [14, 18, 22])
def test_what_is_drawn_is_near_what_is_counted(treatment: int) -> None:
    exact = sum(comb(36, k) for k in range(treatment + 1)) / 2**36
    found = sign_flip([Fraction(1)] * treatment + [Fraction(-1)] * (36 - treatment), seed="1")
    assert found is not None
    # Five standard errors of ten thousand draws.
    assert found.control.value == pytest.approx(exact, abs=5 * (exact * (1 - exact) / DRAWS) ** 0.5)


def test_draws_are_those_of_shake_256_on_every_machine() -> None:
    assert seeded_bytes("7", 4).hex() == SHAKE
    assert seeded_places("7", 1000, 1) == [int.from_bytes(bytes.fromhex(SHAKE), "little") % 1000]
    places = seeded_places("7", 10, 20_000)
    assert set(places) == set(range(10))
    # A tenth each, to within five standard errors.
    assert all(abs(places.count(place) - 2_000) < 5 * 43 for place in range(10))


# `printf 7 | openssl dgst -shake256 -xoflen 4`
SHAKE = "112a104b"
