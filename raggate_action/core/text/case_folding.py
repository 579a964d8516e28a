"""One spelling for words that are compared in any case."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from raggate_action.core.text.number_words import NUMBERS

# "One" says too much.
_SPELLED = {word: str(value) for word, value in NUMBERS["en"].items() if 1 < value < 100}
_SPELLED_WORDS = frozenset(_SPELLED)


def folded(text: str) -> str:
    """The text for comparison in any case: composed (NFC) and case-folded, so that `STRASSE` finds `Straße`."""
    if text.isascii():
        return text.lower()
    # Folding may take a composed letter apart.
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


# Phrases of labels are looked for several times in each of several chunks.
folded_phrase = lru_cache(maxsize=4096)(folded)


def in_digits(words: str) -> str:
    """A text in small letters with small English numbers in digits: "five days" as "5 days"."""
    parts = words.split(" ")
    return words if _SPELLED_WORDS.isdisjoint(parts) else " ".join([_SPELLED.get(part, part) for part in parts])
