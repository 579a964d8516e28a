"""Every number, date and time that a text of evidence can be read to hold.

Evidence is read liberally: whatever a number may be meant to say is held, so that what is absent is absent.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Sequence

from raggate_action.core.text.canonical_form import Token, readings, stem
from raggate_action.core.text.dates import MONTH_VERBS
from raggate_action.core.text.languages.en_words import APPROXIMATORS, FLOORS
from raggate_action.core.text.number_words import BEFORE_PARTS, PARTS, SAID, SHORT_SCALES
from raggate_action.core.text.units import MONTHS, MONTHS_ABROAD, UNITS, same_amount
from raggate_action.core.text.values import HUNDREDTHS, Value, read_values

# Keys of the words that say a number, a month or a unit; all others are passed over.
_ABROAD = {stem(name): number for name, number in MONTHS_ABROAD.items()}
_SAYING = frozenset(stem(word) for table in (SAID, PARTS, MONTHS) for word in table).union(
    MONTHS, _ABROAD, [f"unit {unit.name}" for unit in UNITS.values()]
)
# "12 500", "1 250,50": digits in threes with blanks between.
_SPACED = re.compile(r"(?<![\d.,])\d{1,3}(?: \d{3})+(?:[.,]\d\d?)?(?![\d.,]*\d)")


class Figures:
    """The numbers of one text.

    Attributes:
        values: Every reading, ascending.
        months: Months named or written as a number in a date.
        times: Minutes since midnight.
        amounts: Quantities with a unit.
    """

    def __init__(self, text: str, tokens: Sequence[Token]) -> None:
        values: set[float] = set()
        self.months: set[int] = set()
        self.times: set[float] = set()
        self.amounts = [value for value in read_values(tokens, text) if value.unit is not None]
        for place, token in enumerate(tokens):
            if token.kind in {"number", "code"}:
                values.update(token.values)
                self._add_near(values, text, tokens, place)
                if token.kind == "number" and not text[token.start].isdecimal():
                    self._add_part(values, text[token.start : token.end], tokens, place)
            elif token.kind == "date" and token.values:
                year, month, day = token.values
                values.update((year, month, day, year % 100))
                self.months.add(int(month))
            elif token.kind == "time":
                self.times.update(token.values)
                values.update(
                    part for moment in token.values for part in (moment // 60, moment % 60, moment // 60 % 12)
                )
            elif token.kind == "word" and token.key in _SAYING:
                written = text[token.start : token.end]
                values.update(SAID.get(written.lower(), ()))
                self._add_part(values, written, tokens, place)
                # In lower case "may" is a verb; "30. Mai", "1er mai", "30 de mayo", "mai 2024".
                is_verb = token.key in MONTH_VERBS and written[0].islower()
                beside = [*tokens[max(0, place - 2) : place], *tokens[place + 1 : place + 2]]
                abroad = _ABROAD.get(token.key) if any(each.kind in {"number", "code"} for each in beside) else None
                named = None if is_verb else MONTHS.get(written.lower(), abroad)
                if named is not None:
                    self.months.add(named)
                    values.add(named)
        values.update([value.number for value in self.amounts if value.kind == "unit"])
        for found in _SPACED.finditer(text):
            values.update(readings(found[0].replace(" ", "")))
        self.values = sorted(values)

    def holds(self, low: float, high: float) -> bool:
        """Whether a value lies between the two, both included."""
        at = bisect_left(self.values, low)
        return at < len(self.values) and self.values[at] <= high

    def has(self, value: float) -> bool:
        """Whether this very number is one of them."""
        slack = abs(value) * 1e-9
        return self.holds(value - slack, value + slack)

    def _add_near(self, values: set[float], text: str, tokens: Sequence[Token], place: int) -> None:
        """What a number says with what follows it: a unit, a share, the pieces of a tokenised number, a date."""
        token = tokens[place]
        following = tokens[place + 1] if place + 1 < len(tokens) else None
        if following is None:
            return
        if following.kind == "unit" and token.values:
            unit = UNITS[following.key[5:]]
            if unit.name == "%":
                values.update(value / 100 for value in token.values)
            if unit.name in SHORT_SCALES:
                values.update(value * SHORT_SCALES[unit.name] for value in token.values)
        if following.key in HUNDREDTHS:
            values.update(value / 100 for value in token.values)
        if token.kind == "number" and 0 < token.values[0] < 1:
            values.add(token.values[0] * 100)
        if following.key == "/" and place + 2 < len(tokens):
            following = tokens[place + 2]
        if following.kind == "number" and text[token.end : following.start] == "/":
            self.months.update(int(part.values[0]) for part in (token, following) if 1 <= part.values[0] <= 12)

    def _add_part(self, values: set[float], written: str, tokens: Sequence[Token], place: int) -> None:
        """The share that a word for a part names: "half", "a fifth"."""
        if place == 0 or tokens[place - 1].key in BEFORE_PARTS:
            values.update(PARTS.get(written.lower(), ()))


def is_held(value: Value, evidence: Sequence[Figures]) -> bool:
    """Whether evidence can be read to hold a value, exactly or rounded; of a date, each of its parts."""
    token = value.token
    if token.kind == "date":
        year, month, day = token.values
        return (not month or any(month in figures.months for figures in evidence)) and all(
            any(figures.has(part) for figures in evidence) for part in (year, day) if part
        )
    if token.kind == "time":
        return any(_is_told(token, figures) for figures in evidence)
    return any(_is_read(value, figures) for figures in evidence)


def is_conversion(value: Value, evidence: Sequence[Figures]) -> bool:
    """Whether an amount in another unit, converted to the value's, is the value."""
    unit = value.unit
    return unit is not None and any(
        same_amount(value.number, unit, amount.number, amount.unit)
        for figures in evidence
        for amount in figures.amounts[:200]
        if amount.unit is not None and amount.unit.name != unit.name
    )


