"""What a pull request has mended since its last comment: a green that follows a red names what was fixed."""

from __future__ import annotations

from collections.abc import Iterator

from raggate_action.report.comment_size import Extent, names
from raggate_action.report.fault_line import FaultLine
from raggate_action.report.page import Code, Strong, Text
from raggate_action.report.report_input import Reporting
from raggate_action.strings.numbers import count
from raggate_action.strings.visible_text import cut

_NAMED = 3
_LONGEST_ID = 80
_SHORT = 7


def mended_lines(reporting: Reporting, _extent: Extent) -> Iterator[FaultLine]:
    """On a release after a block of this pull request: the cases that failed then and pass now, by name."""
    run = reporting.run
    earlier = run.origin.earlier if run.origin is not None else None
    if earlier is None or earlier.decision == "release" or run.decision.kind != "release":
        return
    listed = reporting.listed
    open_yet = {row.case_id for row in (*listed.failing, *listed.unmeasured, *listed.flaky)}
    open_yet |= {each.case_id for each in listed.waived}
    passing = [each for each in earlier.named if each not in open_yet]
    since: Text = ("at ", Code(earlier.head_sha[:_SHORT])) if earlier.head_sha else "before"
    was = {"block": "blocked", "inconclusive": "left open"}[earlier.decision]
    lead = Strong("Fixed in this pull request:"), " "
    if not passing:
        yield FaultLine((*lead, f"it was {was} ", since, "."), level="note")
        return
    verb = "passes" if len(passing) == 1 else "pass"
    named = names([Code(cut(each, _LONGEST_ID)) for each in passing[:_NAMED]], len(passing))
    what = f"{count(len(passing), 'case')} that failed when it was {was} "
    yield FaultLine((*lead, what, since, f" {verb} now: ", named, "."), level="note")
