"""Numbers, dates, times, amounts and percentages of a claim that no shown evidence contains."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from raggate_action.core.evidence_checks.claim_text import ClaimText
from raggate_action.core.text.canonical_form import Token
from raggate_action.core.text.evidence_values import HUNDREDTHS, Figures
from raggate_action.core.text.languages.en_words import APPROXIMATORS, FLOORS, LABELLING, ROUNDING, STOP_WORDS
from raggate_action.core.text.units import UNITS, Unit, same_amount

# Up to here a number may be a count of things that the evidence lists without counting them.
LARGEST_COUNT = 12
_DIGIT = re.compile(r"\d")
_YEARS = range(1000, 2200)


# Behind a number they name nothing that is counted; "3 of them" counts.
_NO_THINGS = frozenset(("", *STOP_WORDS)) - {"of"}


# Between two numbers of one kind: "10 to 12 euros".
_JOINING = frozenset(("to", "and", "or"))


class Figure(NamedTuple):
    """A number of a claim.

    Attributes:
        code: What it is: number, percent, money, unit, date or time.
        token: Where it stands and how it reads.
        unit: Its unit of measure.
        approximate: The claim itself says "about", "over" or the like.
        rounded: It says "about" or the like.
        at_least: The claim says "over", "more than" or the like.
        step: The last place it is written to: 0.1 for 3.5, 1 for 20, 1,000,000 for "181 million".
        noun: The word behind a number without a unit; else empty.
    """

    code: str
    token: Token
    unit: Unit | None
    approximate: bool
    rounded: bool
    at_least: bool
    step: float
    noun: str


def figures_of(claim: ClaimText) -> Iterator[Figure]:
    """The numbers a claim states in digits; words for numbers are summaries, digits inside names are names."""
    for place, token in enumerate(claim.said if _DIGIT.search(claim.compared) else ()):
        if token.kind in {"number", "date", "time"} and token.values and _has_digits(claim, token):
            yield _figure(claim, place)


def figure_of(token: Token, claim: ClaimText) -> Figure:
    """A number, date or time of a claim, in words too."""
    return _figure(claim, claim.said.index(token))


def _behind(tokens: Sequence[Token], place: int) -> Token | None:
    """The token behind a number, "US" of "7 US dollars" passed over."""
    return next((token for token in tokens[place + 1 : place + 3] if token.key != "us"), None)


def _has_digits(claim: ClaimText, token: Token) -> bool:
    return any(c.isdecimal() for c in claim.compared[token.start : token.end])


def _figure(claim: ClaimText, place: int) -> Figure:
    tokens, token = claim.said, claim.said[place]
    written = claim.compared[token.start : token.end]
    before = tokens[place - 1] if place else None
    after = _behind(tokens, place)
    unit = UNITS.get(after.key[5:]) if after is not None and after.kind == "unit" else None
    lead = {t.key for t in tokens[max(0, place - 4) : place]}
    signs = claim.bare[max(0, token.start - 1) : token.start] + claim.bare[token.end : token.end + 1]
    return Figure(
        _code(token, before, after, unit),
        token,
        unit,
        approximate=not lead.isdisjoint(APPROXIMATORS) or not {*"~≈+"}.isdisjoint(signs),
        rounded=not lead.isdisjoint(ROUNDING) or not {*"~≈"}.isdisjoint(signs),
        at_least=not lead.isdisjoint(FLOORS) or "+" in signs,
        step=_step(written, token) if _has_digits(claim, token) else 1.0,
        noun=after.key if unit is None and after is not None and after.kind == "word" else "",
    )


def coded_numbers(tokens: Sequence[Token], *, labels: bool = True) -> list[tuple[float, str]]:
    """The numbers of a sentence with what they are, as in `Figure.code`; of an amount also its unit.

    In "from 10 to 12 euros" both are amounts of money, and "8 cents" is also 0.08. Without `labels` that of
    "section 12" is left out.
    """
    words = [token for token in tokens if token.kind != "mark"]
    codes: dict[int, str] = {}
    for place, token in reversed([*enumerate(words)]):
        if token.kind == "date" and token.values and token.values[0]:
            codes[place] = "date"
        before = words[place - 1] if place else None
        if token.kind == "number" and (labels or before is None or before.key not in LABELLING):
            after = _behind(words, place)
            unit = UNITS.get(after.key[5:]) if after is not None and after.kind == "unit" else None
            code = _code(token, before, after, unit)
            if code == "number" and after is not None:
                code = codes.get(place + 1 + (after.key in _JOINING), code)
            codes[place] = f"unit {unit.name}" if unit is not None and code == "unit" else code
    hundredths = [place for place in codes if place + 1 < len(words) and words[place + 1].key in HUNDREDTHS]
    return [
        *((words[place].values[0], codes[place]) for place in sorted(codes)),
        *((words[place].values[0] / 100, "money") for place in sorted(hundredths)),
    ]


def is_held(figure: Figure, evidence: Sequence[Figures]) -> bool:
    """Whether the evidence can be read to contain the number, exactly or rounded; of a date, each of its parts."""
    token = figure.token
    if token.kind == "date":
        year, month, day = token.values
        return (not month or any(month in figures.months for figures in evidence)) and all(
            any(_has(part, figures) for figures in evidence) for part in (year, day) if part
        )
    if token.kind == "time":
        return any(_is_told(token, figures) for figures in evidence)
    return any(_is_read(figure, figures) for figures in evidence)


def _is_read(figure: Figure, evidence: Figures) -> bool:
    token = figure.token
    if token.key.endswith("s"):  # a decade, a century of years
        span = 100 if token.values[0] % 100 == 0 else 10
        return evidence.holds(token.values[0], token.values[0] + span - 1) or _has(token.values[0] % 100, evidence)
    return any(_has(value, evidence) or _is_rounded(value, figure, evidence) for value in token.values)


def _is_told(token: Token, evidence: Figures) -> bool:
    if any(moment in evidence.times for moment in token.values):
        return True
    # A score or ratio such as 3:10 reads like a time; its parts are then in the evidence as numbers. "7" is 7 pm.
    hour, minute = divmod(token.values[0], 60)
    if evidence.times:
        return False
    said = _has(hour, evidence) or (not minute and _has(hour % 12, evidence))
    return said and (not minute or _has(minute, evidence))


def may_count(figure: Figure) -> bool:
    """Whether the figure may count things that the evidence lists without counting them: "3 plans"."""
    value = figure.token.values[0]
    return figure.code == "number" and value <= LARGEST_COUNT and value % 1 == 0 and figure.noun not in _NO_THINGS


def is_conversion(figure: Figure, evidence: Sequence[Figures]) -> bool:
    """Whether an amount in another unit, converted to the figure's, is the figure."""
    unit = figure.unit
    return unit is not None and any(
        same_amount(figure.token.values[0], unit, amount.value, amount.unit)
        for figures in evidence
        for amount in figures.amounts[:200]
        if amount.unit.dimension == unit.dimension and amount.unit.name != unit.name
    )


