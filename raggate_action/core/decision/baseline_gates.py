"""Gates on what moved against the baseline: suspects, means, the share of verified answers; and on an unsteady app."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from raggate_action.core.counting.case_state import suspects_in
from raggate_action.core.counting.run_totals import NAMED_AT_MOST, Facts, first_problem, shortened
from raggate_action.core.decision.limit_gates import NO_NEW_CASES
from raggate_action.schema.base import Rate, meets
from raggate_action.schema.case_run import Ask
from raggate_action.schema.change import Change, ChangeCount
from raggate_action.schema.decision import (
    Bar,
    CaseCount,
    RunGate,
    RunGateStatus,
    ShiftMeasured,
    Unit,
)
from raggate_action.schema.outcome import Failed, Problem, RunGateName
from raggate_action.schema.policy import AmountGate, FlakyGate, PlainGate, SuspectGate
from raggate_action.schema.run import Policy

if TYPE_CHECKING:
    from raggate_action.schema.comparison import Comparison

# An app of which every answer goes wrong one time in twenty has three flaky cases in one of 28 runs of fifteen cases.
_FEWEST, _FEWEST_FROM_FIFTEEN = 2, 3
_FIFTEEN = 15


def flaky_gate(facts: Facts, rule: FlakyGate) -> list[RunGate]:
    """Flaky cases: max(2, floor(max * cases)) may be, from 15 cases at least three.

    Nothing where no case was asked again: nothing is known of how steady the app is.
    """
    cases, flaky = facts.counts.cases, facts.counts.flaky
    if not facts.counts.asked_again:
        return []
    found = [Change(case_id=row.case_id, gate="flaky", problem=first_fault(row.asks[0])) for row in facts.listed.flaky]
    allowed = max(_FEWEST if cases < _FIFTEEN else _FEWEST_FROM_FIFTEEN, int(rule.max * cases))
    gate = RunGate(
        gate="flaky",
        level=rule.level,
        status="passed" if flaky <= allowed else "failed",
        passed=cases - flaky,
        scored=cases,
        bar=Bar(operator="<=", amount=rule.max, unit="share", allowed=allowed),
        measured=CaseCount(hits=flaky, looked_at=cases),
        offenders=tuple(found[:NAMED_AT_MOST]),
        offending=flaky,
    )
    return [gate]


def first_fault(ask: Ask) -> Problem | None:
    """The first fault of an answer: its first failed gate's, else its first suspect claim."""
    failed = next((each for each in ask.outcomes.values() if isinstance(each, Failed)), None)
    if failed is not None:
        return first_problem(failed)
    suspects = (finding for _claim, finding in suspects_in(ask.claims))
    return next((shortened(Problem(code=each.kind, detail=each.reason)) for each in suspects), None)


def shift_gates(policy: Policy, comparison: Comparison) -> list[RunGate]:
    """A mean score that fell, and a hallucination rate that rose, by strictly more than the policy allows.

    Sums of whole numbers: a drop of exactly the bar passes.
    """
    shared = comparison.shared
    score = ShiftMeasured(before=shared.score_before, after=shared.score_after, cases=shared.scored)
    rate = ShiftMeasured(before=shared.hallucinating_before, after=shared.hallucinating_after, cases=shared.ran)
    return [
        _shift("score_drop", policy.gates.score_drop, score, "score", worse=score.before - score.after),
        _shift("hallucination_rise", policy.gates.hallucination_rise, rate, "points", worse=rate.after - rate.before),
    ]


def _shift(name: RunGateName, rule: AmountGate, shift: ShiftMeasured, unit: Unit, *, worse: int) -> RunGate:
    bar = Bar(operator="<=", amount=Decimal(str(rule.max)), unit=unit)
    if not shift.cases:
        return RunGate(gate=name, level=rule.level, status="insufficient", bar=bar)
    # Scores are summed in hundredths, and points are hundredths of all cases.
    allowed = bar.amount * shift.cases * (100 if unit == "score" else Decimal("0.01"))
    status: RunGateStatus = "failed" if worse > allowed else "passed"
    return RunGate(gate=name, level=rule.level, status=status, bar=bar, measured=shift)


def verified_gate(facts: Facts, rule: PlainGate) -> RunGate:
    """Verified cases over those answered; insufficient where nothing was answered."""
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


def new_suspects_gate(rule: SuspectGate, comparison: Comparison) -> RunGate:
    """Cases with a suspect that the baseline's answer did not have.

    One of a sharp kind, or in a protected slice, blocks; others block where they are new in more cases than the
    policy's share, and than one, and else warn. Without a baseline nobody can tell what is new.

    Only the difference counts: a false alarm on an unchanged answer stands on both sides and cancels.
    """
    found, compared = comparison.of("new_suspects"), comparison.compared
    return RunGate(
        gate="new_suspects",
        level=rule.level if blocks(found, rule, compared) or not found.new or rule.level == "off" else "warn",
        status="failed" if found.new else "passed" if compared else "insufficient",
        passed=compared - found.new,
        scored=compared,
        waived=found.waived,
        bar=NO_NEW_CASES,
        measured=CaseCount(hits=found.new, looked_at=compared),
        offenders=comparison.found("new_suspects")[:NAMED_AT_MOST],
        offending=found.new,
    )


def blocks(found: ChangeCount, rule: SuspectGate, compared: int) -> bool:
    """Whether new suspects are more than a warning.

    Args:
        found: What is new.
        rule: The gate.
        compared: Cases on both runs.
    """
    return bool(found.blocking) or (found.new > 1 and found.new > compared * rule.max)
