"""Numbers as people read them: counts first, and nothing divides before the last step.

Every rate is rounded half up, in one place (`percent_of`): only all reads 100 %, only none reads 0 %. Times and money
are rounded up, so that nothing reads cheaper than it is.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction

# What stands where there is no number: nothing was there to count, or nobody reports it.
NOTHING = "–"
NOT_SCORED = "not scored"

# Wide enough for every float: the usual context refuses what has more than 28 digits.
_EVERY_FLOAT = Context(prec=1_500)
_MS_PER_SECOND = 1_000
_MS_PER_MINUTE = 60_000


def rate(part: int, whole: int) -> str:
    """The two counts of a rate: `18/20`; `–` for 0 of 0."""
    return f"{part:,}/{whole:,}" if whole else NOTHING


def percent_of(share: Fraction | Decimal | float, places: int = 1) -> Decimal:
    """A share in percent, rounded half up: only the whole is 100, only nothing is 0.

    Args:
        share: In [0, 1]; a float counts as it is written.
        places: Decimal places.
    """
    exact = share if isinstance(share, Fraction) else Fraction(_exact(share))
    steps = 10 ** (2 + places)
    rounded = (2 * exact * steps + 1) // 2
    if 0 < exact < 1:
        rounded = min(max(rounded, 1), steps - 1)
    return Decimal(rounded).scaleb(-places)


def percent(part: int, whole: int) -> str:
    """A rate, one decimal: `95.0 %`; `not scored` for 0 of 0."""
    return f"{percent_of(Fraction(part, whole))} %" if whole else NOT_SCORED


def percent_number(part: int, whole: int) -> float:
    """The same as a number, as it is stored: 0.0 for 0 of 0."""
    return float(percent_of(Fraction(part, whole))) if whole else 0.0


def counted(part: int, whole: int) -> str:
    """Counts with their rate beside them: `19 of 20 (95.0 %)`; `0 of 0 (not scored)`."""
    return f"{part} of {whole} ({percent(part, whole)})"


def share(of_all: Decimal) -> str:
    """An exact share as people write it: `95 %`, `99.5 %`."""
    return f"{(of_all * 100).normalize():f} %"


def percent_of_share(of_all: float, places: int = 1) -> str:
    """A share that is no count of things, as an estimate or its limit: `3.4 %`."""
    return f"{percent_of(of_all, places)} %"


def percent_as_stored(stored: float) -> str:
    """A rate that is stored in percent: `3.4 %`."""
    return f"{percent_of(Fraction(_exact(stored)) / 100)} %"


def one_in(part: int, whole: int) -> str:
    """`1 in 75`, rounded half up; of a part above 0."""
    return f"1 in {(2 * whole + part) // (2 * part):,}"


def points(now: tuple[int, int], before: tuple[int, int]) -> str:
    """How far a rate moved, in percentage points, to one decimal: `+2.1 pts`, `-0.3 pts`, `=`.

    `=` is exactly equal; a smaller change than can be shown keeps its sign: `<+0.1 pts`, `>-0.1 pts`.

    Args:
        now: Part and whole of this run.
        before: Part and whole of the baseline.

    Returns:
        `–` when one of them is 0 of 0.
    """
    if not (now[1] and before[1]):
        return NOTHING
    moved = Fraction(*now) - Fraction(*before)
    if not moved:
        return "="
    tenths = (2 * abs(moved) * 1000 + 1) // 2
    if not tenths:
        return "<+0.1 pts" if moved > 0 else ">-0.1 pts"
    return f"{'+' if moved > 0 else '-'}{Decimal(tenths).scaleb(-1)} pts"


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


def whole_number(amount: float | Decimal, places: int = 0) -> str:
    """A number rounded to the nearest whole one, or to at most so many decimal places: `812`."""
    text = f"{_exact(amount):.{places}f}"
    return text.rstrip("0").rstrip(".") if places else text


def exact_milliseconds(amount: float | Decimal, places: int = 1) -> str:
    """A duration beside its bar, in one unit, rounded up to tenths that are left out where they are 0: `8000 ms`."""
    return f"{_raised(amount, places).rstrip('0').rstrip('.')} ms"


def exact_dollars(amount: float | Decimal, places: int = 4) -> str:
    """US dollars beside their bar, rounded up to a hundredth of a cent: `$0.4200`."""
    return f"${_raised(amount, places)}"


def apart(
    show: Callable[[float | Decimal, int], str], amount: float | Decimal, bar: float | Decimal, places: int
) -> tuple[str, str]:
    """Two amounts that a sentence compares: where they are not equal, enough decimal places that they do not read so.

    Args:
        show: Writes an amount with so many decimal places.
        amount: What is compared.
        bar: What it is compared with.
        places: How many are enough as a rule.
    """
    differ = _exact(amount) != _exact(bar)
    while (text := (show(amount, places), show(bar, places)))[0] == text[1] and differ:
        places += 1
    return text


def score(mean: float | None) -> str:
    """A mean score in [0, 1], two decimals, rounded down: only a perfect one reads `1.00`; `–` for None."""
    if mean is None:
        return NOTHING
    return str(_exact(mean).quantize(Decimal("0.01"), ROUND_FLOOR))


def signed(difference: float | None) -> str:
    """A difference with its sign, two decimals: `+0.83`, `-0.50`; one too small for them keeps its sign.

    Returns:
        `0.00` for none at all; `–` for None.
    """
    if difference is None:
        return NOTHING
    text = f"{_exact(difference):+.2f}"
    if text[1:] != "0.00":
        return text
    return "0.00" if not difference else "under +0.01" if difference > 0 else "above -0.01"


def mean(amount: float | None) -> str:
    """A mean of scores, two decimals: `3.25`; `–` for None."""
    return NOTHING if amount is None else f"{_exact(amount):.2f}"


_HALF, _RAREST = Decimal("0.5"), Decimal("0.001")


def p_value(chance: float) -> str:
    """How likely chance alone does as much, three decimals, rounded up: `p = 0.012`, `p < 0.001`."""
    rounded = _exact(chance).quantize(Decimal("0.001"), ROUND_CEILING)
    return "p < 0.001" if chance < 0.001 else f"p = {rounded}"


def chance_in_words(chance: float | Decimal) -> str:
    """How often chance alone does as much, never put rarer than it is: `once in 60`, `every other time or oftener`."""
    if chance >= _HALF:
        return "every other time or oftener"
    return f"once in {int(1 / _exact(chance)):,}" if chance >= _RAREST else f"less than once in {int(1 / _RAREST):,}"


def count(number: int, noun: str, plural: str | None = None) -> str:
    """A number with its noun: `1 case`, `1,000 cases`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def _raised(amount: float | Decimal, places: int) -> str:
    return f"{_exact(amount).quantize(Decimal(1).scaleb(-places), ROUND_CEILING, _EVERY_FLOAT):f}"


def _exact(amount: float | Decimal) -> Decimal:
    """The number as it is written, so that 8.1 is 8.1 and not the binary fraction a hair above it."""
    return Decimal(str(amount))
