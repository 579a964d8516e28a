"""Gates and slices of a part of the suite: judged over the whole, as far as the baseline tells of the rest.

A bar fails if the whole is below it: rows run, and the baseline's outcomes for cases that were not. Or if the rows run
are below it and fewer of them pass than of the same cases on the baseline. A bar that neither fails nor can be held
against the whole is on watch.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from raggate_action.schema.counts import SliceResult
from raggate_action.schema.decision import RunGate
from raggate_action.schema.measured import UnmeasuredCount
from raggate_action.schema.outcome import RunGateName
from raggate_action.schema.partial_scope import Before, PartialScope

# What a part of the suite cannot tell of the whole.
_AMOUNTS: frozenset[RunGateName] = frozenset({"p95_latency_ms", "cost_usd", "judge_cost_usd"})
# Counted over what ran, whatever the scope; slices are put together one by one.
NOT_CARRIED: frozenset[RunGateName] = _AMOUNTS | {"known_bad_blocked", "self_test", "slices", "forbidden_phrases"}


def amounts_warn(judged: Iterable[RunGate]) -> list[RunGate]:
    """The gates, those on latency and cost at most warning."""
    return [
        gate.model_copy(update={"level": "warn"}) if gate.gate in _AMOUNTS and gate.level == "block" else gate
        for gate in judged
    ]


def gates_in_part(ran: Sequence[RunGate], partial: PartialScope) -> list[RunGate]:
    """The gates on the run, of rows run and outcomes carried.

    Args:
        ran: The gates over the rows run alone.
        partial: What else is known.
    """
    before = {each.name: each for each in partial.before}
    whole = {gate.gate: gate for gate in partial.gates}
    judged = [_in_part(gate, whole.get(gate.gate), before.get(gate.gate, Before(name=gate.gate))) for gate in ran]
    asked = {gate.gate for gate in ran}
    # A gate that no case run has asked may fail by what is carried.
    return [*judged, *[_carrying(gate, None) for gate in partial.gates if gate.gate not in asked]]


def _in_part(ran: RunGate, whole: RunGate | None, before: Before) -> RunGate:
    if ran.gate in NOT_CARRIED or (isinstance(ran.measured, UnmeasuredCount) and ran.measured.faults):
        return ran
    fell = ran.status == "failed" and _is_worse(ran, before)
    if whole is not None and (whole.status == "failed" or not fell):
        return _carrying(whole, ran)
    if fell:
        return ran.model_copy(update={"passed_before": before.passed} if ran.passed is not None else {})
    return ran.model_copy(update={"status": "insufficient"}) if ran.status == "failed" else ran


def _is_worse(ran: RunGate, before: Before) -> bool:
    if isinstance(ran.measured, UnmeasuredCount) or ran.passed is None:
        return ran.unmeasured > before.unmeasured
    return ran.passed < before.passed


def _carrying(whole: RunGate, ran: RunGate | None) -> RunGate:
    """The gate over the whole, with how many of the cases scored are carried."""
    carried = (whole.scored or 0) - (ran.scored or 0 if ran is not None else 0)
    return whole.model_copy(update={"carried": max(carried, 0)})


def slices_in_part(ran: Sequence[SliceResult], partial: PartialScope) -> tuple[SliceResult, ...]:
    """The slices, likewise; in the order of the whole's."""
    before = {each.name: each.passed for each in partial.slices_before}
    parts = {part.name: part for part in ran}
    if partial.because is not None:
        return tuple([_slice_alone(part, before.get(part.name, 0)) for part in ran])
    found = []
    for whole in partial.slices:
        part = parts.get(whole.name)
        fell = part is not None and part.status == "failed" and part.passed < before.get(whole.name, 0)
        if part is not None and fell and whole.status != "failed":
            found.append(part)
        else:
            found.append(whole.model_copy(update={"carried": whole.scored - (part.scored if part else 0)}))
    return tuple(found)


def _slice_alone(part: SliceResult, before: int) -> SliceResult:
    if part.status != "failed" or part.passed < before:
        return part
    return part.model_copy(update={"status": "insufficient"})
