"""Sources that no case shows any more."""

from __future__ import annotations

from collections.abc import Iterator

from raggate_action.report.comment_size import Extent
from raggate_action.report.fault_line import FaultLine
from raggate_action.report.page import Code, Strong, joined
from raggate_action.report.report_input import Reporting
from raggate_action.strings.numbers import count
from raggate_action.strings.visible_text import cut

_LONGEST_NAME = 80


def gone_source_lines(reporting: Reporting, _extent: Extent) -> Iterator[FaultLine]:
    """`a.md, b.md no longer reach the model: 6 cases showed them on the baseline, none here`."""
    gone = reporting.comparison.gone_sources if reporting.comparison is not None else None
    if gone is None:
        return
    named = joined(", ", [Code(cut(each, _LONGEST_NAME)) for each in gone.named])
    left = gone.sources - len(gone.named)
    verb, them = ("reaches", "it") if gone.sources == 1 else ("reach", "them")
    what = Strong(f"no longer {verb} the model")
    where = f": {count(gone.cases, 'case')} showed {them} on the baseline, none here."
    yield FaultLine((named, f" and {left:,} more" if left else "", " ", what, where), level="warn")
