"""A file of judge rows, of this program's or of another's: read whole, cleaned, and what was cleaned is said."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias, get_args

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from raggate_action.errors import UsageError
from raggate_action.schema.judge_rows import JudgeRow, RowsRemark, RowsRemarkCode, Unasked, Winner, judge_name
from raggate_action.schema.judgement import Lost, LostCode
from raggate_action.suite_files import judge_rows_writing as columns
from raggate_action.suite_files.csv_file import Row, csv_rows
from raggate_action.suite_files.file_reading import BOM, decode, unreadable
from raggate_action.suite_files.problems import (
    START,
    FileProblems,
    name_text,
    nearest_word,
    path_text,
    value_text,
    word_list,
)

# Ten thousand rows of two long answers each.
LARGEST_FILE = 128 * 1024 * 1024
LONGEST_CELL = 1_000_000
MOST_ROWS = 100_000
# As many as the rows of a grid may be: what is worked out of them takes as long as all pairs of them.
MOST_JUDGES = 64
MOST_DIMENSIONS = 12
KNOWN: Final = frozenset((*columns.BEFORE_SCORES, *columns.BEHIND_SCORES, "judge_model"))
# Missed by a reader where a file lacks them; nothing is counted by them.
_EXPECTED = (*columns.QUESTION, *columns.RESPONSES, *columns.TOTALS_AND_VERDICT, columns.REASON)
# Taken as they are; around everything else spaces and tabs are a slip.
_VERBATIM = frozenset(("question_text", *columns.RESPONSES, columns.REASON, "lost"))
# Not white space, and as little of a name.
_AROUND = "\ufeff\u200b"
# What producers and judges are measured by beside scores; some of it comes in small whole numbers, and none is a score.
_MEASURES = frozenset(
    {
        "retrieved_chunks", "latency", "latency_ms", "latency_s", "model", "tool_calls", "confidence", "tokens", "cost",
        "turns", "attempts", "retries", "rank", "position", "order",
    }
)  # fmt: skip
_SCORE = re.compile(r"([a-z][a-z0-9_]{0,47})_([AB])")
_WHOLE = re.compile(r"[+-]?\d{1,15}(\.0{1,15})?", re.ASCII)
_NO_NUMBER = frozenset({"nan", "null", "none", "n/a", "na", "-"})
_WINNERS: Mapping[str, Winner] = {"a": "control", "b": "treatment", "tie": "tie"}
_UNASKED: Final[tuple[Unasked, ...]] = get_args(Unasked)
_UNSCORED = Lost(code="judge-empty", detail="the row has no scores")
_WANTED = {
    "order": "1 for what a judge saw first, 2 for the pair swapped",
    "shown_first": "`control`, `treatment` or nothing",
    "identical": "`yes` or nothing",
}
_NAMED_AT_MOST = 20


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
        UsageError: It cannot be read. The message has one line per problem, each with its line.
    """
    problems = FileProblems(path_text(path))
    text = _text(path, problems)
    found = None if text is None else _read(text, problems)
    if found is None or len(problems):
        raise UsageError(str(problems), hint="Correct these lines; nothing was written.")
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
    return decode(raw.removeprefix(BOM), problems)


# What was cleaned, the line that its row begins on, and its column; empty of a whole row.
_Cleaned: TypeAlias = list[tuple[RowsRemarkCode, int, str]]


def _read(text: str, problems: FileProblems) -> RowsFile | None:
    table = list(islice(csv_rows(text, problems), MOST_ROWS + 2))
    if not table:
        if not len(problems):
            problems.add(START, f"the file is empty; {_columns_hint()}")
        return None
    header, *rows = table
    cleaned: _Cleaned = []
    names = list(map(_trimmed, header.cells))
    cleaned += [
        ("trimmed", header.mark.line, name) for name, cell in zip(names, header.cells, strict=True) if name != cell
    ]
    for name, times in Counter(names).items():
        if name and times > 1:
            problems.add(header.mark, f"column `{name_text(name)}` is there twice; keep one of them")
    dimensions, unscored = _scored_columns(names, rows)
    for wrong in () if len(problems) else _missing_columns(names, dimensions, unscored):
        problems.add(header.mark, wrong)
    if len(problems):
        return None
    found = list(_records(rows, _Reader(names, dimensions, cleaned, problems), problems))
    if not found and not len(problems):
        problems.add(header.mark, "there is no row under the header; write one for each judge and question")
    taken = KNOWN.union(f"{name}_{side}" for name in (*dimensions, *unscored) for side in "AB")
    by_names: dict[RowsRemarkCode, list[str]] = {
        "pairs-unscored": [f"{name}_A/_B" for name in unscored],
        "columns-ignored": [name or f"column {place}" for place, name in enumerate(names, 1) if name not in taken],
        "columns-absent": [name for name in _EXPECTED if name not in names],
        "answers-differ": _of_several_answers(found),
        "cells-missing": list(_missing_cells(found)),
    }
    remarks = [
        RowsRemark(code=code, count=len(about), names=tuple(map(name_text, about[:_NAMED_AT_MOST])))
        for code, about in by_names.items()
        if about
    ]
    return RowsFile(tuple(found), dimensions, (*_cleaning_remarks(cleaned), *remarks))


