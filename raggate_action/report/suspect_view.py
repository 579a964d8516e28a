"""New suspects: what a reviewer reads first, for rules only find faults."""

from __future__ import annotations

from raggate_action.report.extent import Extent, left_out
from raggate_action.report.page import Fold, Item, Section
from raggate_action.report.reporting import Reporting
from raggate_action.report.text import Code, Foreign, Strong, Text
from raggate_action.schema.case_run import FindingKind
from raggate_action.schema.comparison import NewSuspect
from raggate_action.strings.numbers import count
from raggate_action.strings.visible_text import cut

_IN_WORDS: dict[FindingKind, str] = {
    "conflict": "the evidence says otherwise",
    "absent": "not in the evidence",
    "structure": "wrongly cited",
}


def suspect_section(reporting: Reporting, extent: Extent) -> Section:
    """Suspects that the baseline did not have, conflicts first; without a baseline nothing is new."""
    comparison = reporting.comparison
    if comparison is None or not comparison.new_suspects.suspects:
        return Section()
    new = comparison.new_suspects
    items = [_item(each, reporting, extent) for each in new.listed[: extent.rows]]
    more = left_out(len(items), new.suspects, extent, file="comparison.json")
    judged = reporting.run.judging is not None and reporting.run.judging.answers
    unread = ":" if judged else ", which no judge has read:"
    lead = Strong(count(new.suspects, "new suspect")), unread
    above, below = tuple(items[: extent.above]), tuple(items[extent.above :])
    folds = (Fold(count(len(below), "more new suspect"), items=below),) if below else ()
    return Section(lead=lead, items=above, more=more, folds=folds)


def _item(suspect: NewSuspect, reporting: Reporting, extent: Extent) -> Item:
    finding = suspect.finding
    text: Text = Code(cut(suspect.case_id, 80)), f": {_IN_WORDS[finding.kind]}"
    if not reporting.shows_texts:
        chunk: Text = (" in ", Code(cut(finding.chunk_id, 80))) if finding.chunk_id else ""
        return Item((text, " (", Code(cut(finding.code, 60)), ")", chunk))
    reason = Foreign(cut(finding.reason, extent.words))
    return Item((text, ": ", reason), quoted=Foreign(cut(suspect.text, extent.words)))
