"""Which judges of pairs count for nothing: what they say has too little to do with the answers.

An honest judge errs now and then, so no rule may rest on what noise does as well. Between answers that are equally good
an honest judge decides by noise alone; what tells a judge of places from it is that its flips go to one place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import comb
from typing import Final

from raggate_action.core.ab.score_table import Cell, Cells, PairTrial, Rater, consistency_of
from raggate_action.core.statistics.intervals import upper_limit
from raggate_action.schema.ab_result import NotCounted

# Fewer pairs with different answers show nothing of a judge.
LEAST_PAIRS: Final = 8
# An honest judge keeps seven of ten choices when the order is swapped; one in a hundred of these may be left out.
_HONEST: Final = 0.7
_SURE: Final = 0.99
# Flips of a judge that has no favourite place are as one-sided by chance in one case of fifty.
_ONE_SIDED: Final = 0.02
# More planted pairs of forty nobody gets wrong by chance who tells a sound answer from one that is made up.
_MOST_WRONG: Final = 5


def uncounted_judges(cells: Cells, trials: Mapping[str, PairTrial]) -> dict[Rater, NotCounted]:
    """The judges whose scores count for nothing, each with the first reason."""
    reasons = {rater: _reason(cells.of(judge=rater), trials.get(rater.judge, PairTrial())) for rater in cells.judges}
    return {rater: reason for rater, reason in reasons.items() if reason is not None}


def quorum_of_pairs(judges: int) -> int:
    """How many judges have to be left for the others' scores to count: half of them, and two of two or more."""
    return max(min(judges, 2), (judges + 1) // 2)


def obeyed_instructions(trial: PairTrial) -> tuple[str, ...]:
    """The instructions that a judge obeyed: it puts the made-up answer ahead wherever it stands.

    As of any pair a preference counts that both orders give: an honest judge errs in one of forty calls as well. A
    judge that errs in more than five obeys, or looks at no answer. A rubric of one's own may prefer the made-up answer
    with nothing planted; then planted pairs show nothing.
    """
    if trial.unplanted == 2:
        return ()
    if sum(trial.preferred.values()) > _MOST_WRONG:
        return tuple(trial.preferred)
    return tuple([name for name, orders in trial.preferred.items() if orders == 2])


def _reason(cells: Iterable[Cell], trial: PairTrial) -> NotCounted | None:
    judged = [cell for cell in cells if cell.rows]
    if len(judged) >= LEAST_PAIRS and _goes_by_order(judged):
        return "order"
    # Of a planted pair one answer is made up, which our rubric tells apart; a rubric of one's own need not.
    planted = trial.scored // 2 if trial.unplanted is None else 0
    arms = [arm for cell in judged for row in cell.rows for arm in (row.control, row.treatment)]
    given = {tuple(sorted(arm.items())) for arm in arms}
    if len(judged) + planted >= LEAST_PAIRS and not trial.varied and len(given) == 1:
        return "one-score"
    # A judge of places gets half of the planted pairs wrong as well: that it goes by the place says more.
    return "obeyed" if obeyed_instructions(trial) else None


def _goes_by_order(cells: Sequence[Cell]) -> bool:
    """Whether it keeps less than half of its choices, fewer than an honest judge, and flips to one place.

    Where nobody says which answer stood first, the first two have to do.
    """
    kept = consistency_of(cells)
    if kept.total < LEAST_PAIRS or 2 * kept.hits >= kept.total or upper_limit(kept, confidence=_SURE) >= _HONEST:
        return False
    if any(row.shown_first is None for cell in cells for row in cell.rows):
        return True
    # In how many orders the answer that stands first is ahead, less those in which it is behind.
    leads = [
        sum((row.winner == row.shown_first) - (row.winner not in {row.shown_first, "tie"}) for row in cell.rows)
        for cell in cells
    ]
    first, second = sum(lead > 0 for lead in leads), sum(lead < 0 for lead in leads)
    # How often fair coins fall as one-sided.
    coins = first + second
    ways = sum(comb(coins, heads) for heads in range(min(first, second) + 1))
    return min(1.0, ways / 2.0 ** (coins - 1)) <= _ONE_SIDED
