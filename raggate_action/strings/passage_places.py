"""Where in a text a quoted passage stands, so that it can be shown verbatim.

It is found as `passages` finds it: case, spaces, Markdown, widths of characters and kinds of marks aside.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from raggate_action.strings.passages import (
    BESIDE_IDEOGRAPHS,
    EMPHASIS,
    ESCAPED,
    LINK,
    SHORTEST_QUOTE,
    SPELLINGS,
    TABLE_RULE,
    TAG,
    UNSPACED,
    folded_quote,
    stands_at,
)
from raggate_action.strings.visible_text import INVISIBLE

# A word of a script that parts none takes a few characters.
_UNSPACED_WORTH = 3


class Place(NamedTuple):
    """A part of a text: `text[start:end]`."""

    start: int
    end: int


class _Traced(NamedTuple):
    """A folded text, and for each of its characters where it stands in the text as it was."""

    text: str
    places: list[Place]


def is_long_enough(quote: str, text: str) -> bool:
    """Whether a passage says enough to be found by chance in no text: a few words, or all that the text says."""
    words = folded_quote(quote)
    worth = sum(_UNSPACED_WORTH if UNSPACED.match(each) else 1 for each in words)
    return worth >= SHORTEST_QUOTE or (bool(words) and words == folded_quote(text))


def place_of(quote: str, text: str) -> Place | None:
    """Where a passage first stands in a text, whole words only; None where it does not, or says nothing."""
    words = folded_quote(quote)
    if not words:
        return None
    verbatim = quote.strip()
    start = next(stands_at(verbatim, text), None)
    if start is not None:
        return Place(start, start + len(verbatim))
    traced = _traced(text)
    at = next(stands_at(words, traced.text), None)
    return None if at is None else Place(traced.places[at].start, traced.places[at + len(words) - 1].end)


# The quotes of one reply are of a few chunks; a place for every character takes many times the text.
@lru_cache(maxsize=8)
def _traced(text: str) -> _Traced:
    """A text in the spelling of `folded_text`, step by step as there."""
    traced = _spelt(text)
    for pattern, instead in ((LINK, None), (TAG, " "), (ESCAPED, ""), (EMPHASIS, ""), (TABLE_RULE, " ")):
        traced = _replaced(traced, pattern, instead)
    folded = [(each, place) for char, place in zip(*traced, strict=True) for each in char.casefold()]
    traced = _with_words("".join([char for char, _ in folded]), [place for _, place in folded])
    return _replaced(traced, BESIDE_IDEOGRAPHS, "")


def _spelt(text: str) -> _Traced:
    chars: list[str] = []
    places: list[Place] = []
    starts = [at for at, char in enumerate(text) if at == 0 or not unicodedata.combining(char)]
    for start, end in pairwise([*starts, len(text)]):
        spelt = INVISIBLE.sub("", unicodedata.normalize("NFKC", text[start:end]).translate(SPELLINGS))
        chars.append(spelt)
        places.extend([Place(start, end)] * len(spelt))
    return _Traced("".join(chars), places)


def _replaced(traced: _Traced, pattern: re.Pattern[str], instead: str | None) -> _Traced:
    """Each match replaced by a text of at most one character, or by its first group."""
    text, places = traced
    chars: list[str] = []
    kept: list[Place] = []
    last = 0
    for found in pattern.finditer(text):
        chars.append(text[last : found.start()])
        kept.extend(places[last : found.start()])
        last = found.end()
        if instead is None:
            chars.append(found[1])
            kept.extend(places[found.start(1) : found.end(1)])
        elif instead:
            chars.append(instead)
            kept.append(places[found.start()])
    if not last:
        return traced
    return _Traced("".join([*chars, text[last:]]), [*kept, *places[last:]])


def _with_words(text: str, places: list[Place]) -> _Traced:
    """The words, a space between each two; what has no letter and no figure is none."""
    chars: list[str] = []
    kept: list[Place] = []
    for start, end in _words(text):
        if chars:
            chars.append(" ")
            kept.append(places[start])
        chars.append(text[start:end])
        kept.extend(places[start:end])
    return _Traced("".join(chars), kept)


def _words(text: str) -> Iterator[tuple[int, int]]:
    return (found.span() for found in re.finditer(r"\S+", text) if any(map(str.isalnum, found[0])))
