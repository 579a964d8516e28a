"""Gates on the run: every bar held against what was counted."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from raggate_action.core.counting.facts import NAMED_AT_MOST, PROBLEM_LENGTH, Facts, GateOffenders, Offender
from raggate_action.numbers import counted, percent_down, percent_up, share
from raggate_action.schema.base import Rate, meets
from raggate_action.schema.outcome import GateName
from raggate_action.schema.policy import CeilingGate, HardGate, LevelGate, PlainGate
from raggate_action.schema.run import GateCounts, Policy, RunGate, RunGateStatus, SliceResult
from raggate_action.visible_text import cut

NO_OFFENDERS = GateOffenders((), ())


class Judged(NamedTuple):
    """A gate on the run with the first offender, for the one line that gives the reason.

    Attributes:
        gate: What is stored and shown.
        first: The first offender; empty when there is none.
    """

    gate: RunGate
    first: str = ""


def named(offenders: Sequence[object], among: int) -> str:
    """The first offenders in a line: `Q1: ...; Q2: ...; and 3 more`; empty without any."""
    shown = [str(offender) for offender in offenders[:NAMED_AT_MOST]]
    more = among - len(shown)
    return "; ".join([*shown, f"and {more} more"] if shown and more > 0 else shown)


def first_of(offenders: Sequence[object]) -> str:
    """The first offender; empty without any."""
    return str(offenders[0]) if offenders else ""


def case_gates(facts: Facts, policy: Policy) -> list[Judged]:
    """Every gate on cases that was asked of at least one case and is not off, in order of diagnosis."""
    judged = []
    for name, counts in facts.gate_counts.items():
        rule = policy.gates.of(name)
        if rule.level != "off":
            judged.append(_case_gate(name, rule, counts, facts.offenders.get(name, NO_OFFENDERS)))
    return judged


def _case_gate(name: GateName, rule: PlainGate | HardGate, counts: GateCounts, offenders: GateOffenders) -> Judged:
    scored = counts.passed + counts.failed
    unmeasured = counts.unmeasured + counts.no_adjudicator
    status: RunGateStatus
    if scored:
        status = "passed" if meets(Rate(hits=counts.passed, total=scored), rule.min) else "failed"
    else:
        # Nothing but waived failures was measured, and leaves nothing to judge.
        status = "unmeasured" if unmeasured else "insufficient"
    advisory = status == "unmeasured" and counts.unmeasured == 0
    found, among = (offenders.failed, counts.failed) if scored else (offenders.unmeasured, unmeasured)
    gate = RunGate(
        gate=name,
        # Rules alone cannot judge free text: that is said, and stops nobody.
        level="warn" if advisory else rule.level,
        status=status,
        passed=counts.passed,
        scored=scored,
        unmeasured=unmeasured,
        waived=counts.waived,
        bar=f">= {share(rule.min)}",
        detail=named(found, among),
    )
    return Judged(gate, first_of(found))


def slices_gate(slices: Sequence[SliceResult], policy: Policy) -> list[Judged]:
    """One row for all slices: how many of those judged are not red. Nothing when the suite has no slices.

    A protected slice in which nothing could be measured leaves the row unmeasured: it cannot be shown to be whole.
    """
    if not slices:
        return []
    red = [part for part in slices if part.status == "failed"]
    judged = len(red) + sum(part.status == "passed" for part in slices)
    unmeasured = [part for part in slices if part.status == "unmeasured"]
    watched = sum(part.status == "insufficient" for part in slices)
    beside = [f"{watched} on watch"] if watched else []
    beside += [f"{len(unmeasured)} not measured"] if unmeasured else []
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
    offenders = [Offender(part.name, counted(part.passed, part.scored)) for part in found]
    gate = RunGate(
        gate="slices",
        level="block",
        status=status,
        passed=judged - len(red),
        scored=judged,
        unmeasured=len(unmeasured),
        bar=f"each >= {share(policy.slices.min)}",
        value=", ".join([f"{len(red)} of {len(slices)} red", *beside]),
        detail=named(offenders, len(offenders)),
    )
    return [Judged(gate, first_of(offenders))]


def known_bad_gate(facts: Facts, rule: LevelGate) -> list[Judged]:
    """Every known-bad case is blocked at the stage it names. Nothing when the suite has no such case."""
    counts = facts.counts
    if not counts.known_bad:
        return []
    unblocked = [
        Offender(row.case_id, f"failed first at {row.first_failed_stage or 'no stage'}, not at {row.blocked_at}")
        for row in facts.listed.unblocked[:NAMED_AT_MOST]
    ]
    gate = RunGate(
        gate="known_bad_blocked",
        level=rule.level,
        status="passed" if counts.known_bad_blocked == counts.known_bad else "failed",
        passed=counts.known_bad_blocked,
        scored=counts.known_bad,
        bar="100 %",
        detail=named(unblocked, counts.known_bad - counts.known_bad_blocked),
    )
    return [Judged(gate, first_of(unblocked))]


def must_release_gate(facts: Facts, rule: LevelGate) -> list[Judged]:
    """Every must-release case passes; one that could not be measured leaves the row unmeasured.

    Nothing when the suite has no such case. Waived failures leave the counts.
    """
    counts, beside = facts.counts, facts.must_release
    if not counts.must_release:
        return []
    scored = counts.must_release - beside.waived - beside.unmeasured
    failed = scored - counts.must_release_passed
    status: RunGateStatus
    if failed:
        status = "failed"
    elif beside.unmeasured:
        status = "unmeasured"
    else:
        status = "passed" if scored else "insufficient"
    gate = RunGate(
        gate="must_release",
        level=rule.level,
        status=status,
        passed=counts.must_release_passed,
        scored=scored,
        unmeasured=beside.unmeasured,
        waived=beside.waived,
        bar="100 %",
        detail=named(beside.failed, failed),
    )
    return [Judged(gate, first_of(beside.failed))]


def hallucination_gate(facts: Facts, rule: CeilingGate) -> Judged:
    """Cases with a hallucination over cases run, against the highest share allowed; compared on counts (rules 7)."""
    hallucinating, ran = facts.counts.hallucinating, 0 if facts.nothing_was_said else facts.ran
    found = [
        Offender(row.case_id, cut(row.hallucinations[0].text, PROBLEM_LENGTH))
        for row in facts.listed.hallucinating[:NAMED_AT_MOST]
    ]
    status: RunGateStatus = "unmeasured"
    if ran:
        status = "passed" if hallucinating <= rule.max * ran else "failed"
    gate = RunGate(
        gate="hallucination_rate",
        level=rule.level,
        status=status,
        passed=ran - hallucinating,
        scored=ran,
        bar=f"<= {share(rule.max)}",
        value=f"{percent_up(hallucinating, ran)} ({hallucinating} of {ran} cases)" if ran else None,
        detail=named(found, hallucinating),
    )
    return Judged(gate, first_of(found))


# Bars that are no amount, in a sentence.
_NONE_ALLOWED = {"none": "none are allowed", "none new": "no new ones are allowed"}


def reason_of(judged: Judged) -> str:
    """One sentence: the gate, its counts or amount, its bar, the first offender."""
    gate = judged.gate
    first = f"; first: {judged.first}" if judged.first else ""
    if gate.status == "unmeasured":
        return f"{gate.gate} could not be measured{first}"
    if gate.value is not None:
        return f"{gate.gate} failed: {gate.value}, {_NONE_ALLOWED.get(gate.bar, f'the bar is {gate.bar}')}{first}"
    passed, scored = gate.passed or 0, gate.scored or 0
    rate = f" ({percent_down(passed, scored)})" if scored else ""
    return f"{gate.gate} failed: {passed} of {scored} passed{rate}, the bar is {gate.bar}{first}"
