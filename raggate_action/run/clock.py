"""The clock that rows and runs are stamped by."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from functools import lru_cache


def moment_now() -> str:
    """The moment, ISO 8601 UTC, to the millisecond."""
    milliseconds = time.time_ns() // 1_000_000
    return f"{_second(milliseconds // 1000)}.{milliseconds % 1000:03d}Z"


@lru_cache(maxsize=1)
def _second(since_epoch: int) -> str:
    # Every case asks for the moment, many within one second.
    return datetime.fromtimestamp(since_epoch, UTC).strftime("%Y-%m-%dT%H:%M:%S")
