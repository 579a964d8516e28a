"""Findings: what keyless rules found on single claims. They stand beside the gates and enter no rate."""

from __future__ import annotations

from raggate_action.report.escape import cell, inline_code
from raggate_action.report.extent import Extent, cut, joined, table_fold
from raggate_action.report.page import Section, Table
from raggate_action.report.reporting import Reporting
from raggate_action.schema.case_run import Claim, Finding


def finding_section(reporting: Reporting, extent: Extent) -> Section:
    """The findings of every case that is listed, failing ones first; folded, and nothing without any.

    What only advises stands behind them in a fold of its own, so that it crowds none out.
    """
    listed = reporting.listed
    # A case without a finding is in none of these for its claims' sake.
    rows = (*listed.failing, *listed.unmeasured, *listed.with_issues)
    found = [(row.case_id, claim, finding) for row in rows for claim in row.claims for finding in claim.findings]
    counting = [each for each in found if not each[2].advisory]
    advice = [each for each in found if each[2].advisory]
    return joined(
        [
            _fold("Findings on claims", counting, reporting, extent),
            _fold("Advice on claims, which counts nowhere", advice, reporting, extent),
        ]
    )


def _fold(title: str, found: list[tuple[str, Claim, Finding]], reporting: Reporting, extent: Extent) -> Section:
    lines = [_line(*each, reporting, extent) for each in found[: extent.rows]]
    table = Table(("Case", "Claim", "Finding"), ("---",) * 3, tuple(lines))
    return table_fold(title, table, total=len(found), extent=extent)


def _line(case_id: str, claim: Claim, finding: Finding, reporting: Reporting, extent: Extent) -> tuple[str, ...]:
    code = inline_code(f"{finding.kind}: {cut(finding.code, 60)}")
    if not reporting.shows_texts:
        chunk = f" {inline_code(cut(finding.chunk_id, 80))}" if finding.chunk_id else ""
        return inline_code(cut(case_id, 80)), inline_code(cut(claim.claim_id, 80)), code + chunk
    reason = cell(cut(finding.reason, extent.words))
    return inline_code(cut(case_id, 80)), cell(cut(claim.text, extent.words)), f"{code} {reason}"
