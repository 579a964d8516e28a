"""Values that can be worked out from those at hand: sums, differences, products, shares, periods, dates and hours."""

from __future__ import annotations

import calendar
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from datetime import date, timedelta
from itertools import combinations, pairwise
from typing import NamedTuple

from raggate_action.core.evidence_checks.absent_figures import Figure, coded_numbers
from raggate_action.core.evidence_checks.claim_text import ClaimText, read_question
from raggate_action.core.evidence_checks.spelling import Token
from raggate_action.core.evidence_checks.units import UNITS, Unit, same_amount

# Numbers that a value is tried from, and dates and times each.
_NUMBERS = 16
_MOMENTS = 6
_COUNTED = frozenset(("number", "date", "time"))
# Years are told apart from numbers, and reckoned with as numbers.
_KINDS = {"date": "number"}
_FOLDS = {"twice": 2.0, "double": 2.0, "doubled": 2.0, "doubling": 2.0, "triple": 3.0, "tripled": 3.0, "thrice": 3.0,
          "half": 0.5, "halved": 0.5}  # fmt: skip
_ADVERBS = {"daily": "day", "weekly": "week", "monthly": "month", "quarterly": "quarter", "yearly": "year",
            "annual": "year", "annually": "year", "hourly": "hour"}  # fmt: skip
# How many of the shorter period a longer one has.
_PERIODS = {
    ("month", "year"): (12,), ("week", "year"): (52,), ("day", "year"): (365, 360), ("quarter", "year"): (4,),
    ("month", "quarter"): (3,), ("week", "month"): (4,), ("day", "month"): (30, 31), ("day", "week"): (7, 5),
    ("hour", "day"): (24,), ("minute", "hour"): (60,), ("second", "minute"): (60,), ("hour", "week"): (168,),
}  # fmt: skip
_PERIOD_KEYS = _ADVERBS | {f"unit {name}": name for pair in _PERIODS for name in pair}


class AtHand(NamedTuple):
    """What a value may be worked out from.

    Attributes:
        numbers: Values with what they are, as in `Figure.code`.
        own: The claim's own, but for the one that is to be worked out.
        folds: What makes an amount of one period that of another: 12 of a month that of a year.
        spans: Amounts of time with their unit's name.
        dates: Whole dates.
        times: Minutes since midnight.
        reckons: The claim reads as if something were worked out in it.
        may_reckon: It reads so, or speaks of a period that the evidence does not, or the question brings a number.
    """

    numbers: tuple[tuple[float, str], ...]
    own: tuple[tuple[float, str], ...]
    folds: tuple[float, ...]
    spans: tuple[tuple[float, str], ...]
    dates: tuple[date, ...]
    times: tuple[float, ...]
    reckons: bool
    may_reckon: bool


def at_hand(claim: ClaimText, evidence: Sequence[Sequence[Token]], around: AbstractSet[str]) -> AtHand:
    """Gather what the sentences near by, the question and the claim itself hold.

    Of the claim's own numbers only those in words, unless it reads as if something were worked out in it.

    Args:
        claim: The claim.
        evidence: Tokens of the sentences near by.
        around: Keys of all words of their chunks: "per month" may stand in the head of a table.
    """
    question = read_question(claim.question).tokens
    ours, theirs = [*claim.tokens, *question], [token for tokens in evidence for token in tokens]
    every = [*theirs, *ours]
    numbers = [number for tokens in (*evidence, question) for number in coded_numbers(tokens)]
    cued = claim.reckons
    own = [token for token in claim.said if token.kind == "number" and (cued or _is_spelled(claim.bare, token))]
    mine = [*coded_numbers(own), *coded_numbers(claim.said if cued else ())]
    numbers = [(fold, "number") for token in ours if (fold := _FOLDS.get(token.key))] + numbers
    spans = [
        (token.values[0], after.key[5:])
        for token, after in pairwise(every)
        if token.kind == "number" and after.key.startswith("unit ") and _is_days(UNITS[after.key[5:]])
    ]
    periods = _periods({token.key for token in ours}), _periods(around)
    named = _periods({token.key for token in ours if token.kind == "word"}) - {"hour"}  # "opening hours"
    brought = [token for token in question if token.kind in _COUNTED and token.key not in around]
    times = [moment for token in every if token.kind == "time" for moment in token.values]
    return AtHand(
        tuple(dict.fromkeys(numbers))[:_NUMBERS],
        tuple(dict.fromkeys(mine))[:_NUMBERS],
        tuple([float(many) for many in _folds_of(*periods)]),
        tuple(dict.fromkeys(spans))[:_MOMENTS],
        tuple(dict.fromkeys(found for token in every if (found := _date(token)) is not None))[:_MOMENTS],
        tuple(dict.fromkeys(times))[:_MOMENTS],
        cued or any(token.kind in {"date", "time"} for token in question),
        cued or not named <= periods[1] or bool(brought),
    )


def _is_spelled(text: str, token: Token) -> bool:
    """A number in words: "two adults pay ..."."""
    return not any(c.isdecimal() for c in text[token.start : token.end])


