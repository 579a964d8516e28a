"""One spelling for words that are compared in any case."""

from __future__ import annotations

import unicodedata


def folded(text: str) -> str:
    """The text for comparison in any case: composed (NFC) and case-folded, so that `STRASSE` finds `Straße`."""
    if text.isascii():
        return text.lower()
    # Folding may take a composed letter apart.
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
