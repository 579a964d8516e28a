"""Every number, date and time that a text of evidence can be read to hold.

Evidence is read liberally: whatever a number may be meant to say is held, so that what is absent is absent.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from raggate_action.core.text.canonical_form import Token, readings, stem
from raggate_action.core.text.dates import MONTH_VERBS
from raggate_action.core.text.number_words import BEFORE_PARTS, LOOSE, ORDINALS, PARTS, SHORT_SCALES
from raggate_action.core.text.number_words import SCALES as WORD_SCALES
from raggate_action.core.text.number_words import UNITS as WORD_UNITS
from raggate_action.core.text.units import MONTHS, MONTHS_ABROAD, UNITS, Unit

_ROMAN = {"ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9, "x": 10, "xi": 11, "xii": 12}
# Keys of the words that say a number, a month or a unit; all others are passed over.
_TABLES = (LOOSE, _ROMAN, ORDINALS, WORD_UNITS, WORD_SCALES, PARTS, MONTHS)
_ABROAD = {stem(name): number for name, number in MONTHS_ABROAD.items()}
_SAYING = frozenset(stem(word) for table in _TABLES for word in table).union(
    MONTHS, _ABROAD, [f"unit {unit.name}" for unit in UNITS.values()]
)
# "40 cents" are 0.40 of the currency.
HUNDREDTHS = frozenset(("money cent", "money penny"))
# "twice a year"
_FOLDS = frozenset(("once", "twice", "thrice", "time"))
# A tokenised number has at most this many pieces: "1 , 234 , 567 . 8".
_PIECES = 4
_CENTS = re.compile(r"(\d{3})[.,](\d\d)")


class Amount(NamedTuple):
    """A quantity with its unit."""

    value: float
    unit: Unit


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
        self.amounts: list[Amount] = []
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
                self._add_word(values, written)
                self._add_month(values, written, tokens, place)
                self._add_part(values, written, tokens, place)
                if token.key.startswith("unit ") and (many := _count_in_words(tokens, place)):
                    values.add(many)
                    self.amounts.append(Amount(many, UNITS[token.key[5:]]))
        self.values = sorted(values)

    def holds(self, low: float, high: float) -> bool:
        """Whether a value lies between the two, both included."""
        at = bisect_left(self.values, low)
        return at < len(self.values) and self.values[at] <= high

    def _add_near(self, values: set[float], text: str, tokens: Sequence[Token], place: int) -> None:
        """What a number says with what follows it: a unit, a share, the pieces of a tokenised number, a date."""
        token = tokens[place]
        following = tokens[place + 1] if place + 1 < len(tokens) else None
        if following is None:
            return
        if following.kind == "unit" and token.values:
            unit = UNITS[following.key[5:]]
            self.amounts.append(Amount(token.values[0], unit))
            if unit.name == "%":
                values.update(value / 100 for value in token.values)
            if unit.name in SHORT_SCALES:
                values.update(value * SHORT_SCALES[unit.name] for value in token.values)
        if following.key in HUNDREDTHS:
            values.update(value / 100 for value in token.values)
        values.update(joined(text, tokens, place))
        if token.kind == "number" and 0 < token.values[0] < 1:
            values.add(token.values[0] * 100)
        if following.key == "/" and place + 2 < len(tokens):
            following = tokens[place + 2]
        if following.kind == "number" and text[token.end : following.start] == "/":
            self.months.update(int(part.values[0]) for part in (token, following) if 1 <= part.values[0] <= 12)

    def _add_word(self, values: set[float], written: str) -> None:
        word = written.lower()
        for table in (LOOSE, _ROMAN, ORDINALS, WORD_UNITS, WORD_SCALES):
            if (value := table.get(word)) is not None:
                values.update(value if isinstance(value, tuple) else (value,))

    def _add_part(self, values: set[float], written: str, tokens: Sequence[Token], place: int) -> None:
        """The share that a word for a part names: "half", "a fifth"."""
        if place == 0 or tokens[place - 1].key in BEFORE_PARTS:
            values.update(PARTS.get(written.lower(), ()))

    def _add_month(self, values: set[float], written: str, tokens: Sequence[Token], place: int) -> None:
        """The month a word names; in lower case a word that is a verb as well only beside another month."""
        key, named = tokens[place].key, MONTHS.get(written.lower())
        neighbours = [*tokens[max(0, place - 2) : place], *tokens[place + 1 : place + 3]]
        is_verb = key in MONTH_VERBS and written[0].islower()
        if named is not None and is_verb and not any(t.key in MONTHS and t.key not in MONTH_VERBS for t in neighbours):
            return
        # "30. Mai", "1er mai", "30 de mayo", "mai 2024"
        if named is None and any(token.kind in {"number", "code"} for token in neighbours[:3]):
            named = _ABROAD.get(key)
        if named is not None:
            self.months.add(named)
            values.add(named)


def _count_in_words(tokens: Sequence[Token], place: int) -> float:
    """How many of a unit the words before it say: "one hour", "half an hour", "two and a half hours", "within a week".

    Nought for none, and for a rate: "48 EUR a month".
    """
    before = [token.key for token in tokens[max(0, place - 3) : place]]
    if before[-1:] == ["one"]:
        return 1.0
    if before[-2:] in (["half", "a"], ["half", "an"]):
        return 0.5
    if before[-1:] == ["half"]:
        whole = tokens[place - 4] if before == ["and", "a", "half"] and place > 3 else None
        return 0.5 + (0.0 if whole is None else whole.values[0] if whole.kind == "number" else whole.key == "one")
    is_rate = len(before) > 1 and (before[-2] in _FOLDS or tokens[place - 2].kind != "word")
    return 1.0 if before[-1:] in (["a"], ["an"]) and not is_rate else 0.0


def joined(text: str, tokens: Sequence[Token], place: int) -> Iterable[float]:
    """Numbers that a tokeniser or a thin space has taken apart: `235 , 000`, `1. 3 billion`, `12 500`."""
    written = text[tokens[place].start : tokens[place].end]
    at, pieces = place, 1
    while pieces < _PIECES:
        ahead = at + 1
        sign = ""
        if ahead < len(tokens) and tokens[ahead].key in {",", "."}:
            sign = tokens[ahead].key
            ahead += 1
        if ahead >= len(tokens) or tokens[ahead].kind != "number" or tokens[ahead].start - tokens[at].end > 3:
            return
        piece = tokens[ahead]
        raw = text[piece.start : piece.end]
        if text[tokens[at].end : piece.start].strip() != sign or not raw[0].isdecimal():
            return
        digits = "".join(c for c in raw if c.isdecimal())
        if not sign and (cents := _CENTS.fullmatch(raw)):  # "1 250,50"
            yield from (float(f"{reading:.0f}.{cents[2]}") for reading in readings(f"{_numeric(written)},{cents[1]}"))
            return
        if not sign and len(digits) != 3:
            return
        written = f"{written}{sign or ','}{digits if sign != '.' else raw}"
        scale = piece.values[0] / value if (value := readings(digits)[0]) else 1
        yield from (reading * scale for reading in readings(_numeric(written)))
        at, pieces = ahead, pieces + 1


def _numeric(written: str) -> str:
    return "".join(c for c in written if c.isdecimal() or c in ".,").strip(".,")
