"""Gates on the run that count what must not happen, and amounts with a highest value."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from raggate_action.core.counting.facts import NAMED_AT_MOST, Facts, unmeasured_text
from raggate_action.core.counting.waivers import Waivers
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.comparison import Comparison
from raggate_action.schema.decision import (
    AmountMeasured,
    Bar,
    CaseCount,
    FailedCase,
    Offender,
    RemovedCase,
    RunGate,
    RunGateStatus,
    Unit,
    UnmeasuredCount,
)
from raggate_action.schema.outcome import Level, RunGateName
from raggate_action.schema.policy import AmountGate, CeilingGate, LevelGate
from raggate_action.schema.run import Policy

NO_CASES = Bar(operator="==", amount=Decimal(0), unit="cases")
NO_NEW_CASES = Bar(operator="==", amount=Decimal(0), unit="new cases")


def forbidden_phrases_gate(facts: Facts, rule: LevelGate, comparison: Comparison | None) -> RunGate:
    """Cases with a must_not_contain hit that the baseline did not have; any hit without a baseline."""
    if comparison is None:
        hits = facts.counts.flagged
        found: Sequence[FailedCase] = facts.flagged
    else:
        hits = len(comparison.new_phrases) + comparison.not_listed.new_phrases
        phrases = {offender.case_id: offender for offender in facts.flagged}
        found = [
            phrases.get(case_id, FailedCase(case_id=case_id)) for case_id in comparison.new_phrases[:NAMED_AT_MOST]
        ]
    bar = NO_CASES if comparison is None else NO_NEW_CASES
    ran = 0 if facts.has_no_answer else facts.ran
    return _none_allowed("forbidden_phrases", rule.level, hits=hits, scored=ran, offenders=found, bar=bar)


def newly_inadmissible_gate(comparison: Comparison) -> RunGate:
    """Cases admissible on the baseline and inadmissible now; a single one fails, no statistics."""
    hits = len(comparison.newly_inadmissible) + comparison.not_listed.newly_inadmissible
    found = _failed(comparison.newly_inadmissible)
    return _none_allowed(
        "newly_inadmissible", "block", hits=hits, scored=comparison.compared, offenders=found, bar=NO_CASES
    )


def newly_unanswered_gate(comparison: Comparison) -> RunGate:
    """Cases answered on the baseline that the app now fails to answer; a single one fails."""
    hits = len(comparison.newly_unanswered) + comparison.not_listed.newly_unanswered
    found = _failed(comparison.newly_unanswered)
    return _none_allowed(
        "newly_unanswered", "block", hits=hits, scored=comparison.compared, offenders=found, bar=NO_CASES
    )


def _failed(case_ids: Sequence[str]) -> list[FailedCase]:
    return [FailedCase(case_id=case_id) for case_id in case_ids[:NAMED_AT_MOST]]


def _none_allowed(
    name: RunGateName, level: Level, *, hits: int, scored: int, offenders: Sequence[FailedCase], bar: Bar
) -> RunGate:
    status: RunGateStatus = "failed" if hits else "passed" if scored else "insufficient"
    return RunGate(
        gate=name,
        level=level,
        status=status,
        passed=max(scored - hits, 0),
        scored=scored,
        bar=bar,
        measured=CaseCount(hits=hits, looked_at=scored),
        offenders=tuple(offenders),
        offending=hits,
    )


def unmeasured_gate(facts: Facts, policy: Policy, comparison: Comparison | None) -> RunGate:
    """The budget of cases that may go unmeasured: max(1, floor(max * cases)), so that one always may.

    A case removed from the suite counts as unmeasured, unless a waiver `{case, gate: removed}` excuses it. A case that
    only lacks a judge (`no-adjudicator`) does not count.
    """
    rule: CeilingGate = policy.gates.unmeasured
    cases, unmeasured = facts.counts.cases, facts.counts.unmeasured
    allowed = max(1, int(rule.max * cases))
    removed, gone = _unexcused(facts, policy, comparison)
    offenders: list[Offender] = [*[_why_unmeasured(row) for row in facts.listed.unmeasured[:NAMED_AT_MOST]], *gone]
    return RunGate(
        gate="unmeasured",
        level=rule.level,
        status="passed" if unmeasured + removed <= allowed else "failed",
        unmeasured=unmeasured,
        bar=Bar(operator="<=", amount=rule.max, unit="share", allowed=allowed),
        measured=UnmeasuredCount(unmeasured=unmeasured, cases=cases, removed=removed),
        offenders=tuple(offenders[:NAMED_AT_MOST]),
        offending=unmeasured + removed,
    )


def _unexcused(facts: Facts, policy: Policy, comparison: Comparison | None) -> tuple[int, list[RemovedCase]]:
    if comparison is None:
        return 0, []
    excused = Waivers(policy, decided_on=facts.decided_on).removed
    gone = [case_id for case_id in comparison.removed if case_id not in excused]
    named_gone = [RemovedCase(case_id=case_id) for case_id in gone[:NAMED_AT_MOST]]
    return len(gone) + comparison.not_listed.removed, named_gone


def _why_unmeasured(row: CaseRun) -> FailedCase:
    for outcome in row.outcomes.values():
        if outcome.kind == "unmeasured" and outcome.reason != "no-adjudicator":
            return FailedCase(case_id=row.case_id, problem=unmeasured_text(outcome))
    return FailedCase(case_id=row.case_id)


def amount_gates(facts: Facts, policy: Policy) -> list[RunGate]:
    """The 95th percentile of latency and the cost of the run, each only where the suite sets a bar."""
    gates, amounts = policy.gates, facts.amounts
    judged = []
    if gates.p95_latency_ms is not None and gates.p95_latency_ms.level != "off":
        judged.append(_amount("p95_latency_ms", gates.p95_latency_ms, amounts.p95_latency_ms, "ms"))
    if gates.cost_usd is not None and gates.cost_usd.level != "off":
        judged.append(_amount("cost_usd", gates.cost_usd, amounts.cost_usd, "usd"))
    return judged


def _amount(name: RunGateName, rule: AmountGate, amount: float | None, unit: Unit) -> RunGate:
    bar = Bar(operator="<=", amount=Decimal(str(rule.max)), unit=unit)
    if amount is None:
        return RunGate(gate=name, level=rule.level, status="unmeasured", bar=bar)
    status: RunGateStatus = "passed" if amount <= rule.max else "failed"
    return RunGate(gate=name, level=rule.level, status=status, bar=bar, measured=AmountMeasured(amount=amount))
