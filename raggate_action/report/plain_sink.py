"""The plain sink: neutral text on one line of a terminal, a CI log or an annotation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple, assert_never

from raggate_action.report.escape import copyable, log_line
from raggate_action.report.page import Code, Command, Foreign, Link, Number, Strong, Table, Text, WithCode
from raggate_action.report.remark_view import Remark


class PlainRemark(NamedTuple):
    """A remark, in the fields of a workflow annotation.

    Attributes:
        level: As in `Remark`.
        message, title: One line each, no control characters, nothing a runner would take for a command.
        file: Path from the top of the repository; empty when the case is written outside of it.
        line: Line of the case, from 1; None without a file.
    """

    level: Literal["error", "warning", "notice"]
    message: str
    title: str
    file: str
    line: int | None


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


def plain_remark(remark: Remark) -> PlainRemark:
    """A remark for a log; a command or a path that cannot be written as it is would be another one, and is left out."""
    repeat = remark.repeat
    copied = f" Repeat: {repeat}" if repeat and copyable(repeat) and log_line(repeat) == repeat else ""
    inside = bool(remark.file) and log_line(remark.file) == remark.file
    return PlainRemark(
        level=remark.level,
        message=f"{plain(remark.message)}{copied}".strip(),
        title=plain(remark.title),
        file=remark.file if inside else "",
        line=remark.line if inside else None,
    )


def bare(text: Text) -> str:
    """The words of a text as they came, for what makes them harmless itself."""
    match text:
        case str():
            written = text
        case tuple():
            written = "".join([bare(part) for part in text])
        case Foreign():
            written = text.text or text.if_blank
        case Code() | Command() | WithCode():
            written = text.text
        case Number():
            written = str(text.value)
        case Strong():
            written = bare(text.text)
        case Link():
            written = bare(text.words)
        case _:
            assert_never(text)
    return written
