"""What judges or labels measured on the baseline and neither measures now."""

from __future__ import annotations

from collections.abc import Collection, Container
from typing import Final, Literal

from raggate_action.core.comparison.same_judges import judges_of, measured_gates
from raggate_action.core.counting.run_totals import NAMED_AT_MOST
from raggate_action.core.counting.top_n import TopN
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.comparison import JudgesLost
from raggate_action.schema.outcome import GateName, Unmeasured, is_out_of_date
from raggate_action.schema.panel import Panel
from raggate_action.schema.run import Policy

# Calls that were lost because the judge cannot be asked; one that timed out is within the budget of unmeasured cases.
_NOT_ASKED: Final = frozenset({"judge-key", "judge-not-accepted", "judge-unreachable"})


class LostMeasurements:
    """Collects what judges or labels measured on the baseline and neither measures now."""

    def __init__(self, before: Panel | None, now: Panel | None, policy: Policy, waived: Container[str]) -> None:
        """Start from nothing.

        Args:
            before: The baseline's judges; None of a suite without any.
            now: The head's, likewise.
            policy: What the head's rows are counted by.
            waived: Cases that may go without; the empty id is every case.
        """
        self._before, self._now, self._gates, self._waived = before, now, policy.gates, waived
        self._cases: TopN[str] = TopN(NAMED_AT_MOST)
        self._unheard: dict[str, str] = {}

    def add(self, row: CaseRun, measured: Collection[GateName]) -> None:
        """Compare a case that is the same on both runs.

        Args:
            row: The head's.
            measured: See `measured_gates`, of the baseline's.
        """
        if not measured or row.blocked_as_named or any(map(is_out_of_date, row.outcomes.values())):
            # A label that is out of date is within the budget of unmeasured cases.
            return
        somebody = measured_gates(row, labelled=True)
        if any(gate not in somebody and self._is_open(row, gate) for gate in measured):
            self._offer(row.weight, row.position, row.case_id)
            lost = [(judge.judge, judge.lost.detail) for judge in judges_of(row) if judge.lost is not None]
            self._unheard = {**dict(lost), **self._unheard}

    def add_not_run(self, case_id: str, measured: Collection[GateName], place: int) -> None:
        """Note a case out of scope whose judges count no more: a run of the whole suite would lose it as well."""
        before, now = self._before, self._now
        gates = [gate for gate in measured if before is not None and before.counts_for(gate) and self._blocks(gate)]
        if any(now is None or not now.counts_for(gate) for gate in gates):
            # Behind the cases that were run.
            self._offer(0, place, case_id)

    def _offer(self, weight: float, place: int, case_id: str) -> None:
        if case_id not in self._waived:
            self._cases.offer(weight, place, case_id)

    def _blocks(self, gate: GateName) -> bool:
        return self._gates.of(gate).level == "block"

    def _is_open(self, row: CaseRun, gate: GateName) -> bool:
        outcome = row.outcomes.get(gate)
        if not isinstance(outcome, Unmeasured) or not self._blocks(gate):
            return False
        codes = {judge.lost.code for judge in judges_of(row) if judge.armed and judge.lost is not None}
        return outcome.reason in {"no-adjudicator", "budget"} or (
            outcome.reason == "judge" and not _NOT_ASKED.isdisjoint(codes)
        )

    def result(self) -> JudgesLost | None:
        """What was lost; None where nothing is."""
        if not self._cases.offered:
            return None
        return JudgesLost(
            cases=self._cases.offered,
            named=self._cases.ranked,
            unheard=tuple(self._unheard.items()),
            excused=self._excused(),
        )

    def _excused(self) -> Literal["waived", "no-key"] | None:
        if "" in self._waived:
            return "waived"
        return "no-key" if self._now is not None and self._now.unavailable is not None else None
