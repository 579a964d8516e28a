"""The sentence of the evidence that a claim rests on, where that is certain: what a label may be made of."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from raggate_action.core.claims.model_context import ShownChunk, ShownContext
from raggate_action.core.evidence_checks.claim_text import ClaimText
from raggate_action.core.evidence_checks.conflict import Fit, fits_of
from raggate_action.core.evidence_checks.evidence_index import IndexCache
from raggate_action.core.text.text import Text
from raggate_action.schema.case_run import Claim

# Share of a claim's meaning words that the sentence has, in order: less is another statement on the same subject.
_FOLLOWED = 0.75


class AlignedSentence(NamedTuple):
    """A sentence of a chunk, verbatim."""

    chunk_id: str
    words: str


def aligned_sentence(claim: Claim, context: ShownContext, *, question: str, language: str) -> AlignedSentence | None:
    """The sentence a claim quotes, or, in English, follows without saying anything else.

    Args:
        claim: With its verdict.
        context: What the model was shown.
        question: What was asked.
        language: ISO 639-1 code of the answer.

    Returns:
        None for a claim against which something stands, and where no sentence is certain.
    """
    if claim.findings or claim.verdict not in {"supported", "unverified"}:
        return None
    if claim.verdict == "supported":
        return _quoted(claim, context)
    return _followed(claim.text, context, question) if language == "en" else None


def _quoted(claim: Claim, context: ShownContext) -> AlignedSentence | None:
    if claim.quote is None or not claim.supported_by:
        return None
    chunk = context.by_id.get(claim.supported_by[0])
    if chunk is None or not chunk.text or claim.quote_start is None:
        return AlignedSentence(claim.supported_by[0], claim.quote)
    return AlignedSentence(chunk.chunk_id, _around(chunk, claim.quote_start) or claim.quote)


def _followed(text: str, context: ShownContext, question: str) -> AlignedSentence | None:
    chunks = [(chunk.chunk_id, chunk.text) for chunk in context.chunks if chunk.text]
    claim = ClaimText(Text(text), question)
    evidence = _indexes().shown(chunks)
    if not chunks or claim.is_foreign or evidence.is_foreign:
        return None
    enough = _FOLLOWED * len(claim.content)
    fits = [fit for fit in fits_of(claim, evidence) if fit.agrees and not fit.unknown and fit.shared >= enough]
    if not fits:
        return None
    best: Fit = max(fits, key=lambda fit: fit.shared)
    chunk = context.by_id[best.chunk_id]
    return AlignedSentence(best.chunk_id, _around(chunk, best.statement.start) or "")


def _around(chunk: ShownChunk, place: int) -> str | None:
    """The whole sentence that has this character of the chunk's text."""
    for sentence in chunk.quotable.sentences:
        if sentence.start <= place < sentence.end:
            return chunk.quotable.verbatim(sentence).strip()
    return None


@cache
def _indexes() -> IndexCache:
    return IndexCache("en")
