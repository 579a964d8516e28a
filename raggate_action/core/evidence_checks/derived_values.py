"""Values that can be worked out from those at hand: sums, differences, products, shares, periods, dates and hours."""

from __future__ import annotations

import calendar
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from datetime import date, timedelta
from itertools import combinations, pairwise
from typing import NamedTuple

from raggate_action.core.evidence_checks.claim_text import ClaimText, is_bound
from raggate_action.core.text.canonical_form import Token
from raggate_action.core.text.languages.en_words import ADDING, LABELLING, MULTIPLYING, SHARING, STOP_WORDS
from raggate_action.core.text.text import read_question
from raggate_action.core.text.units import UNITS, Unit, same_amount
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
_FOLDS = {"twice": 2.0, "double": 2.0, "doubled": 2.0, "doubling": 2.0, "triple": 3.0, "tripled": 3.0, "thrice": 3.0,
          "half": 0.5, "halved": 0.5, "unit quarter": 0.25, "exponential": 2.0}  # fmt: skip
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
        numbers: Values with what they are, as in `Value.measure`.
        own: The claim's own, but for the one that is to be worked out.
        factors: What a value may be multiplied with and divided by.
        ways: What may be done with two values of one kind: sum, share.
        folds: What makes an amount of one period that of another: 12 of a month that of a year.
        totals: What the numbers of one kind in a sentence come to, three and more.
        spans: Amounts of time with their unit's name.
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
    spans: tuple[tuple[float, str], ...]
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
    sentences = [_numbers(tokens, labels=not widely) for tokens in (*evidence, asked)]
    numbers = [number for sentence in sentences for number in sentence]
    cued = claim.reckons
    mine = _numbers(claim.said)
    folds = [fold for token in (every if widely else ours) if (fold := _FOLDS.get(token.key))]
    ways: AbstractSet[str] = {"sum", "share"}
    if widely:
        ways, factors = _ways(every), [*folds, *_factors(evidence, [asked, claim.said])]
    else:
        numbers = [(fold, "number") for fold in folds] + numbers
        counts = [token.values[0] for token in (*asked, *claim.said) if token.kind == "number"]
        factors = [*_of(numbers, "number"), *counts]
    kinds = [(sentence, {code for _value, code in sentence}) for sentence in sentences if len(sentence) >= _SEVERAL]
    totals = [(sum(_of(sentence, kind)), kind) for sentence, codes in kinds for kind in sorted(codes)]
    spans = [
        (token.values[0], after.key[5:])
        for token, after in pairwise(every)
        if token.kind == "number" and after.key.startswith("unit ") and UNITS[after.key[5:]].dimension == "time"
    ]
    periods = _periods({token.key for token in ours}), _periods(around)
    named = _periods({token.key for token in ours if token.kind == "word"}) - {"hour"}  # "opening hours"
    year = max([token.values[0] for token in every if token.kind == "date" and token.values], default=0)
    dates = [found for token in every if (found := _date(token, year)) is not None]
    times = [moment for token in every if token.kind == "time" for moment in token.values]
    return AtHand(
        tuple(dict.fromkeys(numbers))[:_NUMBERS],
        tuple(dict.fromkeys(mine))[:_NUMBERS],
        tuple(dict.fromkeys(factors))[: 2 * _NUMBERS],
        ways,
        tuple([float(many) for many in _folds_of(*periods)]),
        tuple(dict.fromkeys(totals))[:_NUMBERS],
        tuple(dict.fromkeys(spans))[:_MOMENTS],
        tuple(dict.fromkeys(dates))[:_MOMENTS],
        tuple(dict.fromkeys(times))[:_MOMENTS],
        cued or any(token.kind in {"date", "time"} for token in question),
        cued or not named <= periods[1],
        any(token.kind in _COUNTED and token.key not in around for token in asked),
    )


