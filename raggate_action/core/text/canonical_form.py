"""One spelling for what is said in several: words by their stem, numbers by their value."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal["word", "number", "unit", "money", "date", "time", "code", "mark"]

# Letters of a word that tell it from others: "returned" and "returns" are one.
_ROOT = 6
_ENDINGS = ("ing", "ed", "e")


class Token(NamedTuple):
    """A piece of a text.

    Attributes:
        key: Equal for two pieces that say the same.
        kind: What it is; a `mark` is punctuation that parts.
        start, end: Where it stands.
        values: Readings of a number, minutes since midnight of a time; (year, month, day) of a date, nought where
            it is not named.
    """

    key: str
    kind: Kind
    start: int
    end: int
    values: tuple[float, ...] = ()


@lru_cache(maxsize=16_384)
def stem(word: str) -> str:
    """A word in the spelling it is compared by: lower case, no accents, no plural or possessive ending."""
    word = spelled(word.replace("’", "'"))
    if word.endswith(("'s", "s'")):
        word = word[:-2] if word.endswith("'s") else word[:-1]
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


@lru_cache(maxsize=16_384)
def root(key: str) -> str:
    """The beginning of a word that its forms share; the name of a unit as it is."""
    if key.startswith("unit "):
        return key
    ending = next((each for each in _ENDINGS if key.endswith(each) and len(key) - len(each) >= 4), "")
    return key.removesuffix(ending)[:_ROOT]


def spelled(text: str) -> str:
    """A text in lower case without accents."""
    text = text.lower()
    if text.isascii():
        return text
    return "".join([c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c)])


def number_key(value: float) -> str:
    """One spelling per value."""
    return f"#{value:.9g}"


def readings(raw: str) -> tuple[float, ...]:
    """Every value a written number may have, the likeliest first: `1,234` is 1234, elsewhere 1.234."""
    parts = re.split(r"[.,'’\u00a0\u202f]", raw)
    if len(parts) == 1:
        return (_float(raw),)
    signs = [c for c in raw if not c.isdecimal()]
    grouped = all(len(part) == 3 for part in parts[1:]) and len(parts[0]) <= 3
    if len(set(signs)) == 1 and len(signs) > 1:
        return (_float("".join(parts)),) if grouped else tuple(_float(part) for part in parts)
    if len(signs) == 1:
        whole, decimal = _float("".join(parts)), _float(f"{parts[0]}.{parts[1]}")
        if not grouped or signs[0] not in ".,":
            return (whole,) if grouped else (decimal,)
        return (whole, decimal) if signs[0] == "," else (decimal, whole)
    return (_float("".join(parts[:-1]) + "." + parts[-1]),)


def _float(digits: str) -> float:
    # Longer ones are no number anybody reads, and floats end somewhere.
    return float(digits[:40])
