"""The baseline's rows once more, beside a finished count: for the cases that both runs ran, and those to be carried."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from datetime import date
from typing import NamedTuple

from raggate_action.core.counting.run_totals import Facts
from raggate_action.core.counting.tally import Tally
from raggate_action.core.decision.decide import judged_gates, slices_of
from raggate_action.core.decision.slice_gates import NOT_CARRIED
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.comparison import BaselineAmounts, Comparison, GateDelta
from raggate_action.schema.counts import SliceResult
from raggate_action.schema.decision import RunGate
from raggate_action.schema.partial_scope import Before, PartialScope
from raggate_action.schema.run import Policy, SuiteCase


class Counted(NamedTuple):
    """A finished count of a head's rows.

    Attributes:
        policy: What the run is judged by.
        decided_on: The day that decides which waivers hold.
        tally: Its rows; those carried are added to it.
        facts: What was counted before.
        apart: Its rows that the baseline has no unchanged counterpart of.
        comparison: What moved.
        is_part: They are a part of the suite, and the suite is to be decided on.
    """

    policy: Policy
    decided_on: date
    tally: Tally
    facts: Facts
    apart: Facts
    comparison: Comparison
    is_part: bool


class _Judged(NamedTuple):
    """Gates and slices over some rows, by name."""

    gates: Mapping[str, RunGate]
    slices: Mapping[str, SliceResult]

    @classmethod
    def over(cls, facts: Facts, policy: Policy, comparison: Comparison | None = None) -> _Judged:
        slices = slices_of(facts, policy)
        judged = judged_gates(facts, policy, comparison, slices)
        return cls({gate.gate: gate for gate in judged}, {part.name: part for part in slices})


def held_against_the_rest(
    counted: Counted,
    rows: Iterable[CaseRun],
    cases: Iterable[SuiteCase],
    left: Container[str],
) -> Comparison:
    """The comparison over the cases of both suites; of a part of the suite with what it is decided by.

    Args:
        counted: The head's rows, counted.
        rows: The baseline's; read once.
        cases: The head's suite.
        left: Cases that are judged by something else than the head's, so that nothing is taken from them.
    """
    policy = counted.policy
    suite = {case_id: (digest, in_scope) for case_id, digest, in_scope in cases}
    same, both = (Tally(policy, decided_on=counted.decided_on) for _ in range(2))
    carried = lost = 0
    for row in rows:
        digest, in_scope = suite.get(row.case_id, ("", False))
        if row.kind == "known_bad" or digest != row.digest:
            continue
        if row.case_id in left:
            lost += not in_scope
        elif in_scope:
            same.add(row)
            both.add(row)
        elif counted.is_part:
            carried += 1
            both.add(row)
            counted.tally.add(row)
    whole, then = counted.tally.facts(), same.facts()
    comparison = _comparison_of(counted, whole, both.facts(), then)
    if not counted.is_part:
        return comparison
    left_out = sum(not in_scope for _digest, in_scope in suite.values()) - carried
    partial = _partial(counted, whole, then, comparison, carried=carried, is_whole=not lost)
    update = {"left_out": left_out, "gates": tuple([_marked(gate, suite) for gate in partial.gates])}
    return comparison.model_copy(update={"partial": partial.model_copy(update=update)})


def _comparison_of(counted: Counted, whole: Facts, both: Facts, same: Facts) -> Comparison:
    """The comparison with the baseline's figures over the cases of both runs."""
    policy, comparison = counted.policy, counted.comparison
    before, now = _Judged.over(both, policy), _Judged.over(whole, policy, comparison)
    apart = _Judged.over(counted.apart, policy)
    return comparison.model_copy(
        update={
            "gates": tuple([_delta(name, each, now.gates, apart.gates) for name, each in before.gates.items()
                            if each.scored]),
            "slices": tuple([_delta(name, each, now.slices, apart.slices) for name, each in before.slices.items()]),
            "baseline": BaselineAmounts.model_validate(same.summary, from_attributes=True),
        }
    )  # fmt: skip


def _delta(
    name: str,
    before: RunGate | SliceResult,
    now: Mapping[str, RunGate] | Mapping[str, SliceResult],
    apart: Mapping[str, RunGate] | Mapping[str, SliceResult],
) -> GateDelta:
    """What the baseline had, and the head over the same cases: its own less those without a counterpart."""
    passed, scored = (_number(now.get(name), of) - _number(apart.get(name), of) for of in ("passed", "scored"))
    return GateDelta(
        name=name,
        passed=before.passed or 0,
        scored=before.scored or 0,
        now_passed=max(min(passed, scored), 0),
        now_scored=max(scored, 0),
    )


def _number(judged: RunGate | SliceResult | None, of: str) -> int:
    return getattr(judged, of, None) or 0


def _partial(
    counted: Counted,
    whole: Facts,
    then: Facts,
    comparison: Comparison,
    *,
    carried: int,
    is_whole: bool,
) -> PartialScope:
    policy, ran = counted.policy, counted.facts
    before = _Judged.over(then, policy)
    # Where some cannot be carried, the bar alone can tell of a case without a counterpart.
    alone = _Judged({}, {}) if is_whole else _Judged.over(counted.apart, policy)
    total = _Judged.over(whole, policy, comparison) if is_whole else _Judged({}, {})
    silent = ran.asked_of_target > 0 and not (ran.counts.answered_by_target or then.counts.answered_by_target)
    return PartialScope(
        carried=carried,
        gates=tuple([gate for name, gate in total.gates.items() if name not in NOT_CARRIED and gate.level != "off"]),
        slices=tuple(total.slices.values()),
        before=_before(before.gates, alone.gates),
        slices_before=_before(before.slices, alone.slices),
        silent_before=bool(silent and then.asked_of_target == ran.asked_of_target and whole.counts.answered_by_target),
    )


def _before(
    then: Mapping[str, RunGate] | Mapping[str, SliceResult], alone: Mapping[str, RunGate] | Mapping[str, SliceResult]
) -> tuple[Before, ...]:
    return tuple(
        [
            Before(
                name=name,
                passed=_number(then.get(name), "passed") + _number(alone.get(name), "scored"),
                unmeasured=_number(then.get(name), "unmeasured"),
            )
            for name in dict.fromkeys((*then, *alone))
        ]
    )


def _marked(gate: RunGate, suite: Mapping[str, tuple[str, bool]]) -> RunGate:
    """The gate with those of its offenders marked that were not run."""
    offenders = [
        each if suite.get(each.case_id, ("", True))[1] else each.model_copy(update={"move": "same"})
        for each in gate.offenders
    ]
    return gate.model_copy(update={"offenders": tuple(offenders)})
