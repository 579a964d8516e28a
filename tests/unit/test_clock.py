"""The moment that rows and runs are stamped with."""

from __future__ import annotations

import time
from datetime import UTC, datetime

from raggate_action.run.clock import moment_now


def test_a_moment_is_that_of_the_system_to_the_millisecond_within_a_second_and_in_the_next() -> None:
    for wait in (0.0, 0.002, 1.0):
        time.sleep(wait)
        before = datetime.now(UTC)
        stamped = moment_now()
        after = datetime.now(UTC)
        assert stamped.endswith("Z")
        assert len(stamped) == len("2026-01-02T03:04:05.678Z")
        at = datetime.fromisoformat(stamped)
        assert before.replace(microsecond=before.microsecond // 1000 * 1000) <= at <= after
