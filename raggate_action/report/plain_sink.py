"""The plain sink: neutral text on one line of a terminal, a CI log or an annotation."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from raggate_action.report.escape import log_line
from raggate_action.report.page import Table, Text, bare


def plain(text: Text) -> str:
    """The text on one line: no control sequence, no workflow command, nothing that marks what a span is."""
    return log_line(bare(text))


def aligned(table: Table, write: Callable[[Text], str]) -> Iterator[str]:
    """A table as Markdown whose columns stand under each other, so that a terminal shows a table too."""
    cells = [[column.title for column in table.columns], *[[write(cell) for cell in row] for row in table.rows]]
    widths = [max(3, *map(len, column)) for column in zip(*cells, strict=True)]
    sides = [(width, ">" if column.numeric else "<") for column, width in zip(table.columns, widths, strict=True)]
    rules = [f"{'-' * (width - 1)}{':' if side == '>' else '-'}" for width, side in sides]
    for row in (cells[0], rules, *cells[1:]):
        yield f"| {' | '.join([f'{cell:{side}{width}}' for cell, (width, side) in zip(row, sides, strict=True)])} |"
