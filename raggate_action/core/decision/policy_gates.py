"""The gates on the gates: faults put in are caught, and no weaker demands release what the baseline's would not."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from raggate_action.core.counting.run_totals import NAMED_AT_MOST
from raggate_action.schema.change import Change
from raggate_action.schema.decision import (
    Bar,
    RunGate,
    RunGateStatus,
    WeakeningCount,
)
from raggate_action.schema.outcome import Problem

if TYPE_CHECKING:
    from raggate_action.schema.comparison import Comparison
    from raggate_action.schema.policy_change import LostCase, PolicyComparison, SettingChange


_NONE = Bar(operator="==", amount=Decimal(0), unit="cases")


def policy_gate(judged: Sequence[RunGate], comparison: Comparison | None) -> list[RunGate]:
    """Fails where a gate does not pass by the baseline's demands that passes by the head's; at the baseline's level.

    Nothing where nothing was weakened, or nobody can tell. A weakening that changes no gate passes, and so does one
    that somebody answers for.

    Args:
        judged: The gates on the run by the head's demands.
        comparison: Against the baseline.
    """
    policy = comparison.policy if comparison is not None else None
    if policy is None or policy.decision is None:
        return []
    worse = failures_by_baseline_alone(judged, policy)
    unknown = policy.not_comparable
    lost = policy.lost_and_wrong
    status: RunGateStatus = "failed" if lost or (worse and policy.waiver is None) else "passed"
    if unknown and status == "passed" and policy.waiver is None:
        status = "unmeasured"
    offenders = [
        *map(_as_case, lost),
        *[Change(case_id="", gate=each.gate) for each in worse],
        *map(_as_offender, unknown),
    ]
    gate = RunGate(
        gate="policy_weakened",
        level=policy.level,
        status=status,
        waived=1 if (worse or unknown) and policy.waiver is not None else 0,
        bar=_NONE,
        measured=WeakeningCount(weakenings=policy.weakenings, gates=len(worse)),
        offenders=tuple(offenders[:NAMED_AT_MOST]),
        offending=len(offenders),
    )
    return [gate]


def judges_lost_gate(comparison: Comparison) -> list[RunGate]:
    """Unmeasured if judges or labels measured cases on the baseline and neither does now.

    Nothing where nothing was lost, and in a run that need not have the key: there it is told.
    """
    lost = comparison.judges_lost
    if lost is None or lost.excused == "no-key":
        return []
    is_waived = lost.excused == "waived"
    why = next((Problem(code="judge-lost", detail=f"{judge}: {detail}") for judge, detail in lost.unheard), None)
    gate = RunGate(
        gate="judges_lost",
        level="block",
        status="passed" if is_waived else "unmeasured",
        unmeasured=0 if is_waived else lost.cases,
        waived=lost.cases if is_waived else 0,
        bar=_NONE,
        offenders=tuple([Change(case_id=each, gate="judges_lost", problem=why) for each in lost.named]),
        offending=lost.cases,
    )
    return [gate]


def _as_case(lost: LostCase) -> Change:
    return Change(case_id=lost.case_id, gate="policy_weakened", problem=lost.fails)


def _as_offender(change: SettingChange) -> Change:
    why = Problem(code="setting", detail=f"{change.setting}: was {change.before}, is {change.after}")
    return Change(case_id="", gate="policy_weakened", problem=why)


def failures_by_baseline_alone(judged: Sequence[RunGate], policy: PolicyComparison) -> list[RunGate]:
    """The gates that block, or leave the decision open, by the baseline's demands and not by the head's."""
    failed = {gate.gate for gate in judged if gate.level == "block" and gate.status == "failed"}
    open_too = failed | {gate.gate for gate in judged if gate.level == "block" and gate.status == "unmeasured"}
    return [gate for gate in policy.blocking if gate.gate not in (failed if gate.status == "failed" else open_too)]
