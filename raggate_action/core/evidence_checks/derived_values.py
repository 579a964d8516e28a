"""Values that can be worked out from those at hand: sums, differences, products, shares, periods, dates and hours."""

from __future__ import annotations

import calendar
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from datetime import date, timedelta
from itertools import combinations, pairwise, product
from typing import NamedTuple

from raggate_action.core.evidence_checks.claim_text import ClaimText, is_bound
from raggate_action.core.text.canonical_form import Token
from raggate_action.core.text.languages.en_words import ADDING, MULTIPLYING, SHARING, STOP_WORDS
from raggate_action.core.text.text import read_question
from raggate_action.core.text.units import FOLDS, PERIOD_WORDS, PERIODS, UNITS, Unit, same_amount
from raggate_action.core.text.values import HUNDREDTHS, Value, read_values

# Numbers that a value is tried from, and dates and times each.
_NUMBERS = 16
_MOMENTS = 6
# Numbers of a sentence that are counted together.
_SEVERAL = 3
_COUNTED = frozenset(("number", "date", "time"))
# Where no date at hand names its year: one without a 29 February.
_ANY_YEAR = 2001
# Minutes.
_DAY = 1440
# Years are told apart from numbers, and reckoned with as numbers.
_KINDS = {"date": "number"}
_PERIOD_KEYS = PERIOD_WORDS | {f"unit {name}": name for pair in PERIODS for name in pair}


class AtHand(NamedTuple):
    """What a value may be worked out from.

    Attributes:
        numbers: Values with what they are, as in `Value.measure`.
        own: The claim's own, but for the one that is to be worked out.
        factors: What a value may be multiplied with and divided by.
        ways: What may be done with two values of one kind: sum, share.
        folds: What makes an amount of one period that of another: 12 of a month that of a year.
        totals: What the numbers of one kind in a sentence come to, three and more.
        spans: Amounts of time.
        dates: Dates; one without a year is of the year of the others.
        times: Minutes since midnight.
        reckons: The claim reads as if something were worked out in it.
        may_reckon: It reads so, or speaks of a period that the evidence does not.
        brought: Question, turns, input or labels bring a number that the evidence does not have.
    """

    numbers: tuple[tuple[float, str], ...]
    own: tuple[tuple[float, str], ...]
    factors: tuple[float, ...]
    ways: AbstractSet[str]
    folds: tuple[float, ...]
    totals: tuple[tuple[float, str], ...]
    spans: tuple[tuple[float, Unit], ...]
    dates: tuple[date, ...]
    times: tuple[float, ...]
    reckons: bool
    may_reckon: bool
    brought: bool


def at_hand(
    claim: ClaimText, evidence: Sequence[Sequence[Token]], around: AbstractSet[str], *, widely: bool = False
) -> AtHand:
    """Gather what the sentences near by, the question and the claim itself hold.

    Args:
        claim: The claim.
        evidence: Tokens of the sentences near by.
        around: Keys of all words of their chunks: "per month" may stand in the head of a table.
        widely: Take whatever may be meant, for a value that is to stand against the claim for certain: all numbers of
            the claim, words that reckon in the evidence too, and amounts with a unit as mere numbers ("35 euros per
            hour", "4 hours").
    """
    question = read_question(claim.question, claim.language).tokens
    asked = [*question, *(read_question(claim.beside, claim.language).tokens if claim.beside else ())]
    ours, theirs = [*claim.tokens, *question], [token for tokens in evidence for token in tokens]
    every = [*theirs, *ours]
    *read, own = [read_values(tokens) for tokens in (*evidence, asked, claim.said)]
    sentences = [_numbers(values) for values in read]
    numbers = [number for sentence in sentences for number in sentence]
    folds = [fold for token in (every if widely else ours) if (fold := FOLDS.get(token.key))]
    ways: AbstractSet[str] = {"sum", "share"}
    if widely:
        ways, factors = _ways(every), [*folds, *_factors(evidence, [asked, claim.said])]
    else:
        numbers = [(fold, "number") for fold in folds] + numbers
        counts = [token.values[0] for token in (*asked, *claim.said) if token.kind == "number"]
        factors = [*_of(numbers, "number"), *counts]
    kinds = [(sentence, {code for _value, code in sentence}) for sentence in sentences if len(sentence) >= _SEVERAL]
    totals = [(sum(_of(sentence, kind)), kind) for sentence, codes in kinds for kind in sorted(codes)]
    values = [value for each in (*read, own) for value in each]
    spans = [
        (value.number, value.unit) for value in values if value.unit is not None and value.unit.dimension == "time"
    ]
    year = max([value.number for value in values if value.token.kind == "date"], default=0)
    dates = []
    for value in values:
        if value.token.kind == "date" and all(value.token.values[1:]):
            with suppress(ValueError):
                dates.append(date(int(value.number or year or _ANY_YEAR), *map(int, value.token.values[1:])))
    times = [moment for value in values if value.kind == "time" for moment in value.token.values]
    mine, near = _periods({token.key for token in ours}), _periods(around)
    named = _periods({token.key for token in ours if token.kind == "word"}) - {"hour"}  # "opening hours"
    return AtHand(
        tuple(dict.fromkeys(numbers))[:_NUMBERS],
        tuple(dict.fromkeys(_numbers(own)))[:_NUMBERS],
        tuple(dict.fromkeys(factors))[: 2 * _NUMBERS],
        ways,
        tuple(
            [
                fold
                for (short, long), many in PERIODS.items()
                if (short in mine and long in near) or (short in near and long in mine)
                for fold in many
            ]
        ),
        tuple(dict.fromkeys(totals))[:_NUMBERS],
        tuple(dict.fromkeys(spans))[:_MOMENTS],
        tuple(dict.fromkeys(dates))[:_MOMENTS],
        tuple(dict.fromkeys(times))[:_MOMENTS],
        claim.reckons or any(token.kind in {"date", "time"} for token in question),
        claim.reckons or not named <= near,
        any(token.kind in _COUNTED and token.key not in around for token in asked),
    )


