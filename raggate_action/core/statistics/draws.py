"""Random numbers that are the same for the same seed on every machine and in every version of Python."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import shake_256
from struct import unpack


def drawn_bytes(seed: str, count: int) -> bytes:
    """So many bytes, drawn by `seed`."""
    return shake_256(seed.encode(errors="replace")).digest(count)


def drawn_places(seed: str, places: int, count: int) -> Sequence[int]:
    """So many of the first `places` numbers from 0, drawn by `seed`, each on its own.

    Args:
        seed: Of the draw.
        places: At least 1, far below 2**32.
        count: How many are drawn.
    """
    return [word % places for word in unpack(f"<{count}I", drawn_bytes(seed, 4 * count))]
