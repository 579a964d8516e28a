"""Units of measure and money, of which `units.yaml` has the spellings: one canonical one each, and what converts."""

from __future__ import annotations

import math
from typing import NamedTuple

from raggate_action.strings.data_tables import read_table


class Unit(NamedTuple):
    """A unit of measure.

    Attributes:
        name: Canonical spelling, equal for every way of writing it.
        dimension: What it measures.
        size: How many base units it is.
    """

    name: str
    dimension: str
    size: float


_TABLE = read_table(__package__, "units.yaml")
UNITS = {
    word: Unit(words.split()[0], dimension, float(size))
    for dimension, units in _TABLE["units"].items()
    for words, size in units.items()
    for word in words.split()
}


def _by_word(name: str) -> dict[str, str]:
    return {word: said for said, words in _TABLE[name].items() for word in words.split()}


CURRENCIES = _by_word("currencies")
MONTHS = {word: int(number) for word, number in _by_word("months").items()}
# Their German, French and Spanish names, where they are others.
MONTHS_ABROAD = {word: int(number) for word, number in _by_word("months_abroad").items()}
WEEKDAYS = {word: int(number) for word, number in _by_word("weekdays").items()}
# How many of the shorter period a longer one has, by their names; the period of a word; what a word multiplies with.
PERIODS = {tuple(pair.split()): tuple(map(float, many.split())) for pair, many in _TABLE["periods"].items()}
PERIOD_WORDS = _by_word("period_words")
FOLDS = {word.replace("_", " "): float(number) for word, number in _by_word("folds").items()}


def same_amount(value: float, unit: Unit, other: float, other_unit: Unit) -> bool:
    """Whether two quantities are one, by conversion, up to two percent for rounding."""
    if unit.dimension != other_unit.dimension:
        return False
    if unit.dimension == "temperature":
        return _close(_celsius(value, unit), _celsius(other, other_unit))
    if unit.dimension == "data" and _close(value * _binary(unit), other * _binary(other_unit)):
        return True
    return _close(value * unit.size, other * other_unit.size)


def _binary(unit: Unit) -> float:
    """Bytes where 1024 of a unit are the next: 2 GiB are 2048 MiB, whichever way both are spelled."""
    return 1024.0 ** round(math.log(unit.size, 1000))


def _celsius(value: float, unit: Unit) -> float:
    if unit.name == "fahrenheit":
        return (value - 32) / 1.8
    return value - 273.15 if unit.name == "kelvin" else value


def _close(one: float, other: float) -> bool:
    return abs(one - other) <= 0.02 * max(abs(one), abs(other))
