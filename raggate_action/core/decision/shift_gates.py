"""Gates on means: how far score and hallucination rate moved against the baseline, over the cases of both runs."""

from __future__ import annotations

from decimal import Decimal

from raggate_action.schema.comparison import Comparison
from raggate_action.schema.decision import RunGate, RunGateStatus
from raggate_action.schema.measured import Bar, ShiftMeasured, Unit
from raggate_action.schema.outcome import RunGateName
from raggate_action.schema.policy import AmountGate
from raggate_action.schema.run import Policy


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
