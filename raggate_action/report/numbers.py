"""Numbers as a reader sees them: counts first, rounded so that no reading is better than the truth.

Rates of good things are rounded down, so only a perfect one reads 100.0 %; rates of bad things, times and money
are rounded up, so only none reads 0. Nothing divides before the last step.
"""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from fractions import Fraction

# What stands where there is no number: nothing was there to count, or nobody reports it.
NOTHING = "–"
NOT_SCORED = "not scored"

_TENTH = Decimal("0.1")
_MS_PER_SECOND = 1_000
_MS_PER_MINUTE = 60_000


def rate(part: int, whole: int) -> str:
    """The two counts of a rate: `18/20`; `–` for 0 of 0."""
    return f"{part:,}/{whole:,}" if whole else NOTHING


def percent_down(part: int, whole: int) -> str:
    """A rate of something good, one decimal, rounded down: only all of them read `100.0 %`."""
    return _percent(part * 1000 // whole) if whole else NOT_SCORED


def percent_up(part: int, whole: int) -> str:
    """A rate of something bad, one decimal, rounded up: only none of them reads `0.0 %`."""
    return _percent(-(-part * 1000 // whole)) if whole else NOT_SCORED


def percent_as_stored(percent: float) -> str:
    """A rate of something bad that is stored in percent, rounded up to one decimal: `3.4 %`."""
    return f"{_exact(percent).quantize(_TENTH, ROUND_CEILING)} %"


def points(now: tuple[int, int], before: tuple[int, int]) -> str:
    """How far a rate of something good moved, in percentage points: `+2.1 pts`, `-0.3 pts`, `=`.

    A gain is rounded down and a loss up, to one decimal; `=` is exactly equal, a gain under 0.1 reads `<+0.1 pts`.

    Args:
        now: Part and whole of this run.
        before: Part and whole of the baseline.

    Returns:
        `–` when one of them is 0 of 0.
    """
    if not (now[1] and before[1]):
        return NOTHING
    return _points((Fraction(*now) - Fraction(*before)) * 100)


def points_of_bad(now: tuple[int, int], before: tuple[int, int]) -> str:
    """How far a rate of something bad moved: a rise is rounded up and a fall down, as for `points`."""
    if not (now[1] and before[1]):
        return NOTHING
    shown = _points((Fraction(*before) - Fraction(*now)) * 100)
    return shown.translate(str.maketrans("+-<", "-+>")) if shown != "=" else shown


def milliseconds(amount: float | None) -> str:
    """A duration, rounded up: `812 ms`, `8.1 s`, `2 min 5 s`; `–` for None."""
    if amount is None:
        return NOTHING
    whole = int(_exact(amount).to_integral_value(ROUND_CEILING))
    if whole < _MS_PER_SECOND:
        return f"{whole} ms"
    tenths = -(-whole // 100)
    if tenths * 100 < _MS_PER_MINUTE:
        return f"{tenths // 10}.{tenths % 10} s"
    minutes, seconds = divmod(-(-whole // _MS_PER_SECOND), 60)
    return f"{minutes:,} min {seconds} s"


def money(dollars: float | None) -> str:
    """US dollars, rounded up to the cent, below one dollar to a hundredth of it: `1.20 USD`; `–` for None.

    Written without the sign, because GitHub reads text between two dollar signs as mathematics.
    """
    if dollars is None:
        return NOTHING
    if not dollars:
        return "0 USD"
    exact = _exact(dollars)
    step = Decimal("0.01") if exact >= 1 else Decimal("0.0001")
    return f"{exact.quantize(step, ROUND_CEILING):,} USD"


def score(mean: float | None) -> str:
    """A mean score in [0, 1], two decimals, rounded down: only a perfect one reads `1.00`; `–` for None."""
    if mean is None:
        return NOTHING
    return str(_exact(mean).quantize(Decimal("0.01"), ROUND_FLOOR))


def count(number: int, noun: str, plural: str | None = None) -> str:
    """A number with its noun: `1 case`, `1,000 cases`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def _percent(tenths: int) -> str:
    return f"{tenths // 10}.{tenths % 10} %"


def _points(moved: Fraction) -> str:
    if not moved:
        return "="
    tenths = moved.numerator * 10 // moved.denominator
    if not tenths:
        return "<+0.1 pts"
    sign = "+" if tenths > 0 else "-"
    return f"{sign}{abs(tenths) // 10}.{abs(tenths) % 10} pts"


def _exact(amount: float) -> Decimal:
    """The number as it is written, so that 8.1 is 8.1 and not the binary fraction a hair above it."""
    return Decimal(str(amount))
