"""One answer held against its chunks by rules, and the report on it: its claims and verdicts are those of the gates.

Judges, where there are any, are asked about what rules leave open (`judged_audit`); the report is the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from raggate_action.core.claims.claim_extraction import Draft, Drafts, Reading, itemise
from raggate_action.core.claims.claim_verdicts import adjudicate
from raggate_action.core.claims.model_context import ShownChunk, ShownContext
from raggate_action.core.claims.suggested_fix import nearest_to, suggested_fix
from raggate_action.core.evidence_checks.claim_text import ClaimText
from raggate_action.core.evidence_checks.evidence_index import IndexCache, ShownEvidence
from raggate_action.core.evidence_checks.nearest_evidence import meaning_of
from raggate_action.core.text.context_dependence import leans_back
from raggate_action.core.text.text import Text
from raggate_action.errors import UsageError
from raggate_action.schema.audit import AuditedClaim, AuditReport, AuditVerdict
from raggate_action.schema.case_run import Claim, Verdict
from raggate_action.schema.judgement import Judgement
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
# A statement of so few content words has its subject in the sentence before it: "Free of charge."
_ELLIPTIC = 2
_STOPS = " \t\r\n.,;:!?。！？"


class Source(NamedTuple):
    """A chunk to audit against."""

    id: str
    text: str


class Ground(NamedTuple):
    """What an answer is held against.

    Attributes:
        context: The chunks.
        indexed: Those that have a text, indexed.
        words: The keys of all their words.
        language: Of the answer.
    """

    context: ShownContext
    indexed: ShownEvidence
    words: frozenset[str]
    language: str

    @property
    def texts(self) -> list[tuple[str, str]]:
        """Ids and texts of the chunks that have a text, in order."""
        return [(each.chunk_id, each.text) for each in self.context.chunks if each.text and each.text.strip()]


class AuditedAnswer(NamedTuple):
    """An answer with its claims judged.

    Attributes:
        drafts: How it was itemised.
        claims: Its claims.
        undecided: Why a claim is unverified, in a clause.
        heard: What judges said, where any were asked.
        declines: It declines, so that no other text can put it right.
    """

    drafts: Drafts
    claims: tuple[Claim, ...]
    undecided: str = "rules cannot tell whether a chunk supports it"
    heard: tuple[Judgement, ...] = ()
    declines: bool = False

    @property
    def verdict(self) -> AuditVerdict:
        """The worst of its claims'; without any it is unverified."""
        found = {claim.verdict for claim in self.claims}
        return next((overall for verdict, overall in _WORST_FIRST.items() if verdict in found), "unverified")

    @property
    def drafts_with_claims(self) -> list[tuple[Draft, Claim]]:
        """Each claim with its draft."""
        drafts = {draft.claim_id: draft for draft in (*self.drafts.claims, *self.drafts.referrals)}
        return [(drafts[claim.claim_id], claim) for claim in self.claims]


AnyChunk: TypeAlias = Source | Mapping[str, Any] | str
_CHUNKS_HINT = """Give a list of texts, of {"id": "c1", "text": "..."}, or of `raggate_action.Source("c1", "...")`."""


def ground_of(chunks: Iterable[AnyChunk], language: object) -> Ground:
    """The chunks, ready for answers to be held against.

    Args:
        chunks: Each a source, a mapping with `id` (or `chunk_id`) and `text`, or a text alone, which is called by its
            place: `1`, `2`, ...
        language: ISO 639-1 code of the answers.

    Raises:
        UsageError: Something is of another type, or two chunks have one id.
    """
    if isinstance(chunks, str | bytes | Mapping) or not isinstance(chunks, Iterable):
        raise UsageError(f"the chunks are of type {type(chunks).__name__}, and not a list of chunks", hint=_CHUNKS_HINT)
    if not isinstance(language, str):
        what = f"the language is of type {type(language).__name__}, and not an ISO 639-1 code"
        raise UsageError(what, hint='Give the code as text, as in `language="en"`.')
    sources = [_source(each, place) for place, each in enumerate(chunks, 1)]
    context = ShownContext(tuple([ShownChunk(s.id, None, s.text, language=language) for s in sources]))
    if len(context.by_id) < len(sources):
        raise UsageError("two chunks have one id", hint="Give every chunk an id of its own.")
    indexed = IndexCache(language).shown([(s.id, s.text) for s in sources if s.text.strip()])
    words: frozenset[str] = frozenset().union(*(index.words for _, index in indexed.chunks))
    return Ground(context, indexed, words, language)


def _source(chunk: object, place: int) -> Source:
    if isinstance(chunk, str):
        return Source(str(place), chunk)
    if isinstance(chunk, Mapping):
        chunk_id, text = chunk.get("chunk_id", chunk.get("id")), chunk.get("text")
    else:
        chunk_id, text = getattr(chunk, "id", None), getattr(chunk, "text", None)
    if isinstance(chunk_id, str) and chunk_id.strip() and isinstance(text, str):
        return Source(chunk_id, text)
    lacks = "no `text`" if not isinstance(text, str) else "no `id`"
    raise UsageError(f"chunk {place}, of type {type(chunk).__name__}, has {lacks} that is text", hint=_CHUNKS_HINT)


