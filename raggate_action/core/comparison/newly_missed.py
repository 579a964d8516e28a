"""Demands on phrases and tools that the baseline's answer met and the head's misses."""

from __future__ import annotations

from raggate_action.core.counting.facts import PROBLEM_LENGTH
from raggate_action.core.counting.heaviest import Heaviest
from raggate_action.core.counting.waivers import Standing
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.comparison import MissedMust
from raggate_action.schema.listed import LISTED_AT_MOST
from raggate_action.schema.outcome import Failed
from raggate_action.visible_text import cut

# In the order in which the demands are numbered.
_CODES = ("phrase-missing", "tool-missing", "tool-forbidden")


class NewlyMissed:
    """Counts cases that fail behaviour by a demand which the baseline met; a waived failure is none.

    Attributes:
        compared: Cases seen whose demands were judged on both runs.
    """

    def __init__(self) -> None:
        self._cases: Heaviest[MissedMust] = Heaviest(LISTED_AT_MOST)
        self.compared = 0

    def add(self, row: CaseRun, standing: Standing, met: tuple[int, ...]) -> None:
        """Compare one case: its row, and the numbers of the demands that it met on the baseline."""
        if row.musts is None or not met:
            return
        self.compared += 1
        behaved = row.outcomes.get("behaviour")
        new = newly_missed(row, standing, met)
        if new and isinstance(behaved, Failed):
            problems = [problem for problem in behaved.problems if problem.code in _CODES]
            first = problems[row.musts.missed.index(new[0])]
            text = cut(str(first), PROBLEM_LENGTH) if first.detail else first.code
            self._cases.offer(row.weight, row.position, MissedMust(case_id=row.case_id, problem=text))

    @property
    def listed(self) -> tuple[MissedMust, ...]:
        """The cases, heaviest first."""
        return self._cases.ranked

    @property
    def dropped(self) -> int:
        """How many more there are."""
        return self._cases.dropped


def newly_missed(row: CaseRun, standing: Standing, met: tuple[int, ...]) -> list[int]:
    """The demands by number that a case fails behaviour by and the baseline's answer met; none where it is waived."""
    behaved = row.outcomes.get("behaviour")
    if row.musts is not None and isinstance(behaved, Failed) and "behaviour" not in standing.waived:
        return [number for number in row.musts.missed if number in met]
    return []
