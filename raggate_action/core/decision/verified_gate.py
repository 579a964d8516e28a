"""The gate on what is known: how many of the answers are verified, and not only not refuted."""

from __future__ import annotations

from raggate_action.core.counting.run_totals import Facts
from raggate_action.schema.base import Rate, meets
from raggate_action.schema.decision import RunGate, RunGateStatus
from raggate_action.schema.measured import Bar
from raggate_action.schema.policy import VerifiedGate


def verified_gate(facts: Facts, rule: VerifiedGate) -> RunGate:
    """Verified cases over answered ones; insufficient where nothing was answered."""
    counts = facts.counts
    status: RunGateStatus = "insufficient"
    if counts.answered:
        status = "passed" if meets(Rate(hits=counts.verified, total=counts.answered), rule.min) else "failed"
    return RunGate(
        gate="verified",
        level=rule.level,
        status=status,
        passed=counts.verified,
        scored=counts.answered,
        bar=Bar(operator=">=", amount=rule.min, unit="share"),
        offenders=facts.unverified,
        offending=counts.answered - counts.verified,
    )