def by_rules(answer: object, ground: Ground) -> AuditedAnswer:
    """The answer's claims with the verdicts of rules.

    Raises:
        UsageError: The answer is no text.
    """
    if not isinstance(answer, str):
        what = f"the answer is of type {type(answer).__name__}, and not text"
        raise UsageError(
            what, hint='Give the text that the app answered with: `audit_answer("The fee is 20 EUR.", ["..."])`.'
        )
    context, language = ground.context, ground.language
    drafts = itemise(Answer(text=answer), context, known=context.by_id, reading=Reading(_MARKERS, language))
    claims = adjudicate(drafts, (), context)
    if not ground.texts:
        note = "there is no chunk with a text"
        update = {"verdict": "unsupported", "note": note, "findings": ()}
        claims = tuple([claim.model_copy(update=update) for claim in claims])
    return AuditedAnswer(drafts, claims)


def _keyless_fix(audited: AuditedAnswer, ground: Ground) -> str | None:
    """One paragraph of the supported claims and the chunks' own words; None where there is none.

    Rules call every claim of it faithful that judges have not called supported in the same words. A claim that leans on
    the sentence before it keeps a judge's verdict only behind that sentence.
    """

    def with_verdicts(claims: Iterable[Claim]) -> Iterator[tuple[tuple[str, str], Claim]]:
        """Each claim by its words, and those of the claim before it where it leans on that."""
        before = ""
        for claim in claims:
            words = claim.text.casefold().strip(_STOPS)
            leans = len(meaning_of(claim.text)) <= _ELLIPTIC or leans_back(claim.text.lower(), ground.language)
            yield (words, before if leans else ""), claim
            before = words

    judged = {said for said, claim in with_verdicts(audited.claims) if claim.judged and claim.verdict == "supported"}

    def passes(text: str) -> bool:
        claims = by_rules(text, ground).claims
        return bool(claims) and all(
            claim.verdict == "supported" or (claim.verdict == "unverified" and said in judged)
            for said, claim in with_verdicts(claims)
        )

    return suggested_fix(audited.drafts_with_claims, ground.context, ground.indexed, passes=passes)


def keeps_supported(audited: AuditedAnswer, fixed: AuditedAnswer) -> bool:
    """Whether every supported claim of an answer is in a repaired one, by its content words and values."""
    claims = [meaning_of(claim.text) for claim in fixed.claims]
    supported = [meaning_of(claim.text) for claim in audited.claims if claim.verdict == "supported"]
    return all(any(meaning <= other for other in claims) for meaning in supported)


class Audit(AuditReport):
    """An answer, audited; a notebook shows it as a table of its claims."""

    def _repr_markdown_(self) -> str:
        from raggate_action.report.render import render_audit

        return render_audit(self)


def audit_report(answer: str, audited: AuditedAnswer, ground: Ground, fix: str | None = None) -> Audit:
    """The report on an audited answer.

    Args:
        answer: The answer.
        audited: Its claims with their verdicts.
        ground: The chunks.
        fix: What a judge has written to put it right; None leaves it to the chunks' own words.
    """
    claims = tuple(
        [
            AuditedClaim(
                span=_span(draft, answer),
                offset=draft.start or 0,
                supported_by=claim.supported_by,
                verdict=claim.verdict,
                quote=claim.quote,
                note=_note(claim, audited.undecided, ground),
            )
            for draft, claim in audited.drafts_with_claims
        ]
    )
    return Audit(
        claims=claims,
        unsupported=tuple([claim.span for claim in claims if claim.verdict != "supported"]),
        verdict=audited.verdict,
        suggested_fix=None if audited.verdict == "faithful" else fix or _keyless_fix(audited, ground),
    )


def _span(draft: Draft, answer: str) -> str:
    """The claim verbatim; where a citation marker stands behind its words, they end it."""
    start, end = draft.start or 0, draft.end or 0
    raw = draft.prose.raw if draft.prose is not None else draft.text
    words = len(raw.rstrip(_STOPS))
    return answer[start:end] if raw[words:] == answer[start + words : end] else answer[start : start + words]


def _note(claim: Claim, undecided: str, ground: Ground) -> str | None:
    """What is wrong with a claim, or why nothing can be said of it; None for one with nothing to add."""
    # Judges that bear a claim out have seen what rules only suspect of it.
    is_borne_out = claim.judged and claim.verdict == "supported"
    found = () if is_borne_out else dict.fromkeys([claim.note, *(finding.reason for finding in claim.findings)])
    reasons = [reason for reason in found if reason]
    against = [
        vote.chunk_id for vote in claim.votes if vote.verdict == claim.verdict == "contradicted" and vote.chunk_id
    ]
    if claim.judged and against and not re.search(rf"(?<!\w){re.escape(against[0])}(?!\w)", "; ".join(reasons)):
        reasons.append(f"{against[0]} disagrees")
    if claim.supported_by and claim.citations and not set(claim.citations) & set(claim.supported_by):
        reasons.append(f"it cites {', '.join(claim.citations)}; {claim.supported_by[0]} says it")
    if claim.verdict == "unverified":
        nearest = nearest_to(claim, ground.indexed)
        words = ClaimText(Text(claim.text), "")
        lacking = [t for t in words.tokens if t.key in words.content and t.key not in ground.words]
        named = dict.fromkeys(f"“{words.raw[t.start : t.end]}”" for t in lacking[:_WORDS_NAMED])
        what = f"no chunk has {', '.join(named)}" if named else "no chunk says this word for word"
        hint = f"; nearest is {nearest.chunk_id}" if nearest is not None else ""
        reasons.append(f"{what}; {undecided}{hint}")
    return "; ".join(reasons) or None
