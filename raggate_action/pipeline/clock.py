"""The clock that rows and runs are stamped by."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from functools import lru_cache


def moment_now() -> str:
    """The moment, ISO 8601 UTC."""
    milliseconds = time.time_ns() // 1_000_000
    return f"{_second(milliseconds // 1000)}.{milliseconds % 1000:03}Z"


# Thousands of cases finish within one second.
@lru_cache(maxsize=1)
def _second(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat().removesuffix("+00:00")
