"""Gates on the run: every bar compared with the counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from raggate_action.core.counting.run_totals import (
    NAMED_AT_MOST,
    Facts,
    first_problem,
    hallucination_problem,
)
from raggate_action.core.decision.slice_gates import against_bar
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.change import Change
from raggate_action.schema.counts import GateCounts, SliceResult
from raggate_action.schema.decision import (
    AdviceCount,
    Bar,
    CaseCount,
    RunGate,
    RunGateStatus,
    SliceCount,
)
from raggate_action.schema.outcome import GATES, GateName, Problem
from raggate_action.schema.policy import CeilingGate, HardGate, LevelGate, PlainGate
from raggate_action.schema.run import Policy
from raggate_action.strings.numbers import counted

# Every case of its kind.
ALL = Bar(operator="==", amount=Decimal(1), unit="share")


def case_gates(facts: Facts, policy: Policy) -> list[RunGate]:
    """Every gate on cases that applies to at least one case and is not off, in order of diagnosis."""
    judged = []
    for name, counts in facts.gate_counts.items():
        rule = policy.gates.of(name)
        if rule.level != "off":
            judged.append(_case_gate(name, rule, counts, facts.offenders[name]))
    return judged


def _case_gate(
    name: GateName, rule: PlainGate | HardGate, counts: GateCounts, offenders: tuple[Change, ...]
) -> RunGate:
    scored = counts.passed + counts.failed
    unmeasured = counts.unmeasured + counts.no_adjudicator
    status: RunGateStatus
    if scored:
        status = against_bar(counts.passed, scored, counts.flaky, rule.min)
    else:
        # Only waived failures were measured: nothing is left to judge.
        status = "unmeasured" if unmeasured else "insufficient"
    advisory = status == "unmeasured" and counts.unmeasured == 0
    return RunGate(
        gate=name,
        # Rules alone cannot judge free text: the report says so, and it blocks nothing.
        level="warn" if advisory else rule.level,
        status=status,
        passed=counts.passed,
        scored=scored,
        unmeasured=unmeasured,
        waived=counts.waived,
        bar=Bar(operator=">=", amount=rule.min, unit="share"),
        measured=_advice(name, counts) if advisory else None,
        offenders=offenders,
        offending=counts.failed if scored else unmeasured,
    )


def _advice(name: GateName, counts: GateCounts) -> AdviceCount | None:
    """What judges say who only advise, where a gate has no others."""
    if not counts.advised:
        return None
    return AdviceCount(
        of="facts" if name == "agreement" else "criteria", good=counts.advised_good, total=counts.advised
    )


def slices_gate(slices: Sequence[SliceResult], policy: Policy) -> list[RunGate]:
    """One row for all slices: how many of those judged are not red. Nothing when the suite asks nothing of slices.

    A protected slice in which nothing could be measured leaves the row unmeasured: it cannot be shown to be whole.
    """
    if not slices or policy.slices.watched_only:
        return []
    red = [part for part in slices if part.status == "failed"]
    judged = len(red) + sum(part.status == "passed" for part in slices)
    unmeasured = [part for part in slices if part.status == "unmeasured"]
    watched = sum(part.status == "insufficient" for part in slices)
    status: RunGateStatus
    if red:
        status = "failed"
    elif any(part.protected for part in unmeasured) or len(unmeasured) == len(slices):
        status = "unmeasured"
    else:
        status = "passed" if judged else "insufficient"
    # Protected slices first, then the worst share, then the larger one.
    red.sort(key=lambda part: (not part.protected, Decimal(part.passed) / part.scored, -part.scored, part.name))
    found = red or unmeasured
    gate = RunGate(
        gate="slices",
        level="block",
        status=status,
        passed=judged - len(red),
        scored=judged,
        unmeasured=len(unmeasured),
        bar=Bar(operator=">=", amount=policy.slices.min, unit="share", each=True),
        measured=SliceCount(red=len(red), slices=len(slices), watched=watched, unmeasured=len(unmeasured)),
        offenders=tuple([Change(case_id="", gate="slices", problem=_below(part)) for part in found[:NAMED_AT_MOST]]),
        offending=len(found),
    )
    return [gate]


def _below(part: SliceResult) -> Problem:
    return Problem(code="slice", detail=f"{part.name}: {counted(part.passed, part.scored)}")


def known_bad_gate(facts: Facts, rule: LevelGate) -> list[RunGate]:
    """Every known-bad case is blocked at the stage it names. Nothing when the suite has no such case.

    One of which only judges could tell, and none that counts was heard, leaves the row unmeasured; where nobody could
    be asked at all, that alone blocks nothing and leaves no decision open.
    """
    counts = facts.counts
    if not counts.known_bad:
        return []
    left = counts.known_bad_unmeasured + counts.known_bad_no_adjudicator
    failed = counts.known_bad - counts.known_bad_blocked - left
    status: RunGateStatus = "failed" if failed else "unmeasured" if left else "passed"
    advisory = status == "unmeasured" and not counts.known_bad_unmeasured and rule.level == "block"
    unblocked = [
        Change(case_id=row.case_id, gate="known_bad_blocked", problem=_not_blocked(row))
        for row in facts.listed.unblocked[:NAMED_AT_MOST]
    ]
    gate = RunGate(
        gate="known_bad_blocked",
        level="warn" if advisory else rule.level,
        status=status,
        passed=counts.known_bad_blocked,
        scored=counts.known_bad - left,
        unmeasured=left,
        bar=ALL,
        offenders=tuple(unblocked or _left_to_judges(facts)),
        offending=failed or left,
    )
    return [gate]


def _not_blocked(row: CaseRun) -> Problem:
    where = f"failed first at {row.first_failed_stage}, not" if row.first_failed_stage else "not blocked, and had to be"
    return Problem(code="not-blocked", detail=f"{where} at {row.blocked_at}")


def _left_to_judges(facts: Facts) -> Iterator[Change]:
    for row in facts.listed.left_to_judges[:NAMED_AT_MOST]:
        open_ones = [
            each
            for gate, each in row.outcomes.items()
            if each.kind == "unmeasured" and GATES[gate].stage == row.blocked_at
        ]
        yield Change(case_id=row.case_id, gate="known_bad_blocked", problem=first_problem(next(iter(open_ones), None)))


def must_release_gate(facts: Facts, rule: LevelGate) -> list[RunGate]:
    """Every must-release case passes; one that could not be measured leaves the row unmeasured.

    Nothing when the suite has no such case. Waived failures and flaky cases leave the counts.
    """
    states = facts.must_release
    if not states:
        return []
    passed, failed, unmeasured = states["passed"], states["failed"], states["unmeasured"]
    status: RunGateStatus = "passed" if passed else "insufficient"
    if failed or unmeasured:
        status = "failed" if failed else "unmeasured"
    gate = RunGate(
        gate="must_release",
        level=rule.level,
        status=status,
        passed=passed,
        scored=passed + failed,
        unmeasured=unmeasured,
        waived=states["waived"],
        bar=ALL,
        offenders=facts.unreleased,
        offending=failed,
    )
    return [gate]


def hallucination_gate(facts: Facts, rule: CeilingGate) -> RunGate:
    """Cases with a hallucination over cases run, against the highest share allowed; compared on counts.

    Insufficient where no answer is known to be right or wrong: that rules find nothing in answers that nobody could
    verify is no measurement of how many are invented.
    """
    counts = facts.counts
    hallucinating, ran = counts.hallucinating, 0 if facts.has_no_answer else facts.ran
    unknown = max(min(counts.passed, counts.answered) - counts.verified - counts.refuted, 0)
    found = [
        Change(case_id=row.case_id, gate="hallucination_rate", problem=hallucination_problem(row.hallucinations[0]))
        for row in facts.listed.hallucinating[:NAMED_AT_MOST]
    ]
    status: RunGateStatus = "unmeasured"
    if ran:
        status = "passed" if hallucinating <= rule.max * ran else "failed"
        if status == "passed" and unknown and not (counts.verified or hallucinating or counts.forbidding):
            status = "insufficient"
    return RunGate(
        gate="hallucination_rate",
        level=rule.level,
        status=status,
        passed=ran - hallucinating,
        scored=ran,
        unmeasured=unknown,
        bar=Bar(operator="<=", amount=rule.max, unit="share"),
        measured=CaseCount(hits=hallucinating, looked_at=ran) if ran else None,
        offenders=tuple(found),
        offending=hallucinating,
    )
