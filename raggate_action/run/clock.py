"""The clock that rows and runs are stamped by."""

from __future__ import annotations

from datetime import UTC, datetime


def moment_now() -> str:
    """The moment, ISO 8601 UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"
