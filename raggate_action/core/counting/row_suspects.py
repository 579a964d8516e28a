"""Which findings of a row make a claim of it suspect."""

from __future__ import annotations

from collections.abc import Iterator

from raggate_action.schema.case_run import CaseRun, Claim, Finding

_SUSPICIOUS = frozenset({"conflict", "absent"})


def suspects_in(row: CaseRun) -> Iterator[tuple[Claim, Finding]]:
    """The findings of a case that make a claim suspect: conflicts and what no evidence holds, advice left out."""
    for claim in row.claims:
        for finding in claim.findings:
            if finding.key and not finding.advisory and finding.kind in _SUSPICIOUS:
                yield claim, finding