def _cleaning_remarks(cleaned: _Cleaned) -> Iterator[RowsRemark]:
    """One for each kind, in the order they came up: how many cells, in which rows, of which columns."""
    for code in dict.fromkeys(code for code, _line, _name in cleaned):
        own = [(line, name) for kind, line, name in cleaned if kind == code]
        lines = tuple(dict.fromkeys(line for line, _name in own))
        names = tuple(dict.fromkeys(name_text(name) for _line, name in own if name))
        count, few = len(own), slice(_NAMED_AT_MOST)
        yield RowsRemark(code=code, count=count, rows=len(lines), lines=lines[few], names=names[few])


def _trimmed(cell: str) -> str:
    return cell.strip().strip(_AROUND).strip()


def _scored_columns(names: Sequence[str], rows: Iterable[Row]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What is scored, each name that stands before `_A` or `_B`, and pairs of columns that are no scores.

    A file of this program has no other pairs. Of others a pair holds scores if at least half of what is written in it
    is one, so that a slip is still told. Where no pair does, the empty ones are the scores of calls that are all lost.
    """
    places = {
        place: found[1]
        for place, name in enumerate(names)
        if name not in KNOWN and (found := _SCORE.fullmatch(name)) is not None
    }
    pairs = tuple(dict.fromkeys(places.values()))
    if _is_own(names):
        return pairs, ()
    written, scores = Counter[str](), Counter[str]()
    for row in rows:
        for place, name in places.items():
            if place < len(row.cells) and (text := _number(row.cells[place])):
                written[name] += 1
                scores[name] += bool(_WHOLE.fullmatch(text)) and 1 <= float(text) <= 5
    perhaps = [name for name in pairs if name not in _MEASURES]
    dimensions = [name for name in perhaps if written[name] and 2 * scores[name] >= written[name]]
    dimensions = dimensions or [name for name in perhaps if not written[name]]
    others = [name for name in pairs if name not in dimensions and {f"{name}_A", f"{name}_B"} <= {*names}]
    return tuple(dimensions), tuple(others)


def _is_own(names: Collection[str]) -> bool:
    """Whether this program has written the file."""
    return all(name in names for name in columns.OWN)


def _number(cell: str) -> str:
    """A number as it is read, `4,0` with a point; empty where another program says that there is none."""
    text = _trimmed(cell).replace(",", ".")
    return "" if text.casefold() in _NO_NUMBER else text


def _missing_columns(names: Sequence[str], dimensions: Sequence[str], unscored: Sequence[str]) -> Iterator[str]:
    """What no file of rows can do without."""
    if len(names) == 1 and "|" in names[0]:
        yield "the header is one cell; it seems to be parted by `|`: save the file parted by commas"
        return
    for name, also in (("question_id", ()), ("judge_name", ("judge_model",))):
        if {name, *also}.isdisjoint(names):
            near = nearest_word(name, [each for each in names if each not in KNOWN])
            wanted = f"is `{name_text(near)}` meant? Rename it" if near else "every row needs one"
            yield f"column `{name}`{''.join(f' (or `{each}`)' for each in also)} is missing; {wanted}"
    for name, side, other in [(name, *sides) for name in dimensions for sides in ("AB", "BA")]:
        if f"{name}_{other}" not in names:
            text = f"column `{name}_{side}` has no `{name}_{other}`"
            yield f"{text}; write the scores of both answers, or rename the column"
    if not dimensions:
        found = f": {word_list([f'{name}_A/_B' for name in unscored])} are no scores from 1 to 5" if unscored else ""
        yield f"no column has scores{found}; {_columns_hint()}"
    elif len(dimensions) > MOST_DIMENSIONS:
        yield f"{len(dimensions)} things are scored, and at most {MOST_DIMENSIONS} are read; take columns out"


def _columns_hint() -> str:
    return (
        "write a pair of columns for each thing scored, as `groundedness_A` and `groundedness_B`, beside "
        + word_list(("question_id", "judge_name"))
    )


def _records(rows: Iterable[Row], reader: _Reader, problems: FileProblems) -> Iterator[JudgeRow]:
    seen = _EarlierRows()
    for number, row in enumerate(rows, 1):
        if problems.full:
            problems.count(1)
            return
        if number > MOST_ROWS:
            problems.add(row.mark, f"more than {MOST_ROWS:,} rows are not read; write the rows of one run")
            return
        found = reader.read(row)
        if found is not None:
            for text in seen.contradictions(found, row.mark.line):
                problems.add(row.mark, text)
            yield found


class _Reader:
    """Makes records of the rows under a header.

    Args:
        names: The columns.
        dimensions: What is scored, in the order of the columns.
        cleaned: Is told what was cleaned.
        problems: Is told what cannot be read.
    """

    def __init__(
        self, names: Sequence[str], dimensions: Sequence[str], cleaned: _Cleaned, problems: FileProblems
    ) -> None:
        self._names, self._dimensions, self._cleaned, self._problems = names, dimensions, cleaned, problems
        # Texts of a file that was written by this program come back from what keeps them from being run.
        self._own = _is_own(names)
        self._said = columns.TOTALS_AND_VERDICT if {*columns.CLAIMED}.isdisjoint(names) else columns.CLAIMED
        self._scores_in = frozenset(f"{name}_{side}" for name in dimensions for side in "AB")

    def read(self, row: Row) -> JudgeRow | None:
        """The record of a row; None where `problems` says what is wrong with it."""
        if wrong := self._misshapen(row):
            self._problems.add(row.mark, wrong)
            return None
        cells = self._cells(row)
        fields = {
            **{name: cells.get(name, "") for name in columns.QUESTION},
            "judge": cells.get("judge_name", cells.get("judge_model", "")),
            "harness": cells.get("judge_harness", ""),
            "lab": cells.get("judge_lab", ""),
            "control_response": cells.get(columns.RESPONSES[0], ""),
            "treatment_response": cells.get(columns.RESPONSES[1], ""),
            "reason": cells.get(columns.REASON, ""),
            **{name: cells[name] for name in _WANTED if cells.get(name)},
            **self._scores(cells, row.mark.line),
            "claimed": self._stated_totals(cells, row.mark.line),
        }
        try:
            # Not strict: a number in a cell is a text.
            return JudgeRow.model_validate(fields, strict=False)
        except ValidationError as error:
            for text in dict.fromkeys(_wrong(fault, cells) for fault in error.errors()):
                self._problems.add(row.mark, text)
            return None

    def _misshapen(self, row: Row) -> str:
        """What is wrong with a row whatever its cells say; empty where nothing is."""
        cells, names = len(row.cells), len(self._names)
        # Spreadsheets write empty cells behind the last column, and leave such cells out.
        if any(map(_trimmed, row.cells[names:])):
            return row.too_long_for(self._names)
        if cells < names and (self._own or not self._scores_in.isdisjoint(self._names[cells:])):
            return f"this row has {cells} cells, the header {names}; write a cell for each, an empty one too"
        for name, cell in zip(self._names, row.cells, strict=False):
            if len(cell) > LONGEST_CELL:
                text = f"`{name_text(name)}` has {len(cell):,} characters, and at most {LONGEST_CELL:,} are read"
                return f"{text}; look for a double quote that is not closed"
        return ""

    def _cells(self, row: Row) -> dict[str, str]:
        """The cells that are read, by column."""
        cells = {}
        for name, cell in zip(self._names, row.cells, strict=False):
            if name in KNOWN or name in self._scores_in:
                text = cell if name in _VERBATIM else _trimmed(cell)
                if text != cell:
                    self._cleaned.append(("trimmed", row.mark.line, name))
                cells[name] = columns.from_cell(text) if self._own else text
        return cells

    def _scores(self, cells: Mapping[str, str], line: int) -> dict[str, object]:
        """The scores of both arms, and why there are none where all of them are empty."""
        arms = [{name: _number(cells[f"{name}_{side}"]) for name in self._dimensions} for side in "AB"]
        if any(text for arm in arms for text in arm.values()):
            for side, arm in zip("AB", arms, strict=True):
                for name in [name for name, text in arm.items() if "." in text]:
                    self._cleaned.append(("decimals", line, f"{name}_{side}"))
            found: dict[str, object] = {"control": arms[0], "treatment": arms[1]}
        else:
            found = {}
        lost = cells.get("lost", "").strip()
        if lost:
            code, _colon, detail = cells["lost"].partition(": ")
            found["lost"] = lost if lost in _UNASKED else {"code": code.strip(), "detail": detail}
        elif not found and not cells.get("identical"):
            self._cleaned.append(("unscored", line, ""))
            found["lost"] = _UNSCORED
        return found

    def _stated_totals(self, cells: Mapping[str, str], line: int) -> dict[str, object]:
        """What the judge says its scores come to; what is not clear counts as not said."""
        texts = [cells.get(name, "").replace(",", ".") for name in self._said]
        totals = [int(text.partition(".")[0]) if _WHOLE.fullmatch(text) else None for text in texts[:2]]
        values = (*totals, _WINNERS.get(texts[2].casefold()))
        for name, text, value in zip(self._said, texts, values, strict=True):
            if text and value is None:
                self._cleaned.append(("claim-unclear", line, name))
            elif "." in text:
                self._cleaned.append(("decimals", line, name))
        return dict(zip(("control", "treatment", "verdict"), values, strict=True))


def _wrong(fault: ErrorDetails, cells: Mapping[str, str]) -> str:
    """What is wrong with a cell, by its column."""
    match fault["loc"]:
        case ():
            return fault["msg"]
        case ("question_id", *_):
            return "the question has no id; write one"
        case ("judge", *_):
            return "the judge has no name; write one"
        case ("lost", *_):
            wanted = word_list((*_UNASKED, *get_args(LostCode)))
            return f"`lost` begins with `{name_text(cells['lost'].partition(': ')[0])}`; write one of {wanted}"
        case ("control" | "treatment" as arm, str(name), *_):
            column = f"{name}_{'A' if arm == 'control' else 'B'}"
            empty = "" if cells[column] else ", or leave all scores of the row empty"
            found = value_text(cells[column]) if cells[column] else "empty"
            return f"`{column}` is {found}; write a whole number from 1 to 5{empty}"
        case _:
            column = str(fault["loc"][0])
            return f"`{column}` is {value_text(cells[column])}; write {_WANTED[column]}, or take the column out"


class _EarlierRows:
    """What earlier rows have said that a later one may contradict."""

    def __init__(self) -> None:
        self._lines: dict[tuple[str, str, str, int], int] = {}
        self._types: dict[str, tuple[str, int]] = {}
        self._labs: dict[tuple[str, str], tuple[str, int]] = {}

    def contradictions(self, row: JudgeRow, line: int) -> Iterator[str]:
        """In what this row, on `line`, contradicts an earlier one, and what to write."""
        question, judge = f"question `{name_text(row.question_id)}`", f"judge `{name_text(row.judge)}`"
        first = self._lines.setdefault((row.question_id, row.judge, row.harness, row.order), line)
        if first != line:
            there = f"{judge} on {question} stands on line {first} already"
            yield f"{there}; keep one row of each, and those of one run"
            return
        kind, at = self._types.setdefault(row.question_id, (row.question_type, line))
        if kind != row.question_type:
            yield _two_words(f"{question} is of type", row.question_type, at, kind)
        lab, at = self._labs.setdefault((row.judge, row.harness), (row.lab, line))
        if lab != row.lab:
            yield _two_words(f"{judge} is of lab", row.lab, at, lab)
        if at == line and len(self._labs) > MOST_JUDGES:
            yield f"this is judge {len(self._labs)}, and at most {MOST_JUDGES} are read; is it a judge's name?"


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


def _missing_cells(rows: list[JudgeRow]) -> Iterator[str]:
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
