"""One spelling for words that are compared in any case."""

from __future__ import annotations

import re
import unicodedata

_SPELLED = {
    "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
    "ten": "10", "eleven": "11", "twelve": "12",
}  # fmt: skip
_SPELLED_NUMBER = re.compile(rf"\b(?:{'|'.join(_SPELLED)})\b")


def folded(text: str) -> str:
    """The text for comparison in any case: composed (NFC) and case-folded, so that `STRASSE` finds `Straße`."""
    if text.isascii():
        return text.lower()
    # Folding may take a composed letter apart.
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def in_digits(words: str) -> str:
    """A text in small letters with small English numbers in digits: "five days" as "5 days"; "one" says too much."""
    return _SPELLED_NUMBER.sub(lambda found: _SPELLED[found[0]], words)
