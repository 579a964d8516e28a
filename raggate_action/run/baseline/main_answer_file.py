"""What main's app answered, at hand by case while a run goes on: in a nameless file."""

from __future__ import annotations

from collections.abc import Container

from raggate_action.core.comparison.baseline_index import BaselineIndex
from raggate_action.core.comparison.own_rate import FalseAnswers
from raggate_action.run_store import WorkFile
from raggate_action.schema.json_lines import json_line
from raggate_action.schema.main_answers import MainAnswers


class MainAnswerFile:
    """Main's answers to the cases of a suite.

    Attributes:
        earlier: How many answers of runs before the baseline are kept of a case, and have a certain hallucination.
    """

    def __init__(self, baseline: BaselineIndex, case_ids: Container[str]) -> None:
        """Read what the baseline has kept.

        Args:
            baseline: The baseline.
            case_ids: The cases that are asked now.
        """
        self._work = WorkFile()
        kept = [] if baseline.main_answers is None else baseline.main_answers()
        self.earlier: dict[str, FalseAnswers] = {}
        for each in kept:
            if each.case_id in case_ids:
                self._work.add_main_answer(each.case_id, json_line(each))
                earlier = [answer.false for answer in each.answers if answer.run != baseline.decided_at]
                if earlier:
                    self.earlier[each.case_id] = FalseAnswers(sum(earlier), len(earlier))

    def of(self, case_id: str) -> MainAnswers | None:
        """What main's app answered to a case; None where nothing is kept."""
        line = self._work.main_answer(case_id)
        return None if line is None else MainAnswers.model_validate_json(line)

    def close(self) -> None:
        """Let go of the file."""
        self._work.close()
