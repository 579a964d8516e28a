"""Numbers written as words, of every language one table, and the words that scale a number."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pkgutil import get_data

_TABLES: dict[str, dict[str, str]] = json.loads(get_data(__name__, "languages/number_words.json") or "")


def _readings(name: str) -> dict[str, tuple[float, ...]]:
    return {word: tuple(map(float, key.split())) for key, words in _TABLES[name].items() for word in words.split()}


# The number words of each language and what they say.
NUMBERS = {
    language: {word: int(value) for value, words in table.items() if value.isdecimal() for word in words.split()}
    for language, table in _TABLES.items()
    if len(language) == 2
}
_ENGLISH = NUMBERS["en"]
UNITS = {word: value for word, value in _ENGLISH.items() if value < 20}
TENS = {word: value for word, value in _ENGLISH.items() if 20 <= value < 100}
ORDINALS = {word: int(value) for word, (value,) in _readings("ordinals").items()}
SCALES = {word: value for word, value in _ENGLISH.items() if value >= 100}
SCALES |= {word: int(value) for word, (value,) in _readings("scales").items()}
# Words that say a number of their own.
WORDS = frozenset((*UNITS, *TENS, *ORDINALS, *SCALES))
# Glued to a number or right behind it; `m` is also metres, `b` also bytes: those readings are added, not put instead.
SHORT_SCALES = {word: int(value) for word, (value,) in _readings("short_scales").items()}
# What a word may say of a number: "pair", "second", "vii", "hundred".
SAID = (
    _readings("loose")
    | _readings("roman")
    | {word: (float(value),) for table in (ORDINALS, UNITS, SCALES) for word, value in table.items()}
)
# The same of parts, as shares and as percentages; in "the third quarter" they are no parts.
PARTS = _readings("parts")
BEFORE_PARTS = frozenset(("a", "one", "two", "three", "four", "by", "over", "than", "about", "almost", "nearly"))

# Words of the longest number; more of them in a row are no number.
_LONGEST = 14


def number_pattern(language: str) -> str:
    """An expression for the number words of a language from two on, a half and a dozen among them."""
    table = _TABLES[language]
    words = [word for word, value in NUMBERS[language].items() if value > 1]
    glued = rf"(?:\w+{table['glue']})?" if "glue" in table else ""
    return rf"{glued}(?:{'|'.join((*words, table['dozen'], *table['half'].split()))})"


def in_english(language: str) -> dict[str, str]:
    """The number words of a language from two on, and its dozen, by the English ones."""
    named = {value: word for word, value in reversed(_ENGLISH.items())}
    return {_TABLES[language]["dozen"]: "dozen"} | {
        word: named.get(value) or (f"{named[value // 100]} hundred" if value > 99 else f"twenty-{named[value - 20]}")
        for word, value in NUMBERS[language].items()
        if value > 1
    }


def word_numbers(words: Sequence[str]) -> Iterator[tuple[int, int, float]]:
    """Every number that a run of lower-case words spells, as first word, last word and value.

    "one hundred and twenty-three thousand" gives one number. Linear in the words.

    Args:
        words: Lower-case words in order; hyphenated ones as separate words.
    """
    at = 0
    while at < len(words):
        if words[at] not in WORDS:
            at += 1
            continue
        first, total, part = at, 0.0, 0.0
        while at < min(len(words), first + _LONGEST):
            word = words[at]
            if word == "and" and at + 1 < len(words) and words[at + 1] in WORDS and part >= 100:
                at += 1
                continue
            step = UNITS.get(word, TENS.get(word, ORDINALS.get(word)))
            # "Twenty" + "five" and "hundred" + "five" are one number; "five six" are two.
            if step is not None and (part % 100 == 0 or (part % 100 >= 20 and part % 10 == 0 and step < 10)):
                part += step
            elif step is None and word in SCALES and SCALES[word] <= 100:
                part = (part or 1) * SCALES[word]
            elif step is None and word in SCALES:
                part, total = 0.0, total + (part or 1) * SCALES[word]
            else:
                break
            at += 1
        yield first, at - 1, total + part
