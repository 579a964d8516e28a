"""The audit of one answer as Markdown, for a notebook."""

from __future__ import annotations

from collections.abc import Iterator

from raggate_action.report.escape import inline_code, prose
from raggate_action.schema.audit import AuditReport
from raggate_action.strings.numbers import count


def audit_table(report: AuditReport) -> str:
    """The verdict, a row per claim, the suggested fix; everything of the answer and the chunks escaped."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: AuditReport) -> Iterator[str]:
    yield f"**{report.verdict}** · {count(len(report.claims), 'claim')}, {len(report.unsupported)} not supported"
    if report.claims:
        yield from ("", "| claim | verdict | supported by | note |", "| --- | --- | --- | --- |")
    for claim in report.claims:
        chunks = ", ".join(map(inline_code, claim.supported_by))
        yield f"| {prose(claim.span)} | {claim.verdict} | {chunks} | {prose(claim.note or '')} |"
    if report.suggested_fix:
        yield from ("", f"Suggested fix: {prose(report.suggested_fix)}")
