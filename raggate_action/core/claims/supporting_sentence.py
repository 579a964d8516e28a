"""The sentence of the evidence that a claim rests on, where that is certain: what a label may be made of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from raggate_action.core.claims.model_context import ShownContext
from raggate_action.core.evidence_checks.claim_text import ClaimText
from raggate_action.core.evidence_checks.conflict import diffs_of
from raggate_action.core.evidence_checks.evidence_index import IndexCache
from raggate_action.core.evidence_checks.stated_values import states_value
from raggate_action.core.text.text import Text
from raggate_action.schema.case_run import Claim
from raggate_action.strings.passages import SHORTEST_QUOTE, folded_quote

# Share of a claim's meaning words that the sentence has, in order: less is another statement on the same subject.
_FOLLOWED = 0.75
_LONGEST_QUOTE = 400


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
        return AlignedSentence(claim.supported_by[0], claim.quote) if claim.quote and claim.supported_by else None
    return _followed(claim.text, context, question) if language == "en" else None


def _followed(text: str, context: ShownContext, question: str) -> AlignedSentence | None:
    chunks = [(chunk.chunk_id, chunk.text) for chunk in context.chunks if chunk.text]
    claim = ClaimText(Text(text), question)
    evidence = _indexes().shown(chunks)
    if not chunks or claim.is_foreign or evidence.is_foreign:
        return None
    enough = _FOLLOWED * len(claim.content)
    diffs = [each for each in diffs_of(claim, evidence) if each.agrees and not each.of("unknown")]
    best = max(diffs, key=lambda diff: diff.shared, default=None)
    if best is None or best.shared < enough:
        return None
    whole, place = context.by_id[best.chunk_id].quotable, best.statement.start
    around = (whole.verbatim(each).strip() for each in whole.sentences if each.start <= place < each.end)
    return AlignedSentence(best.chunk_id, next(around, ""))


def quotes_in(sentence: str, values: Sequence[str], language: str) -> list[str]:
    """What a label may quote of a sentence: its parts that state one of the values, the whole where none does."""
    words = " ".join(sentence.split())
    parts = [each for each in re.split("[,;] ", words) if len(folded_quote(each)) >= SHORTEST_QUOTE]
    stating = [each for each in parts if any(states_value(each, value, language, elsewhere=False) for value in values)]
    return [each for each in stating or [words] if SHORTEST_QUOTE <= len(folded_quote(each)) <= _LONGEST_QUOTE]


@cache
def _indexes() -> IndexCache:
    return IndexCache("en")
