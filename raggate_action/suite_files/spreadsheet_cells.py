"""Text in a cell that a spreadsheet opens: it stays text there, and comes back as it was.

A cell that begins with `=`, `+`, `-` or `@` is a formula to a spreadsheet, and answers are a stranger's. An apostrophe
before it makes it text. Where semicolons part cells, as in much of Europe, a cell begins behind every semicolon and
line break of an answer as well, so these places are treated alike. There the dash of a list stays as it is if the words
behind it are plain: without a bracket, `|` or `!` no formula does anything.

What begins with an apostrophe before such a sign gets one more, so that taking one away from each gives the text back,
character by character.
"""

from __future__ import annotations

import re

# Also what a spreadsheet reads as these: wide forms, and the minus of mathematics.
_SIGN = "[=+\\-@\uff1d\uff0b\uff0d\uff20\u2212]"
# Passed over before a formula, or taken off by what reads the cell; what parts cells is none of them.
_SKIPPED = "[\x00-\x08\x0b\x0c\x0e-\x20\x85\xa0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff]*"
_PLAIN_ITEM = rf"{_SKIPPED}[-+\u2212] [^;\t\r\n(|!]*(?:[;\t\r\n]|\Z)"
_AT_START = rf"(?={_SKIPPED}{_SIGN})"
_INSIDE = rf"{_AT_START}(?!{_PLAIN_ITEM})"
_FORMULA = re.compile(rf"\A'*{_AT_START}|(?<=[;\t\r\n])'*{_INSIDE}")
_HELD = re.compile(rf"\A'+{_AT_START}|(?<=[;\t\r\n])'+{_INSIDE}")


def as_text(text: str) -> str:
    """The text as a cell holds it."""
    return _FORMULA.sub(lambda found: f"'{found[0]}", text)


def from_cell(cell: str) -> str:
    """The text of a cell that `as_text` has written."""
    return _HELD.sub(lambda found: found[0][1:], cell)
