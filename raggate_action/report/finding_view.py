"""Findings and new suspects: what keyless rules found on single claims, which a reviewer reads first when it is new."""

from __future__ import annotations

from raggate_action.report.page import Code, Column, FirstEntries, Fold, Foreign, Item, Section, Strong, Table, Text
from raggate_action.report.report_input import Reporting
from raggate_action.report.size_ladder import Extent, left_out, names, table_fold
from raggate_action.schema.case_run import CaseRun, Claim, Finding, FindingKind
from raggate_action.schema.comparison import NewSuspect
from raggate_action.strings.numbers import NOTHING, count
from raggate_action.strings.visible_text import cut

_VALUES = 5


def finding_section(reporting: Reporting, extent: Extent) -> Section:
    """The findings of every case that is listed, failing ones first; folded, and nothing without any."""
    return _fold("Findings on claims", reporting, extent, advisory=False)


def advice_section(reporting: Reporting, extent: Extent) -> Section:
    """What only advises, in a fold of its own, so that it crowds out no finding that counts."""
    return _fold("Advice on claims, which counts nowhere", reporting, extent, advisory=True)


def lacking_section(reporting: Reporting, extent: Extent) -> Section:
    """What answers lack of their reference answers, folded: a note for whoever reads the case, and nothing else."""

    def row(case: CaseRun) -> tuple[Text, ...]:
        shown = reporting.shows_texts
        values = [Foreign(cut(each.text, 80)) if shown else Code(each.code) for each in case.lacks[:_VALUES]]
        return Code(cut(case.case_id, 80)), names(values, len(case.lacks))

    found = reporting.listed.lacking
    table = Table((Column("Case"), Column("Not in the answer")), FirstEntries(found, row, extent.rows))
    return table_fold("Values of reference answers, which count nowhere", table, total=len(found), extent=extent)


def _fold(title: str, reporting: Reporting, extent: Extent, *, advisory: bool) -> Section:
    listed = reporting.listed
    # A case without a finding is in none of these for its claims' sake.
    cases = (*listed.failing, *listed.unmeasured, *listed.with_issues)
    found = [
        (row.case_id, claim, finding)
        for row in cases
        for claim in row.claims
        for finding in claim.findings
        if finding.advisory == advisory
    ]
    rows = FirstEntries(found, lambda each: _row(*each, reporting, extent), extent.rows)
    table = Table((Column("Case"), Column("Claim"), Column("Finding")), rows)
    return table_fold(title, table, total=len(found), extent=extent)


def _row(case_id: str, claim: Claim, finding: Finding, reporting: Reporting, extent: Extent) -> tuple[Text, ...]:
    case, code = Code(cut(case_id, 80)), Code(f"{finding.kind}: {cut(finding.code, 60)}")
    if not reporting.shows_texts:
        chunk: Text = (" ", Code(cut(finding.chunk_id, 80))) if finding.chunk_id else ""
        return case, Code(cut(claim.claim_id, 80)), (code, chunk)
    reason = Foreign(cut(finding.reason, extent.words), NOTHING)
    return case, Foreign(cut(claim.text, extent.words), NOTHING), (code, " ", reason)


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
