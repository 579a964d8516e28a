"""What main's app answered, at hand by case while a run goes on: in a nameless file, in memory only the places."""

from __future__ import annotations

from collections.abc import Container

from raggate_action.core.comparison.baseline_index import BaselineIndex
from raggate_action.run_store import PlacedLines
from raggate_action.schema.main_answers import MainAnswers


class MainAnswerFile:
    """Main's answers to the cases of a suite."""

    def __init__(self, baseline: BaselineIndex, case_ids: Container[str]) -> None:
        """Read what the baseline has kept.

        Args:
            baseline: The baseline.
            case_ids: The cases that are asked now.
        """
        self._lines = PlacedLines(None, MainAnswers, owners_alone=True)
        answers = baseline.main_answers() if baseline.main_answers is not None else ()
        self._places = {each.case_id: self._lines.add(each) for each in answers if each.case_id in case_ids}

    def of(self, case_id: str) -> MainAnswers | None:
        """What main's app answered to a case; None where nothing is kept."""
        place = self._places.get(case_id)
        return None if place is None else self._lines.read(place)

    def close(self) -> None:
        """Let go of the file."""
        self._lines.close()
