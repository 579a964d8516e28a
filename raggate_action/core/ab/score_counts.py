"""Cells become counts: totals, wins, agreement between orders, and what judges claim of their own scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from raggate_action.core.ab.score_table import Cell
from raggate_action.schema.ab_counts import Miscounts, Totals, Wins
from raggate_action.schema.base import Rate
from raggate_action.schema.judge_rows import JudgeRow, Winner

# The highest score.
_TOP = 5


def totals_of(cells: Iterable[Cell], orders: int) -> Totals:
    """Scores of both arms, all dimensions together; rows of identical answers count beside them."""
    control = treatment = scored = rows = 0
    for cell in cells:
        scored += len(cell.rows)
        rows += len(cell.rows) or orders * cell.identical
        for row in cell.rows:
            control += sum(row.control.values())
            treatment += sum(row.treatment.values())
    return Totals(control=control, treatment=treatment, scored=scored, rows=rows)


def wins_of(cells: Iterable[Cell]) -> Wins:
    """Cells by who is ahead; lost ones are in none."""
    return _counted("identical" if cell.identical else cell.winner for cell in cells)


def rows_of(cells: Iterable[Cell], orders: int) -> Wins:
    """The rows of `totals_of` by who is ahead in them: a win that turns with the order is one for each arm."""
    return _counted(winner for cell in cells for winner in cell.winners or ["identical"] * orders * cell.identical)


def _counted(winners: Iterable[str | None]) -> Wins:
    found = Counter(winners)
    return Wins(treatment=found["treatment"], control=found["control"], tie=found["tie"], identical=found["identical"])


def consensus_of(votes: Wins) -> Winner | None:
    """Who more than half of those with a verdict say is ahead; else a tie, and None where nobody has one."""
    if 2 * votes.treatment > votes.total:
        return "treatment"
    if 2 * votes.control > votes.total:
        return "control"
    return "tie" if votes.total else None


def consistency_of(cells: Iterable[Cell]) -> Rate:
    """Cells with the same winner in every order, of those judged in more than one."""
    both = [len(set(cell.winners)) == 1 for cell in cells if len(cell.rows) > 1]
    return Rate(hits=sum(both), total=len(both))


def ceiling_of(cells: Iterable[Cell], dimensions: Sequence[str]) -> Rate:
    """Scores of 5 for these dimensions, of all."""
    scores = [
        arm[name] for cell in cells for row in cell.rows for arm in (row.control, row.treatment) for name in dimensions
    ]
    return Rate(hits=scores.count(_TOP), total=len(scores))


def miscounts_of(cells: Iterable[Cell]) -> Miscounts:
    """Rows whose judge says its scores come to what they do not."""
    rows = [row for cell in cells for row in cell.rows]
    return Miscounts(totals=_wrong(rows, _totals_differ), verdicts=_wrong(rows, _verdict_differs))


def _wrong(rows: Iterable[JudgeRow], differs: Callable[[JudgeRow], bool | None]) -> Rate:
    found = [wrong for row in rows if (wrong := differs(row)) is not None]
    return Rate(hits=sum(found), total=len(found))


def _totals_differ(row: JudgeRow) -> bool | None:
    claimed = ((row.claimed.control, row.control), (row.claimed.treatment, row.treatment))
    named = [total != sum(scores.values()) for total, scores in claimed if total is not None]
    return any(named) if named else None


def _verdict_differs(row: JudgeRow) -> bool | None:
    return row.claimed.verdict != row.winner if row.claimed.verdict is not None else None
