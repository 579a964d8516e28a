"""How alike any number of raters sort things into kinds, where not all of them rate each."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum

from raggate_action.schema.base import Rate

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
