"""The page about a run: which sections it has, in the order they are read. Their wording is taken in the views."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias, TypeVar

from raggate_action.report.amount_view import (
    amount_section,
    note_section,
    release_section,
)
from raggate_action.report.case_view import case_item, doubtful_cases, waived_row
from raggate_action.report.change_view import change_items
from raggate_action.report.comment_size import COMMENT_EXTENTS, Extent, folded
from raggate_action.report.decision_view import decision_box
from raggate_action.report.gate_view import gate_section, slice_section
from raggate_action.report.judge_advice import advised_answers, advised_item
from raggate_action.report.open_case_view import open_case_section
from raggate_action.report.origin_view import footer, page_section
from raggate_action.report.page import Column, CommentView, FirstEntries, Item, Listing, Section, Table, Text
from raggate_action.report.panel_view import judging_section
from raggate_action.report.poorer_view import poorer_cases, poorer_item
from raggate_action.report.report_input import Reporting
from raggate_action.report.suite_change_view import suite_change_items, suite_change_total
from raggate_action.report.trend_view import trend_section
from raggate_action.report.vote_view import missed_items, voted_claims, voted_item
from raggate_action.schema.comment_marker import marker_of

__all__ = ["CommentView", "Extent", "Reporting", "comment_view"]


Row = TypeVar("Row")
SectionMaker: TypeAlias = Callable[[Reporting, Extent], Section]


class PagePart(NamedTuple):
    """A section of the page.

    Attributes:
        section: Makes it of a run; empty where there is nothing to say.
        summary_only: Few readers need it, so it stands in the job summary alone.
        without_answers: It does not depend on the app's answers, so it stands even where the app gave none.
        of_cases: It shows cases one by one, as the list of the report page does, so it does not stand there.
    """

    section: SectionMaker
    summary_only: bool = False
    without_answers: bool = False
    of_cases: bool = False

    def stands_in(self, reporting: Reporting, extent: Extent) -> bool:
        """Whether the page of this run at this extent has the section."""
        return (extent.whole or not self.summary_only) and (self.without_answers or not reporting.has_no_result)


def listed(
    title: str,
    rows: Callable[[Reporting], Listing[Row]],
    entry: Callable[[Row, Reporting, Extent], Item],
    total: Callable[[Reporting], int] = lambda _reporting: 0,
    file: str = "cases.jsonl",
) -> SectionMaker:
    """A folded list, an item for each row.

    Args:
        title: With the name of the baseline for `{base}`, `new` for `{new}` with one; the count stands behind.
        rows: What is listed; no rows, no section.
        entry: Makes the item of a row.
        total: How many there are, where not all are listed.
        file: The file of the run directory that has them all.
    """

    def section(reporting: Reporting, extent: Extent) -> Section:
        found = rows(reporting)
        items = FirstEntries(found, lambda row: entry(row, reporting, extent), extent.rows)
        new = "" if reporting.comparison is None else "new "
        name, most = title.format(base=reporting.base_name, new=new), max(len(found), total(reporting))
        return folded(name, items=items, total=most, extent=extent, file=file)

    return section


def tabled(
    title: str,
    columns: tuple[str, ...],
    rows: Callable[[Reporting], Listing[Row]],
    entry: Callable[[Row, Reporting, Extent], tuple[Text, ...]],
    total: Callable[[Reporting], int] = lambda _reporting: 0,
) -> SectionMaker:
    """A folded table, with a cell for each column in a row. Arguments as `listed`."""

    def section(reporting: Reporting, extent: Extent) -> Section:
        found = rows(reporting)
        table = FirstEntries(found, lambda row: entry(row, reporting, extent), extent.rows)
        most = max(len(found), total(reporting))
        return folded(title, table=Table(tuple(map(Column, columns)), table), total=most, extent=extent)

    return section


_ADVICE = "What judges call unsupported, as advice"
_AGAINST = "Other answers that the evidence speaks against"
_WAIVED = ("Case", "Gate", "Problem", "Reason", "Owner", "Until")
_COMPARED = "comparison.json"


def _failing(of: Reporting) -> int:
    return of.run.counts.failed - len(of.run.failed_for)


def _itself(item: Item, _reporting: Reporting, _extent: Extent) -> Item:
    return item


# In the order they are read. A list or a table is a row; what has a shape of its own, a function in a view.
PARTS = (
    PagePart(page_section, without_answers=True),
    PagePart(open_case_section, of_cases=True),
    PagePart(listed(_ADVICE, lambda of: of.listed.advised, advised_item, advised_answers)),
    PagePart(listed("Poorer answers", poorer_cases, poorer_item, file=_COMPARED)),
    PagePart(listed("Cases that fail a stage", lambda of: of.listed.failing, case_item, _failing), of_cases=True),
    PagePart(listed(_AGAINST, doubtful_cases, case_item), of_cases=True),
    PagePart(
        listed("Cases not measured", lambda of: of.listed.unmeasured, case_item, lambda of: of.run.counts.unmeasured),
        of_cases=True,
    ),
    PagePart(
        listed("Flaky cases", lambda of: of.listed.flaky, case_item, lambda of: of.run.counts.flaky), of_cases=True
    ),
    PagePart(tabled("Waived failures", _WAIVED, lambda of: of.listed.waived, waived_row)),
    PagePart(gate_section),
    PagePart(slice_section),
    PagePart(listed("Changed since the {base}", change_items, _itself, file=_COMPARED)),
    PagePart(
        listed("Changes of the suite", suite_change_items, _itself, suite_change_total, _COMPARED),
        summary_only=True,
        without_answers=True,
    ),
    PagePart(judging_section),
    PagePart(listed("Judges on {new}hallucinations", voted_claims, voted_item)),
    PagePart(listed("Judges on facts and criteria that answers miss", missed_items, voted_item)),
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
