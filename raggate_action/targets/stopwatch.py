"""How long an app took to answer, by the clock of the event loop."""

from __future__ import annotations

import asyncio


def now() -> float:
    """A moment to measure from."""
    return asyncio.get_running_loop().time()


def milliseconds_since(begun: float) -> float:
    """Milliseconds since a moment, to the microsecond: more digits measure nothing, and only make rows longer."""
    return round((now() - begun) * 1000, 3)
