"""Numbers as people read them: count first, divide last, never flatter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import ROUND_CEILING, Context, Decimal
from math import fsum

_EVERY_FLOAT = Context(prec=1_500)


def percent_down(part: int, whole: int) -> float:
    """Percent with one decimal, rounded down, for good things: only a perfect rate reads 100.0. 0.0 for 0 of 0."""
    return part * 1000 // whole / 10 if whole else 0.0


def percent_up(part: int, whole: int) -> float:
    """Percent with one decimal, rounded up, for bad things: only a spotless rate reads 0.0. 0.0 for 0 of 0."""
    return -(-part * 1000 // whole) / 10 if whole else 0.0


def mean(values: Sequence[float]) -> float | None:
    """Arithmetic mean; None without values.

    The sum is exact before it is rounded once, so the order of the values cannot change it.
    """
    return fsum(values) / len(values) if values else None


def nearest_rank(ordered: Sequence[float], percent: int) -> float | None:
    """The smallest value with at least `percent` of all values at or below it; None without values.

    Args:
        ordered: Values, ascending.
        percent: Which percentile, 1 to 100.
    """
    return ordered[-(-percent * len(ordered) // 100) - 1] if ordered else None


def of(part: int, whole: int) -> str:
    """Counts with their rate beside them: `19 of 20 (95.0 %)`; `0 of 0 (not scored)`."""
    return f"{part} of {whole} ({percent_down(part, whole)} %)" if whole else "0 of 0 (not scored)"


def share_text(share: Decimal) -> str:
    """An exact share as people write it: `95 %`, `99.5 %`."""
    return f"{(share * 100).normalize():f} %"


def whole_text(amount: float, places: int = 0) -> str:
    """A number rounded to the nearest whole one, or to at most so many decimal places: `812`."""
    shown = f"{Decimal(str(amount)):.{places}f}"
    return shown.rstrip("0").rstrip(".") if places else shown


def milliseconds_text(amount: float, places: int = 1) -> str:
    """A duration, rounded up to tenths that are left out where they are nought: `8000 ms`, `0.5 ms`."""
    return f"{_raised(amount, places).rstrip('0').rstrip('.')} ms"


def dollars_text(amount: float, places: int = 4) -> str:
    """An amount of US dollars, rounded up to a hundredth of a cent: `$0.4200`."""
    return f"${_raised(amount, places)}"


def apart(show: Callable[[float, int], str], amount: float, bar: float, places: int) -> tuple[str, str]:
    """Two amounts that a sentence compares: where they are not equal, enough decimal places that they do not read so.

    Args:
        show: Writes an amount with so many decimal places.
        amount: What is compared.
        bar: What it is compared with.
        places: How many are enough as a rule.
    """
    while (shown := (show(amount, places), show(bar, places)))[0] == shown[1] and amount != bar:
        places += 1
    return shown


def _raised(amount: float, places: int) -> str:
    # Wide enough for every float: the usual context refuses what has more than 28 digits.
    return f"{Decimal(str(amount)).quantize(Decimal(1).scaleb(-places), ROUND_CEILING, _EVERY_FLOAT):f}"


def cut(text: str, most: int) -> str:
    """The first `most` characters of `text`, with an ellipsis where something is left out."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"
