"""Findings of rules on claims, and values that answers lack: tables for whoever looks closer."""

from __future__ import annotations

from raggate_action.report.comment_size import Extent, names, table_fold
from raggate_action.report.page import (
    Code,
    Column,
    FirstEntries,
    Foreign,
    Section,
    Table,
    Text,
)
from raggate_action.report.report_input import Reporting
from raggate_action.schema.case_run import CaseRun, Claim, Finding
from raggate_action.strings.numbers import NOTHING
from raggate_action.strings.visible_text import cut

_VALUES = 5


def finding_section(reporting: Reporting, extent: Extent) -> Section:
    """The findings of every case that is listed, failing ones first; folded, and nothing without any."""
    return _fold("Findings on claims", reporting, extent, advisory=False)


def advice_section(reporting: Reporting, extent: Extent) -> Section:
    """Findings that only advise, in a fold of their own, so that they hide no finding that counts."""
    return _fold("Advice on claims, which counts nowhere", reporting, extent, advisory=True)


def lacking_section(reporting: Reporting, extent: Extent) -> Section:
    """Values of reference answers that the answers lack, folded: a note that counts nowhere."""

    def row(case: CaseRun) -> tuple[Text, ...]:
        with_texts = reporting.shows_texts
        values = [Foreign(cut(each.text, 80)) if with_texts else Code(each.code) for each in case.lacks[:_VALUES]]
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
