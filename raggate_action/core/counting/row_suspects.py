"""What a suspect is: the one definition that counting, comparison and self-test share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from raggate_action.schema.case_run import Claim, Finding

_SUSPICIOUS = frozenset({"conflict", "absent"})


def suspects_in(claims: Iterable[Claim]) -> Iterator[tuple[Claim, Finding]]:
    """The findings that make a claim suspect: conflicts and what no evidence holds, advice and structure left out."""
    for claim in claims:
        for finding in claim.findings:
            if finding.key and not finding.advisory and finding.kind in _SUSPICIOUS:
                yield claim, finding
