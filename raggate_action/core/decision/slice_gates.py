"""Slices, each held to its own bar; and gates and slices of a part of the suite, judged over the whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal

from raggate_action.schema.base import meets, rate_of
from raggate_action.schema.counts import SliceResult
from raggate_action.schema.decision import RunGate, RunGateStatus
from raggate_action.schema.later import Before, PartialScope
from raggate_action.schema.outcome import RunGateName
from raggate_action.schema.slices import Slices


def against_bar(passed: int, scored: int, flaky: int, bar: Decimal) -> RunGateStatus:
    """Passed or failed; insufficient where the share is under the bar for the sake of flaky cases alone.

    Flaky cases are on neither side. Two failures in 41 are over 95 %; of the 38 that are left when three others answer
    now this, now that, the same two are under it. An app that has not changed must not be blocked by the draw, and how
    many cases may be flaky has a gate of its own.

    Args:
        passed: Cases that passed.
        scored: Cases that passed or failed, at least one.
        flaky: Cases that failed once and passed when they were asked again.
        bar: The share that has to pass.
    """
    if meets(rate_of(passed, scored), bar):
        return "passed"
    return "insufficient" if flaky and meets(rate_of(passed + flaky, scored + flaky), bar) else "failed"


# How results are listed: what needs work first.
_ORDER: tuple[RunGateStatus, ...] = ("failed", "unmeasured", "insufficient", "passed")


def judge_slices(tallies: Mapping[str, Counter[str]], rules: Slices) -> tuple[SliceResult, ...]:
    """Judge every slice: red ones first, then unmeasured, watched and passed ones; by name within each.

    Unmeasured cases say nothing about a slice.

    Args:
        tallies: Their cases by how they stand, by name.
        rules: `min` is the share of scored cases that must pass, `min_cases` the size from which that is judged;
            protected ones are judged at any size and must pass whole.

    Returns:
        Failed at any size when scored and nothing passed; insufficient, shown as watch, under `min_cases`, where the
        suite asks nothing of slices, and where only flaky cases keep it under the bar; unmeasured when no case was
        scored.
    """
    results, protected_names = [], rules.protected_names
    for name, tally in tallies.items():
        passed, failed, unmeasured, flaky = (tally[each] for each in ("passed", "failed", "unmeasured", "flaky"))
        scored, protected = passed + failed, name in protected_names
        status: RunGateStatus = "insufficient"
        if not scored:
            status = "unmeasured"
        elif not rules.watched_only and (not passed or protected):
            status = "failed" if failed else "passed"
        elif not rules.watched_only and scored >= rules.min_cases:
            status = against_bar(passed, scored, flaky, rules.min)
        results.append(
            SliceResult(
                name=name, passed=passed, scored=scored, unmeasured=unmeasured, protected=protected, status=status
            )
        )
    return tuple(sorted(results, key=lambda result: (_ORDER.index(result.status), result.name)))


def telling_slices(results: tuple[SliceResult, ...], rules: Slices) -> tuple[SliceResult, ...]:
    """The slices that tell more than the whole run does.

    What the suite itself is cut by is kept whole. Of what is only watched, a field with one value alone parts nothing.
    """
    if not rules.watched_only:
        return results
    fields = [result.name.partition("=")[0] for result in results]
    values = Counter(fields)
    return tuple([result for result, field in zip(results, fields, strict=True) if values[field] > 1])


# What a part of the suite cannot tell of the whole.
_AMOUNTS: frozenset[RunGateName] = frozenset({"p95_latency_ms", "cost_usd", "judge_cost_usd"})
# Counted over what ran, whatever the scope; slices are put together one by one.
NOT_CARRIED: frozenset[RunGateName] = _AMOUNTS | {
    "known_bad_blocked",
    "slices",
    "forbidden_phrases",
    "poorer",
}

# They hold each case against the same one on the baseline, so that a part tells as much as the whole: one is enough.
PAIRED: frozenset[RunGateName] = frozenset(
    {
        "newly_inadmissible",
        "newly_unanswered",
        "newly_missed",
        "newly_miscited",
        "new_hallucinations",
        "new_suspects",
        "score_drop",
        "hallucination_rise",
        "judges_lost",
    }
)


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
    from raggate_action.schema.partial_scope import Before

    before = {each.name: each for each in partial.before}
    whole = {gate.gate: gate for gate in partial.gates}
    judged = [_in_part(gate, whole.get(gate.gate), before.get(gate.gate, Before(name=gate.gate))) for gate in ran]
    gated = {gate.gate for gate in ran}
    # A gate that no case run has asked may fail by what is carried.
    return [*judged, *[_carrying(gate, None) for gate in partial.gates if gate.gate not in gated]]


def _in_part(ran: RunGate, whole: RunGate | None, before: Before) -> RunGate:
    if ran.gate in NOT_CARRIED | PAIRED or (ran.measured is not None and ran.measured.faults):
        return ran
    fell = ran.status == "failed"
    if ran.measures("unmeasured") or ran.passed is None:
        fell = fell and ran.unmeasured > before.unmeasured
    else:
        fell = fell and ran.passed < before.passed
    if whole is not None and (whole.status == "failed" or not fell):
        return _carrying(whole, ran)
    if fell:
        return ran.model_copy(update={"passed_before": before.passed} if ran.passed is not None else {})
    return ran.model_copy(update={"status": "insufficient"}) if ran.status == "failed" else ran


def _carrying(whole: RunGate, ran: RunGate | None) -> RunGate:
    """The gate over the whole, with how many of the cases scored are carried."""
    carried = (whole.scored or 0) - (ran.scored or 0 if ran is not None else 0)
    return whole.model_copy(update={"carried": max(carried, 0)})


def slices_in_part(ran: Sequence[SliceResult], partial: PartialScope) -> tuple[SliceResult, ...]:
    """The slices, likewise; in the order of the whole's."""
    before = {each.name: each.passed for each in partial.slices_before}
    parts = {part.name: part for part in ran}
    found = []
    if not partial.gates:
        for part in ran:
            is_as_before = part.status == "failed" and part.passed >= before.get(part.name, 0)
            found.append(part.model_copy(update={"status": "insufficient"}) if is_as_before else part)
        return tuple(found)
    for whole in partial.slices:
        own = parts.get(whole.name)
        fell = own is not None and own.status == "failed" and own.passed < before.get(whole.name, 0)
        if own is not None and fell and whole.status != "failed":
            found.append(own)
        else:
            found.append(whole.model_copy(update={"carried": whole.scored - (own.scored if own else 0)}))
    return tuple(found)
