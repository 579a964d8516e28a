"""CSV: one reader for every table. Columns may have the names that other tools give them."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

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
_HEAD = re.compile(r"(?:[ \t]*[\r\n]+)*([^\r\n]*)")
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


def csv_rows(text: str, problems: FileProblems) -> Iterator[Row]:
    """The rows of a table in whatever dialect a spreadsheet writes, blank ones left out, the header first.

    Cells are separated by the most frequent of comma, semicolon, tab and bar in the header, or by what a line `sep=;`
    before it says, and quoted as the header is. A quoted cell that is not closed ends the table, and so does a NUL,
    which no text has.
    """
    hint = _SEPARATOR_LINE.match(text)
    text, first = (text[hint.end() :], 2) if hint else (text, 1)
    head = found[1] if (found := _HEAD.match(text)) else ""
    separator = hint[1] if hint else max(_SEPARATORS, key=_IN_QUOTES.sub("", head).count)
    quote = "'" if head.lstrip().startswith("'") else '"'
    if (at := text.find("\0")) >= 0:
        begin = text.rfind("\n", 0, at) + 1
        problems.add(
            Mark(text.count("\n", 0, at) + first, at - begin + 1), "this line holds a NUL; save the file as UTF-8 text"
        )
        text = text[:begin]
    if quote == '"':
        # The library refuses a space behind a closing quote, and takes a quote behind a space for text.
        space = " " if separator == "\t" else "[ \t]"
        quoted = rf'(?<![^{separator}\r\n]){space}*("(?:[^"]|"")*+"){space}*(?=[{separator}\r\n]|\Z)'
        text = re.sub(quoted, r"\1", text)
    lines = io.StringIO(text, newline="")
    reader = csv.reader(lines, delimiter=separator, quotechar=quote, strict=True, skipinitialspace=quote == "'")
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
