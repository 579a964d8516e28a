"""The chunks beside a claim, for whoever judges it: those nearest to it first, of long ones the nearest sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from raggate_action.core.evidence_checks.claim_text import ClaimText
from raggate_action.core.evidence_checks.evidence_index import EvidenceIndex, IndexCache, Statement
from raggate_action.core.evidence_checks.nearest_evidence import nearest_statements
from raggate_action.core.text.text import Text
from raggate_action.schema.calibration import LabelledChunk
from raggate_action.strings.visible_text import cut

# Characters of a chunk that is shown as it is, and sentences of a longer one.
_SHORT = 400
_SENTENCES = 3
# Sentences that are ranked over all chunks.
_RANKED = 60


class Excerpt(NamedTuple):
    """What is shown of a chunk.

    Attributes:
        chunk_id: The chunk.
        parts: Its text, or sentences of it, nearest first.
        whole: It is all of the text.
    """

    chunk_id: str
    parts: tuple[str, ...]
    whole: bool


def nearest_excerpts(claim: str, chunks: Sequence[LabelledChunk], indexes: IndexCache) -> tuple[Excerpt, ...]:
    """What to show of every chunk; of two alike near the first of the context comes first. Nearness is not support."""
    evidence = indexes.shown([(chunk.chunk_id, chunk.text) for chunk in chunks])
    by_id = dict(evidence.chunks)
    near: dict[str, list[str]] = {}
    for chunk_id, statement, _score in nearest_statements(
        ClaimText(Text(claim, evidence.language), ""), evidence, most=_RANKED
    ):
        sentence = _sentence(by_id[chunk_id], statement)
        sentences = near.setdefault(chunk_id, [])
        if sentence not in sentences and len(sentences) < _SENTENCES:
            sentences.append(sentence)
    texts = {chunk.chunk_id: chunk.text for chunk in chunks}
    return tuple(
        [_excerpt(chunk_id, texts[chunk_id], near.get(chunk_id)) for chunk_id in dict.fromkeys([*near, *texts])]
    )


def _excerpt(chunk_id: str, text: str, near: list[str] | None) -> Excerpt:
    if len(text) <= _SHORT:
        return Excerpt(chunk_id, (text,), whole=True)
    parts = tuple([cut(sentence, _SHORT) for sentence in near]) if near else (cut(text, _SHORT),)
    return Excerpt(chunk_id, parts, whole=False)


def _sentence(index: EvidenceIndex, statement: Statement) -> str:
    """The sentence that a clause belongs to."""
    own = [each for each in index.statements if each.sentence == statement.sentence]
    return index.text[min(each.start for each in own) : max(each.end for each in own)]
