"""A text of another language as rules read it whose words are English: its closed words are English ones, in place.

Nothing is translated but what bounds, binds, denies, counts and dates: all other words stay, in small letters, and none
of them is taken for an English one. So two texts of that language are compared by the rules of English.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache, lru_cache
from typing import NamedTuple

from raggate_action.core.text.canonical_form import Token, stem
from raggate_action.core.text.languages import en_words as english
from raggate_action.core.text.languages.word_tables import READ, english_words_of
from raggate_action.core.text.number_words import SHORT_SCALES
from raggate_action.core.text.number_words import WORDS as NUMBER_WORDS
from raggate_action.core.text.tokens import keys_of, tokens_of
from raggate_action.core.text.units import CURRENCIES, MONTHS, UNITS, WEEKDAYS

# Thousands as other languages part them, and a decimal comma; what has more parts is a date or a version.
_THOUSANDS = re.compile(r"(?<![\d.,])\d{1,3}(?:[.\u00a0\u202f ]\d{3})+(?:,\d+)?(?![\d,]|[.\u00a0\u202f]\d)")
_DECIMAL = re.compile(r"(?<![\d.,])\d+,\d+(?![\d,]|\.\d)")
_SWAPPED = str.maketrans({".": ",", ",": ".", " ": ",", "\u00a0": ",", "\u202f": ","})
_WORD = r"[^\W\d_]+"
# Read alike in all of them, right behind a number.
_SYMBOLS = frozenset(unit for unit in UNITS if len(unit) <= 3) | {
    "kwh",
    "kmh",
    "eur",
    "usd",
    "chf",
    "gbp",
    "ghz",
    "mhz",
}
# What an English reader would take for more than a word.
_ENGLISH_ALONE = frozenset((*UNITS, *CURRENCIES, *MONTHS, *WEEKDAYS, *NUMBER_WORDS, *SHORT_SCALES, "noon", "cannot"))
_ENGLISH_KEYS = english.STOP_WORDS | english.BOUNDS | english.MODALS | english.DENYING | english.OPPOSITES.keys()


class InEnglish(NamedTuple):
    """A text as it is read.

    Attributes:
        text: Its words.
        places: Where each piece of it begins.
        origins: Start and end of what each piece was made of; the end is -1 for one that stands as it was.
    """

    text: str
    places: tuple[int, ...]
    origins: tuple[tuple[int, int], ...]

    def back(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the original that a stretch of the text was made of."""
        return self._origin(start)[0], self._origin(end - 1)[1]

    def _origin(self, at: int) -> tuple[int, int]:
        piece = bisect_right(self.places, at) - 1
        start, end = self.origins[piece]
        if end >= 0:
            return start, end
        place = start + at - self.places[piece]
        return place, place + 1


def in_english_figures(text: str) -> str:
    """The text in small letters, its numbers parted as in English; places stay true."""
    lowered = "".join([low if len(low := c.lower()) == 1 else c for c in text])
    for parted in (_THOUSANDS, _DECIMAL):
        lowered = parted.sub(lambda found: found[0].translate(_SWAPPED), lowered)
    return lowered


@lru_cache(maxsize=16)
def in_english(text: str, language: str) -> InEnglish:
    """A text of a language of `READ` as the rules read it."""
    table, pieces = english_words_of(language), _pieces(language)
    lowered = in_english_figures(text)
    made: list[str] = []
    places: list[int] = []
    origins: list[tuple[int, int]] = []
    length = at = 0

    def add(words: str, start: int, end: int) -> None:
        nonlocal length
        if words:
            made.append(words)
            places.append(length)
            origins.append((start, end))
            length += len(words)

    for found in pieces.finditer(lowered):
        start, end = found.span()
        add(lowered[at:start], at, -1)
        at = end
        if found["hour"]:
            add(f"{found['hour']}:{found['behind_h'] or found['behind_mark']}", start, end)
        elif found["ordinal"]:
            add(f"{found['ordinal']}th", start, end)
        elif found["phrase"]:
            add(table.phrases[_SEPARATED.sub(" ", found["phrase"].replace("’", "'"))], start, end)
        elif found["elided"]:
            add(f"{table.elided[found['elided'][:-1]]} ", start, end)
        else:
            word = found["word"]
            before = lowered[max(0, start - 2) : start].rstrip(" \u00a0")
            behind_number = before[-1:].isdecimal()
            english_word = table.words.get(word) or (word if behind_number and word in _SYMBOLS else _own(word))
            add(english_word, start, -1 if english_word == word else end)
    add(lowered[at:], at, -1)
    return InEnglish("".join(made), tuple(places), tuple(origins))


def tokens_in(text: str, language: str, first: int = 0, last: int | None = None) -> list[Token]:
    """The tokens of a text, or of a stretch of it, read in its language; in one that has no table as in English."""
    if language not in READ:
        return tokens_of(text, first, last)
    read = in_english(text[first : len(text) if last is None else last], language)
    found = []
    for token in tokens_of(read.text):
        start, end = read.back(token.start, token.end)
        found.append(token._replace(start=first + start, end=first + end))
    return found


def keys_in(text: str, language: str) -> frozenset[str]:
    """Keys of the tokens of a text, read in its language, but of its marks."""
    return keys_of(in_english(text, language).text if language in READ else text)


_SEPARATED = re.compile(r"[ \u00a0-]+")


@cache
def _pieces(language: str) -> re.Pattern[str]:
    table = english_words_of(language)
    phrases = "|".join(
        [
            re.escape(each).replace(r"\ ", r"[ \u00a0-]").replace("'", "['’]")
            for each in sorted(table.phrases, key=len, reverse=True)
        ]
    )
    elided = "|".join(table.elided)
    months = "|".join([word for word, english_word in table.words.items() if english_word.lower() in MONTHS])
    return re.compile(
        # "21 h 45", "21.45 Uhr"; "1er", "15. März".
        r"(?<![\d.,:])(?P<hour>[0-2]?\d)(?: ?h ?(?P<behind_h>[0-5]\d)(?!\d)|[.:](?P<behind_mark>[0-5]\d) ?(?:uhr|h)\b)"
        rf"|(?<![\d.,:])(?P<ordinal>\d{{1,2}})(?:(?:er|re|ème|e|º|ª)\b|\.(?=[ \u00a0](?:{months})\b))"
        rf"|\b(?P<phrase>{phrases or '(?!)'})\b"
        rf"|\b(?P<elided>(?:{elided or '(?!)'})['’])(?=\w)"
        rf"|(?P<word>{_WORD})"
    )


@lru_cache(maxsize=16_384)
def _own(word: str) -> str:
    """A word that no English one is spelled like."""
    return f"{word}þ" if word in _ENGLISH_ALONE or stem(word) in _ENGLISH_KEYS else word
