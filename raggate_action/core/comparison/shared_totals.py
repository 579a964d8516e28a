"""Scores and hallucinations of the cases that both runs ran, summed exactly."""

from __future__ import annotations

from raggate_action.core.comparison.baseline_index import Then
from raggate_action.core.comparison.row_states import hundredths, was_run
from raggate_action.core.counting.waivers import Standing
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.comparison import SharedTotals


class SharedSums:
    """Sums case by case; a case counts only where both runs have what is summed, so that like is held against like."""

    def __init__(self) -> None:
        self._scored = self._before = self._after = 0
        self._ran = self._false_before = self._false_after = 0

    def add(self, row: CaseRun, standing: Standing, then: Then) -> None:
        """Sum one case that is on both runs."""
        score = hundredths(row.score)
        if score is not None and then.score is not None:
            self._scored += 1
            self._before += then.score
            self._after += score
        if was_run(row) and then.ran:
            self._ran += 1
            self._false_before += then.hallucinating
            self._false_after += bool(standing.hallucinations)

    @property
    def totals(self) -> SharedTotals:
        """What was summed."""
        return SharedTotals(
            scored=self._scored,
            score_before=self._before,
            score_after=self._after,
            ran=self._ran,
            hallucinating_before=self._false_before,
            hallucinating_after=self._false_after,
        )
