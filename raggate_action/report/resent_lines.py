"""Requests to the app that failed and were answered when they were sent again: no case fails for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from raggate_action.report.comment_size import Extent
from raggate_action.report.fault_line import FaultLine
from raggate_action.report.report_input import Reporting
from raggate_action.strings.numbers import count


def resent_lines(reporting: Reporting, _extent: Extent) -> Iterator[FaultLine]:
    """`3 requests to the app failed and were sent again: HTTP 500 (3).`; nothing where none was."""
    if words := resent_in_words(reporting.run.resent):
        yield FaultLine(f"{words}.", level="warn")


def resent_in_words(resent: Mapping[str, int]) -> str:
    """The same without its full stop, most frequent first; empty where none was sent again."""
    if not resent:
        return ""
    kinds = sorted(resent.items(), key=lambda item: (-item[1], item[0]))
    what = ", ".join([f"{kind} ({number:,})" for kind, number in kinds])
    total = sum(resent.values())
    return f"{count(total, 'request')} to the app failed and {'was' if total == 1 else 'were'} sent again: {what}"
