"""What every view is given: a decided run."""

from __future__ import annotations

from typing import NamedTuple

from raggate_action.report.decision_words import base_name, problem_in_words
from raggate_action.schema.decision import Cause
from raggate_action.schema.history import Trend
from raggate_action.schema.later import Comparison
from raggate_action.schema.listed_cases import Listed
from raggate_action.schema.outcome import GateName, Problem
from raggate_action.schema.run import Run
from raggate_action.strings.visible_text import cut


class Reporting(NamedTuple):
    """A decided run, as the texts about it need it.

    Attributes:
        run: The run.
        listed: Its cases shown by name.
        comparison: What moved against the baseline; None without one.
        trend: The run at the end of the history of its branch.
        page: Where its report page opens; empty where it was not published.
    """

    run: Run
    listed: Listed
    comparison: Comparison | None
    trend: Trend = Trend()
    page: str = ""

    @property
    def shows_texts(self) -> bool:
        """Whether words of answers and evidence may be shown; under `texts: ids` only ids and codes are."""
        return self.run.policy.texts != "ids"

    @property
    def base_name(self) -> str:
        """What the run is compared with, in words; see `base_name`."""
        return base_name(self.run)

    def told(self, gate: GateName, problem: Problem, most: int) -> str:
        """A problem in words, its detail cut; under `texts: ids` without an app's error, which may quote."""
        detail = cut(problem.detail, most) if gate != "target" or self.shows_texts else ""
        return problem_in_words(Problem(code=problem.code, detail=detail), self.base_name)

    @property
    def passed_change(self) -> int:
        """How many more cases pass than on the baseline, of those compared that both runs ran; 0 without a baseline.

        As they are counted beside it: without those to look at, and those that a gate on this run blocks for.
        """
        if self.comparison is None or self.has_no_result:
            return 0
        shared, blocked = self.comparison.shared, self.run.failed_for
        lost = [each for each in self.comparison.named if each.case_id in blocked and each.state == "passed"]
        return shared.passed_after - shared.passed_before - sum(each.known_as != "to_look_at" for each in lost)

    @property
    def app_is_silent(self) -> bool:
        """Whether the app answered no case at all: then the page has one message and no result."""
        partial = self.comparison.partial if self.comparison is not None else None
        if partial is not None and partial.silent_before:
            return False
        return "target" in self.run.gate_counts and not self.run.counts.answered_by_target

    @property
    def was_never_asked(self) -> bool:
        """Whether nobody asked the app: no case has an answer, and none an error of the app."""
        return self.app_is_silent and not self.run.counts.failed

    @property
    def has_no_result(self) -> bool:
        """Whether there is one thing to say of the run, and no number: nothing was answered, or of another evidence."""
        return self.app_is_silent or any(
            (isinstance(each, Cause) and each.kind == "store-knows-none") for each in self.run.decision.reasons
        )
