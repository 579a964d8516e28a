"""The values that a text states, read in one way for all who ask: numbers, amounts, percentages, dates and times.

Number words, ranges, units and currencies are read here; `tokens` reads how each is written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

from raggate_action.core.text.canonical_form import Token
from raggate_action.core.text.dates import year_of
from raggate_action.core.text.languages.en_words import DOWNWARD, NEGATIONS, STOP_WORDS, UPWARD
from raggate_action.core.text.number_words import PARTS
from raggate_action.core.text.units import CURRENCIES, UNITS, Unit

# "40 cents" are 0.40 of the currency.
HUNDREDTHS = {"money cent": "", "money penny": "money gbp"}
# Words before and behind a number that say its bound and what it counts.
_BEFORE = 4
_BEHIND = 3
# Between a number and its unit: "7 US dollars", "20 degrees Celsius".
_BETWEEN = frozenset(("us", "degree"))
_MEASURES = frozenset((*[f"unit {each.name}" for each in UNITS.values()], *map("money {}".format, CURRENCIES.values())))
_JOINING = frozenset(("to", "until", "and", "or"))
_INCLUDED = frozenset(("least", "minimum", "min", "most", "maximum", "max"))
_MOMENTS = frozenset(("after", "before", "since", "from", "until"))
# Behind a number they name nothing that is counted; "3 of them" counts.
_NO_THINGS = frozenset(("", *STOP_WORDS)) - {"of"}
# Up to here a number may be a count of things that the evidence lists without counting them.
_LARGEST_COUNT = 12
# The same part as a percentage is larger than as a share.
_SMALLEST_PART = 10
_MEASURED = frozenset(("money", "percent", "unit"))
_SAYING = frozenset(("one", *PARTS))
_FOLDS = frozenset(("once", "twice", "thrice", "time"))


class Value(NamedTuple):
    """A value as a text states it.

    Attributes:
        kind: number, percent, money, unit, date, time or code.
        token: Where it stands, and its readings with their sign; of a date its parts.
        unit: Its unit of measure.
        currency: Key of its currency; empty for none.
        before: The characters beside it, and keys of the words before it.
        counts: Keys of the words right behind it.
        step: The last place it is written to: 0.1 for 3.5.
        span: Where it stands with its unit or currency.
    """

    kind: str
    token: Token
    unit: Unit | None = None
    currency: str = ""
    before: tuple[str, ...] = ()
    counts: tuple[str, ...] = ()
    step: float = 1.0
    span: tuple[int, int] = (0, 0)

    @property
    def number(self) -> float:
        """Its likeliest reading; nought for a weekday."""
        return self.token.values[0] if self.token.values else 0.0

    @property
    def noun(self) -> str:
        """The word behind a number without a unit; else empty."""
        return self.counts[0] if self.counts and self.unit is None else ""

    @property
    def measure(self) -> str:
        """Its kind, and of an amount also its unit."""
        return f"unit {self.unit.name}" if self.unit is not None and self.kind == "unit" else self.kind

    @property
    def may_count(self) -> bool:
        """It may count things that the evidence lists without counting them: "3 plans"."""
        is_small = self.kind == "number" and self.number <= _LARGEST_COUNT and self.number % 1 == 0
        return is_small and self.noun not in _NO_THINGS

    @property
    def bound(self) -> str:
        """`over`, `under`, `least` or `most`; empty for none."""
        words = [key for key in self.before[2:] if key not in {"than", "as"}]
        if self.before[1:2] == ("+",):
            return "over"
        if self.before[-2:] == ("up", "to"):
            return "most"
        if not words or words[-1] not in UPWARD | DOWNWARD or words[-1] in _MOMENTS:
            return ""
        is_upward = words[-1] in UPWARD
        if words[-1] in _INCLUDED:
            return "least" if is_upward else "most"
        if not NEGATIONS.isdisjoint(words):
            return "most" if is_upward else "least"
        return "over" if is_upward else "under"


def read_values(tokens: Sequence[Token], text: str = "") -> list[Value]:
    """The values that a text states, in order; names of things with a number in them are codes.

    In "from 10 to 12 euros" both are amounts of money.

    Args:
        tokens: Its tokens.
        text: The text, as it is compared, where they stand; without it signs and last places are not read.
    """
    said = [token for token in tokens if token.kind != "mark"]
    found: list[Value] = []
    for place in range(len(said) - 1, -1, -1):
        token = said[place]
        # Most are words that say no value.
        if token.kind == "word" and token.key[:5] != "unit " and token.key not in _SAYING:
            continue
        value = _value_at(said, place, text)
        if value is None:
            continue
        is_joined = bool(value.counts) and value.counts[0] in _JOINING
        joins = said[place + 1 : place + 2 + is_joined][-1:]
        if value.kind == "number" and found and joins == [found[-1].token] and found[-1].kind in _MEASURED:
            value = found[-1]._replace(token=value.token, before=value.before, step=value.step, span=value.span)
        found.append(value)
    return found[::-1]


def _value_at(said: Sequence[Token], place: int, text: str) -> Value | None:
    token, behind = said[place], said[place + 1 : place + 1 + _BEHIND]
    if token.key == "one" and behind and behind[0].kind in {"word", "money"}:
        token = token._replace(values=(1.0,))
    elif token.kind not in {"number", "date", "time", "code"}:
        return _in_words(said, place)
    is_near = bool(behind) and (behind[0].kind == "unit" or token.key == "one")
    if len(behind) > 1 and behind[0].key in _BETWEEN and behind[1].key in _MEASURES:
        behind, is_near = behind[1:], True
    counts = tuple([each.key for each in takewhile(lambda each: each.kind in {"word", "unit"}, behind)])
    if token.kind in {"date", "time", "code"}:
        return Value(token.kind, token, counts=counts, span=(token.start, token.end)) if token.values else None
    unit = UNITS.get(behind[0].key[5:]) if is_near and behind[0].key[:5] == "unit " else None
    beside = [*behind[:1], *said[max(0, place - 1) : place]] if unit is None else ()
    currency = next((each.key for each in beside if each.kind == "money"), "")
    kind = "money" if currency else "date" if year_of(token) else "number"
    signs = text[max(0, token.start - 1) : token.start], text[token.end : token.end + 2].strip()[:1]
    written = "".join([c for c in text[token.start : token.end] if c.isdecimal() or c in ".,"])
    measure = next((each for each in behind[:1] if each.kind in {"unit", "money"}), None)
    lead = said[place - 1] if place and measure is None else token
    is_led = lead.kind == "money" and lead.end + 1 >= token.start
    decimals = len(re.split("[.,]", written)[-1]) if token.values[0] % 1 else 0
    return Value(
        kind if unit is None else "percent" if unit.dimension == "share" else "unit",
        token,
        unit,
        currency,
        (*signs, *[each.key for each in said[max(0, place - _BEFORE) : place] if each.kind != "money"]),
        counts,
        10.0**-decimals,
        (lead.start if is_led else token.start, token.end if measure is None else measure.end),
    )


def _in_words(said: Sequence[Token], place: int) -> Value | None:
    """What words alone say: "half of the price", "half an hour", "two and a half hours", "within a week"."""
    token, before = said[place], [each.key for each in said[max(0, place - 3) : place]]
    if token.key in PARTS and said[place + 1 : place + 2] and said[place + 1].key in {"of", "the"}:
        parts = tuple([part for part in PARTS[token.key] if part >= _SMALLEST_PART])
        return Value("percent", token._replace(values=parts), UNITS["%"])
    many = 0.0
    if before[-1:] == ["half"] or before[-2:] in (["half", "a"], ["half", "an"]):
        whole = said[place - 4] if before == ["and", "a", "half"] and place > 3 else None
        many = 0.5 if whole is None else 0.5 + (whole.values[0] if whole.kind == "number" else whole.key == "one")
    elif before[-1:] in (["a"], ["an"]):  # not of a rate: "48 EUR a month", "twice a year"
        is_rate = len(before) > 1 and (before[-2] in _FOLDS or said[place - 2].kind != "word")
        many = 0.0 if is_rate else 1.0
    if not many or token.key[:5] != "unit ":
        return None
    unit = UNITS[token.key[5:]]
    return Value("unit", token._replace(values=(many,)), unit)
