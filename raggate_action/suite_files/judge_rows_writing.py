"""`judge_rows.csv`: its columns, and how it is written. A is always the control, whatever a judge was shown as A.

The same rows give the same bytes. A cell that a spreadsheet opens stays text there, and comes back as it was: one that
begins with `=`, `+`, `-` or `@` is a formula to a spreadsheet, and answers are a stranger's. An apostrophe before it
makes it text. Where semicolons part cells, as in much of Europe, a cell begins behind every semicolon and line break of
an answer as well, so these places are treated alike. There the dash of a list stays as it is if the words behind it are
plain: without a bracket, `|` or `!` no formula does anything. What begins with an apostrophe before such a sign gets
one more, so that taking one away from each gives the text back, character by character.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from raggate_action.schema.judge_rows import JudgeRow, Winner
from raggate_action.schema.judgement import Lost

QUESTION: Final = ("run_id", "timestamp", "question_id", "question_text", "question_type")
RESPONSES: Final = ("baseline_response", "augmented_response")
TOTALS_AND_VERDICT: Final = ("total_A", "total_B", "verdict")
REASON: Final = "verdict_reason"
# What a judge says its scores come to. A file without these has it in the totals and the verdict themselves, which are
# worked out of the scores otherwise.
CLAIMED: Final = ("claimed_total_A", "claimed_total_B", "claimed_verdict")
# What this program adds to the columns that others know.
OWN: Final = ("judge_harness", "judge_lab", "order", "shown_first", *CLAIMED, "lost", "identical")
BEFORE_SCORES: Final = (*QUESTION, "judge_name", *RESPONSES)
BEHIND_SCORES: Final = (*TOTALS_AND_VERDICT, REASON, *OWN)

_VERDICTS: Mapping[Winner | None, str] = {"control": "A", "treatment": "B", "tie": "tie", None: ""}
_QUOTED = re.compile(r'[",\r\n]|\A\s|\s\Z')
# Also what a spreadsheet reads as these: wide forms, and the minus of mathematics.
_SIGN = "[=+\\-@\uff1d\uff0b\uff0d\uff20\u2212]"
# Passed over before a formula, or taken off by what reads the cell; what parts cells is none of them.
_SKIPPED = "[\x00-\x08\x0b\x0c\x0e-\x20\x85\xa0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff]*"
_PLAIN_ITEM = rf"{_SKIPPED}[-+\u2212] [^;\t\r\n(|!]*(?:[;\t\r\n]|\Z)"
_AT_START = rf"(?={_SKIPPED}{_SIGN})"
_INSIDE = rf"{_AT_START}(?!{_PLAIN_ITEM})"
_FORMULA = re.compile(rf"\A'*{_AT_START}|(?<=[;\t\r\n])'*{_INSIDE}")
_HELD = re.compile(rf"\A'+{_AT_START}|(?<=[;\t\r\n])'+{_INSIDE}")


def rows_csv(rows: Iterable[JudgeRow], dimensions: Sequence[str]) -> Iterator[bytes]:
    """The file, line by line, as UTF-8 without a byte order mark.

    Texts that a spreadsheet would run are written so that it does not, and read back as they were. A NUL, which no text
    file holds, becomes U+FFFD.

    Args:
        rows: In the order to be written.
        dimensions: What is scored, in the order of their columns; a row with scores has one for each.
    """
    scores = [f"{name}_{side}" for name in dimensions for side in "AB"]
    yield _line((*BEFORE_SCORES, *scores, *BEHIND_SCORES))
    for row in rows:
        yield _line(_cells(row, dimensions))


def _cells(row: JudgeRow, dimensions: Sequence[str]) -> Iterator[str]:
    yield from (row.run_id, row.timestamp, row.question_id, row.question_text, row.question_type, row.judge)
    yield from (row.control_response, row.treatment_response)
    for name in dimensions:
        yield from (str(arm.get(name, "")) for arm in (row.control, row.treatment))
    yield from (str(sum(arm.values())) if arm else "" for arm in (row.control, row.treatment))
    yield from (_VERDICTS[row.winner], row.reason)
    yield from (row.harness, row.lab, str(row.order), row.shown_first or "")
    yield from ("" if total is None else str(total) for total in (row.claimed.control, row.claimed.treatment))
    yield _VERDICTS[row.claimed.verdict]
    yield f"{row.lost.code}: {row.lost.detail}" if isinstance(row.lost, Lost) else row.lost or ""
    yield "yes" if row.identical else ""


def as_text(text: str) -> str:
    """The text as a cell holds it."""
    return _FORMULA.sub(lambda found: f"'{found[0]}", text)


def from_cell(cell: str) -> str:
    """The text of a cell that `as_text` has written."""
    return _HELD.sub(lambda found: found[0][1:], cell)


def _line(cells: Iterable[str]) -> bytes:
    held = [as_text(text.replace("\x00", "\ufffd")) for text in cells]
    quoted = ['"' + text.replace('"', '""') + '"' if _QUOTED.search(text) else text for text in held]
    return (",".join(quoted) + "\n").encode(errors="replace")
