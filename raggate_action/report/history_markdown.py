"""The history of a branch as Markdown whose columns stand under each other, so that a terminal shows a table too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from raggate_action.report.page import Column
from raggate_action.report.render import inline
from raggate_action.report.trend_view import moves_in_words, trend_lead, trend_table
from raggate_action.schema.history import HISTORY_AT_MOST, Trend

_NONE = "There is no history: the run was stopped, or is of single cases.\n"


def history_table(trend: Trend) -> str:
    """A line for each level, what moved, and the runs, the latest first; ends with a line break."""
    if not trend.lines:
        return _NONE
    return "\n".join(_lines(trend)) + "\n"


def _lines(trend: Trend) -> Iterator[str]:
    lead = [*trend_lead(trend), *moves_in_words(trend)]
    if lead:
        yield from (f"- {inline(line)}" for line in lead)
        yield ""
    # This run among them.
    table = trend_table(trend.lines, HISTORY_AT_MOST + 1)
    yield from _padded(table.columns, [[inline(cell) for cell in row] for row in table.rows])


def _padded(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    cells = [[column.title for column in columns], *rows]
    widths = [max(3, *map(len, column)) for column in zip(*cells, strict=True)]

    def line(row: Sequence[str]) -> str:
        placed = zip(row, columns, widths, strict=True)
        return f"| {' | '.join(c.rjust(w) if each.numeric else c.ljust(w) for c, each, w in placed)} |"

    rules = [f"{'-' * (w - 1)}{':' if each.numeric else '-'}" for each, w in zip(columns, widths, strict=True)]
    yield line(cells[0])
    yield f"| {' | '.join(rules)} |"
    yield from map(line, rows)
