"""Whether hallucinations of single answers are no more than the base branch's own app ("main" for short) makes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from raggate_action.core.statistics.intervals import at_least, upper_limit
from raggate_action.schema.base import Rate
from raggate_action.schema.later import OwnRate

# So rarely main's rate gives as many as here, or more, where it does not explain them.
_LEVEL = 0.05
# Main's rate is the one that gives as few as main has, or fewer, in half of runs: of 60 answers without one, 1 in 87.
_HALF = 0.5


class FalseAnswers(NamedTuple):
    """How many answers there are, and how many of them have a certain hallucination."""

    false: int = 0
    answers: int = 0

    def plus(self, other: FalseAnswers) -> FalseAnswers:
        """The sums of two disjoint sets of answers."""
        return FalseAnswers(self.false + other.false, self.answers + other.answers)


class OwnRateCount:
    """Counts the answers of a run that have a certain hallucination, beside those of main's that are stored."""

    def __init__(self, main: Mapping[str, FalseAnswers]) -> None:
        """Start from nothing.

        Args:
            main: Main's answers by case, of all its runs that are stored; read only.
        """
        self._by_case = main
        self._steady: set[str] = set()
        self._main = FalseAnswers(sum([each[0] for each in main.values()]), sum([each[1] for each in main.values()]))
        self._here: dict[str, FalseAnswers] = {}
        self._sum = FalseAnswers()

    def add(self, case_id: str, *, false: bool, known: bool) -> None:
        """One more answer to a case that main answered too.

        Args:
            case_id: The case.
            false: It has a certain hallucination that main's latest answer does not have.
            known: It has one that main's latest answer has too: the case is no matter of chance, and leaves both sides.
        """
        if known and case_id not in self._steady:
            self._steady.add(case_id)
            self._main = _without(self._main, self._by_case.get(case_id, FalseAnswers()))
            self._sum = _without(self._sum, self._here.pop(case_id, FalseAnswers()))
        if case_id in self._steady:
            return
        one = FalseAnswers(int(false), 1)
        self._sum = self._sum.plus(one)
        self._here[case_id] = self._here.get(case_id, FalseAnswers()).plus(one)

    @property
    def may_explain(self) -> bool:
        """Whether main's answers are known, so that one here may be chance."""
        return self._main.answers > 0

    def explained(self) -> OwnRate | None:
        """Both rates where main's gives as many as here, or more, by chance in a twentieth of runs; else None."""
        from raggate_action.schema.main_answers import OwnRate

        main, here = self._main, self._sum
        if not (main.answers and here.false):
            return None
        rate = upper_limit(Rate(hits=main.false, total=main.answers), confidence=_HALF)
        if at_least(here.false, here.answers, rate) < _LEVEL:
            return None
        return OwnRate(
            main_false=main.false, main_answers=main.answers, here_false=here.false, here_answers=here.answers
        )


def _without(whole: FalseAnswers, part: FalseAnswers) -> FalseAnswers:
    return FalseAnswers(whole.false - part.false, whole.answers - part.answers)
