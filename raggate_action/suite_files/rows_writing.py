"""`judge_rows.csv`: a row per judge, question and order, A always the control; the same rows give the same bytes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from raggate_action.schema.judge_rows import JudgeRow, Winner
from raggate_action.schema.judgement import Lost
from raggate_action.suite_files import row_columns as columns
from raggate_action.suite_files.spreadsheet_cells import as_text

_VERDICTS: Mapping[Winner, str] = {"control": "A", "treatment": "B", "tie": "tie"}
_QUOTED = re.compile(r'[",\r\n]|\A\s|\s\Z')


def rows_csv(rows: Iterable[JudgeRow], dimensions: Sequence[str]) -> Iterator[bytes]:
    """The file, line by line, as UTF-8 without a byte order mark.

    Texts that a spreadsheet would run are written so that it does not, and read back as they were. A NUL, which no text
    file holds, becomes U+FFFD.

    Args:
        rows: In the order to be written.
        dimensions: What is scored, in the order of their columns; a row with scores has one for each.
    """
    scores = [f"{name}_{side}" for name in dimensions for side in "AB"]
    yield _line((*columns.BEFORE_SCORES, *scores, *columns.BEHIND_SCORES))
    for row in rows:
        yield _line([*_before(row), *_scores(row, dimensions), *_behind(row)])


def _before(row: JudgeRow) -> Iterator[str]:
    yield from (row.run_id, row.timestamp, row.question_id, row.question_text, row.question_type, row.judge)
    yield from (row.control_response, row.treatment_response)


def _scores(row: JudgeRow, dimensions: Sequence[str]) -> Iterator[str]:
    for name in dimensions:
        yield from (str(row.control[name]), str(row.treatment[name])) if row.control else ("", "")


def _behind(row: JudgeRow) -> Iterator[str]:
    has_scores = bool(row.control)
    yield from (str(sum(row.control.values())), str(sum(row.treatment.values()))) if has_scores else ("", "")
    yield _verdict(row.winner)
    yield from (row.reason, row.harness, row.lab, str(row.order), row.shown_first or "")
    yield from (_number(row.claimed.control), _number(row.claimed.treatment), _verdict(row.claimed.verdict))
    yield _lost(row.lost)
    yield columns.YES if row.identical else ""


def _verdict(winner: Winner | None) -> str:
    return "" if winner is None else _VERDICTS[winner]


def _number(value: int | None) -> str:
    return "" if value is None else str(value)


def _lost(lost: Lost | str | None) -> str:
    """`judge-timeout: no answer within 60 s`."""
    if isinstance(lost, Lost):
        return f"{lost.code}: {lost.detail}"
    return lost or ""


def _line(cells: Iterable[str]) -> bytes:
    return (",".join(map(_cell, cells)) + "\n").encode(errors="replace")


def _cell(text: str) -> str:
    held = as_text(text.replace("\x00", "\ufffd"))
    quoted = held.replace('"', '""')
    return f'"{quoted}"' if _QUOTED.search(held) else held
