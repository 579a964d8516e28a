"""Counting the gates on cases."""

from __future__ import annotations

from dataclasses import dataclass, field

from raggate_action.core.counting.run_totals import NAMED_AT_MOST, first_problem
from raggate_action.core.counting.top_n import TopN
from raggate_action.core.counting.waivers import Standing
from raggate_action.schema.answer_votes import GATE_OF, AnswerVotes
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.change import Change
from raggate_action.schema.counts import GateCounts
from raggate_action.schema.outcome import GATES, Failed, GateName, Outcome, Passed, Unmeasured


@dataclass(slots=True)
class _Gate:
    """What `GateCounts` counts of one gate, and its heaviest offenders."""

    passed: int = 0
    failed: int = 0
    waived: int = 0
    flaky: int = 0
    unmeasured: int = 0
    no_adjudicator: int = 0
    hits: int = 0
    total: int = 0
    advised: int = 0
    advised_good: int = 0
    worst: TopN[tuple[str, Outcome]] = field(default_factory=lambda: TopN(NAMED_AT_MOST))
    worst_unmeasured: TopN[tuple[str, Outcome]] = field(default_factory=lambda: TopN(NAMED_AT_MOST))


class GateTally:
    """Counts every gate's outcomes; a waived failure is in `waived` alone, its inner counts nowhere."""

    def __init__(self) -> None:
        self._gates: dict[GateName, _Gate] = {gate: _Gate() for gate in GATES}

    def add(self, row: CaseRun, standing: Standing) -> None:
        """Count one ordinary case."""
        gates = self._gates
        for name, outcome in row.outcomes.items():
            # By type and not by `kind`: this loop takes most of the time that counting a run needs.
            if type(outcome) is Passed:
                gate = gates[name]
                gate.passed += 1
            elif type(outcome) is Failed:
                gate = gates[name]
                if name in standing.waived:
                    gate.waived += 1
                    continue
                gate.failed += 1
                gate.worst.offer(row.weight, row.position, (row.case_id, outcome))
            elif type(outcome) is Unmeasured:
                gate = gates[name]
                if outcome.reason in {"no-adjudicator", "label"}:
                    gate.no_adjudicator += 1
                else:
                    gate.unmeasured += 1
                gate.worst_unmeasured.offer(row.weight, row.position, (row.case_id, outcome))
                continue
            else:
                continue
            share = outcome.share
            if share is not None:
                gate.hits += share.hits
                gate.total += share.total
        if row.answer_votes is not None:
            self._add_advice(row.answer_votes, row)

    def _add_advice(self, votes: AnswerVotes, row: CaseRun) -> None:
        """Votes of judges that only advise."""
        for item in votes.items:
            gate = GATE_OF[item.kind]
            outcome = row.outcomes.get(gate) if gate is not None else None
            if gate is None or not isinstance(outcome, Unmeasured) or outcome.reason != "no-adjudicator":
                continue
            advised = item.advised
            if advised is not None:
                self._gates[gate].advised += 1
                self._gates[gate].advised_good += advised == item.order[-1]

    def add_flaky(self, row: CaseRun) -> None:
        """Note a flaky case for the gates that scored it."""
        for name, outcome in row.outcomes.items():
            self._gates[name].flaky += type(outcome) is Passed or type(outcome) is Failed

    @property
    def counts(self) -> dict[GateName, GateCounts]:
        """Counts of the gates that apply to at least one case, in order of diagnosis."""
        return {
            name: GateCounts(**{field: getattr(counted, field) for field in GateCounts.model_fields})
            for name, counted in self._gates.items()
            if counted.passed or counted.failed or counted.waived or counted.unmeasured or counted.no_adjudicator
        }

    @property
    def offenders(self) -> dict[GateName, tuple[Change, ...]]:
        """The heaviest cases that failed a gate without a waiver; where it scored none, those it could not measure."""
        found: dict[GateName, tuple[Change, ...]] = {}
        for name, gate in self._gates.items():
            worst = gate.worst if gate.passed or gate.failed else gate.worst_unmeasured
            named = [(case_id, first_problem(outcome)) for case_id, outcome in worst.ranked]
            found[name] = tuple([Change(case_id=case_id, gate=name, problem=problem) for case_id, problem in named])
        return found
