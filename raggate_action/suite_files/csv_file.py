"""CSV: one reader for every table, and a table read as cases.

List cells are split at `;`. Columns may have the names that other tools give them.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple, TextIO, get_args, get_origin

from raggate_action.schema.case import Case
from raggate_action.strings.questions import QUESTION_NAMES
from raggate_action.suite_files import located_tree
from raggate_action.suite_files.located_tree import Entry, MappingNode, Node, Scalar, number_or_boolean
from raggate_action.suite_files.problems import START, FileProblems, Mark, name_text, nearest_word, nearest_word_or

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

_MEANS = {
    **dict.fromkeys(QUESTION_NAMES, "question"),
    **dict.fromkeys(REFERENCE_NAMES, "reference_answer"),
    **dict.fromkeys(ID_NAMES, "case_id"),
}


def case_field_of(name: str) -> str | None:
    """The field of a case that other tools call `name`; None for any other name."""
    return _MEANS.get(name.strip().lower().replace(" ", "_"))


def first_name_of(names: Iterable[str], wanted: tuple[str, ...]) -> str | None:
    """Of the names that are there the one that comes first among those wanted, in any case; None without one."""
    there = {name.strip().lower().replace(" ", "_"): name for name in names}
    return next((there[each] for each in wanted if each in there), None)


# The library's bound of 131,072 characters a cell holds for the whole process, and some answers are longer.
csv.field_size_limit(2**31 - 1)

# Cases of one table.
MOST_ROWS = 100_000
_SEPARATORS = {",": "a comma", ";": "a semicolon", "\t": "a tab", "|": "a bar"}
# Up to this size, in characters, a table is read whole, and spaces around quotes are forgiven.
_WHOLE = 1 << 25
_HEAD = re.compile(r"(?:[ \t]*[\r\n]+)*([^\r\n]*)")
# What ends a line of a table; not the separators of Unicode, which are part of a text.
LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_IN_QUOTES = re.compile(r'"[^"]*"')
# What a spreadsheet writes before a table whose separator is not its country's.
_SEPARATOR_LINE = re.compile(r"sep=([,;\t|])\r?\n")
_NESTED = frozenset({"messages", "input", "trace"})
_NEEDED = ("case_id", "question")
_LISTS = frozenset(
    name
    for name, field in Case.model_fields.items()
    if tuple in {get_origin(part) for part in (field.annotation, *get_args(field.annotation))}
)


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


def read_csv(text: str, problems: FileProblems) -> located_tree.SequenceNode | None:
    """Read a table of cases.

    Cells are trimmed, an empty one is an absent field, and plain numbers and booleans are read as such.

    Returns:
        One mapping per row; None when the table could not be read, which `problems` then says.
    """
    # The header, as many rows as are read, and one that says that there are more.
    rows = list(islice(csv_rows(text, problems), MOST_ROWS + 2))
    if len(rows) == MOST_ROWS + 2:
        problems.add(rows[-1].mark, f"more than {MOST_ROWS:,} cases of a table are not read; write several suites")
        return None
    if not rows:
        return located_tree.SequenceNode((), START)
    names = _column_names(rows[0], problems)
    if names is None:
        return None
    return located_tree.SequenceNode(tuple([_case(names, row, problems) for row in rows[1:]]), rows[0].mark)


def _column_names(header: Row, problems: FileProblems) -> list[str] | None:
    """The columns, unknown ones without a name; None when the rows under them say nothing.

    What is wrong with a column is told once, here: in the rows it would be told as often as there are rows.
    """
    before = len(problems)
    mark = header.mark._replace(column=0)
    names = [cell.strip() for cell in header.cells]
    seen: set[str] = set()
    for place, name in enumerate(names, 1):
        if name in seen:
            problems.add(mark, f"column `{name_text(name)}` is there twice; keep one of them")
        elif _is_nested(name, names):
            text = f"column `{name_text(name)}` holds nested values; write such cases as YAML, JSON or JSONL"
            problems.add(mark, text)
        elif not name:
            problems.add(mark, f"column {place} has no name; write the name of a case field")
        seen.add(name)
    if len(problems) > before:
        return None
    known = Case.model_fields.keys() - _NESTED
    for name in names:
        if name not in known:
            problems.add(mark, _unknown_column(name, names))
    is_whole = _has_what_a_case_needs(header.mark, names, problems)
    return [name if name in known else "" for name in names] if is_whole else None


def _is_nested(name: str, names: Collection[str]) -> bool:
    is_question = "question" not in names and case_field_of(name) == "question"
    return name.split(".", maxsplit=1)[0] in _NESTED and not is_question


def _has_what_a_case_needs(mark: Mark, names: Collection[str], problems: FileProblems) -> bool:
    missing = [name for name in _NEEDED if name not in names]
    for name in missing:
        if all(case_field_of(found) != name and nearest_word(found, _NEEDED) != name for found in names):
            problems.add(mark, f"column `{name}` is missing; every case needs one")
    if missing and any(case_field_of(name) == "question" for name in names):
        text = "this is no table of cases yet"
        problems.add(mark, f"{text}; `raggate-action init --from {problems.file}` writes cases from it")
    return not missing


def _unknown_column(name: str, names: Collection[str]) -> str:
    """The message about a column that is no field of a case; `names` are those of all columns."""
    meant = case_field_of(name)
    if meant is not None and meant not in names:
        instead = f"rename it to `{meant}`"
    else:
        free = [field for field in Case.model_fields if field not in names and field not in map(case_field_of, names)]
        instead = nearest_word_or(name, free, otherwise="take it out, or name it as one")
    return f"column `{name_text(name)}` is no field of a case; {instead}"


def _case(names: Sequence[str], row: Row, problems: FileProblems) -> Node:
    if len(row.cells) > len(names):
        problems.add(row.mark, row.too_long_for(names))
    cells = {name: cell.strip() for name, cell in zip(names, row.cells, strict=False) if name}
    # The library does not tell where in its line a cell begins.
    mark = row.mark._replace(column=0)
    return MappingNode({name: Entry(mark, _value(name, cell, mark)) for name, cell in cells.items() if cell}, row.mark)


def _value(field: str, cell: str, mark: Mark) -> Node:
    if field in _LISTS:
        items = [part.strip() for part in cell.split(";")]
        return located_tree.SequenceNode(tuple([Scalar(item, item, mark) for item in items if item]), mark)
    return Scalar(number_or_boolean(cell), cell, mark, plain=True)
