"""The audit of one answer against the chunks it was made from: by rules, without a model and without reading anything.

    from raggate_action import Source, audit_answer

    report = audit_answer("The fee is 20 EUR [c1].", [Source("c1", "The fee is 20 EUR.")])
    assert report.verdict == "faithful"

The claims and their verdicts are those of the gates.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from raggate_action.core.evidence_checks.claim_text import ClaimText
from raggate_action.core.evidence_checks.index import IndexCache, ShownEvidence
from raggate_action.core.support.claims import adjudicate
from raggate_action.core.support.context import ShownChunk, ShownContext
from raggate_action.core.support.drafts import Draft, Drafts, Reading, itemise
from raggate_action.core.support.suggested_fix import nearest_to, suggested_fix
from raggate_action.errors import UsageError
from raggate_action.schema.audit import AuditedClaim, AuditReport, AuditVerdict
from raggate_action.schema.case_run import Claim, Verdict
from raggate_action.schema.suite import DEFAULT_CITATION_MARKERS
from raggate_action.schema.trace import Answer

_MARKERS = tuple(re.compile(marker) for marker in DEFAULT_CITATION_MARKERS)
# The worst verdict a claim has is the answer's, in this order.
_WORST_FIRST: dict[Verdict, AuditVerdict] = {
    "contradicted": "unfaithful",
    "unsupported": "unfaithful",
    "partial": "partial",
    "unverified": "unverified",
    "supported": "faithful",
}
_WORDS_NAMED = 5
_STOPS = " \t\r\n.,;:!?。！？"


class Source(NamedTuple):
    """A chunk to audit against."""

    id: str
    text: str


class _Evidence(NamedTuple):
    """The chunks that have a text, indexed, and the keys of all their words."""

    indexed: ShownEvidence
    words: frozenset[str]


class _Audited(NamedTuple):
    """An answer with its claims judged, `drafts` and `claims` side by side."""

    drafts: Drafts
    claims: tuple[Claim, ...]
    verdict: AuditVerdict


def audit_answer(answer: str, chunks: Iterable[Source], *, language: str = "en") -> AuditReport:
    """Say of every claim of an answer which chunks support it.

    Rules find faults and recognise quotations; of what is put in other words they say `unverified`. An answer is
    `faithful` only when every claim of it is supported, and an answer without claims never is.

    Args:
        answer: The answer; citations are read as `[c1]`, `[1]` (a position) and `【1】`.
        chunks: The chunks it was made from, ids unique; what is in none of them is no evidence.
        language: ISO 639-1 code of the answer.

    Raises:
        UsageError: Two chunks have one id.
    """
    sources = list(chunks)
    context = ShownContext(tuple([ShownChunk(s.id, None, s.text, language=language) for s in sources]))
    if len(context.by_id) < len(sources):
        raise UsageError("two chunks have one id", hint="Give every chunk an id of its own.")
    audited = _audited(answer, context, language)
    indexed = IndexCache(language).shown([(s.id, s.text) for s in sources if s.text.strip()])
    evidence = _Evidence(indexed, frozenset().union(*(index.words for _, index in indexed.chunks)))
    drafts = {draft.claim_id: draft for draft in (*audited.drafts.claims, *audited.drafts.referrals)}
    judged = [(drafts[claim.claim_id], claim) for claim in audited.claims]
    claims = tuple([_audited_claim(draft, claim, answer, evidence) for draft, claim in judged])
    fix = None
    if audited.verdict != "faithful":
        fix = suggested_fix(
            judged, context, indexed, passes=lambda text: _audited(text, context, language).verdict == "faithful"
        )
    return AuditReport(
        claims=claims,
        unsupported=tuple([claim.span for claim in claims if claim.verdict != "supported"]),
        verdict=audited.verdict,
        suggested_fix=fix,
    )


def _audited(answer: str, context: ShownContext, language: str) -> _Audited:
    drafts = itemise(Answer(text=answer), context, known=context.by_id, reading=Reading(_MARKERS, language))
    claims = adjudicate(drafts, (), context)
    if not any(chunk.text and chunk.text.strip() for chunk in context.chunks):
        note = "there is no chunk with a text"
        update = {"verdict": "unsupported", "note": note, "findings": ()}
        claims = tuple([claim.model_copy(update=update) for claim in claims])
    found = {claim.verdict for claim in claims}
    worst: AuditVerdict = next((overall for verdict, overall in _WORST_FIRST.items() if verdict in found), "unverified")
    return _Audited(drafts, claims, worst)


def _audited_claim(draft: Draft, claim: Claim, answer: str, evidence: _Evidence) -> AuditedClaim:
    return AuditedClaim(
        span=_span(draft, answer),
        offset=draft.start or 0,
        supported_by=claim.supported_by,
        verdict=claim.verdict,
        quote=claim.quote,
        note=_note(claim, evidence),
    )


def _span(draft: Draft, answer: str) -> str:
    """The claim verbatim; where a citation marker stands behind its words, they end it."""
    start, end = draft.start or 0, draft.end or 0
    raw = draft.prose.raw if draft.prose is not None else draft.text
    words = len(raw.rstrip(_STOPS))
    return answer[start:end] if raw[words:] == answer[start + words : end] else answer[start : start + words]


def _note(claim: Claim, evidence: _Evidence) -> str | None:
    """What is wrong with a claim, or why nothing can be said of it; None for one with nothing to add."""
    found = dict.fromkeys([claim.note, *(finding.reason for finding in claim.findings)])
    reasons = [reason for reason in found if reason]
    if claim.supported_by and claim.citations and not set(claim.citations) & set(claim.supported_by):
        reasons.append(f"it cites {', '.join(claim.citations)}; {claim.supported_by[0]} says it")
    if claim.verdict == "unverified":
        nearest = nearest_to(claim, evidence.indexed)
        words = ClaimText(claim.text, "")
        lacking = [t for t in words.tokens if t.key in words.content and t.key not in evidence.words]
        named = dict.fromkeys(f"“{words.raw[t.start : t.end]}”" for t in lacking[:_WORDS_NAMED])
        what = f"no chunk has {', '.join(named)}" if named else "no chunk says this word for word"
        hint = f"; nearest is {nearest.chunk_id}" if nearest is not None else ""
        reasons.append(f"{what}; rules cannot tell whether a chunk supports it{hint}")
    return "; ".join(reasons) or None