def _numbers(tokens: Sequence[Token], *, labels: bool = True) -> list[tuple[float, str]]:
    """The numbers of a sentence with what they are; "8 cents" is 0.08 too. Without `labels` "section 12" has none."""
    values = [
        each
        for each in read_values(tokens)
        if (each.token.kind == "number" and (labels or LABELLING.isdisjoint(each.before[-1:])))
        or (each.kind == "date" and each.number)
    ]
    hundredths = [(each.number / 100, "money") for each in values if each.currency in HUNDREDTHS]
    return [(each.number, each.measure) for each in values] + hundredths


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
    if token.kind == "time":
        return any(moment in token.values for moment in _moments(found, token))
    if token.kind != "number":
        return False
    value, kind = token.values[0], _KINDS.get(figure.kind, figure.kind)
    if figure.unit is not None and kind == "unit":
        kind = f"unit {figure.unit.name}"
    hand = [*found.numbers, *(number for number in found.own if number[0] != value)]
    numbers = [(number, _KINDS.get(code, code)) for number, code in hand]
    exact, rounded = abs(value) * 1e-6, min(figure.step / 2, abs(value) / 100)
    factors = [factor for factor in found.factors if factor != value]
    pairs = [*combinations(numbers, 2)]
    summed, shared = "sum" in found.ways, "share" in found.ways
    return (
        any(abs(result - value) <= exact for pair in pairs if summed for result in _summed(*pair, kind))
        or any(abs(result - value) <= exact for result in _multiplied(_of(numbers, kind), factors))
        or any(abs(result - value) <= rounded for pair in pairs if shared for result in _shares(*pair, kind))
        or any(abs(sum(three) - value) <= exact for three in combinations(_of(numbers, kind) if summed else (), 3))
        or any(code == kind and abs(total - value) <= exact for total, code in found.totals)
        or is_counterpart(figure, found)
        or (figure.unit is not None and _is_between(figure, found))
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


def _summed(one: tuple[float, str], other: tuple[float, str], kind: str) -> Iterator[float]:
    (a, a_kind), (b, b_kind) = one, other
    if a_kind == b_kind and kind in {a_kind, "number"}:
        yield from (a + b, abs(a - b))


def _multiplied(values: Sequence[float], factors: Sequence[float]) -> Iterator[float]:
    """Products and even parts; nothing is multiplied with itself."""
    for a in values:
        for b in factors:
            if a != b:
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
        yield from (whole * part / 100, whole * (100 - part) / 100, whole * (100 + part) / 100)


def _folds_of(ours: set[str], theirs: set[str]) -> Iterator[int]:
    for (short, long), folds in _PERIODS.items():
        if (short in ours and long in theirs) or (short in theirs and long in ours):
            yield from folds


def _periods(keys: AbstractSet[str]) -> set[str]:
    return {name for key, name in _PERIOD_KEYS.items() if key in keys}


def _date(token: Token, year: float) -> date | None:
    """A day; of this year where it names none, and of any where no date does."""
    if token.kind != "date" or not token.values or not all(token.values[1:]):
        return None
    try:
        return date(int(token.values[0] or year or _ANY_YEAR), int(token.values[1]), int(token.values[2]))
    except ValueError:
        return None


def _dates(found: AtHand, but: Token) -> Iterator[date]:
    """Every other date at hand with every span of days and more added and taken away."""
    for start in found.dates:
        for many, unit in found.spans if (start.month, start.day) != but.values[1:] else ():
            for sign in (1, -1) if _is_days(UNITS[unit]) else ():
                if (moved := _moved(start, sign * many, unit)) is not None:
                    yield moved


def _moments(found: AtHand, but: Token) -> Iterator[float]:
    """Every other time of day at hand with every span of minutes and hours added and taken away."""
    for start in found.times:
        for many, unit in found.spans if start not in but.values else ():
            yield from ((start + sign * many * UNITS[unit].size / 60) % _DAY for sign in (1, -1))


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
