"""Counting the gates on cases."""

from __future__ import annotations

from collections import Counter

from raggate_action.core.counting.run_totals import NAMED_AT_MOST, first_problem
from raggate_action.core.counting.top_n import TopN
from raggate_action.core.counting.waivers import Standing
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.change import Change
from raggate_action.schema.counts import GateCounts
from raggate_action.schema.later import AnswerVotes
from raggate_action.schema.outcome import GATE_OF, GATES, Failed, GateName, Outcome, Passed, Unmeasured

_ASKED = ("passed", "failed", "waived", "unmeasured", "no_adjudicator")


class GateTally:
    """Counts every gate's outcomes; a waived failure is in `waived` alone, its inner counts nowhere."""

    def __init__(self) -> None:
        # By the names that `GateCounts` has for them.
        self._counts: dict[GateName, Counter[str]] = {gate: Counter() for gate in GATES}
        self._worst: dict[GateName, TopN[tuple[str, Outcome]]] = {gate: TopN(NAMED_AT_MOST) for gate in GATES}
        self._open: dict[GateName, TopN[tuple[str, Outcome]]] = {gate: TopN(NAMED_AT_MOST) for gate in GATES}

    def add(self, row: CaseRun, standing: Standing) -> None:
        """Count one ordinary case."""
        for name, outcome in row.outcomes.items():
            # By type and not by `kind`: this loop takes most of the time that counting a run needs.
            if type(outcome) is Passed:
                self._counts[name]["passed"] += 1
            elif type(outcome) is Failed:
                if name in standing.waived:
                    self._counts[name]["waived"] += 1
                    continue
                self._counts[name]["failed"] += 1
                self._worst[name].offer(row.weight, row.position, (row.case_id, outcome))
            else:
                if type(outcome) is Unmeasured:
                    is_open = outcome.reason in {"no-adjudicator", "label"}
                    self._counts[name]["no_adjudicator" if is_open else "unmeasured"] += 1
                    self._open[name].offer(row.weight, row.position, (row.case_id, outcome))
                continue
            share = outcome.share
            if share is not None:
                self._counts[name]["hits"] += share.hits
                self._counts[name]["total"] += share.total
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
                self._counts[gate]["advised"] += 1
                self._counts[gate]["advised_good"] += advised == item.order[-1]

    def add_flaky(self, row: CaseRun) -> None:
        """Note a flaky case for the gates that scored it."""
        for name, outcome in row.outcomes.items():
            self._counts[name]["flaky"] += type(outcome) is Passed or type(outcome) is Failed

    @property
    def counts(self) -> dict[GateName, GateCounts]:
        """Counts of the gates that apply to at least one case, in order of diagnosis."""
        counted = self._counts.items()
        return {name: GateCounts(**counts) for name, counts in counted if any(counts[each] for each in _ASKED)}

    @property
    def offenders(self) -> dict[GateName, tuple[Change, ...]]:
        """The heaviest cases that failed a gate without a waiver; where it scored none, those it could not measure."""
        found: dict[GateName, tuple[Change, ...]] = {}
        for name, counts in self._counts.items():
            worst = self._worst[name] if counts["passed"] or counts["failed"] else self._open[name]
            named = [(case_id, first_problem(outcome)) for case_id, outcome in worst.ranked]
            found[name] = tuple([Change(case_id=case_id, gate=name, problem=problem) for case_id, problem in named])
        return found
