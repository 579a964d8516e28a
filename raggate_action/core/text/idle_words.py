"""Words that tell nothing, remembered: most words of a text were in one before it."""

from __future__ import annotations

from collections.abc import Callable

# So many are kept, and no longer ones, for a text may be of anybody.
_WORDS_KEPT = 20_000
_LONGEST_KEPT = 30


class IdleWords:
    """Says of most texts, without looking at them anew, that none of their words is one that tells something."""

    def __init__(self, tells: Callable[[str], object]) -> None:
        """Start from nothing; `tells` is asked once of each idle word, and whatever is not false is something."""
        self._tells = tells
        self._idle: set[str] = set()

    def are_all_of(self, text: str) -> bool:
        """Whether no word of a text tells anything; words are what stands between spaces. No very long one is idle."""
        words = text.split(" ")
        if self._idle.issuperset(words):
            return True
        for word in words:
            if word in self._idle:
                continue
            if len(word) > _LONGEST_KEPT or self._tells(word):
                return False
            if len(self._idle) < _WORDS_KEPT:
                self._idle.add(word)
        return True
