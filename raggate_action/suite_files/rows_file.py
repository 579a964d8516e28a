"""A file of judge rows, of this program's or of another's: read whole, cleaned, and what was cleaned is said."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from raggate_action.errors import UsageError
from raggate_action.schema.ab_findings import judge_name
from raggate_action.schema.judge_rows import JudgeRow, RowsRemark
from raggate_action.suite_files import row_columns as columns
from raggate_action.suite_files.csv_file import Cell, rows_of
from raggate_action.suite_files.file_reading import BOM, decoded, unreadable
from raggate_action.suite_files.problems import (
    START,
    FileProblems,
    Mark,
    closest,
    listed,
    name_text,
    path_text,
    value_text,
)
from raggate_action.suite_files.row_reading import AROUND, Header, RowReader
from raggate_action.suite_files.rows_cleaned import Cleaned, remark_of

# Ten thousand rows of two long answers each.
LARGEST_FILE = 128 * 1024 * 1024
LONGEST_CELL = 1_000_000
MOST_ROWS = 100_000
# As many as the rows of a grid may be: what is worked out of them takes as long as all pairs of them.
MOST_JUDGES = 64
MOST_DIMENSIONS = 12
_SCORE = re.compile(r"([a-z][a-z0-9_]{0,47})_([AB])")
_ABSENT = {columns.JUDGE: f"`{columns.JUDGE}` (or `{columns.MODEL}`)"}


class RowsFile(NamedTuple):
    """What a file holds.

    Attributes:
        rows: In the file's order; at least one.
        dimensions: What is scored, in the order of the columns; at least one.
        remarks: What was cleaned, and what is not there.
    """

    rows: tuple[JudgeRow, ...]
    dimensions: tuple[str, ...]
    remarks: tuple[RowsRemark, ...]


def read_rows_file(path: Path) -> RowsFile:
    """Read a CSV file with a header, `question_id`, the judge's name, and `X_A` and `X_B` for each thing scored.

    Raises:
        UsageError: It cannot be read. The message has one line per problem, each with its place.
    """
    problems = FileProblems(path_text(path))
    text = _text(path, problems)
    found = None if text is None else _read(text, problems)
    if found is None or len(problems):
        lines = [*map(str, sorted(problems.kept)), *([f"and {problems.more:,} more"] if problems.more else [])]
        raise UsageError("\n".join(lines), hint="Correct these lines; nothing was written.")
    return found


def _text(path: Path, problems: FileProblems) -> str | None:
    try:
        with path.open("rb") as stream:
            raw = stream.read(LARGEST_FILE + 1)
    except OSError as error:
        problems.add(START, unreadable(error))
        return None
    if len(raw) > LARGEST_FILE:
        problems.add(START, f"the file is larger than {LARGEST_FILE // 1024 // 1024} MiB; write the rows of one run")
        return None
    text = decoded(raw.removeprefix(BOM), problems)
    if text is not None and (at := text.find("\x00")) >= 0:
        before = text[:at]
        mark = Mark(before.count("\n") + 1, at - before.rfind("\n"))
        problems.add(mark, "a NUL stands here, which no text holds; save the file as CSV in UTF-8")
        return None
    return text


def _read(text: str, problems: FileProblems) -> RowsFile | None:
    rows = (row for row in rows_of(text, problems) if any(cell.text for cell in row))
    first = next(rows, None)
    if first is None:
        if not len(problems):
            problems.add(START, f"the file is empty; {_wanted()}")
        return None
    cleaned = Cleaned()
    header = _header(first, cleaned, problems)
    if header is None:
        return None
    found = list(_records(rows, header, cleaned, problems))
    if not found and not len(problems):
        problems.add(first[0].mark, "there is no row under the header; write one for each judge and question")
    ignored = [name for name in header.places if name not in columns.KNOWN and name not in _of_scores(header)]
    absent = [name for name in columns.EXPECTED if name not in header.places]
    remarks = (
        *cleaned.remarks(),
        *remark_of("columns-ignored", ignored),
        *remark_of("columns-absent", absent),
        *remark_of("answers-differ", _of_several_answers(found)),
        *remark_of("cells-missing", list(_missing(found))),
    )
    return RowsFile(tuple(found), header.dimensions, remarks)


def _header(row: list[Cell], cleaned: Cleaned, problems: FileProblems) -> Header | None:
    before = len(problems)
    places: dict[str, int] = {}
    for place, cell in enumerate(row):
        name = cell.text.strip(AROUND).strip()
        if name != cell.verbatim:
            cleaned.add("trimmed", cell.mark.line, name)
        if not name:
            problems.add(cell.mark, "this column has no name; write one, or take the column out")
        elif name in places:
            problems.add(cell.mark, f"column `{name_text(name)}` is there twice; keep one of them")
        places.setdefault(name, place)
    if len(problems) > before:
        return None
    dimensions = _dimensions(places, row, problems)
    if len(problems) > before:
        return None
    for mark, text in _lacking(places, dimensions, row):
        problems.add(mark, text)
    own = all(name in places for name in columns.OWN)
    return None if len(problems) > before else Header(places, dimensions, own)


def _dimensions(places: Mapping[str, int], row: list[Cell], problems: FileProblems) -> tuple[str, ...]:
    """What is scored: each name that stands before both `_A` and `_B`."""
    known = {*columns.KNOWN}
    sides: dict[str, dict[str, int]] = {}
    for name, place in places.items():
        score = _SCORE.fullmatch(name)
        if score is not None and name not in known:
            sides.setdefault(score[1], {})[score[2]] = place
    for name, found in sides.items():
        if len(found) == 1:
            ((side, place),) = found.items()
            other = f"{name}_{'B' if side == 'A' else 'A'}"
            text = f"column `{name}_{side}` has no `{other}`; write the scores of both answers, or rename the column"
            problems.add(row[place].mark, text)
    return tuple(name for name, found in sides.items() if len(found) > 1)


def _lacking(places: Mapping[str, int], dimensions: tuple[str, ...], row: list[Cell]) -> Iterator[tuple[Mark, str]]:
    """What no file of rows can do without."""
    mark = row[0].mark
    if len(row) == 1 and (mark_of := next((each for each in ";\t|" if each in row[0].verbatim), None)):
        shown = "tabs" if mark_of == "\t" else f"`{mark_of}`"
        yield mark, f"the header is one cell; it seems to be parted by {shown}: save the file parted by commas"
        return
    for name in (columns.QUESTION_ID, columns.JUDGE):
        if name in places or (name == columns.JUDGE and columns.MODEL in places):
            continue
        near = closest(name, [each for each in places if each not in columns.KNOWN])
        instead = f"; is `{name_text(near)}` meant? Rename it" if near else "; every row needs one"
        yield mark, f"column {_ABSENT.get(name, f'`{name}`')} is missing{instead}"
    if not dimensions:
        yield mark, f"no column has scores; {_wanted()}"
    elif len(dimensions) > MOST_DIMENSIONS:
        yield mark, f"{len(dimensions)} things are scored, and at most {MOST_DIMENSIONS} are read; take columns out"


def _wanted() -> str:
    return "write a pair of columns for each thing scored, as `groundedness_A` and `groundedness_B`, beside " + listed(
        (columns.QUESTION_ID, columns.JUDGE)
    )


def _of_scores(header: Header) -> frozenset[str]:
    return frozenset(f"{name}_{side}" for name in header.dimensions for side in "AB")


def _records(
    rows: Iterable[list[Cell]], header: Header, cleaned: Cleaned, problems: FileProblems
) -> Iterator[JudgeRow]:
    reader = RowReader(header, cleaned, problems)
    seen = _Seen()
    for number, row in enumerate(rows, 1):
        if problems.full:
            problems.count(1)
            return
        if number > MOST_ROWS:
            problems.add(row[0].mark, f"more than {MOST_ROWS:,} rows are not read; write the rows of one run")
            return
        if (cell := next((each for each in row if len(each.verbatim) > LONGEST_CELL), None)) is not None:
            text = f"this cell has {len(cell.verbatim):,} characters, and at most {LONGEST_CELL:,} are read"
            problems.add(cell.mark, f"{text}; look for a double quote that is not closed")
            continue
        found = reader.read(row)
        if found is None:
            continue
        for column, text in seen.contradicted(found, row[0].mark.line):
            problems.add(reader.place(column), text)
        yield found


class _Seen:
    """What earlier rows have said that a later one may contradict."""

    def __init__(self) -> None:
        self._lines: dict[tuple[str, str, str, int], int] = {}
        self._types: dict[str, tuple[str, int]] = {}
        self._labs: dict[tuple[str, str], tuple[str, int]] = {}

    def contradicted(self, row: JudgeRow, line: int) -> Iterator[tuple[str, str]]:
        """Each column with which this row, on `line`, contradicts an earlier one, and what to write."""
        question, judge = f"question `{name_text(row.question_id)}`", f"judge `{name_text(row.judge)}`"
        first = self._lines.setdefault((row.question_id, row.judge, row.harness, row.order), line)
        if first != line:
            there = f"{judge} on {question} stands on line {first} already"
            yield columns.QUESTION_ID, f"{there}; keep one row of each, and those of one run"
            return
        kind, at = self._types.setdefault(row.question_id, (row.question_type, line))
        if kind != row.question_type:
            yield columns.QUESTION_TYPE, _two_words(f"{question} is of type", row.question_type, at, kind)
        lab, at = self._labs.setdefault((row.judge, row.harness), (row.lab, line))
        if lab != row.lab:
            yield columns.LAB, _two_words(f"{judge} is of lab", row.lab, at, lab)
        if at == line and len(self._labs) > MOST_JUDGES:
            yield (
                columns.JUDGE,
                f"this is judge {len(self._labs)}, and at most {MOST_JUDGES} are read; is it a judge's name?",
            )


def _two_words(what: str, now: str, line: int, before: str) -> str:
    return f"{what} {value_text(now)}, on line {line} of {value_text(before)}; write one of them"


def _of_several_answers(rows: list[JudgeRow]) -> list[str]:
    """Questions whose judges read different answers."""
    answers: dict[str, tuple[str, str]] = {}
    differ: dict[str, None] = {}
    for row in rows:
        read = row.control_response, row.treatment_response
        if any(read) and answers.setdefault(row.question_id, read) != read:
            differ[row.question_id] = None
    return list(differ)


def _missing(rows: list[JudgeRow]) -> Iterator[str]:
    """Question and judge of every cell of the grid that has no row."""
    cells = [(row.question_id, judge_name(row.judge, row.harness)) for row in rows]
    there = {(cell, row.order) for cell, row in zip(cells, rows, strict=True)}
    unasked = {cell for cell, row in zip(cells, rows, strict=True) if row.identical}
    judges = tuple(dict.fromkeys(judge for _question, judge in cells))
    orders = (1, 2) if any(row.order == 2 for row in rows) else (1,)
    for question in dict.fromkeys(question for question, _judge in cells):
        for judge in judges:
            for order in orders:
                if ((question, judge), order) not in there and (question, judge) not in unasked:
                    yield f"{question} × {judge}" + (", swapped" if order > 1 else "")
