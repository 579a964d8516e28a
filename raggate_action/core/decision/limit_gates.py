"""Gates on the run that count what must not happen, and amounts with a highest value."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from raggate_action.core.counting.run_totals import NAMED_AT_MOST, PROBLEM_LENGTH, Facts, problem_text, unmeasured_text
from raggate_action.core.counting.waivers import Waivers
from raggate_action.schema.case_run import CaseRun
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
from raggate_action.schema.judging_counts import JudgingCounts
from raggate_action.schema.outcome import Failed, GateName, Level, RunGateName
from raggate_action.schema.policy import AmountGate, CeilingGate, CountGate, LevelGate
from raggate_action.schema.run import Policy
from raggate_action.strings.visible_text import cut

if TYPE_CHECKING:
    from raggate_action.schema.comparison import Comparison

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
    # Where no case forbids a phrase nothing was searched for, so nothing has passed.
    searched = max(facts.counts.forbidding, hits)
    return _at_most("forbidden_phrases", rule.level, hits=hits, scored=searched, offenders=found, bar=bar)


def newly_inadmissible_gate(comparison: Comparison) -> RunGate:
    """Cases admissible on the baseline and inadmissible now; a single one fails, no statistics."""
    hits = len(comparison.newly_inadmissible) + comparison.not_listed.newly_inadmissible
    found = _failed(comparison.newly_inadmissible)
    return _at_most("newly_inadmissible", "block", hits=hits, scored=comparison.compared, offenders=found, bar=NO_CASES)


def new_fault_gates(facts: Facts, policy: Policy, comparison: Comparison) -> list[RunGate]:
    """Gates on what is certain and new against the baseline's answer to the same case: one case is enough.

    Shares cannot see it: one case of thirty-two is within a bar of 95 %.
    """
    gates, cases, hidden = policy.gates, comparison, comparison.not_listed
    return [
        _new_faults(
            "newly_unanswered",
            gates.newly_unanswered,
            comparison,
            hits=len(cases.newly_unanswered) + hidden.newly_unanswered,
            offenders=_with_problems(facts, cases.newly_unanswered, ("target", "answered")),
        ),
        _new_faults(
            "newly_miscited",
            gates.newly_miscited,
            comparison,
            hits=len(cases.newly_miscited) + hidden.newly_miscited,
            offenders=_with_problems(facts, cases.newly_miscited, ("citation_support",)),
            looked_at=comparison.compared if "citation_support" in facts.gate_counts else 0,
        ),
        _new_faults(
            "new_hallucinations",
            gates.new_hallucinations,
            comparison,
            hits=len(cases.newly_hallucinating) + hidden.newly_hallucinating,
            offenders=_with_false_words(comparison),
        ),
    ]


def _new_faults(
    name: RunGateName,
    rule: CountGate,
    comparison: Comparison,
    *,
    hits: int,
    offenders: Sequence[FailedCase],
    looked_at: int | None = None,
) -> RunGate:
    """A gate on new faults of the cases compared; `looked_at` is how many of them where that is fewer."""
    bar = Bar(operator="<=", amount=Decimal(rule.max), unit="new cases") if rule.max else NO_NEW_CASES
    scored = max(comparison.compared if looked_at is None else looked_at, hits)
    return _at_most(name, rule.level, hits=hits, scored=scored, offenders=offenders, bar=bar)


def _with_problems(facts: Facts, case_ids: Sequence[str], gates: Sequence[GateName]) -> list[FailedCase]:
    """The first cases, each with what the first of these gates to fail found; the id alone of a row not kept."""
    rows = {row.case_id: row for row in facts.listed.failing}
    found = []
    for case_id in case_ids[:NAMED_AT_MOST]:
        outcomes = [rows[case_id].outcomes.get(gate) for gate in gates] if case_id in rows else []
        problem = next((problem_text(each) for each in outcomes if isinstance(each, Failed)), "")
        found.append(FailedCase(case_id=case_id, problem=problem))
    return found


def _with_false_words(comparison: Comparison) -> list[FailedCase]:
    words: dict[str, str] = {}
    for each in comparison.hallucinations:
        if each.move == "new" and each.hallucination.kind != "phrase":
            words.setdefault(each.case_id, cut(each.hallucination.text, PROBLEM_LENGTH))
    named = comparison.newly_hallucinating[:NAMED_AT_MOST]
    return [FailedCase(case_id=case_id, problem=words.get(case_id, "")) for case_id in named]


def newly_missed_gate(comparison: Comparison, rule: CountGate) -> list[RunGate]:
    """Cases that miss a phrase, tool, source or quote which the baseline had; nothing where no case demands any.

    Unmeasured where sources were lost in first answers, and no case could be asked again to tell chance from change.
    """
    if not comparison.with_musts:
        return []
    lost = comparison.lost_sources
    hits = len(comparison.newly_missed) + comparison.not_listed.newly_missed + (lost.counted if lost is not None else 0)
    found = [FailedCase(case_id=each.case_id, problem=each.problem) for each in comparison.newly_missed[:NAMED_AT_MOST]]
    bar = Bar(operator="<=", amount=Decimal(rule.max), unit="new cases") if rule.max else NO_NEW_CASES
    gate = _at_most("newly_missed", rule.level, hits=hits, scored=comparison.with_musts, offenders=found, bar=bar)
    if lost is not None and not lost.asked and gate.status == "passed":
        gate = gate.model_copy(update={"status": "unmeasured", "unmeasured": lost.unasked})
    return [gate]


def _failed(case_ids: Sequence[str]) -> list[FailedCase]:
    return [FailedCase(case_id=case_id) for case_id in case_ids[:NAMED_AT_MOST]]


def _at_most(
    name: RunGateName, level: Level, *, hits: int, scored: int, offenders: Sequence[FailedCase], bar: Bar
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
        offenders=tuple(offenders),
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
    faults = {*facts.protected_faults, *(comparison.faulted if comparison is not None else ())}
    listed = sorted(facts.listed.unmeasured, key=lambda row: row.case_id not in faults)
    offenders: list[Offender] = [*[_why_unmeasured(row) for row in listed[:NAMED_AT_MOST]], *gone]
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
    """The 95th percentile of latency, the app's cost and the judges', each only where the suite sets a bar."""
    gates, amounts = policy.gates, facts.amounts
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
