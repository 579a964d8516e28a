"""The baseline's rows once more, beside a finished count: for the cases that both runs ran, and those to be carried."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from raggate_action.core.counting.run_totals import Facts
from raggate_action.core.counting.tally import Tally
from raggate_action.core.decision.decide import judged_gates, slices_of
from raggate_action.core.decision.slice_gates import NOT_CARRIED
from raggate_action.schema.comparison import BaselineAmounts, Comparison, GateDelta
from raggate_action.schema.counts import SliceResult
from raggate_action.schema.decision import RunGate
from raggate_action.schema.partial_scope import Before, PartialScope
from raggate_action.schema.run import Policy, SuiteCase

if TYPE_CHECKING:
    from raggate_action.core.comparison.baseline_index import BaselineIndex
    from raggate_action.run.row_counting import Count


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
    count: Count,
    baseline: BaselineIndex,
    ran: Facts,
    apart: Facts,
    comparison: Comparison,
    cases: Iterable[SuiteCase],
) -> Comparison:
    """The comparison over the cases of both suites; of a part of the suite with what it is decided by.

    Args:
        count: The head's rows, counted; those carried are added to its tally.
        baseline: The baseline. From cases that are judged by something else than the head's nothing is taken.
        ran: What was counted of the head's rows.
        apart: Of them, those that the baseline has no unchanged counterpart of.
        comparison: What moved.
        cases: The head's suite.
    """
    policy, is_part = count.policy, ran.is_partial and not count.is_chosen
    suite = {case_id: (digest, in_scope) for case_id, digest, in_scope in cases}
    same, both = (Tally(policy, decided_on=count.decided_on) for _ in range(2))
    carried = lost = 0
    for row in baseline.rows() if baseline.rows is not None else ():
        digest, in_scope = suite.get(row.case_id, ("", False))
        if row.kind == "known_bad" or digest != row.digest:
            continue
        if row.case_id in baseline.left:
            lost += not in_scope
        elif in_scope:
            same.add(row)
            both.add(row)
        elif is_part:
            carried += 1
            both.add(row)
            count.tally.add(row)
    whole, then = count.tally.facts(), same.facts()
    before, now = _Judged.over(both.facts(), policy), _Judged.over(whole, policy, comparison)
    alone = _Judged.over(apart, policy)
    comparison = comparison.model_copy(
        update={
            "gates": tuple([_delta(name, each, now.gates, alone.gates) for name, each in before.gates.items()
                            if each.scored]),
            "slices": tuple([_delta(name, each, now.slices, alone.slices) for name, each in before.slices.items()]),
            "baseline": BaselineAmounts.model_validate(then.summary, from_attributes=True),
        }
    )  # fmt: skip
    if not is_part:
        return comparison
    # Where some cannot be carried, the bar alone can tell of a case without a counterpart.
    total, alone = (_Judged({}, {}), alone) if lost else (_Judged.over(whole, policy, comparison), _Judged({}, {}))
    gates = [gate for name, gate in total.gates.items() if name not in NOT_CARRIED and gate.level != "off"]
    judged_then = _Judged.over(then, policy)
    silent = ran.asked_of_target > 0 and not (ran.counts.answered_by_target or then.counts.answered_by_target)
    partial = PartialScope(
        carried=carried,
        left_out=sum(not in_scope for _digest, in_scope in suite.values()) - carried,
        gates=tuple([_marked(gate, suite) for gate in gates]),
        slices=tuple(total.slices.values()),
        before=_before(judged_then.gates, alone.gates),
        slices_before=_before(judged_then.slices, alone.slices),
        silent_before=bool(silent and then.asked_of_target == ran.asked_of_target and whole.counts.answered_by_target),
    )
    return comparison.model_copy(update={"partial": partial})


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
