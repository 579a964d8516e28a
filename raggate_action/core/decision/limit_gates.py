"""Gates on the run that count what must not happen, and amounts with a highest value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal

from raggate_action.core.counting.facts import NAMED_AT_MOST, Facts, Offender, unmeasured_text
from raggate_action.core.counting.waivers import Waivers
from raggate_action.core.decision.run_gates import Judged, first_of, named
from raggate_action.numbers import apart, exact_dollars, exact_milliseconds, share
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.comparison import Comparison
from raggate_action.schema.outcome import Level
from raggate_action.schema.policy import AmountGate, CeilingGate, LevelGate
from raggate_action.schema.run import Policy, RunGate, RunGateStatus


def forbidden_phrases_gate(facts: Facts, rule: LevelGate, comparison: Comparison | None) -> Judged:
    """Cases with a must_not_contain hit that the baseline did not have; any hit without a baseline (rules 8)."""
    if comparison is None:
        hits = facts.counts.flagged
        found: Sequence[object] = facts.flagged
    else:
        hits = len(comparison.new_phrases) + comparison.not_listed.new_phrases
        phrases = {offender.case_id: offender for offender in facts.flagged}
        found = [phrases.get(case_id, case_id) for case_id in comparison.new_phrases]
    bar = "none" if comparison is None else "none new"
    ran = 0 if facts.nothing_was_said else facts.ran
    return _none_allowed("forbidden_phrases", rule.level, hits=hits, scored=ran, offenders=found, bar=bar)


def newly_inadmissible_gate(comparison: Comparison) -> Judged:
    """Cases admissible on the baseline and inadmissible now; a single one fails, no statistics (rules 8)."""
    hits = len(comparison.newly_inadmissible) + comparison.not_listed.newly_inadmissible
    found = comparison.newly_inadmissible
    return _none_allowed(
        "newly_inadmissible", "block", hits=hits, scored=comparison.compared, offenders=found, bar="none"
    )


def newly_unanswered_gate(comparison: Comparison) -> Judged:
    """Cases answered on the baseline that the app now fails to answer (rules 8)."""
    hits = len(comparison.newly_unanswered) + comparison.not_listed.newly_unanswered
    found = comparison.newly_unanswered
    return _none_allowed(
        "newly_unanswered", "block", hits=hits, scored=comparison.compared, offenders=found, bar="none"
    )


def _none_allowed(name: str, level: Level, *, hits: int, scored: int, offenders: Sequence[object], bar: str) -> Judged:
    status: RunGateStatus = "failed" if hits else "passed" if scored else "insufficient"
    gate = RunGate(
        gate=name,
        level=level,
        status=status,
        passed=max(scored - hits, 0),
        scored=scored,
        bar=bar,
        value=f"{hits} of {scored} cases",
        detail=named(offenders, hits),
    )
    return Judged(gate, first_of(offenders))


def unmeasured_gate(facts: Facts, policy: Policy, comparison: Comparison | None) -> Judged:
    """The budget of cases that may go unmeasured: max(1, floor(max * cases)); removed cases count (rules 1, 8).

    A removed case that a waiver `{case, gate: removed}` names is excused.
    """
    rule: CeilingGate = policy.gates.unmeasured
    cases, unmeasured = facts.counts.cases, facts.counts.unmeasured
    allowed = max(1, int(rule.max * cases))
    removed, gone = _unexcused(facts, policy, comparison)
    value = f"{unmeasured} of {cases} cases" + (f" and {removed} removed" if removed else "")
    offenders = [*[_why_unmeasured(row) for row in facts.listed.unmeasured[:NAMED_AT_MOST]], *gone]
    gate = RunGate(
        gate="unmeasured",
        level=rule.level,
        status="passed" if unmeasured + removed <= allowed else "failed",
        unmeasured=unmeasured,
        bar=f"<= {share(rule.max)}, here {allowed}",
        value=value,
        detail=named(offenders, unmeasured + removed),
    )
    return Judged(gate, first_of(offenders))


def _unexcused(facts: Facts, policy: Policy, comparison: Comparison | None) -> tuple[int, list[Offender]]:
    if comparison is None:
        return 0, []
    excused = Waivers(policy, decided_on=facts.decided_on).removed
    gone = [case_id for case_id in comparison.removed if case_id not in excused]
    named_gone = [Offender(case_id, "removed from the suite") for case_id in gone[:NAMED_AT_MOST]]
    return len(gone) + comparison.not_listed.removed, named_gone


def _why_unmeasured(row: CaseRun) -> Offender:
    for outcome in row.outcomes.values():
        if outcome.kind == "unmeasured" and outcome.reason != "no-adjudicator":
            return Offender(row.case_id, unmeasured_text(outcome))
    return Offender(row.case_id, "")


def amount_gates(facts: Facts, policy: Policy) -> list[Judged]:
    """The 95th percentile of latency and the cost of the run, each only where the suite sets a bar."""
    gates, amounts = policy.gates, facts.amounts
    judged = []
    if gates.p95_latency_ms is not None and gates.p95_latency_ms.level != "off":
        judged.append(_amount("p95_latency_ms", gates.p95_latency_ms, amounts.p95_latency_ms, exact_milliseconds, 1))
    if gates.cost_usd is not None and gates.cost_usd.level != "off":
        judged.append(_amount("cost_usd", gates.cost_usd, amounts.cost_usd, exact_dollars, 4))
    return judged


def _amount(
    name: str, rule: AmountGate, amount: float | None, show: Callable[[float | Decimal, int], str], places: int
) -> Judged:
    if amount is None:
        unmeasured = RunGate(gate=name, level=rule.level, status="unmeasured", bar=f"<= {show(rule.max, places)}")
        return Judged(unmeasured)
    status: RunGateStatus = "passed" if amount <= rule.max else "failed"
    value, bar = apart(show, amount, rule.max, places)
    return Judged(RunGate(gate=name, level=rule.level, status=status, bar=f"<= {bar}", value=value))
