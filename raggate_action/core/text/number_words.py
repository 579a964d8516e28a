"""Numbers written as words, of every language one table, and the words that scale a number."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pkgutil import get_data

_TABLES: dict[str, dict[str, str]] = json.loads(get_data(__name__, "languages/number_words.json") or "")
# The number words of each language and what they say.
NUMBERS = {
    language: {word: int(value) for value, words in table.items() if value.isdecimal() for word in words.split()}
    for language, table in _TABLES.items()
}
_ENGLISH = NUMBERS["en"]
UNITS = {word: value for word, value in _ENGLISH.items() if value < 20}
TENS = {word: value for word, value in _ENGLISH.items() if 20 <= value < 100}
ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
    "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16,
    "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20, "thirtieth": 30, "fortieth": 40,
    "fiftieth": 50, "sixtieth": 60, "seventieth": 70, "eightieth": 80, "ninetieth": 90, "hundredth": 100,
}  # fmt: skip
SCALES = {word: value for word, value in _ENGLISH.items() if value >= 100} | {
    "lakh": 10**5, "crore": 10**7, "dozen": 12,
}  # fmt: skip
# All of them.
WORDS = frozenset((*UNITS, *TENS, *ORDINALS, *SCALES))
# Glued to a number or right behind it; `m` is also metres, `b` also bytes: those readings are added, not put instead.
SHORT_SCALES = {
    "k": 1000, "m": 10**6, "mn": 10**6, "mm": 10**6, "mil": 10**6, "mio": 10**6, "mln": 10**6, "b": 10**9, "bn": 10**9,
    "bil": 10**9, "mrd": 10**9, "mld": 10**9, "bln": 10**9, "t": 10**12, "tn": 10**12, "trn": 10**12,
}  # fmt: skip
# What a word says of a number without naming it.
LOOSE = {
    "no": (0,), "none": (0,), "nil": (0,), "a": (1,), "an": (1,), "single": (1,), "once": (1,), "only": (1,),
    "both": (2,), "pair": (2,), "couple": (2,), "twice": (2,), "double": (2, 100), "doubled": (2, 100),
    "doubling": (2, 100), "twin": (2,), "duo": (2,), "trio": (3,), "triple": (3, 200), "tripled": (3, 200),
    "thrice": (3,), "quadruple": (4,), "quadrupled": (4, 300), "quartet": (4,), "dozen": (12,), "halved": (0.5, 50, 2),
    "decade": (10,), "decades": (10,), "century": (100,), "fortnight": (14, 2), "biweekly": (2,), "noon": (12,),
    "midnight": (0, 12, 24), "seventies": (1970,), "eighties": (1980,), "nineties": (1990,), "sixties": (1960,),
    "fifties": (1950,), "forties": (1940,), "thirties": (1930,), "twenties": (1920,),
}  # fmt: skip
# The same of parts, as shares and as percentages; in "the third quarter" they are no parts.
PARTS = {
    "half": (0.5, 50, 2), "third": (1 / 3, 33, 33.3, 3), "thirds": (2 / 3, 66, 66.7, 67), "quarter": (0.25, 25, 4),
    "quarters": (0.75, 75), "fifth": (0.2, 20), "fifths": (0.4, 40, 0.6, 60, 0.8, 80), "tenth": (0.1, 10),
}  # fmt: skip
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
        if not _is_number(words[at]):
            at += 1
            continue
        first, total, part = at, 0.0, 0.0
        while at < min(len(words), first + _LONGEST):
            word = words[at]
            if word == "and" and at + 1 < len(words) and _is_number(words[at + 1]) and part >= 100:
                at += 1
                continue
            step = UNITS.get(word, TENS.get(word, ORDINALS.get(word)))
            if step is not None:
                if part and not _joins(part, step):
                    break
                part += step
            elif word in SCALES:
                part, total = _scaled(part, total, SCALES[word])
            else:
                break
            at += 1
        yield first, at - 1, total + part


def _is_number(word: str) -> bool:
    return word in WORDS


def _joins(part: float, step: int) -> bool:
    """Whether "twenty" + "five" or "hundred" + "five" are one number; "five six" are two."""
    return part % 100 == 0 or (part % 100 >= 20 and part % 10 == 0 and step < 10)


def _scaled(part: float, total: float, scale: int) -> tuple[float, float]:
    if scale <= 100:
        return (part or 1) * scale, total
    return 0.0, total + (part or 1) * scale
