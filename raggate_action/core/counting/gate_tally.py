"""Counting the gates on cases."""

from __future__ import annotations

from raggate_action.core.counting.run_totals import NAMED_AT_MOST, GateOffenders, first_problem
from raggate_action.core.counting.top_n import TopN
from raggate_action.core.counting.waivers import Standing
from raggate_action.schema.answer_votes import GATE_OF, AnswerVotes
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.change import Change
from raggate_action.schema.counts import GateCounts
from raggate_action.schema.outcome import GATES, Failed, GateName, Passed, Unmeasured


class _Gate:
    """One gate's counters, plain attributes because every case touches every one of them."""

    __slots__ = (
        "advised",
        "advised_good",
        "failed",
        "flaky",
        "hits",
        "name",
        "no_adjudicator",
        "passed",
        "total",
        "unmeasured",
        "waived",
        "worst",
        "worst_unmeasured",
    )

    def __init__(self, name: GateName) -> None:
        self.name = name
        self.passed = self.failed = self.waived = self.unmeasured = self.no_adjudicator = self.hits = self.total = 0
        self.flaky = self.advised = self.advised_good = 0
        self.worst: TopN[tuple[str, Failed]] = TopN(NAMED_AT_MOST)
        self.worst_unmeasured: TopN[tuple[str, Unmeasured]] = TopN(NAMED_AT_MOST)

    @property
    def counts(self) -> GateCounts:
        return GateCounts(
            passed=self.passed,
            failed=self.failed,
            waived=self.waived,
            flaky=self.flaky,
            unmeasured=self.unmeasured,
            no_adjudicator=self.no_adjudicator,
            hits=self.hits,
            total=self.total,
            advised=self.advised,
            advised_good=self.advised_good,
        )

    @property
    def offenders(self) -> GateOffenders:
        failed = [
            Change(case_id=case_id, gate=self.name, problem=first_problem(found))
            for case_id, found in self.worst.ranked
        ]
        unmeasured = [
            Change(case_id=case_id, gate=self.name, problem=first_problem(found))
            for case_id, found in self.worst_unmeasured.ranked
        ]
        return GateOffenders(tuple(failed), tuple(unmeasured))


class GateTally:
    """Counts every gate's outcomes; a waived failure is in `waived` alone, its inner counts nowhere."""

    def __init__(self) -> None:
        self._gates: dict[GateName, _Gate] = {gate: _Gate(gate) for gate in GATES}

    def add(self, row: CaseRun, standing: Standing) -> None:
        """Count one ordinary case."""
        gates = self._gates
        for name, outcome in row.outcomes.items():
            # By type and not by `kind`: this loop takes most of the time that counting a run needs.
            if type(outcome) is Passed:
                gate = gates[name]
                gate.passed += 1
                share = outcome.share
                if share is not None:
                    gate.hits += share.hits
                    gate.total += share.total
            elif type(outcome) is Failed:
                self._add_failed(gates[name], row, outcome, waived=name in standing.waived)
            elif type(outcome) is Unmeasured:
                self._add_unmeasured(gates[name], row, outcome)
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

    @staticmethod
    def _add_failed(gate: _Gate, row: CaseRun, outcome: Failed, *, waived: bool) -> None:
        if waived:
            gate.waived += 1
            return
        gate.failed += 1
        gate.worst.offer(row.weight, row.position, (row.case_id, outcome))
        if outcome.share is not None:
            gate.hits += outcome.share.hits
            gate.total += outcome.share.total

    @staticmethod
    def _add_unmeasured(gate: _Gate, row: CaseRun, outcome: Unmeasured) -> None:
        if outcome.reason in {"no-adjudicator", "label"}:
            gate.no_adjudicator += 1
        else:
            gate.unmeasured += 1
        gate.worst_unmeasured.offer(row.weight, row.position, (row.case_id, outcome))

    @property
    def counts(self) -> dict[GateName, GateCounts]:
        """Counts of the gates that apply to at least one case, in order of diagnosis."""
        return {name: gate.counts for name, gate in self._demanded_gates()}

    @property
    def offenders(self) -> dict[GateName, GateOffenders]:
        """The heaviest offenders of the same gates."""
        return {name: gate.offenders for name, gate in self._demanded_gates()}

    def _demanded_gates(self) -> list[tuple[GateName, _Gate]]:
        return [
            (name, gate)
            for name, gate in self._gates.items()
            if gate.passed or gate.failed or gate.waived or gate.unmeasured or gate.no_adjudicator
        ]
