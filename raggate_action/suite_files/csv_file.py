"""CSV: one reader for every table. Columns may have the names that other tools give them."""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple, TextIO

from raggate_action.suite_files.problems import FileProblems, Mark

# In order of preference: where a table has several, the first is taken.
REFERENCE_NAMES = (
    "reference_answer",
    "reference",
    "ground_truth",
    "ground_truths",
    "expected_output",
    "expected_answer",
    "expected",
    "outputs.answer",
    "answer",
    "output",
)
ID_NAMES = ("case_id", "id", "question_id", "test_id")


def first_name_of(names: Iterable[str], wanted: tuple[str, ...]) -> str | None:
    """Of the names that are there the one that comes first among those wanted, in any case; None without one."""
    there = {name.strip().lower().replace(" ", "_"): name for name in names}
    return next((there[each] for each in wanted if each in there), None)


# The library's bound of 131,072 characters a cell holds for the whole process, and some answers are longer.
csv.field_size_limit(2**31 - 1)

_SEPARATORS = {",": "a comma", ";": "a semicolon", "\t": "a tab", "|": "a bar"}
# Up to this size, in characters, a table is read whole, and spaces around quotes are forgiven.
_WHOLE = 1 << 25
_HEAD = re.compile(r"(?:[ \t]*[\r\n]+)*([^\r\n]*)")
# What ends a line of a table; not the separators of Unicode, which are part of a text.
LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_IN_QUOTES = re.compile(r'"[^"]*"')
# What a spreadsheet writes before a table whose separator is not its country's.
_SEPARATOR_LINE = re.compile(r"sep=([,;\t|])\r?\n")


class Row(NamedTuple):
    """The cells of a row as they are written, quotes resolved, what separates them, and where the row begins."""

    cells: Sequence[str]
    separator: str
    mark: Mark

    def too_long_for(self, names: Collection[str]) -> str:
        """The message about a row with more cells than columns."""
        text = f"this row has {len(self.cells)} cells, the header {len(names)}"
        return f"{text}; put cells that hold {_SEPARATORS[self.separator]} in double quotes"


def _separator_of(text: str) -> str:
    """The separator of a table: the most frequent in its header, of comma, semicolon, tab and bar."""
    head = _HEAD.match(text)
    outside = _IN_QUOTES.sub("", head[1] if head else "")
    return max(_SEPARATORS, key=outside.count)


def quoted_cell(separator: str) -> re.Pattern[str]:
    """A cell in double quotes, with the spaces around it."""
    space = " " if separator == "\t" else "[ \t]"
    return re.compile(rf'(?<![^{separator}\r\n]){space}*("(?:[^"]|"")*+"){space}*(?=[{separator}\r\n]|\Z)')


def csv_rows(text: str, problems: FileProblems) -> Iterator[Row]:
    """The rows of a table, blank ones left out, the header first; a quoted cell that is not closed ends it."""
    separator = _separator_of(text)
    # The library refuses a space behind a closing quote, and takes a quote behind a space for text.
    lines = LINE.finditer(quoted_cell(separator).sub(r"\1", text))
    yield from _rows((line[0] for line in lines), separator, '"', problems)


def header_and_rows(stream: TextIO, problems: FileProblems) -> tuple[Sequence[str], Iterator[Row]]:
    """The column names of a table in whatever dialect a spreadsheet writes, and its rows; a long one is read by line.

    Besides what `csv_rows` reads: cells in single quotes where the header has them, and the line `sep=;` before it.
    """
    text = stream.read(_WHOLE)
    if hint := _SEPARATOR_LINE.match(text):
        text = text[hint.end() :]
    separator = hint[1] if hint else _separator_of(text)
    head = _HEAD.match(text)
    quote = "'" if head and head[1].lstrip().startswith("'") else '"'
    if quote == '"' and len(text) < _WHOLE:
        text = quoted_cell(separator).sub(r"\1", text)
    lines: Iterator[str] = (line[0] for line in LINE.finditer(text))
    if len(text) >= _WHOLE:
        lines = _joined(lines, stream)
    rows = _rows(lines, separator, quote, problems, first=2 if hint else 1, spaced=quote == "'")
    header = next(rows, None)
    return ([cell.strip() for cell in header.cells] if header else ()), rows


def _joined(lines: Iterator[str], stream: TextIO) -> Iterator[str]:
    """Lines of what has been read, and of the rest: the last of the former may go on in the latter."""
    last = ""
    for line in lines:
        if last:
            yield last
        last = line
    yield last + stream.readline()
    yield from stream


def _rows(
    lines: Iterable[str], separator: str, quote: str, problems: FileProblems, *, first: int = 1, spaced: bool = False
) -> Iterator[Row]:
    whole = _without_nul(lines, first, problems)
    reader = csv.reader(whole, delimiter=separator, quotechar=quote, strict=True, skipinitialspace=spaced)
    mark = Mark(first, 1)
    try:
        for cells in reader:
            if any(map(str.strip, cells)):
                yield Row(cells, separator, mark)
            mark = Mark(reader.line_num + first, 1)
    except csv.Error as error:
        if len(problems):
            # What ended the table in the middle of a cell is told already.
            return
        # The library says "',' expected after '\"'", or "unexpected end of data".
        goes_on = "expected after" in str(error)
        goes = "goes on behind its closing quote; put all of it in quotes"
        what = goes if goes_on else f"is not closed; end it with `{quote}`"
        kind = "double" if quote == '"' else "single"
        problems.add(mark, f"a cell in {kind} quotes {what}, and write `{quote * 2}` for a quote inside")


def _without_nul(lines: Iterable[str], first: int, problems: FileProblems) -> Iterator[str]:
    """The lines up to the first that holds a NUL, which no text has: the file is damaged, or in another encoding."""
    for number, line in enumerate(lines, first):
        if "\0" in line:
            problems.add(Mark(number, line.index("\0") + 1), "this line holds a NUL; save the file as UTF-8 text")
            return
        yield line