def _numbers(values: Sequence[Value]) -> list[tuple[float, str]]:
    """The numbers of a sentence with what they are; "8 cents" is 0.08 too."""
    numbers = [each for each in values if each.token.kind == "number" or (each.kind == "date" and each.number)]
    hundredths = [(each.number / 100, "money") for each in numbers if each.currency in HUNDREDTHS]
    return [(each.number, each.measure) for each in numbers] + hundredths


def _ways(tokens: Sequence[Token]) -> frozenset[str]:
    """What the words tell a reader to do: "5 euros less", "by 2 %"; "more than 7" is a bound."""
    words = [token for token in tokens if token.kind != "mark"]
    found: set[str] = set()
    for place, token in enumerate(words):
        behind = words[place + 1 : place + 3]
        counts = [each.kind in {"number", "money"} for each in behind]
        if token.key in SHARING:
            found.add("share")
        elif (token.key in ADDING and not is_bound(words, place)) or (token.key in {"by", "um"} and any(counts)):
            found.add("sum")
    return frozenset(found)


def _factors(evidence: Sequence[Sequence[Token]], ours: Sequence[Sequence[Token]]) -> Iterator[float]:
    """Counts of what something is said of each: 6 of "6 hives" beside "each hive", 4 of "4 hours" beside "per hour".

    Also counts that claim or question bring of what the evidence does not count: "two adults pay" of "adults pay".
    """
    every = [[token for token in tokens if token.kind != "mark"] for tokens in (*evidence, *ours)]
    named = {
        after.key
        for words in every
        for one, after in pairwise(words)
        if one.key in MULTIPLYING or one.key in {"a", "an"}
    }
    uncounted = {
        token.key
        for words in every[: len(evidence)]
        for place, token in enumerate(words)
        if token.kind == "word" and token.key not in STOP_WORDS and not (place and words[place - 1].kind == "number")
    }
    for number, words in enumerate(every):
        for place, token in enumerate(words):
            behind = [each.key for each in words[place + 1 : place + 3]]
            brought = number >= len(evidence) and not uncounted.isdisjoint(behind[:1])
            if token.kind == "number" and (
                brought or not (named.isdisjoint(behind) and words[max(0, place - 1)].key != "of")
            ):
                yield token.values[0]


