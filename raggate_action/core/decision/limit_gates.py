"""Gates on the run that count what must not happen, and amounts with a highest value."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from raggate_action.core.counting.run_totals import NAMED_AT_MOST, Facts, first_problem
from raggate_action.core.counting.waivers import Waivers
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.change import Change
from raggate_action.schema.decision import (
    AmountMeasured,
    Bar,
    CaseCount,
    RunGate,
    RunGateStatus,
    Unit,
    UnmeasuredCount,
)
from raggate_action.schema.judging_counts import JudgingCounts
from raggate_action.schema.outcome import Level, Problem, RunGateName, Unmeasured
from raggate_action.schema.policy import REMOVED, AmountGate, CeilingGate, CountGate, LevelGate
from raggate_action.schema.run import Policy

if TYPE_CHECKING:
    from raggate_action.schema.comparison import Comparison

NO_CASES = Bar(operator="==", amount=Decimal(0), unit="cases")
NO_NEW_CASES = Bar(operator="==", amount=Decimal(0), unit="new cases")


def forbidden_phrases_gate(facts: Facts, rule: LevelGate, comparison: Comparison | None) -> RunGate:
    """Cases with a must_not_contain hit that the baseline did not have; any hit without a baseline."""
    if comparison is not None:
        return _new_faults("forbidden_phrases", rule.level, comparison, looked_at=facts.counts.forbidding)
    # Where no case forbids a phrase nothing was searched for, so nothing has passed.
    hits = facts.counts.flagged
    searched = max(facts.counts.forbidding, hits)
    return _at_most("forbidden_phrases", rule.level, hits=hits, scored=searched, offenders=facts.flagged, bar=NO_CASES)


def new_fault_gates(facts: Facts, policy: Policy, comparison: Comparison) -> list[RunGate]:
    """Gates on what is certain and new against the baseline's answer to the same case: one case is enough.

    Shares cannot see it: one case of thirty-two is within a bar of 95 %.
    """
    gates = policy.gates
    cited = comparison.compared if "citation_support" in facts.gate_counts else 0
    return [
        # Nobody sets a bar for it.
        _new_faults("newly_inadmissible", "block", comparison).model_copy(update={"bar": NO_CASES}),
        _new_faults("newly_unanswered", gates.newly_unanswered.level, comparison, most=gates.newly_unanswered.max),
        _new_faults(
            "newly_miscited", gates.newly_miscited.level, comparison, most=gates.newly_miscited.max, looked_at=cited
        ),
        _new_faults(
            "new_hallucinations", gates.new_hallucinations.level, comparison, most=gates.new_hallucinations.max
        ),
        *_newly_missed(comparison, gates.newly_missed),
    ]


def _new_faults(
    name: RunGateName, level: Level, comparison: Comparison, *, most: int = 0, looked_at: int | None = None
) -> RunGate:
    """A gate on new faults of the cases compared; `looked_at` is how many of them where that is fewer."""
    hits = comparison.of(name).counted
    return _at_most(
        name,
        level,
        hits=hits,
        scored=max(comparison.compared if looked_at is None else looked_at, hits),
        offenders=comparison.found(name),
        bar=Bar(operator="<=", amount=Decimal(most), unit="new cases") if most else NO_NEW_CASES,
    )


def _newly_missed(comparison: Comparison, rule: CountGate) -> list[RunGate]:
    """Cases that miss a phrase, tool, source or quote which the baseline had; nothing where no case demands any.

    Unmeasured where sources were lost in first answers, and no case could be asked again to tell chance from change.
    """
    found = comparison.of("newly_missed")
    if not found.of:
        return []
    gate = _new_faults("newly_missed", rule.level, comparison, most=rule.max, looked_at=found.of)
    if found.unasked and not found.asked and gate.status == "passed":
        gate = gate.model_copy(update={"status": "unmeasured", "unmeasured": found.unasked})
    return [gate]


def _at_most(
    name: RunGateName, level: Level, *, hits: int, scored: int, offenders: Sequence[Change], bar: Bar
) -> RunGate:
    status: RunGateStatus = "failed" if hits > bar.amount else "passed" if scored else "insufficient"
    return RunGate(
        gate=name,
        level=level,
        status=status,
        passed=max(scored - hits, 0),
        scored=scored,
        bar=bar,
        measured=CaseCount(hits=hits, looked_at=scored),
        offenders=tuple(offenders[:NAMED_AT_MOST]),
        offending=hits,
    )


def unmeasured_gate(facts: Facts, policy: Policy, comparison: Comparison | None) -> RunGate:
    """The budget of cases that may go unmeasured: max(1, floor(max * cases)), so that one always may.

    A case removed from the suite counts as unmeasured, unless a waiver `{case, gate: removed}` excuses it. A case that
    only lacks a judge (`no-adjudicator`) does not count. A case at which raggate itself failed is no part of the budget
    where the baseline measured it or its slice is protected: whatever the level, a crash is no way past the gate.
    """
    rule: CeilingGate = policy.gates.unmeasured
    cases, unmeasured = facts.counts.cases, facts.counts.unmeasured
    allowed = max(1, int(rule.max * cases))
    removed, gone = _unexcused(facts, policy, comparison)
    new_faults = [each.case_id for each in comparison.found("unmeasured")] if comparison is not None else []
    faults = {*facts.protected_faults, *new_faults}
    listed = sorted(facts.listed.unmeasured, key=lambda row: row.case_id not in faults)
    offenders = [*[_why_unmeasured(row) for row in listed[:NAMED_AT_MOST]], *gone]
    return RunGate(
        gate="unmeasured",
        level="block" if faults else rule.level,
        status="failed" if faults or unmeasured + removed > allowed else "passed",
        unmeasured=unmeasured,
        bar=Bar(operator="<=", amount=rule.max, unit="share", allowed=allowed),
        measured=UnmeasuredCount(unmeasured=unmeasured, cases=cases, removed=removed, faults=len(faults)),
        offenders=tuple(offenders[:NAMED_AT_MOST]),
        offending=unmeasured + removed,
    )


def _unexcused(facts: Facts, policy: Policy, comparison: Comparison | None) -> tuple[int, list[Change]]:
    if comparison is None:
        return 0, []
    excused = Waivers(policy, decided_on=facts.decided_on).removed
    gone = [case_id for case_id in comparison.removed.named if case_id not in excused]
    why = Problem(code=REMOVED, detail="")
    named_gone = [Change(case_id=case_id, gate="unmeasured", problem=why) for case_id in gone[:NAMED_AT_MOST]]
    return len(gone) + comparison.removed.cases - len(comparison.removed.named), named_gone


def _why_unmeasured(row: CaseRun) -> Change:
    open_ones = (each for each in row.outcomes.values() if isinstance(each, Unmeasured))
    counted = next((each for each in open_ones if each.reason != "no-adjudicator"), None)
    return Change(case_id=row.case_id, gate="unmeasured", problem=first_problem(counted))


def amount_gates(facts: Facts, policy: Policy) -> list[RunGate]:
    """The 95th percentile of latency, the app's cost and the judges', each only where the suite sets a bar."""
    gates, amounts = policy.gates, facts.summary
    judged = []
    if gates.p95_latency_ms is not None and gates.p95_latency_ms.level != "off":
        judged.append(_amount("p95_latency_ms", gates.p95_latency_ms, amounts.p95_latency_ms, "ms"))
    if gates.cost_usd is not None and gates.cost_usd.level != "off":
        judged.append(_amount("cost_usd", gates.cost_usd, amounts.cost_usd, "usd"))
    if gates.judge_cost_usd is not None and gates.judge_cost_usd.level != "off":
        judged.append(_judge_cost(gates.judge_cost_usd, facts.judging))
    return judged


def _judge_cost(rule: AmountGate, judging: JudgingCounts) -> RunGate:
    """What the judges cost; unmeasured where the price of one is unknown, unless the others cost too much already."""
    known = not judging.unpriced or judging.cost_usd > rule.max
    return _amount("judge_cost_usd", rule, judging.cost_usd if known else None, "usd")


def _amount(name: RunGateName, rule: AmountGate, amount: float | None, unit: Unit) -> RunGate:
    bar = Bar(operator="<=", amount=Decimal(str(rule.max)), unit=unit)
    if amount is None:
        return RunGate(gate=name, level=rule.level, status="unmeasured", bar=bar)
    status: RunGateStatus = "passed" if amount <= rule.max else "failed"
    return RunGate(gate=name, level=rule.level, status=status, bar=bar, measured=AmountMeasured(amount=amount))
