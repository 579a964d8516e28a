"""A run's rows, counted and compared as they finish."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import TYPE_CHECKING

from raggate_action.core.comparison.baseline_index import BaselineIndex, is_compared
from raggate_action.core.counting.run_totals import Facts
from raggate_action.core.counting.tally import Tally
from raggate_action.core.gates.case_row import without_answer
from raggate_action.run.internal_errors import guarded
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.later import Comparison, Panel
from raggate_action.schema.run import Policy, SuiteCase
from raggate_action.schema.trace import NoTrace

if TYPE_CHECKING:
    from raggate_action.core.comparison.comparer import Comparer


class Count:
    """Counts a run's rows as they finish, and holds them against a baseline where there is one.

    What a fault of ours has half counted can be taken back from nothing: all rows are counted anew, its case without
    its answer.

    Attributes:
        baseline: What they are held against.
        policy, panel, is_chosen: Of the run.
        tally: What was counted.
        decided_on: The day that decides which waivers hold.
    """

    def __init__(
        self,
        policy: Policy,
        *,
        decided_on: date,
        baseline: BaselineIndex | None,
        panel: Panel | None = None,
        is_chosen: bool = False,
        renamed: Mapping[str, str] | None = None,
        rows: Callable[[], Iterable[CaseRun]],
    ) -> None:
        """Start from nothing.

        Args:
            policy: What the run is judged by.
            decided_on: The day that decides which waivers hold.
            baseline: What to compare with.
            panel: Its judges, as they stood before the first case.
            is_chosen: Its cases were named one by one, so that nothing is asked of the suite.
            renamed: Cases that are only called otherwise than on the baseline: they are not removed.
            rows: Gives what was counted once more.
        """
        self.policy = policy
        self.decided_on = decided_on
        self.panel, self.is_chosen = panel, is_chosen
        self._renamed, self._rows = renamed or {}, rows
        self.baseline = baseline
        self._is_spoiled = False
        self._faults: dict[str, str] = {}
        self._ran: Facts | None = None
        self._done: tuple[Facts, Comparison | None] | None = None
        self._start()

    def _start(self) -> None:
        """Count from nothing; rows without a counterpart on the baseline also apart."""
        advises = self.panel is not None and self.panel.only_advises
        self.tally = Tally(self.policy, decided_on=self.decided_on, panel_advises=advises)
        self._apart = Tally(self.policy, decided_on=self.decided_on)
        self._comparer: Comparer | None = None
        if self.baseline is not None:
            from raggate_action.core.comparison.comparer import Comparer

            self._comparer = Comparer(
                self.baseline,
                self.policy,
                decided_on=self.decided_on,
                panel=self.panel,
                is_chosen=self.is_chosen,
                renamed=self._renamed,
            )

    def spoil(self) -> None:
        """Count anew before anything is told: a row is kept otherwise than it was counted."""
        self._is_spoiled = True

    def _settle(self) -> None:
        while self._is_spoiled:
            self._is_spoiled = False
            self._start()
            for row in self._rows():
                self.add(row)

    def known(self, row: CaseRun) -> CaseRun:
        """The row as it is counted and kept: what the baseline's answer had wrong too under the baseline's key.

        Of a case that a fault of ours keeps from being compared or counted, no more than that is kept.
        """
        if row.case_id in self._faults:
            return without_answer(row, self._faults[row.case_id])
        if self.baseline is None:
            return row
        from raggate_action.core.comparison.hallucination_changes import with_baseline_keys

        past = self.baseline.cases.get(row.case_id)
        return guarded(
            row.case_id, lambda: with_baseline_keys(row, past), lambda fault: without_answer(row, fault.detail)
        )

    def add(self, row: CaseRun) -> None:
        """One more case."""
        self.count(self.known(row))

    def count(self, row: CaseRun) -> CaseRun:
        """One more case, of which the row is `known`; returns the row to keep, without its answer after a fault."""

        def counted() -> CaseRun:
            self.tally.add(row)
            if self._comparer is not None and self.baseline is not None:
                self._comparer.add(row)
                if not is_compared(row, self.baseline):
                    self._apart.add(row)
            return row

        def spoiled(fault: NoTrace) -> CaseRun:
            self._faults[row.case_id] = fault.detail
            self.spoil()
            return without_answer(row, fault.detail)

        return counted() if row.case_id in self._faults else guarded(row.case_id, counted, spoiled)

    def counted(self, suite_cases: Iterable[SuiteCase]) -> tuple[Facts, Comparison | None]:
        """What was counted, and what moved against the baseline."""
        self._settle()
        if self._done is None:
            self._done = self._concluded(suite_cases)
        return self._done

    def _concluded(self, suite_cases: Iterable[SuiteCase]) -> tuple[Facts, Comparison | None]:
        # Without a baseline nobody looks at them twice, and they may be many.
        cases = suite_cases if self.baseline is None else tuple(suite_cases)
        is_partial = any(not in_scope for _id, _digest, in_scope in cases)
        # Read once, even where a Ctrl-C comes between: what is carried is added to the same tally.
        was_read = self._ran is not None
        facts = self._ran = self._ran or self.tally.facts()._replace(is_partial=is_partial)
        if self._comparer is None or self.baseline is None or not isinstance(cases, tuple):
            return facts, None
        comparison, apart = self._comparer.comparison(cases, facts), self._apart.facts()
        others = apart.counts.cases or comparison.removed.cases or comparison.changed.cases
        if self.baseline.rows is not None and not was_read and (is_partial or others):
            from raggate_action.run.baseline.carried_rows import held_against_the_rest

            comparison = held_against_the_rest(self, self.baseline, facts, apart, comparison, cases)
        if comparison.partial is not None:
            facts = facts._replace(silent_before=comparison.partial.silent_before)
        return facts, comparison
