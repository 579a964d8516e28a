"""The page about a run, as finished strings: every decision about wording is taken here, none in a template."""

from __future__ import annotations

from raggate_action.report.amount_view import amount_section, beside_section, note_section
from raggate_action.report.case_view import case_section
from raggate_action.report.change_view import change_section, fixed_section, regression_section
from raggate_action.report.extent import COMMENT_EXTENTS, Extent
from raggate_action.report.gate_view import gate_section, slice_section
from raggate_action.report.hallucination_view import hallucination_section
from raggate_action.report.origin_view import footer
from raggate_action.report.page import CommentView, Section
from raggate_action.report.reporting import Reporting
from raggate_action.report.self_test_view import self_test_section
from raggate_action.report.suspect_view import suspect_section
from raggate_action.report.verdict_view import repair_first, unblocked, verdict_box
from raggate_action.schema.marker import marker_of

__all__ = ["CommentView", "Extent", "Reporting", "comment_view"]


def comment_view(reporting: Reporting, extent: Extent = COMMENT_EXTENTS[0]) -> CommentView:
    """Everything a reader is shown of a run.

    Args:
        reporting: The run, its listed cases, its comparison.
        extent: How much of it is shown.
    """
    if reporting.app_is_silent:
        return _silent_view(reporting, extent)
    return CommentView(
        marker=marker_of(reporting.run.suite, reporting.run.origin).line,
        verdict=verdict_box(reporting, extent),
        repair=repair_first(reporting),
        unblocked=unblocked(reporting, extent),
        gates=gate_section(reporting, extent),
        slices=slice_section(reporting, extent),
        hallucinations=hallucination_section(reporting, extent),
        suspects=suspect_section(reporting, extent),
        regressions=regression_section(reporting, extent),
        cases=case_section(reporting, extent),
        fixed=fixed_section(reporting),
        changes=change_section(reporting, extent),
        amounts=amount_section(reporting),
        beside=beside_section(reporting, extent),
        self_test=self_test_section(reporting, extent),
        notes=note_section(reporting, extent),
        footer=footer(reporting, extent),
    )


def _silent_view(reporting: Reporting, extent: Extent) -> CommentView:
    """For an app that answered no case: why, and what does not depend on its answers. No case is listed."""
    nothing = Section()
    return CommentView(
        marker=marker_of(reporting.run.suite, reporting.run.origin).line,
        verdict=verdict_box(reporting, extent),
        repair=nothing,
        unblocked=unblocked(reporting, extent),
        gates=nothing,
        slices=nothing,
        hallucinations=nothing,
        suspects=nothing,
        regressions=nothing,
        cases=nothing,
        fixed=nothing,
        changes=nothing,
        amounts=nothing,
        beside=nothing,
        self_test=nothing,
        notes=note_section(reporting, extent),
        footer=footer(reporting, extent),
    )
