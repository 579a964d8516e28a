"""Numbers as people read them: count first, divide last, never flatter."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_CEILING, Decimal
from math import fsum


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


def milliseconds_text(amount: float) -> str:
    """A duration, rounded up to tenths that are left out where they are nought: `8000 ms`, `0.5 ms`."""
    tenths = Decimal(str(amount)).quantize(Decimal("0.1"), ROUND_CEILING)
    return f"{tenths:f} ms".replace(".0 ", " ")


def dollars_text(amount: float) -> str:
    """An amount of US dollars, rounded up to a hundredth of a cent: `$0.4200`."""
    return f"${Decimal(str(amount)).quantize(Decimal('0.0001'), ROUND_CEILING):f}"


def cut(text: str, most: int) -> str:
    """The first `most` characters of `text`, with an ellipsis where something is left out."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"
