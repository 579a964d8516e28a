"""What is cleaned while a file of judge rows is read, counted so that it can be said."""

from __future__ import annotations

from collections.abc import Iterator

from raggate_action.schema.judge_rows import RowsRemark, RowsRemarkCode
from raggate_action.suite_files.problems import name_text

NAMED_AT_MOST = 20


class Cleaned:
    """Counts per kind of cleaning: how many cells, in which rows, of which columns."""

    def __init__(self) -> None:
        self._cells: dict[RowsRemarkCode, int] = {}
        self._lines: dict[RowsRemarkCode, dict[int, None]] = {}
        self._names: dict[RowsRemarkCode, dict[str, None]] = {}

    def add(self, code: RowsRemarkCode, line: int, name: str = "") -> None:
        """Count one cell of the row that begins on `line`; `name` is its column."""
        self._cells[code] = self._cells.get(code, 0) + 1
        self._lines.setdefault(code, {})[line] = None
        if name:
            self._names.setdefault(code, {})[name_text(name)] = None

    def remarks(self) -> Iterator[RowsRemark]:
        """One for each kind, in the order they came up."""
        for code, cells in self._cells.items():
            lines = tuple(self._lines[code])
            yield RowsRemark(
                code=code,
                count=cells,
                rows=len(lines),
                lines=lines[:NAMED_AT_MOST],
                names=tuple(self._names.get(code, ()))[:NAMED_AT_MOST],
            )


def remark_of(code: RowsRemarkCode, names: list[str]) -> Iterator[RowsRemark]:
    """A remark about what goes by names; none about nothing."""
    if names:
        yield RowsRemark(code=code, count=len(names), names=tuple(map(name_text, names[:NAMED_AT_MOST])))
