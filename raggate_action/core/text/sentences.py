"""Sentences of a text, with offsets. The only door to the sentence splitter."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from collections.abc import Callable

# The splitter's list lacks these; before a digit or a lower-case word they end no sentence.
_ABBREVIATIONS = (
    "approx", "incl", "excl", "max", "min", "tel", "ext", "dept", "est", "temp", "qty", "avg", "esp", "resp", "cf",
    "ca", "sec", "para", "art", "vol", "ed", "pp", "ch",
)  # fmt: skip
_ABBREVIATION = re.compile(rf"\b(?:{'|'.join(_ABBREVIATIONS)})\.$", re.IGNORECASE)
_THEIR_ENDS = frozenset(word[-2:] for word in _ABBREVIATIONS)
# A quoted sentence that the text goes on behind without a space, as Chinese and Japanese do, is part of its sentence.
_CLOSING = "」』”’）"
_STOP = re.compile(r"[.!?。！？]\s")
# Characters handed to the splitter at once.
_LONGEST_PIECE = 4000
# Half a surrogate pair, which an app can answer with and the splitter cannot take.
_HALF = re.compile("[\ud800-\udfff]")
_CONTINUES = re.compile(r"\s*[0-9a-z%$€£]")


class _Boundary(TypedDict):
    """What the splitter says of a sentence; `text` is the stretch from start to end, spaces included."""

    start_index: int
    text: str


@cache
def _splitter() -> Callable[[str, str], list[_Boundary]]:
    from sentencex import get_sentence_boundaries  # loaded for prose only: labelled traces never need it

    boundaries: Callable[[str, str], list[_Boundary]] = get_sentence_boundaries
    return boundaries


def sentence_spans(text: str, language: str) -> tuple[tuple[int, int], ...]:
    """Start and end of every sentence, whitespace around it left out; blank stretches give none.

    Args:
        text: Any text; untrusted.
        language: ISO 639-1 code; an unknown one falls back to the splitter's general rules.
    """
    spans: list[tuple[int, int]] = []
    joins = False
    whole = text if text.isascii() else _HALF.sub("\ufffd", text)
    split = _splitter()
    # One loop, for every sentence of every chunk and answer goes through it.
    for first, last in _pieces(text):
        for boundary in split(language, whole[first:last]):
            piece = boundary["text"]
            stripped = piece.strip()
            if not stripped:
                continue
            start = first + boundary["start_index"] + (0 if piece[0] == stripped[0] else piece.index(stripped[0]))
            end = start + len(stripped)
            goes_on = spans and spans[-1][1] == start and text[start - 1] in _CLOSING
            if goes_on or (joins and _CONTINUES.match(text, start)):
                spans[-1] = (spans[-1][0], end)
            else:
                spans.append((start, end))
            may_join = text[end - 1] == "." and text[max(start, end - 3) : end - 1].lower() in _THEIR_ENDS
            joins = may_join and _ABBREVIATION.search(text, max(start, end - 12), end) is not None
    return tuple(spans)


def _pieces(text: str) -> list[tuple[int, int]]:
    """The text in pieces that end where a sentence does: an open quotation mark costs the square of its piece."""
    pieces: list[tuple[int, int]] = []
    at = 0
    while len(text) - at > _LONGEST_PIECE:
        ends = [match.end() for match in _STOP.finditer(text, at + 1, at + _LONGEST_PIECE)]
        stop = ends[-1] if ends else text.rfind(" ", at + 1, at + _LONGEST_PIECE)
        stop = stop if stop > at else at + _LONGEST_PIECE
        pieces.append((at, stop))
        at = stop
    return [*pieces, (at, len(text))]
