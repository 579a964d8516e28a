"""A run's rows, counted and compared as they finish."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from raggate_action.core.comparison.baseline_index import BaselineIndex, is_compared
from raggate_action.core.counting.run_totals import Facts
from raggate_action.core.counting.tally import Tally
from raggate_action.core.gates.case_row import without_answer
from raggate_action.run.internal_errors import guarded
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.run import Policy, SuiteCase
from raggate_action.schema.trace import NoTrace

if TYPE_CHECKING:
    from raggate_action.core.comparison.comparer import Comparer
    from raggate_action.schema.comparison import Comparison
    from raggate_action.schema.panel import Panel


class Known(NamedTuple):
    """What is known of a run before its rows.

    Attributes:
        is_chosen: Its cases were named one by one, so that nothing is asked of the suite.
        panel: Its judges, as they stood before the first case.
    """

    is_chosen: bool = False
    panel: Panel | None = None

    @property
    def panel_advises(self) -> bool:
        """See `Panel.only_advises`."""
        return self.panel is not None and self.panel.only_advises


class _Counter:
    """A tally, and a comparison where there is a baseline; rows without a counterpart also apart."""

    def __init__(self, policy: Policy, known: Known, *, decided_on: date, baseline: BaselineIndex | None) -> None:
        self.tally = Tally(policy, decided_on=decided_on, panel_advises=known.panel_advises)
        self.apart = Tally(policy, decided_on=decided_on)
        self.comparer: Comparer | None = None
        self._baseline = baseline
        if baseline is not None:
            from raggate_action.core.comparison.comparer import Comparer

            self.comparer = Comparer(
                baseline, policy, decided_on=decided_on, panel=known.panel, is_chosen=known.is_chosen
            )

    def add(self, row: CaseRun) -> None:
        self.tally.add(row)
        if self.comparer is not None and self._baseline is not None:
            self.comparer.add(row)
            if not is_compared(row, self._baseline):
                self.apart.add(row)


class Count:
    """Counts a run's rows as they finish, and holds them against a baseline where there is one.

    What a fault of ours has half counted can be taken back from nothing: all rows are counted anew, its case without
    its answer.

    Attributes:
        baseline: What they are held against.
        known_before: What is known of the run before its rows.
        decided_on: The day that decides which waivers hold.
    """

    def __init__(
        self,
        policy: Policy,
        *,
        decided_on: date,
        baseline: BaselineIndex | None,
        known: Known | None = None,
        renamed: Mapping[str, str] | None = None,
        rows: Callable[[], Iterable[CaseRun]],
    ) -> None:
        """Start from nothing.

        Args:
            policy: What the run is judged by.
            decided_on: The day that decides which waivers hold.
            baseline: What to compare with.
            known: What no row tells.
            renamed: Cases that are only called otherwise than on the baseline: they are not removed.
            rows: Gives what was counted once more.
        """
        self._policy = policy
        self.decided_on = decided_on
        self.known_before = known or Known()
        self._renamed, self._rows = renamed or {}, rows
        self.baseline = baseline
        self._is_spoiled = False
        self._faults: dict[str, str] = {}
        self._ran: Facts | None = None
        self._done: tuple[Facts, Comparison | None] | None = None
        self._counter = self._new_counter()

    def _new_counter(self) -> _Counter:
        return _Counter(self._policy, self.known_before, decided_on=self.decided_on, baseline=self.baseline)

    def spoil(self) -> None:
        """Count anew before anything is told: a row is kept otherwise than it was counted."""
        self._is_spoiled = True

    def _settle(self) -> None:
        while self._is_spoiled:
            self._is_spoiled = False
            self._counter = self._new_counter()
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
            self._counter.add(row)
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
        counter = self._counter
        # Read once, even where a Ctrl-C comes between: what is carried is added to the same tally.
        was_read = self._ran is not None
        facts = self._ran = self._ran or counter.tally.facts()._replace(is_partial=is_partial)
        comparison: Comparison | None = None
        if counter.comparer is not None and isinstance(cases, tuple):  # as wherever a baseline is
            comparison = counter.comparer.comparison(cases, facts)
            comparison = self._without_renamed(comparison)
            comparison = comparison if was_read else self._with_carried_rows(counter, facts, comparison, cases)
        if comparison is not None and comparison.partial is not None:
            facts = facts._replace(silent_before=comparison.partial.silent_before)
        return facts, comparison

    def _without_renamed(self, comparison: Comparison) -> Comparison:
        if not self._renamed:
            return comparison
        removed = comparison.removed
        named = tuple([case_id for case_id in removed.named if case_id not in self._renamed])
        update = {"cases": removed.cases - len(self._renamed), "named": named}
        return comparison.model_copy(update={"removed": removed.model_copy(update=update)})

    def _with_carried_rows(
        self, counter: _Counter, facts: Facts, comparison: Comparison, cases: tuple[SuiteCase, ...]
    ) -> Comparison:
        """The comparison held against what else the baseline tells, where the two runs are not of the same cases."""
        from raggate_action.run.baseline.carried_rows import Counted, held_against_the_rest

        baseline, apart = self.baseline, counter.apart.facts()
        if baseline is None or baseline.rows is None:
            return comparison
        others = apart.counts.cases or comparison.removed.cases or comparison.changed.cases
        if not (facts.is_partial or others):
            return comparison
        is_part = facts.is_partial and not self.known_before.is_chosen
        counted = Counted(self._policy, self.decided_on, counter.tally, facts, apart, comparison, is_part)
        return held_against_the_rest(counted, baseline.rows(), cases, baseline.left)
