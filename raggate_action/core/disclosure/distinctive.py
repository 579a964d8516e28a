"""Pieces of a text that nobody writes by chance: codes, keys, account numbers, addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from raggate_action.core.disclosure.words import FUNCTION_WORDS, words_of

SHORTEST = 6
# More than this of a long piece gives it away.
LONGEST = 32
_PIECE = re.compile(r"""[^\s=:;,"'`()\[\]{}<>|]+""")
_NUMBER = re.compile(r"\d+(?:[.,'’\-]\d+)*")
_ROUND = 5
_DATE = re.compile(
    r"(?:19|20)\d\d[.-]\d\d?[.-]\d\d?(?!\d).* | \d\d?[.-]\d\d?[.-](?:(?:19|20)\d\d|\d\d) | (?:19|20)\d\d-(?:19|20)\d\d",
    re.VERBOSE,
)
# What everybody writes with a digit in it: 24-hour, 1500ms, 100GB, Covid-19, step-2, python3.11.
_ORDINARY = re.compile(
    r"\d{1,6}(?:\.\d+)?-?(?:[a-z]+(?:-[a-z]+)*|[A-Z][A-Za-z]{0,3}) | [A-Za-z][a-z]*-?\d{1,2}(?:\.\d+)*", re.VERBOSE
)
_PASSPHRASE_WORDS = 4
_TURNS = 3


def distinctive(text: str) -> Iterator[str]:
    """The distinctive pieces of a text, each as its letters and digits in lower case, at most `LONGEST` of them.

    Distinctive is, from six letters and digits on, a piece without spaces that has letters and digits
    (`BREAKGLASS-7741`), an `@` or, from eight on, a `_`; four or more words joined by hyphens; letters that change
    between small and capital three times; and a number of six or more digits that is neither round nor a date.
    """
    for found in _PIECE.findall(text):
        piece = found.strip(".!?-/*_#~")
        if piece.isalpha() and piece[1:].islower():
            continue
        glued = "".join(words_of(piece))
        if len(glued) >= SHORTEST and not _DATE.fullmatch(piece) and _is_distinctive(piece, glued):
            yield glued[:LONGEST]
    for found in _NUMBER.finditer(text):
        digits = "".join(character for character in found[0] if character.isdigit())
        if len(digits) >= SHORTEST and len(digits.rstrip("0")) >= _ROUND and not _DATE.fullmatch(found[0]):
            yield digits[:LONGEST]


def _is_distinctive(piece: str, glued: str) -> bool:
    if "@" in piece[1:]:
        return True
    has_digit = any(map(str.isdigit, glued))
    if has_digit and not glued.isdigit():
        return not _ORDINARY.fullmatch(piece)
    if "_" in piece and len(glued) > SHORTEST + 1:
        return True
    parts = piece.lower().split("-")
    if len(parts) >= _PASSPHRASE_WORDS and FUNCTION_WORDS.isdisjoint(parts) and all(parts):
        return not has_digit
    return sum(a.islower() and b.isupper() for a, b in pairwise(piece)) >= _TURNS
