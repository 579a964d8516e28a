"""One row of a file of judge rows: what each cell has to be, what is cleaned, what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, get_args

from raggate_action.schema.judge_rows import Claimed, JudgeRow, Unasked, Winner
from raggate_action.schema.judgement import Lost, LostCode
from raggate_action.suite_files import row_columns as columns
from raggate_action.suite_files.csv_file import Cell
from raggate_action.suite_files.problems import FileProblems, Mark, listed, name_text, value_text
from raggate_action.suite_files.rows_cleaned import Cleaned
from raggate_action.suite_files.spreadsheet_cells import from_cell

_WINNERS: Mapping[str, Winner] = {"a": "control", "b": "treatment", "tie": "tie"}
_ARMS: Final = ("control", "treatment")
_LOST_CODES: Final[tuple[LostCode, ...]] = get_args(LostCode)
_INTEGER = re.compile(r"[+-]?\d{1,15}(\.0{1,15})?", re.ASCII)
_UNASKED: Final[tuple[Unasked, ...]] = get_args(Unasked)
_UNSCORED = Lost(code="judge-empty", detail="the row has no scores")
# Not white space, and as little of a name.
AROUND: Final = "\ufeff\u200b"


class Header(NamedTuple):
    """What a file's first row says.

    Attributes:
        places: Column -> its place in a row.
        dimensions: What is scored, in the order of the columns.
        own: The file was written by this program, so texts come back from what keeps them from being run.
    """

    places: Mapping[str, int]
    dimensions: tuple[str, ...]
    own: bool


class RowReader:
    """Makes records of the rows under a header.

    Args:
        header: What the columns are.
        cleaned: Is told what was cleaned.
        problems: Is told what cannot be read.
    """

    def __init__(self, header: Header, cleaned: Cleaned, problems: FileProblems) -> None:
        self._header, self._cleaned, self._problems = header, cleaned, problems
        self._row: Sequence[Cell] = ()

    def read(self, row: Sequence[Cell]) -> JudgeRow | None:
        """The record of a row; None where `problems` says what is wrong with it."""
        if len(row) != len(self._header.places):
            self._ragged(row)
            return None
        self._row = row
        before = len(self._problems)
        scores = self._scores()
        fields = {**self._question(), **self._judge(), **scores, **self._said(scores)}
        return JudgeRow.model_validate(fields) if len(self._problems) == before else None

    def place(self, column: str) -> Mark:
        """Where the last row has this column; its first cell where there is none."""
        return self._row[self._header.places.get(column, 0)].mark

    def _ragged(self, row: Sequence[Cell]) -> None:
        cells, names = len(row), len(self._header.places)
        more = cells > names
        self._problems.add(
            row[names].mark if more else row[-1].mark,
            f"this row has {cells} cells, the header {names}; "
            + ("put cells that hold a comma in double quotes" if more else "write a cell for each, an empty one too"),
        )

    def _text(self, column: str) -> str:
        """What a cell says; empty where the file has no such column."""
        place = self._header.places.get(column)
        if place is None:
            return ""
        cell = self._row[place]
        text = cell.verbatim
        if column not in columns.VERBATIM:
            text = cell.text.strip(AROUND).strip()
            if text != cell.verbatim:
                self._cleaned.add("trimmed", self._row[0].mark.line, column)
        return from_cell(text) if self._header.own else text

    def _question(self) -> dict[str, str]:
        fields = {column: self._text(column) for column in columns.QUESTION}
        if not fields[columns.QUESTION_ID]:
            self._problems.add(self.place(columns.QUESTION_ID), "the question has no id; write one")
        control, treatment = (self._text(column) for column in columns.RESPONSES)
        return {**fields, "control_response": control, "treatment_response": treatment}

    def _judge(self) -> dict[str, object]:
        column = columns.JUDGE if columns.JUDGE in self._header.places else columns.MODEL
        name = self._text(column)
        if not name:
            self._problems.add(self.place(column), "the judge has no name; write one")
        order = self._one_of(columns.ORDER, ("1", "2"), "1 for what a judge saw first, 2 for the pair swapped")
        return {
            "judge": name,
            "harness": self._text(columns.HARNESS),
            "lab": self._text(columns.LAB),
            "order": int(order or 1),
            "shown_first": self._one_of(columns.SHOWN_FIRST, _ARMS, "`control`, `treatment` or nothing") or None,
        }

    def _one_of(self, column: str, known: Sequence[str], wanted: str) -> str:
        text = self._text(column)
        if text and text not in known:
            found = f"`{column}` is {value_text(text)}; write {wanted}, or take the column out"
            self._problems.add(self.place(column), found)
            return ""
        return text

    def _scores(self) -> dict[str, dict[str, int]]:
        """The scores of both arms: all of them, or none at all."""
        texts = {(name, side): self._text(f"{name}_{side}") for name in self._header.dimensions for side in ("A", "B")}
        if not any(texts.values()):
            return {"control": {}, "treatment": {}}
        found: dict[str, dict[str, int]] = {"A": {}, "B": {}}
        for (name, side), text in texts.items():
            score = self._integer(f"{name}_{side}", text)
            if score is None or not 1 <= score <= 5:
                shown = value_text(text) if text else "empty"
                wanted = "a whole number from 1 to 5" + ("" if text else ", or leave all scores of the row empty")
                self._problems.add(self.place(f"{name}_{side}"), f"`{name}_{side}` is {shown}; write {wanted}")
            else:
                found[side][name] = score
        return {"control": found["A"], "treatment": found["B"]}

    def _integer(self, column: str, text: str) -> int | None:
        number = _INTEGER.fullmatch(text)
        if number is None:
            return None
        if number[1]:
            self._cleaned.add("decimals", self._row[0].mark.line, column)
        return int(text.partition(".")[0])

    def _said(self, scores: Mapping[str, Mapping[str, int]]) -> dict[str, object]:
        lost = self._lost()
        identical = self._one_of(columns.IDENTICAL, (columns.YES,), f"`{columns.YES}` or nothing") == columns.YES
        if scores["control"] and (lost is not None or identical):
            column = columns.LOST if lost is not None else columns.IDENTICAL
            text = f"`{column}` says that there are no scores, and there are; empty it, or the scores"
            self._problems.add(self.place(column), text)
        elif lost is not None and identical:
            self._problems.add(self.place(columns.LOST), "a row is `lost` or `identical`, not both; empty one of them")
        elif not scores["control"] and lost is None and not identical:
            self._cleaned.add("unscored", self._row[0].mark.line)
            lost = _UNSCORED
        return {"claimed": self._claimed(), "reason": self._text(columns.REASON), "lost": lost, "identical": identical}

    def _claimed(self) -> Claimed:
        places = self._header.places
        names = columns.CLAIMED if any(name in places for name in columns.CLAIMED) else columns.TOTALS_AND_VERDICT
        control, treatment = (self._total(name) for name in names[:2])
        verdict = self._text(names[2])
        winner = _WINNERS.get(verdict.casefold())
        if verdict and winner is None:
            self._cleaned.add("claim-unclear", self._row[0].mark.line, names[2])
        return Claimed(control=control, treatment=treatment, verdict=winner)

    def _total(self, column: str) -> int | None:
        text = self._text(column)
        total = self._integer(column, text)
        if text and total is None:
            self._cleaned.add("claim-unclear", self._row[0].mark.line, column)
        return total

    def _lost(self) -> Lost | Unasked | None:
        text = self._text(columns.LOST)
        code, _colon, detail = text.partition(": ")
        known = next((each for each in _LOST_CODES if each == code.strip()), None)
        if known is not None:
            return Lost(code=known, detail=detail)
        unasked = next((each for each in _UNASKED if each == text.strip()), None)
        if text.strip() and unasked is None:
            wanted = listed((*_UNASKED, *_LOST_CODES))
            found = f"`{columns.LOST}` begins with `{name_text(code)}`; write one of {wanted}"
            self._problems.add(self.place(columns.LOST), found)
        return unasked
