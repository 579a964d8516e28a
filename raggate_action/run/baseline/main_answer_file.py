"""What main's app answered, at hand by case while a run goes on: in a nameless file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from raggate_action.core.comparison.baseline_index import BaselineIndex, PastCase
from raggate_action.core.comparison.own_rate import FalseAnswers
from raggate_action.run_store import WorkFile
from raggate_action.schema.json_lines import json_line
from raggate_action.schema.main_answers import MainAnswers
from raggate_action.schema.run import SuiteCase


class MainAnswerFile:
    """Main's answers to the cases of a suite."""

    def __init__(self, baseline: BaselineIndex, cases: Iterable[SuiteCase], *, is_told: bool) -> None:
        """Read what the baseline has kept.

        Args:
            baseline: The baseline.
            cases: The cases of the suite.
            is_told: Whether an answer is held against main's at all; if not, nothing is read.
        """
        self._work = WorkFile()
        self._earlier: dict[str, FalseAnswers] = {}
        asked = {case_id for case_id, _digest, in_scope in cases if in_scope}
        for each in baseline.main_answers() if baseline.main_answers is not None and is_told else ():
            if each.case_id in asked:
                self._work.add_main_answer(each.case_id, json_line(each))
                earlier = [answer.false for answer in each.answers if answer.run != baseline.run.decided_at]
                self._earlier[each.case_id] = FalseAnswers(sum(earlier), len(earlier))

    def of(self, case_id: str) -> MainAnswers | None:
        """What main's app answered to a case; None where nothing is kept."""
        line = self._work.main_answer(case_id)
        return None if line is None else MainAnswers.model_validate_json(line)

    def false_answers(self, cases: Iterable[SuiteCase], past: Mapping[str, PastCase]) -> dict[str, FalseAnswers]:
        """How many of main's answers to each case that has not changed have a certain hallucination."""
        same = [case_id for case_id, digest, _in_scope in cases if case_id in past and past[case_id].digest == digest]
        return {case_id: past[case_id].false.plus(self._earlier.get(case_id, FalseAnswers())) for case_id in same}

    def close(self) -> None:
        """Let go of the file."""
        self._work.close()
