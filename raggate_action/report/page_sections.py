"""The page about a run: which sections it has, in the order they are read. Their wording is taken in the views."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from raggate_action.report.amount_view import (
    amount_section,
    note_section,
    release_section,
)
from raggate_action.report.case_view import (
    doubtful_section,
    failing_section,
    flaky_section,
    left_to_judges_section,
    unmeasured_section,
    waived_section,
)
from raggate_action.report.change_view import change_section
from raggate_action.report.comment_size import COMMENT_EXTENTS, Extent
from raggate_action.report.decision_view import decision_box
from raggate_action.report.facts_and_criteria_view import judged_item_section
from raggate_action.report.gate_view import gate_section, slice_section
from raggate_action.report.judge_advice import judge_advice_section
from raggate_action.report.open_case_view import open_case_section
from raggate_action.report.origin_view import footer, page_section
from raggate_action.report.page import CommentView, Section
from raggate_action.report.poorer_view import poorer_section
from raggate_action.report.report_input import Reporting
from raggate_action.report.trend_view import trend_section
from raggate_action.report.trial_view import judging_section
from raggate_action.report.vote_view import votes_section
from raggate_action.report.weakened_policy_view import stricter_section, weaker_section
from raggate_action.schema.comment_marker import marker_of

__all__ = ["CommentView", "Extent", "Reporting", "comment_view"]


class PagePart(NamedTuple):
    """A section of the page.

    Attributes:
        section: Makes it of a run; empty where there is nothing to say.
        summary_only: Few readers need it, so it stands in the job summary alone.
        without_answers: It does not depend on the app's answers, so it stands even where the app gave none.
        of_cases: It shows cases one by one, as the list of the report page does, so it does not stand there.
    """

    section: Callable[[Reporting, Extent], Section]
    summary_only: bool = False
    without_answers: bool = False
    of_cases: bool = False

    def stands_in(self, reporting: Reporting, extent: Extent) -> bool:
        """Whether the page of this run at this extent has the section."""
        return (extent.whole or not self.summary_only) and (self.without_answers or not reporting.has_no_result)


# A new section is a function in a file of its own, and a line here.
PARTS = (
    PagePart(page_section, without_answers=True),
    PagePart(open_case_section, of_cases=True),
    PagePart(left_to_judges_section),
    PagePart(judge_advice_section),
    PagePart(poorer_section),
    PagePart(failing_section, of_cases=True),
    PagePart(doubtful_section, of_cases=True),
    PagePart(unmeasured_section, of_cases=True),
    PagePart(flaky_section, of_cases=True),
    PagePart(waived_section),
    PagePart(gate_section),
    PagePart(slice_section),
    PagePart(change_section),
    PagePart(weaker_section, summary_only=True, without_answers=True),
    PagePart(stricter_section, summary_only=True, without_answers=True),
    PagePart(judging_section),
    PagePart(votes_section),
    PagePart(judged_item_section),
    PagePart(amount_section, summary_only=True),
    PagePart(trend_section, summary_only=True),
    PagePart(release_section, summary_only=True),
    PagePart(note_section, without_answers=True),
)


def page_view(reporting: Reporting, extent: Extent) -> CommentView:
    """What the report page says beside its cases. Arguments as `comment_view`."""
    return comment_view(reporting, extent, tuple([part for part in PARTS if not part.of_cases]))


def comment_view(
    reporting: Reporting, extent: Extent = COMMENT_EXTENTS[0], parts: tuple[PagePart, ...] = PARTS
) -> CommentView:
    """Everything a reader is shown of a run.

    Of an app that answered no case: why, and what does not depend on its answers.

    Args:
        reporting: The run, its listed cases, its comparison.
        extent: How much of it is shown.
        parts: Which sections there are.
    """
    return CommentView(
        marker=marker_of(reporting.run.suite, reporting.run.origin),
        decision=decision_box(reporting, extent),
        sections=tuple([part.section(reporting, extent) for part in parts if part.stands_in(reporting, extent)]),
        footer=footer(reporting, extent),
    )