def _is_read(value: Value, evidence: Figures) -> bool:
    number = value.number
    if value.token.key.endswith("s"):  # a decade, a century of years
        span = 100 if number % 100 == 0 else 10
        return evidence.holds(number, number + span - 1) or evidence.has(number % 100)
    return any(evidence.has(reading) or _is_rounded(reading, value, evidence) for reading in value.token.values)


def _is_told(token: Token, evidence: Figures) -> bool:
    if evidence.times:
        return not evidence.times.isdisjoint(token.values)
    # A score or ratio such as 3:10 reads like a time; its parts are then in the evidence as numbers. "7" is 7 pm.
    hour, minute = divmod(token.values[0], 60)
    said = evidence.has(hour) or (not minute and evidence.has(hour % 12))
    return said and (not minute or evidence.has(minute))


def _is_rounded(number: float, value: Value, evidence: Figures) -> bool:
    """Whether a number of the evidence rounds to this one: to its last place, or to 2 or 3 significant digits."""
    step, is_approximate = value.step, not APPROXIMATORS.isdisjoint(value.before)
    if number <= 0 or value.kind == "date":
        return False
    if evidence.holds(number - step / 2, number + step / 2):
        return True
    if is_approximate and evidence.holds(number - step + step / 1000, number + step - step / 1000):
        return True
    if number < 1000 and not is_approximate:
        return False
    most = 10.0 ** (math.floor(math.log10(number)) - (0 if is_approximate else 1))
    coarse = 1.0  # the place of the last digit that is not nought: 1000 for 18,000
    while number % (coarse * 10) == 0 and coarse * 10 <= number:
        coarse *= 10
    coarse = min(coarse, most)
    above = coarse / 2 if FLOORS.isdisjoint(value.before) else coarse
    return coarse > step and evidence.holds(number - coarse / 2 + step / 1000, number + above - step / 1000)
