"""A share held against its bar."""

from __future__ import annotations

from decimal import Decimal

from raggate_action.schema.base import meets, rate_of
from raggate_action.schema.decision import RunGateStatus


def against_bar(passed: int, scored: int, flaky: int, bar: Decimal) -> RunGateStatus:
    """Passed or failed; insufficient where the share is under the bar for the sake of flaky cases alone.

    Flaky cases are on neither side. Two failures in 41 are over 95 %; of the 38 that are left when three others answer
    now this, now that, the same two are under it. An app that has not changed must not be blocked by the draw, and how
    many cases may be flaky has a gate of its own.

    Args:
        passed: Cases that passed.
        scored: Cases that passed or failed, at least one.
        flaky: Cases that failed once and passed when they were asked again.
        bar: The share that has to pass.
    """
    if meets(rate_of(passed, scored), bar):
        return "passed"
    return "insufficient" if flaky and meets(rate_of(passed + flaky, scored + flaky), bar) else "failed"
