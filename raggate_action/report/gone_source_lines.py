"""Sources that no case shows any more: the cause, it may be, of what other lines tell by their stages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from raggate_action.report.comment_size import Extent
from raggate_action.report.fault_line import FaultLine
from raggate_action.report.page import Code, Strong, Text, joined
from raggate_action.report.report_input import Reporting
from raggate_action.strings.numbers import count
from raggate_action.strings.visible_text import cut

if TYPE_CHECKING:
    from raggate_action.schema.comparison import GoneSources

_LONGEST_NAME = 80


def explaining_source_lines(reporting: Reporting, _extent: Extent) -> Iterator[FaultLine]:
    """The line where at least half of the failing cases are among those that showed such a source."""
    gone = _gone(reporting)
    if gone is not None and _explains(gone, reporting):
        yield _line(gone, reporting)


def gone_source_lines(reporting: Reporting, _extent: Extent) -> Iterator[FaultLine]:
    """The line where it explains little or nothing."""
    gone = _gone(reporting)
    if gone is not None and not _explains(gone, reporting):
        yield _line(gone, reporting)


def _gone(reporting: Reporting) -> GoneSources | None:
    return reporting.comparison.gone_sources if reporting.comparison is not None else None


def _explains(gone: GoneSources, reporting: Reporting) -> bool:
    return gone.failing > 0 and 2 * gone.failing >= reporting.run.counts.failed


def _line(gone: GoneSources, reporting: Reporting) -> FaultLine:
    """`a.md, b.md no longer reach the model: 6 cases showed them on the baseline, none here`, and where to look."""
    named = joined(", ", [Code(cut(each, _LONGEST_NAME)) for each in gone.named])
    left = gone.sources - len(gone.named)
    one = gone.sources == 1
    more = f" and {left:,} more" if left else ""
    what = (named, more, " ", Strong(f"no longer {'reaches' if one else 'reach'} the model"))
    where = f": {count(gone.cases, 'case')} showed {'it' if one else 'them'} on the baseline, none here."
    failed = reporting.run.counts.failed
    step: Text = ""
    if gone.failing:
        among = f"{gone.failing:,} of {count(failed, 'failing case')}"
        step = f" Look at index and retriever first: {among} are among these."
    return FaultLine((what, where, step), level="warn")