def works_out(figure: Figure, found: AtHand) -> bool:
    """Whether the figure may be worked out from two or three of what is at hand.

    Sums and differences are of numbers of the figure's own kind, products of one of them and a plain number, and
    exact; percentages and multiples also of the ratio of two numbers of one kind, rounded as the figure is. A date is
    worked out by adding a span to another, a span also from two dates or times.
    """
    token = figure.token
    if token.kind == "date":
        ours = _date(token)
        return ours is not None and ours in set(_dates(found, ours))
    if token.kind != "number":
        return False
    value, kind = token.values[0], _KINDS.get(figure.code, figure.code)
    if figure.unit is not None and kind == "unit":
        kind = f"unit {figure.unit.name}"
    hand = [*found.numbers, *(number for number in found.own if number[0] != value)]
    numbers = [(number, _KINDS.get(code, code)) for number, code in hand]
    exact, rounded = abs(value) * 1e-6, min(figure.step / 2, abs(value) / 100)
    return (
        any(abs(result - value) <= exact for pair in combinations(numbers, 2) for result in _reckoned(*pair, kind))
        or any(abs(result - value) <= rounded for pair in combinations(numbers, 2) for result in _shares(*pair, kind))
        or any(abs(sum(three) - value) <= exact for three in combinations(_of(numbers, kind), 3))
        or is_counterpart(figure, found)
        or (figure.unit is not None and _is_between(figure, found))
    )


def is_counterpart(figure: Figure, found: AtHand) -> bool:
    """Whether an amount at hand for a month, say, is the figure for a year, or a percentage what is left of hundred."""
    if figure.token.kind != "number":
        return False  # a weekday has no value at all
    value = figure.token.values[0]
    hand = [number for number, code in found.numbers if code == figure.code == "percent"]
    rest = [] if value in hand else [100 - number for number in hand]
    return any(abs(part - value) <= abs(value) * 1e-6 for part in rest) or any(
        abs(result - value) <= abs(value) * 1e-6
        for number, code in (*found.numbers, *found.own)
        if code == figure.code and number != value
        for fold in found.folds
        for result in (number * fold, number / fold)
    )


def _of(numbers: Sequence[tuple[float, str]], kind: str) -> list[float]:
    return [value for value, code in numbers if code == kind]


def _reckoned(one: tuple[float, str], other: tuple[float, str], kind: str) -> Iterator[float]:
    """Sums, differences, products and even parts: they are exact."""
    (a, a_kind), (b, b_kind) = one, other
    if a_kind == b_kind and kind in {a_kind, "number"}:
        yield from (a + b, abs(a - b))
    if kind in {a_kind, b_kind} and "number" in {a_kind, b_kind}:
        yield a * b
        yield from (whole / part for whole, part in ((a, b), (b, a)) if part)


def _shares(one: tuple[float, str], other: tuple[float, str], kind: str) -> Iterator[float]:
    """Ratios and percentages: they are rounded to the figure's last place."""
    (a, a_kind), (b, b_kind) = one, other
    if a_kind == b_kind and a and b and kind == "percent":
        yield from (100 * a / b, 100 * b / a, 100 * abs(a - b) / a, 100 * abs(a - b) / b)
    elif a_kind == b_kind and a and b and kind == "number":
        yield max(a, b) / min(a, b)
    if {a_kind, b_kind} == {"percent", kind}:  # a share of an amount, or what is left of it
        part, whole = (a, b) if a_kind == "percent" else (b, a)
        yield from (whole * part / 100, whole * (100 - part) / 100)


def _folds_of(ours: set[str], theirs: set[str]) -> Iterator[int]:
    for (short, long), folds in _PERIODS.items():
        if (short in ours and long in theirs) or (short in theirs and long in ours):
            yield from folds


def _periods(keys: AbstractSet[str]) -> set[str]:
    return {name for key, name in _PERIOD_KEYS.items() if key in keys}


def _date(token: Token) -> date | None:
    if token.kind != "date" or not all(token.values) or not token.values:
        return None
    year, month, day = (int(part) for part in token.values)
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _dates(found: AtHand, but: date) -> Iterator[date]:
    """Every other date at hand with every span of days and more added and taken away."""
    for start in found.dates:
        for many, unit in found.spans if start != but else ():
            for sign in (1, -1):
                if (moved := _moved(start, sign * many, unit)) is not None:
                    yield moved


def _moved(start: date, many: float, unit: str) -> date | None:
    months = many * {"month": 1, "quarter": 3, "year": 12}.get(unit, 0)
    try:
        if months:
            place = start.year * 12 + start.month - 1 + int(months)
            year, month = divmod(place, 12)
            return date(year, month + 1, min(start.day, calendar.monthrange(year, month + 1)[1]))
        return start + timedelta(seconds=many * UNITS[unit].size)
    except (ValueError, OverflowError):
        return None


def _is_days(unit: Unit) -> bool:
    return unit.dimension == "time" and unit.size >= UNITS["day"].size


def _is_between(figure: Figure, found: AtHand) -> bool:
    """Whether an amount of time is what lies between two dates or two times of day."""
    unit, value = figure.unit, figure.token.values[0]
    if unit is None or unit.dimension != "time":
        return False
    apart = [abs((one - other).days) for one, other in combinations(found.dates, 2)]
    minutes = [abs(one - other) for one, other in combinations(found.times, 2)]
    if unit.name in {"day", "night", "week"}:
        return any(value * UNITS[unit.name].size == gap * UNITS["day"].size for gap in apart)
    if unit.name in {"hour", "minute"}:
        # Of a day, or of the days of a week.
        return any(same_amount(value, unit, gap * days, UNITS["minute"]) for gap in minutes for days in (1, 5, 6, 7))
    return any(same_amount(value, unit, gap, UNITS["day"]) for gap in apart)
