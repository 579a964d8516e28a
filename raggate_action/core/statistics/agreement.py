"""How raters agree: two on which side a thing is, any number on kinds and scores, with an interval by question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import shake_256
from itertools import combinations, combinations_with_replacement
from math import fsum, lcm
from struct import unpack
from typing import NamedTuple

from raggate_action.schema.ab_result import Alpha
from raggate_action.schema.base import Rate


def seeded_bytes(seed: str, count: int) -> bytes:
    """So many bytes, drawn by `seed`."""
    return shake_256(seed.encode(errors="replace")).digest(count)


def seeded_places(seed: str, places: int, count: int) -> Sequence[int]:
    """So many of the first `places` numbers from 0, drawn by `seed`, each on its own.

    Args:
        seed: Of the draw.
        places: At least 1, far below 2**32.
        count: How many are drawn.
    """
    return [word % places for word in unpack(f"<{count}I", seeded_bytes(seed, 4 * count))]


class ConfusionTable(NamedTuple):
    """What two raters said of the same things, by side. The first rater is whom the second is held against.

    Attributes:
        both_good: Both call it good.
        second_faulty: The first calls it good, the second faulty.
        second_good: The first calls it faulty, the second good.
        both_faulty: Both call it faulty.
    """

    both_good: int = 0
    second_faulty: int = 0
    second_good: int = 0
    both_faulty: int = 0

    @property
    def good(self) -> int:
        """What the first rater calls good."""
        return self.both_good + self.second_faulty

    @property
    def faulty(self) -> int:
        """What the first rater calls faulty."""
        return self.second_good + self.both_faulty

    @property
    def agreements(self) -> int:
        """On what both are on one side."""
        return self.both_good + self.both_faulty

    @property
    def total(self) -> int:
        """All things rated."""
        return self.good + self.faulty

    @property
    def second_says_faulty(self) -> int:
        """What the second rater calls faulty."""
        return self.second_faulty + self.both_faulty


def cohen_kappa(table: ConfusionTable) -> float | None:
    """Agreement beyond that of two raters who guess, each by own habit; in [-1, 1].

    Returns:
        None where it is not defined: nothing was rated, or both raters put everything on one and the same side.
    """
    n = table.total
    if not n:
        return None
    by_chance = table.good * (n - table.second_says_faulty) + table.faulty * table.second_says_faulty
    # In counts: where all that is left to chance is agreement, the difference is exactly zero.
    return (table.agreements * n - by_chance) / (n * n - by_chance) if by_chance != n * n else None


def gwet_ac1(table: ConfusionTable) -> float | None:
    """Agreement beyond chance that holds where nearly all things are on one side, as in answers; in [-1, 1].

    Cohen's kappa falls to zero there, although hardly a thing is disputed.

    Returns:
        None where nothing was rated.
    """
    n = table.total
    if not n:
        return None
    faulty = (table.faulty + table.second_says_faulty) / (2 * n)
    by_chance = 2 * faulty * (1 - faulty)
    return (table.agreements / n - by_chance) / (1 - by_chance)


def failing_agreement(table: ConfusionTable) -> float | None:
    """Agreement on what at least one calls faulty: the share of such calls that the other makes too; in [0, 1].

    AC1 looks fine where two raters agree on all that is good and on nothing that is faulty; this does not.

    Returns:
        None where nobody calls anything faulty.
    """
    calls = table.faulty + table.second_says_faulty
    return 2 * table.both_faulty / calls if calls else None


# How many raters sorted one thing into each of the kinds, always in the same order of kinds.
Sorted = Sequence[int]


def agreeing_pairs(things: Sequence[Sorted]) -> Rate:
    """Pairs of raters that sort a thing alike, of all pairs, over all things."""
    alike = sum(count * (count - 1) // 2 for each in things for count in each)
    return Rate(hits=alike, total=sum(sum(each) * (sum(each) - 1) // 2 for each in things))


def gwet_ac1_of_many(things: Sequence[Sorted]) -> float | None:
    """Gwet's AC1 of any number of raters and kinds; in [-1, 1].

    Things that fewer than two raters sorted tell how common each kind is, and nothing of agreement.

    Returns:
        None where nothing was sorted twice.
    """
    rated = [each for each in things if sum(each)]
    twice = [each for each in rated if sum(each) > 1]
    if not twice:
        return None
    alike = fsum(sum(count * (count - 1) for count in each) / (sum(each) * (sum(each) - 1)) for each in twice)
    common = [fsum(each[kind] / sum(each) for each in rated) / len(rated) for kind in range(len(rated[0]))]
    by_chance = fsum(share * (1 - share) for share in common) / (len(common) - 1)
    return (alike / len(twice) - by_chance) / (1 - by_chance)


def agreement_on(things: Sequence[Sorted], kind: int) -> float | None:
    """Where a rater sorts a thing into this kind, the mean share of the thing's other raters who do so; in [0, 1].

    Returns:
        None where no rater sorts into it anything that another one sorted.
    """
    twice = [each for each in things if sum(each) > 1]
    calls = sum(each[kind] for each in twice)
    shared = fsum(each[kind] * (each[kind] - 1) / (sum(each) - 1) for each in twice)
    return shared / calls if calls else None


# What raters gave one thing: a value of each who gave one, in any order.
Unit = Sequence[int]
RESAMPLES = 1_000
# Of the resamples, those in which alpha has to be defined for its interval to mean anything.
_LEAST_DEFINED = 0.95
_OUTSIDE = 0.025


def ordinal_alpha(questions: Sequence[Iterable[Unit]], *, seed: str) -> Alpha:
    """Alpha over all things rated, and its 95 % interval: questions are drawn anew, each with all its things.

    Values may be of any whole numbers; only their order counts. A thing that fewer than two raters gave a value says
    nothing. Everything is counted in whole numbers, so that the order of raters and questions leaves no trace.

    Args:
        questions: Of each question the things rated.
        seed: Of the draws.

    Returns:
        Without a value where nothing was rated twice, or all values are one; without an interval of fewer than two
        questions, and where one draw in twenty or more leaves alpha undefined.
    """
    rated = [[unit for unit in units if len(unit) > 1] for units in questions]
    sizes = {len(unit) - 1 for units in rated for unit in units}
    values = sorted({value for units in rated for unit in units for value in unit})
    if not sizes:
        return Alpha()
    scale = lcm(*sizes)
    weightiest = max(sum(len(unit) for unit in units) for units in rated)
    table = _Table(values, scale, (len(rated) * scale * weightiest).bit_length())
    counted = [table.coincidences(units) for units in rated]
    value = table.alpha(sum(counted))
    low, high = _interval(table, counted, seed) if value is not None else (None, None)
    return Alpha(value=value, low=low, high=high)


def _interval(table: _Table, counted: Sequence[int], seed: str) -> tuple[float | None, float | None]:
    if len(counted) < 2:
        return None, None
    n, known = len(counted), dict[int, float | None]()
    found = []
    drawn = seeded_places(f"{seed}:alpha", n, n * RESAMPLES)
    for start in range(0, len(drawn), n):
        together = sum([counted[place] for place in drawn[start : start + n]])
        # Few questions come together in few ways.
        if together not in known:
            known[together] = table.alpha(together)
        found.append(known[together])
    defined = sorted([value for value in found if value is not None])
    if len(defined) <= _LEAST_DEFINED * RESAMPLES:
        return None, None
    outside = int(_OUTSIDE * len(defined))
    return defined[outside], defined[-1 - outside]


class _Table(NamedTuple):
    """Tables of coincidences of `values`, each as one number of fields `width` bits wide, times `scale`.

    Adding the numbers adds the tables, a thousand times as fast as adding their fields one by one.
    """

    values: Sequence[int]
    scale: int
    width: int

    def coincidences(self, units: Iterable[Unit]) -> int:
        """How often raters gave one thing this value and that: a field for each pair, the pair's order not counted."""
        fields: Counter[tuple[int, int]] = Counter()
        for unit in units:
            given, weight = Counter(unit), self.scale // (len(unit) - 1)
            for one, other in self._pairs():
                fields[one, other] += given[one] * (given[other] - (one == other)) * weight
        return sum(fields[pair] << (self.width * place) for place, pair in enumerate(self._pairs()))

    def alpha(self, packed: int) -> float | None:
        """Alpha of a table; None where it is not defined."""
        mask = (1 << self.width) - 1
        fields = {pair: (packed >> (self.width * place)) & mask for place, pair in enumerate(self._pairs())}
        sums = dict.fromkeys(self.values, 0)
        for (one, other), count in fields.items():
            sums[one] += count
            if one != other:
                sums[other] += count
        # SecondPolicy the sum up to the middle of each value: how far two values are apart is what lies between them.
        middles, below = {}, 0
        for value in self.values:
            middles[value] = 2 * below + sums[value]
            below += sums[value]
        observed = expected = 0
        for one, other in combinations(self.values, 2):
            apart = (middles[one] - middles[other]) ** 2
            observed += fields[one, other] * apart
            expected += sums[one] * sums[other] * apart
        return 1 - (below - self.scale) * observed / expected if expected else None

    def _pairs(self) -> Iterable[tuple[int, int]]:
        return combinations_with_replacement(self.values, 2)