def works_out(figure: Value, found: AtHand) -> bool:
    """Whether the figure may be worked out from two or three of what is at hand.

    Sums and differences are of numbers of the figure's own kind, products of one of them and a plain number, and
    exact; percentages and multiples also of the ratio of two numbers of one kind, rounded as the figure is. A date is
    worked out by adding a span to another, a span also from two dates or times.
    """
    token = figure.token
    if token.kind == "date":
        return any(
            all(a in {0, b} for a, b in zip(token.values, (moved.year, moved.month, moved.day), strict=False))
            for moved in _dates(found, token)
        )
    if token.kind == "time":  # of another time of day, a span of minutes or hours later or earlier
        return any(
            (start + sign * many * unit.size / 60) % _DAY in token.values
            for start in found.times
            if start not in token.values
            for many, unit in found.spans
            for sign in (1, -1)
        )
    if token.kind != "number":
        return False
    value, kind = figure.number, _KINDS.get(figure.measure, figure.measure)
    hand = [*found.numbers, *(number for number in found.own if number[0] != value)]
    numbers = [(number, _KINDS.get(code, code)) for number, code in hand]
    alike = _of(numbers, kind)
    exact = [total for total, code in found.totals if code == kind]
    exact += [sum(three) for three in combinations(alike, 3) if "sum" in found.ways]
    for a, b in product(alike, found.factors):
        if a != b != value:  # nothing is multiplied with itself
            exact += [a * b, *[whole / part for whole, part in ((a, b), (b, a)) if part]]
    rounded: list[float] = []
    for (a, one), (b, other) in combinations(numbers, 2):
        if one == other and "sum" in found.ways and kind in {one, "number"}:
            exact += [a + b, abs(a - b)]
        if one == other and "share" in found.ways and a and b and kind == "percent":
            rounded += [100 * a / b, 100 * b / a, 100 * abs(a - b) / a, 100 * abs(a - b) / b]
        elif one == other and "share" in found.ways and a and b and kind == "number":
            rounded.append(max(a, b) / min(a, b))
        if {one, other} == {"percent", kind} and "share" in found.ways:  # of an amount, or what is left of it
            part, whole = (a, b) if one == "percent" else (b, a)
            rounded += [whole * part / 100, whole * (100 - part) / 100, whole * (100 + part) / 100]
    return (
        any(abs(result - value) <= abs(value) * 1e-6 for result in exact)
        or any(abs(result - value) <= min(figure.step / 2, abs(value) / 100) for result in rounded)
        or is_counterpart(figure, found)
        or _is_between(figure, found)
    )


def is_counterpart(figure: Value, found: AtHand) -> bool:
    """Whether an amount at hand for a month, say, is the figure for a year, or a percentage what is left of hundred."""
    if figure.token.kind != "number":
        return False  # a weekday has no value at all
    value = figure.token.values[0]
    hand = [number for number, code in found.numbers if code == figure.kind == "percent"]
    rest = [] if value in hand else [100 - number for number in hand]
    return any(abs(part - value) <= abs(value) * 1e-6 for part in rest) or any(
        abs(result - value) <= abs(value) * 1e-6
        for number, code in (*found.numbers, *found.own)
        if code == figure.kind and number != value
        for fold in found.folds
        for result in (number * fold, number / fold)
    )


def _of(numbers: Sequence[tuple[float, str]], kind: str) -> list[float]:
    return [value for value, code in numbers if code == kind]


def _periods(keys: AbstractSet[str]) -> set[str]:
    return {name for key, name in _PERIOD_KEYS.items() if key in keys}


def _dates(found: AtHand, but: Token) -> Iterator[date]:
    """Every other date at hand with every span of days and more added and taken away."""
    for start, (many, unit), sign in product(found.dates, found.spans, (1, -1)):
        days = unit.size / UNITS["day"].size
        if (start.month, start.day) == but.values[1:] or days < 1:
            continue
        months = int(many * {"month": 1, "quarter": 3, "year": 12}.get(unit.name, 0))
        year, month = divmod(start.year * 12 + start.month - 1 + sign * months, 12)
        with suppress(ValueError, OverflowError):
            day = min(start.day, calendar.monthrange(year, month + 1)[1])
            yield date(year, month + 1, day) + timedelta(days=0 if months else sign * many * days)


def _is_between(figure: Value, found: AtHand) -> bool:
    """Whether an amount of time is what lies between two dates or two times of day."""
    unit, value = figure.unit, figure.token.values[0]
    if unit is None or unit.dimension != "time":
        return False
    apart = [abs((one - other).days) for one, other in combinations(found.dates, 2)]
    years = [abs(one - other) for one, other in combinations(_of(found.numbers, "date"), 2)]
    minutes = [abs(one - other) for one, other in combinations(found.times, 2)]
    if unit.name in {"day", "night", "week"}:
        return any(value * UNITS[unit.name].size == gap * UNITS["day"].size for gap in apart)
    if unit.name in {"hour", "minute"}:
        # Of a day, or of the days of a week.
        return any(same_amount(value, unit, gap * days, UNITS["minute"]) for gap in minutes for days in (1, 5, 6, 7))
    if unit.name == "year" and any(value in {gap, gap - 1} for gap in years):  # an age before or after the birthday
        return True
    return any(same_amount(value, unit, gap, UNITS["day"]) for gap in apart)
