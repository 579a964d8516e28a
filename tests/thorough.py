"""What `make test` leaves to `make test ALL=1`: kills of a run, drawn examples, much of a kind.

`make test` sets THOROUGH=0. `make test ALL=1` has all of it, as has pytest started by hand.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
ROOT = Path(__file__).parents[1]
THOROUGH = os.environ.get("THOROUGH", "1") != "0"
KILLS = 20 if THOROUGH else 5


def examples(number: int) -> int:
    """How many examples of a law are drawn, of so many in `make test ALL=1`."""
    return number if THOROUGH else max(number // 3, min(number, 5))


def some(whole: Sequence[T]) -> Sequence[T]:
    """Every third of many that are alike, and all in `make test ALL=1`."""
    return whole if THOROUGH else whole[::3]
