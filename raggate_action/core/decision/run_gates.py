"""Gates on the run by its own counts: every bar compared with them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Literal

from raggate_action.core.counting.case_state import suspects_in
from raggate_action.core.counting.run_totals import (
    NAMED_AT_MOST,
    Facts,
    first_problem,
    hallucination_problem,
    shortened,
)
from raggate_action.core.counting.waivers import Waivers
from raggate_action.core.decision.slice_gates import against_bar
from raggate_action.schema.base import Rate, meets
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.change import Change
from raggate_action.schema.counts import SliceResult
from raggate_action.schema.decision import Bar, Measured, RunGate, RunGateStatus, Unit
from raggate_action.schema.later import Comparison
from raggate_action.schema.outcome import GATES, Failed, Level, Problem, RunGateName, Unmeasured
from raggate_action.schema.policy import REMOVED, AmountGate, CeilingGate, LevelGate, PlainGate
from raggate_action.schema.run import Policy
from raggate_action.strings.numbers import counted

# Every case of its kind.
ALL = Bar(operator="==", amount=Decimal(1), unit="share")
NO_CASES = Bar(operator="==", amount=Decimal(0), unit="cases")
# An app of which every answer goes wrong one time in twenty has three flaky cases in one of 28 runs of fifteen cases.
_FEWEST, _FEWEST_FROM_FIFTEEN = 2, 3
_FIFTEEN = 15


def at_most(
    name: RunGateName, level: Level, *, hits: int, scored: int, offenders: Sequence[Change], bar: Bar, waived: int = 0
) -> RunGate:
    """A gate on a count of cases, which more than its bar allows fail; insufficient where there was none to count."""
    allowed = bar.amount if bar.allowed is None else bar.allowed
    return RunGate(
        gate=name,
        level=level,
        status="failed" if hits > allowed else "passed" if scored else "insufficient",
        passed=max(scored - hits, 0),
        scored=scored,
        waived=waived,
        bar=bar,
        measured=Measured(kind="cases", hits=hits, looked_at=scored),
        offenders=tuple(offenders[:NAMED_AT_MOST]),
        offending=hits,
    )


def _status(failed: int, *, is_open: bool, scored: int) -> RunGateStatus:
    """How a gate stands that one failure fails."""
    if failed:
        return "failed"
    return "unmeasured" if is_open else "passed" if scored else "insufficient"


def _named(gate: RunGateName, rows: Sequence[CaseRun], find: Callable[[CaseRun], Problem | None]) -> list[Change]:
    return [Change(case_id=row.case_id, gate=gate, problem=find(row)) for row in rows[:NAMED_AT_MOST]]


def case_gates(facts: Facts, policy: Policy) -> list[RunGate]:
    """Every gate on cases that applies to at least one case and is not off, in order of diagnosis."""
    judged = []
    for name, counts in facts.gate_counts.items():
        rule = policy.gates.of(name)
        if rule.level == "off":
            continue
        scored = counts.passed + counts.failed
        unmeasured = counts.unmeasured + counts.no_adjudicator
        # Where only waived failures were measured, nothing is left to judge.
        status: RunGateStatus = "unmeasured" if unmeasured else "insufficient"
        if scored:
            status = against_bar(counts.passed, scored, counts.flaky, rule.min)
        # Rules alone cannot judge free text: the report says so, and it blocks nothing.
        advisory = status == "unmeasured" and counts.unmeasured == 0
        advice = None
        if advisory and counts.advised:
            of: Literal["facts", "criteria"] = "facts" if name == "agreement" else "criteria"
            advice = Measured(kind="advice", of=of, good=counts.advised_good, total=counts.advised)
        gate = RunGate(
            gate=name,
            level="warn" if advisory else rule.level,
            status=status,
            passed=counts.passed,
            scored=scored,
            unmeasured=unmeasured,
            waived=counts.waived,
            bar=Bar(operator=">=", amount=rule.min, unit="share"),
            measured=advice,
            offenders=facts.offenders[name],
            offending=counts.failed if scored else unmeasured,
        )
        judged.append(gate)
    return judged


def slices_gate(slices: Sequence[SliceResult], policy: Policy) -> RunGate | None:
    """One row for all slices: how many of those judged are not red. None when the suite asks nothing of slices.

    A protected slice in which nothing could be measured leaves the row unmeasured: it cannot be shown to be whole.
    """
    if not slices or policy.slices.watched_only:
        return None
    red = [part for part in slices if part.status == "failed"]
    judged = len(red) + sum(part.status == "passed" for part in slices)
    unmeasured = [part for part in slices if part.status == "unmeasured"]
    watched = sum(part.status == "insufficient" for part in slices)
    is_open = any(part.protected for part in unmeasured) or len(unmeasured) == len(slices)
    # Protected slices first, then the worst share, then the larger one.
    red.sort(key=lambda part: (not part.protected, Decimal(part.passed) / part.scored, -part.scored, part.name))
    found = red or unmeasured
    offenders = []
    for part in found[:NAMED_AT_MOST]:
        below = Problem(code="slice", detail=f"{part.name}: {counted(part.passed, part.scored)}")
        offenders.append(Change(case_id="", gate="slices", problem=below))
    return RunGate(
        gate="slices",
        level="block",
        status=_status(len(red), is_open=is_open, scored=judged),
        passed=judged - len(red),
        scored=judged,
        unmeasured=len(unmeasured),
        bar=Bar(operator=">=", amount=policy.slices.min, unit="share", each=True),
        measured=Measured(kind="slices", red=len(red), slices=len(slices), watched=watched, unmeasured=len(unmeasured)),
        offenders=tuple(offenders),
        offending=len(found),
    )


def known_bad_gate(facts: Facts, rule: LevelGate) -> RunGate | None:
    """Every known-bad case is blocked at the stage it names. None when the suite has no such case.

    One of which only judges could tell, and none that counts was heard, leaves the row unmeasured; where nobody could
    be asked at all, that alone blocks nothing and leaves no decision open.
    """
    counts = facts.counts
    if not counts.known_bad:
        return None
    left = counts.known_bad_unmeasured + counts.known_bad_no_adjudicator
    scored = counts.known_bad - left
    failed = scored - counts.known_bad_blocked
    status = _status(failed, is_open=bool(left), scored=scored)
    advisory = status == "unmeasured" and not counts.known_bad_unmeasured and rule.level == "block"

    def not_blocked(row: CaseRun) -> Problem:
        return Problem(code="not-blocked", detail=row.blocked_at or "")

    def left_open(row: CaseRun) -> Problem | None:
        found = [each for gate, each in row.outcomes.items() if GATES[gate] == row.blocked_at]
        return first_problem(next((each for each in found if each.kind == "unmeasured"), None))

    unblocked = _named("known_bad_blocked", facts.listed.unblocked, not_blocked)
    return RunGate(
        gate="known_bad_blocked",
        level="warn" if advisory else rule.level,
        status=status,
        passed=counts.known_bad_blocked,
        scored=scored,
        unmeasured=left,
        bar=ALL,
        offenders=tuple(unblocked or _named("known_bad_blocked", facts.listed.left_to_judges, left_open)),
        offending=failed or left,
    )


def must_release_gate(facts: Facts, rule: LevelGate) -> RunGate | None:
    """Every must-release case passes; one that could not be measured leaves the row unmeasured.

    None when the suite has no such case. Waived failures and flaky cases leave the counts.
    """
    states = facts.must_release
    if not states:
        return None
    passed, failed, unmeasured = states["passed"], states["failed"], states["unmeasured"]
    return RunGate(
        gate="must_release",
        level=rule.level,
        status=_status(failed, is_open=bool(unmeasured), scored=passed),
        passed=passed,
        scored=passed + failed,
        unmeasured=unmeasured,
        waived=states["waived"],
        bar=ALL,
        offenders=facts.unreleased,
        offending=failed,
    )


def hallucination_gate(facts: Facts, rule: CeilingGate) -> RunGate:
    """Cases with a hallucination over cases run, against the highest share allowed; compared on counts.

    Insufficient where no answer is known to be right or wrong: that rules find nothing in answers that nobody could
    verify is no measurement of how many are invented.
    """
    counts = facts.counts
    hallucinating, ran = counts.hallucinating, 0 if facts.has_no_answer else facts.ran
    unknown = max(min(counts.passed, counts.answered) - counts.verified - counts.refuted, 0)
    status: RunGateStatus = "unmeasured"
    if ran:
        status = "passed" if hallucinating <= rule.max * ran else "failed"
        if status == "passed" and unknown and not (counts.verified or hallucinating or counts.forbidding):
            status = "insufficient"
    name: RunGateName = "hallucination_rate"
    found = _named(name, facts.listed.hallucinating, lambda row: hallucination_problem(row.hallucinations[0]))
    return RunGate(
        gate=name,
        level=rule.level,
        status=status,
        passed=ran - hallucinating,
        scored=ran,
        unmeasured=unknown,
        bar=Bar(operator="<=", amount=rule.max, unit="share"),
        measured=Measured(kind="cases", hits=hallucinating, looked_at=ran) if ran else None,
        offenders=tuple(found),
        offending=hallucinating,
    )


def unmeasured_gate(facts: Facts, policy: Policy, comparison: Comparison | None) -> RunGate:
    """The budget of cases that may go unmeasured: max(1, floor(max * cases)), so that one always may.

    A case removed from the suite counts as unmeasured, unless a waiver `{case, gate: removed}` excuses it. A case that
    only lacks a judge (`no-adjudicator`) does not count. A case at which raggate itself failed is no part of the budget
    where the baseline measured it or its slice is protected: whatever the level, a crash is no way past the gate.
    """
    rule = policy.gates.unmeasured
    cases, unmeasured = facts.counts.cases, facts.counts.unmeasured
    allowed = max(1, int(rule.max * cases))
    removed, gone, faults = 0, list[str](), set(facts.protected_faults)
    if comparison is not None:
        excused = Waivers(policy, decided_on=facts.decided_on).removed
        gone = [case_id for case_id in comparison.removed.named if case_id not in excused]
        removed = len(gone) + comparison.removed.cases - len(comparison.removed.named)
        faults.update([each.case_id for each in comparison.found("unmeasured")])

    def why(row: CaseRun) -> Problem | None:
        open_ones = (each for each in row.outcomes.values() if isinstance(each, Unmeasured))
        return first_problem(next((each for each in open_ones if each.reason != "no-adjudicator"), None))

    offenders = _named("unmeasured", sorted(facts.listed.unmeasured, key=lambda row: row.case_id not in faults), why)
    was_removed = Problem(code=REMOVED, detail="")
    offenders += [Change(case_id=case_id, gate="unmeasured", problem=was_removed) for case_id in gone[:NAMED_AT_MOST]]
    return RunGate(
        gate="unmeasured",
        level="block" if faults else rule.level,
        status="failed" if faults or unmeasured + removed > allowed else "passed",
        unmeasured=unmeasured,
        bar=Bar(operator="<=", amount=rule.max, unit="share", allowed=allowed),
        measured=Measured(kind="unmeasured", unmeasured=unmeasured, cases=cases, removed=removed, faults=len(faults)),
        offenders=tuple(offenders[:NAMED_AT_MOST]),
        offending=unmeasured + removed,
    )


def amount_gates(facts: Facts, policy: Policy) -> list[RunGate]:
    """The 95th percentile of latency, the app's cost and the judges', each only where the suite sets a bar.

    What the judges cost is unmeasured where the price of one is unknown, unless the others cost too much already.
    """
    gates, summary, judging = policy.gates, facts.summary, facts.judging
    rule = gates.judge_cost_usd
    paid = judging.cost_usd if judging is not None else 0.0
    is_known = judging is None or not judging.unpriced or (rule is not None and paid > rule.max)
    amounts: tuple[tuple[RunGateName, AmountGate | None, float | None, Unit], ...] = (
        ("p95_latency_ms", gates.p95_latency_ms, summary.p95_latency_ms, "ms"),
        ("cost_usd", gates.cost_usd, summary.cost_usd, "usd"),
        ("judge_cost_usd", rule, paid if is_known else None, "usd"),
    )
    judged = []
    for name, rule, amount, unit in amounts:
        if rule is None or rule.level == "off":
            continue
        bar = Bar(operator="<=", amount=Decimal(str(rule.max)), unit=unit)
        gate = RunGate(gate=name, level=rule.level, status="unmeasured", bar=bar)
        if amount is not None:
            status = "passed" if amount <= rule.max else "failed"
            gate = gate.model_copy(update={"status": status, "measured": Measured(kind="amount", amount=amount)})
        judged.append(gate)
    return judged


def flaky_gate(facts: Facts, rule: CeilingGate) -> RunGate | None:
    """Flaky cases: max(2, floor(max * cases)) may be, from 15 cases at least three.

    None where no case was asked again: nothing is known of how steady the app is.
    """
    cases = facts.counts.cases
    if not facts.counts.asked_again:
        return None

    def first_fault(row: CaseRun) -> Problem | None:
        """The first fault of the first other answer: its first failed gate's, else its first suspect claim."""
        ask = row.asks[0]
        failed = next((each for each in ask.outcomes.values() if isinstance(each, Failed)), None)
        if failed is not None:
            return first_problem(failed)
        suspects = (finding for _claim, finding in suspects_in(ask.claims))
        return next((shortened(Problem(code=each.kind, detail=each.reason)) for each in suspects), None)

    allowed = max(_FEWEST if cases < _FIFTEEN else _FEWEST_FROM_FIFTEEN, int(rule.max * cases))
    bar = Bar(operator="<=", amount=rule.max, unit="share", allowed=allowed)
    found = _named("flaky", facts.listed.flaky, first_fault)
    return at_most("flaky", rule.level, hits=facts.counts.flaky, scored=cases, offenders=found, bar=bar)


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
