"""Cases that take far longer than on the baseline: one line, which decides nothing."""

from __future__ import annotations

from collections.abc import Iterator

from raggate_action.report.comment_size import Extent
from raggate_action.report.fault_line import FaultLine
from raggate_action.report.page import Code, Strong
from raggate_action.report.report_input import Reporting
from raggate_action.strings.numbers import milliseconds
from raggate_action.strings.visible_text import cut

_LONGEST_ID = 80


def latency_lines(reporting: Reporting, _extent: Extent) -> Iterator[FaultLine]:
    """`10 of 100 cases take three times as long as on the baseline or longer: q3 (3 s → 31 s) and 9 more.`."""
    slower = reporting.comparison.slower if reporting.comparison is not None else None
    if slower is None:
        return
    base = f" take three times as long as on the {reporting.base_name} or longer: "
    moved = f" ({milliseconds(slower.before_ms)} → {milliseconds(slower.now_ms)}) and {slower.cases - 1:,} more."
    what = Strong(f"{slower.cases:,} of {slower.timed:,} cases")
    yield FaultLine((what, base, Code(cut(slower.case_id, _LONGEST_ID)), moved), (slower.case_id,), "warn")
