"""How alike any number of raters score: Krippendorff's alpha for ordinal values, with an interval by questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, combinations_with_replacement
from math import lcm
from typing import NamedTuple

from raggate_action.core.statistics.draws import drawn_places
from raggate_action.schema.ab_result import Alpha

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
    drawn = drawn_places(f"{seed}:alpha", n, n * RESAMPLES)
    for start in range(0, len(drawn), n):
        together = sum([counted[place] for place in drawn[start : start + n]])
        # Few questions come together in few ways.
        if together not in known:
            known[together] = table.alpha(together)
        found.append(known[together])
    defined = sorted([value for value in found if value is not None])
    if len(defined) <= _LEAST_DEFINED * RESAMPLES:
        return None, None
    beside = int(_OUTSIDE * len(defined))
    return defined[beside], defined[-1 - beside]


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
        # Twice the sum up to the middle of each value: how far two values are apart is what lies between them.
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
