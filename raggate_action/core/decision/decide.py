"""May this ship? Every gate on the run, what is decided, and the reasons as data; their wording is the reports'."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from raggate_action.core.counting.run_totals import NAMED_AT_MOST, Facts
from raggate_action.core.decision import baseline_gates, run_gates
from raggate_action.core.decision.poorer_gate import alone_gate, poorer_gate
from raggate_action.core.decision.slice_gates import (
    amounts_warn,
    gates_in_part,
    judge_slices,
    slices_in_part,
    telling_slices,
)
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.counts import SliceResult
from raggate_action.schema.decision import Cause, Decision, DecisionKind, Reason, RunGate
from raggate_action.schema.later import Comparison, Waiver
from raggate_action.schema.outcome import Failed, RunGateName, Unmeasured
from raggate_action.schema.run import Policy

# What can hurt people or trust comes before what can be tuned; everything else follows in the order of the gates.
_FIRST_REASONS: tuple[RunGateName, ...] = (
    "known_bad_blocked",
    "newly_inadmissible",
    "admissibility",
    "forbidden_phrases",
    "newly_unanswered",
    "newly_missed",
    "new_hallucinations",
    "newly_miscited",
    "must_release",
)
_BUDGET: RunGateName = "unmeasured"
_FIRST_OPEN: frozenset[RunGateName] = frozenset({"judges_lost"})
# What names one request among many; a status of three digits does not.
_VARYING = re.compile(r"\b[0-9a-f-]*\d[0-9a-f-]{3,}\b|\d{4,}")


class Decided(NamedTuple):
    """What follows from the facts.

    Attributes:
        gates: Gates on the run, those on cases first and in order of diagnosis.
        slices: Every slice worth showing, red ones first.
        decision: What is decided, and why.
        notes: What the suite itself leaves open, one sentence each.
    """

    gates: tuple[RunGate, ...]
    slices: tuple[SliceResult, ...]
    decision: Decision
    notes: tuple[str, ...]


def decide(
    facts: Facts,
    *,
    policy: Policy,
    comparison: Comparison | None,
) -> Decided:
    """Take the decision.

    Args:
        facts: The run, counted.
        policy: What it is judged by.
        comparison: Against a baseline; without one every must_not_contain hit counts as new.

    Returns:
        `block` when a block-level gate failed, other than the budget of unmeasured cases; else `inconclusive` when
        the budget is exceeded, a block-level gate could not be measured, or nothing was in scope; else `release`.
        A target that answered no case at all makes the run inconclusive before anything else is looked at, with
        that one reason uncut; without answers no slice is red and no gate has passed. So does an evidence store that
        has no id of any trace.
    """
    slices = slices_of(facts, policy)
    partial = comparison.partial if comparison is not None else None
    if partial is not None:
        slices = slices_in_part(slices, partial)
    judged = judged_gates(facts, policy, comparison, slices)
    if partial is not None:
        judged = gates_in_part(judged, partial)
    if facts.is_partial:
        judged = amounts_warn(judged)
    if (weakened := baseline_gates.policy_gate(judged, comparison)) is not None:
        judged.append(weakened)
    judged = [gate for gate in judged if gate.level != "off"]
    kind, reasons = _decided(facts, judged)
    # Whoever started the run decides, else the suite; that it only advises holds from the next baseline on.
    changes = comparison.policy if comparison is not None else None
    still = changes is not None and changes.still_enforced and changes.level == "block"
    enforced = policy.overruled if policy.overruled is not None else policy.enforce or still
    decision = Decision(kind=kind, reasons=reasons, enforced=enforced)
    return Decided(tuple(judged), telling_slices(slices, policy.slices), decision, _notes(facts))


def slices_of(facts: Facts, policy: Policy) -> tuple[SliceResult, ...]:
    """Every slice of the rows counted, red ones first."""
    tallies = facts.slices
    if facts.has_no_answer:
        tallies = {
            name: Counter(passed=each["passed"], unmeasured=each["failed"] + each["unmeasured"], flaky=each["flaky"])
            for name, each in tallies.items()
        }
    return judge_slices(tallies, policy.slices)


def judged_gates(
    facts: Facts, policy: Policy, comparison: Comparison | None, slices: tuple[SliceResult, ...]
) -> list[RunGate]:
    """Every gate over the rows counted.

    Of a part of the suite it is asked of other rows as well: of those run together with those carried, and of the same
    cases on the baseline. So a gate that counts cases carries without more.
    """
    gates = policy.gates
    judged: list[RunGate | None] = [
        *run_gates.case_gates(facts, policy),
        run_gates.slices_gate(slices, policy),
        run_gates.known_bad_gate(facts, gates.known_bad_blocked),
        run_gates.must_release_gate(facts, gates.must_release),
        baseline_gates.forbidden_phrases_gate(facts, gates.forbidden_phrases, comparison),
        run_gates.hallucination_gate(facts, gates.hallucination_rate),
    ]
    if comparison is not None:
        judged += baseline_gates.new_fault_gates(facts, policy, comparison)
        judged += baseline_gates.shift_gates(policy, comparison)
        judged += baseline_gates.judges_lost_gate(comparison), poorer_gate(comparison, gates.poorer)
    else:
        judged.append(alone_gate(facts, gates.poorer))
    judged.append(run_gates.unmeasured_gate(facts, policy, comparison))
    if comparison is not None:
        judged.append(baseline_gates.new_suspects_gate(gates.new_suspects, comparison))
    judged += run_gates.amount_gates(facts, policy)
    judged.append(run_gates.flaky_gate(facts, gates.flaky))
    if gates.verified is not None:
        judged.append(run_gates.verified_gate(facts, gates.verified))
    return [gate for gate in judged if gate is not None]


def _decided(facts: Facts, judged: Sequence[RunGate]) -> tuple[DecisionKind, tuple[Reason, ...]]:
    if facts.app_is_silent:
        return "inconclusive", (_nothing_answered(facts),)
    if facts.strange_ids is not None:
        return "inconclusive", (facts.strange_ids,)
    expired: tuple[Cause, ...] = ()
    if waivers := facts.listed.expired:
        expired = (Cause(kind="waivers-expired", waivers=waivers[:NAMED_AT_MOST], expired=len(waivers)),)
    blocking = [gate for gate in judged if gate.level == "block"]
    ranks = {name: rank for rank, name in enumerate(_FIRST_REASONS)}
    failed = [gate for gate in blocking if gate.status == "failed"]
    failed.sort(key=lambda gate: ranks.get(gate.gate, len(ranks)))
    unmeasured = [gate for gate in blocking if gate.status == "unmeasured"]
    # Somebody has to look at an answer. Without the judges everything below may be open for their sake.
    first = [gate for gate in unmeasured if gate.gate in _FIRST_OPEN]
    left = [
        gate for gate in (*failed, *unmeasured) if gate.gate == _BUDGET or (gate in unmeasured and gate not in first)
    ]
    open_questions: list[Reason] = [gate.gate for gate in (*first, *left)]
    if not facts.counts.cases:
        open_questions = ["nothing-in-scope"]
    blocks = [gate.gate for gate in failed if gate.gate != _BUDGET]
    if blocks:
        return "block", (*expired, *blocks, *open_questions)
    if open_questions:
        return "inconclusive", (*expired, *open_questions)
    return "release", ("released", *expired)


def _nothing_answered(facts: Facts) -> Cause:
    """Why there was no answer, uncut: it is all there is to act on."""
    found = [(row.case_id, _why_no_answer(row)) for row in (*facts.listed.failing, *facts.listed.unmeasured)]
    # The most frequent symptom tells most of an outage; numbers of requests and moments differ from case to case.
    symptoms = Counter(_VARYING.sub("#", cause) for _case_id, cause in found if cause)
    if not symptoms:
        return Cause(kind="nothing-answered", asked=facts.asked_of_target)
    most = symptoms.most_common(1)[0][0]
    case_id, cause = next(each for each in found if _VARYING.sub("#", each[1]) == most)
    differ = len({cause for _case_id, cause in found if cause}) > 1
    return Cause(kind="nothing-answered", asked=facts.asked_of_target, cause=cause, case_id=case_id if differ else None)


def _why_no_answer(row: CaseRun) -> str:
    outcome = row.outcomes.get("target")
    if isinstance(outcome, Failed):
        return outcome.problems[0].detail or outcome.problems[0].code
    return outcome.detail or outcome.reason if isinstance(outcome, Unmeasured) else ""


def _named(waivers: tuple[Waiver, ...]) -> str:
    listed = [f"{w} ({w.expires.isoformat()}, {w.owner})" for w in waivers[:NAMED_AT_MOST]]
    more = len(waivers) - len(listed)
    return "; ".join(listed) + (f"; and {more} more" if more else "")


def _notes(facts: Facts) -> tuple[str, ...]:
    notes = []
    if idle := facts.idle_waivers:
        subject = "A waiver has" if len(idle) == 1 else f"{len(idle)} waivers have"
        notes.append(f"{subject} expired, and nothing that was waived fails here: {_named(idle)}.")
    if mended := facts.mended_waivers:
        subject = "A waiver covers" if len(mended) == 1 else f"{len(mended)} waivers cover"
        notes.append(f"{subject} what does not fail any more and can be taken out: {_named(mended)}.")
    # While the app cannot be asked, advice on what the suite leaves open would only distract.
    silent = facts.app_is_silent
    if not (facts.counts.known_bad or facts.counts.known_bad_to_renew or silent):
        notes.append("The suite has no known-bad case: nothing shows that these gates can block.")
    return tuple(notes)
