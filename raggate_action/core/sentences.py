"""Sentences of a text, with offsets. The only door to the sentence splitter."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

# The splitter's list lacks these; before a digit or a lower-case word they end no sentence.
_ABBREVIATION = re.compile(
    r"\b(?:approx|incl|excl|max|min|tel|ext|dept|est|temp|qty|avg|esp|resp|cf|ca|sec|para|art|vol|ed|pp|ch)\.\s*$",
    re.IGNORECASE,
)
_CONTINUES = re.compile(r"\s*[0-9a-z%$€£]")


@cache
def _splitter() -> Callable[[str, str], list[dict[str, object]]]:
    from sentencex import get_sentence_boundaries  # loaded for prose only: labelled traces never need it

    boundaries: Callable[[str, str], list[dict[str, object]]] = get_sentence_boundaries
    return boundaries


def sentence_spans(text: str, language: str) -> tuple[tuple[int, int], ...]:
    """Start and end of every sentence, whitespace around it left out; blank stretches give none.

    Args:
        text: Any text; untrusted.
        language: ISO 639-1 code; an unknown one falls back to the splitter's general rules.
    """
    spans: list[tuple[int, int]] = []
    joins = False
    for boundary in _splitter()(language, text):
        start, end = _trimmed(text, int(str(boundary["start_index"])), int(str(boundary["end_index"])))
        if start == end:
            continue
        if joins and _CONTINUES.match(text, start):
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
        joins = _ABBREVIATION.search(text, max(start, end - 12), end) is not None
    return tuple(spans)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    return start + left, max(start + left, start + len(piece.rstrip()))
