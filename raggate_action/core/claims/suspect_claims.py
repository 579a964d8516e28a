"""Findings of the evidence checks on a claim, each with the key that finds it again on another run."""

from __future__ import annotations

from functools import cache, lru_cache

from raggate_action.core.claims.model_context import ShownContext
from raggate_action.core.evidence_checks.claim_check import ClaimInAnswer, findings_on
from raggate_action.core.evidence_checks.evidence_index import IndexCache, ShownEvidence
from raggate_action.core.text.text import Text, normal_words
from raggate_action.schema.base import digest_of_text
from raggate_action.schema.case_run import Finding


def suspects_of(
    text: Text, citations: tuple[str, ...], context: ShownContext, *, question: str, language: str
) -> tuple[Finding, ...]:
    """What the evidence checks find on a claim; spans are places in `text`.

    Args:
        text: The claim.
        citations: Chunks it cites.
        context: What the model was shown; chunks without a text are no evidence.
        question: What was asked: its numbers and names are no inventions.
        language: ISO 639-1 code of the answers.
    """
    evidence = evidence_of(context, language)
    found = findings_on(ClaimInAnswer(text, 0, citations, question), evidence, language=language)
    if not found:
        return ()
    return tuple([finding.model_copy(update={"key": _key(text.raw, finding)}) for finding in without_repeats(found)])


def without_repeats(found: tuple[Finding, ...]) -> list[Finding]:
    """The findings, each fault once: where a sentence says otherwise, the value is mostly absent as well."""
    conflicts = [(each.start or 0, each.end or 0) for each in found if each.kind == "conflict" and not each.advisory]
    return [
        each
        for each in found
        if each.kind != "absent"
        or not any(start <= (each.start or 0) and (each.end or 0) <= end for start, end in conflicts)
    ]


def _key(text: str, finding: Finding) -> str:
    """Equal for the same fault of the same words, wherever they stand in whichever sentence."""
    words = normal_words(text[finding.start : finding.end])
    return digest_of_text(f"{finding.kind}:{finding.code}:{finding.chunk_id}:{words}")[:16]


@lru_cache(maxsize=1)
def evidence_of(context: ShownContext, language: str) -> ShownEvidence:
    """The chunks of one answer's context, put together once for all of its claims."""
    texts = [(chunk.chunk_id, chunk.text) for chunk in context.chunks if chunk.text]
    metadata = [chunk.metadata for chunk in context.chunks if chunk.metadata]
    return _indexes(language).shown(texts, metadata=(*metadata, *context.own_addresses))


@cache
def _indexes(language: str) -> IndexCache:
    """Chunks are read once for all cases of a run."""
    return IndexCache(language)
