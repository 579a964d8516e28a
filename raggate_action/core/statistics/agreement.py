"""How two raters agree on which of two sides a thing is on: here people and a judge, on claims."""

from __future__ import annotations

from typing import NamedTuple


class Table(NamedTuple):
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
    def agreed(self) -> int:
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


def cohen_kappa(table: Table) -> float | None:
    """Agreement beyond that of two raters who guess, each by own habit; in [-1, 1].

    Returns:
        None where it is not defined: nothing was rated, or both raters put everything on one and the same side.
    """
    n = table.total
    if not n:
        return None
    by_chance = table.good * (n - table.second_says_faulty) + table.faulty * table.second_says_faulty
    # In counts: where all that is left to chance is agreement, the difference is exactly zero.
    return (table.agreed * n - by_chance) / (n * n - by_chance) if by_chance != n * n else None


def gwet_ac1(table: Table) -> float | None:
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
    return (table.agreed / n - by_chance) / (1 - by_chance)


def failing_agreement(table: Table) -> float | None:
    """Agreement on what at least one calls faulty: the share of such calls that the other makes too; in [0, 1].

    AC1 looks fine where two raters agree on all that is good and on nothing that is faulty; this does not.

    Returns:
        None where nobody calls anything faulty.
    """
    calls = table.faulty + table.second_says_faulty
    return 2 * table.both_faulty / calls if calls else None