def _code(token: Token, before: Token | None, after: Token | None, unit: Unit | None) -> str:
    if token.kind in {"date", "time"}:
        return token.kind
    if unit is not None:
        return "percent" if unit.dimension == "share" else "unit"
    if any(neighbour is not None and neighbour.kind == "money" for neighbour in (before, after)):
        return "money"
    return "date" if _is_year(token) else "number"


def _is_year(token: Token) -> bool:
    return token.end - token.start == 4 and bool(token.values) and token.values[0] in _YEARS


def _step(written: str, token: Token) -> float:
    value = token.values[0]
    digits = "".join(c for c in written if c.isdecimal() or c in ".,")
    decimals = len(re.split("[.,]", digits)[-1]) if value % 1 else 0
    scale = 1.0
    if not decimals and "." not in digits and value >= 1000 and len([c for c in digits if c.isdecimal()]) < 4:
        scale = 10.0 ** (math.floor(math.log10(value)) - len(digits) + 1)
    if "." in digits and value >= 1000 and len(digits) < 6:
        scale = value / float(digits.replace(",", "") or 1) if digits.count(".") == 1 and digits != "." else 1.0
        decimals = len(digits.rpartition(".")[2])
    return scale * 10.0**-decimals


def _has(value: float, evidence: Figures) -> bool:
    slack = abs(value) * 1e-9
    return evidence.holds(value - slack, value + slack)


def _is_rounded(value: float, figure: Figure, evidence: Figures) -> bool:
    """Whether a number of the evidence rounds to this one: to its last place, or to 2 or 3 significant digits."""
    if value <= 0 or (_is_year(figure.token) and figure.code == "date"):
        return False
    step = min(figure.step, 1.0) if value < 1000 else figure.step
    if evidence.holds(value - step / 2, value + step / 2):
        return True
    if figure.approximate and evidence.holds(value - step + step / 1000, value + step - step / 1000):
        return True
    if value < 1000 and not figure.approximate:
        return False
    most = 10.0 ** (math.floor(math.log10(value)) - (0 if figure.approximate else 1))
    coarse = min(_trailing(value), most)
    if coarse <= step:
        return False
    above = coarse if figure.at_least else coarse / 2
    return evidence.holds(value - coarse / 2 + step / 1000, value + above - step / 1000)


def _trailing(value: float) -> float:
    """The place of the last digit that is not nought: 1000 for 18,000."""
    step = 1.0
    while value % (step * 10) == 0 and step * 10 <= value:
        step *= 10
    return step
