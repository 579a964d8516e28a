"""The sentences of the evidence nearest to a claim, for whoever reviews it. Nearness is not support."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from raggate_action.core.evidence_checks.claim_text import ClaimText
from raggate_action.core.evidence_checks.index import ShownEvidence, Statement

# BM25 as usual: how soon a repeated word stops counting, and how much long sentences are held back.
_K1 = 1.2
_B = 0.75


class Nearest(NamedTuple):
    """A sentence: its chunk, its place in the chunk's text, and its score, comparable within one claim only."""

    chunk_id: str
    start: int
    end: int
    score: float


def nearest_sentence(claim: str, shown: ShownEvidence) -> Nearest | None:
    """The sentence that ranks first by BM25; None where no shown sentence shares a meaning word with the claim."""
    ranked = nearest_statements(ClaimText(claim, ""), shown, most=1)
    if not ranked:
        return None
    chunk_id, statement, score = ranked[0]
    return Nearest(chunk_id, statement.start, statement.end, score)


def nearest_statements(claim: ClaimText, shown: ShownEvidence, *, most: int) -> Sequence[tuple[str, Statement, float]]:
    """The first sentences and clauses by BM25, best first; ties in the order shown.

    A word that very many sentences of a chunk hold is looked for in its first ones only, so that time does not grow
    with the number of sentences.
    """
    chunks = shown.chunks
    total = sum(len(index.statements) for _, index in chunks)
    average = sum(index.average_length * len(index.statements) for _, index in chunks) / (total or 1)
    scores: dict[tuple[int, int], float] = defaultdict(float)
    for key in sorted(claim.content):
        places = [(number, at) for number, (_, index) in enumerate(chunks) for at in index.postings.get(key, ())]
        weight = math.log(1 + (total - len(places) + 0.5) / (len(places) + 0.5))
        for number, at in places:
            length = len(chunks[number][1].statements[at].content)
            scores[number, at] += weight * (_K1 + 1) / (1 + _K1 * (1 - _B + _B * length / (average or 1)))
    best = sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:most]
    return [(chunks[number][0], chunks[number][1].statements[at], score) for (number, at), score in best]
