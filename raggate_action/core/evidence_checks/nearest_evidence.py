"""What of the evidence is near a claim, and whether two texts speak of one matter at all. Nearness is not support."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from raggate_action.core.evidence_checks.claim_text import ClaimText
from raggate_action.core.evidence_checks.evidence_index import EvidenceIndex, ShownEvidence, Statement, content_of
from raggate_action.core.text.canonical_form import number_key, root
from raggate_action.core.text.languages.common_words import COMMON_WORDS, TOLD_APART, languages_of
from raggate_action.core.text.text import Text

# BM25 as usual: how soon a repeated word stops counting, and how much long sentences are held back.
_K1 = 1.2
_B = 0.75
# A word that begins another one is the same in another form: "ship" and "shipment". Shorter ones begin too many.
_SHORTEST_ROOT = 4
# So many words with fewer of the commonest words of any language we know may be of a language we do not.
_WORDS_OF_A_SENTENCE = 6
_COMMON_IN_A_SENTENCE = 2


class Nearest(NamedTuple):
    """A sentence: its chunk, its place in the chunk's text, and its score, comparable within one claim only."""

    chunk_id: str
    start: int
    end: int
    score: float


def nearest_sentence(claim: Text, evidence: ShownEvidence) -> Nearest | None:
    """The sentence that ranks first by BM25; None where no shown sentence shares a meaning word with the claim."""
    ranked = nearest_statements(ClaimText(Text(claim.raw, evidence.language), ""), evidence, most=1)
    if not ranked:
        return None
    chunk_id, _index, statement, score = ranked[0]
    return Nearest(chunk_id, statement.start, statement.end, score)


def nearest_statements(
    claim: ClaimText, evidence: ShownEvidence, *, most: int
) -> Sequence[tuple[str, EvidenceIndex, Statement, float]]:
    """The first sentences and clauses by BM25, best first; ties in the order shown.

    A word that very many sentences of a chunk hold is looked for in its first ones only, so that time does not grow
    with the number of sentences.
    """
    chunks = evidence.chunks
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
    return [(*chunks[number], chunks[number][1].statements[at], score) for (number, at), score in best]


def shares_meaning(one: str, other: str, *, around: str = "") -> bool | None:
    """Whether two texts share a content word, in whatever form, or a value: the least that two have that say one thing.

    Args:
        one: A text.
        other: Another one.
        around: What stands beside the first in its language, and helps to tell it: a short text has few common words.

    Returns:
        None where that cannot be told: the first has no content word and no value, or they are, as far as their
        commonest words tell, of two languages, or of one that is not known.
    """
    ours, theirs = meaning_of(one), meaning_of(other)
    if not ours:
        return None
    if any(key == own or _is_form_of(key, own) for key in theirs for own in ours):
        return True
    return None if _languages(f"{one} {around}").isdisjoint(_languages(other)) else False


def meaning_of(text: str) -> frozenset[str]:
    """Its content words, and its values in every way they may be read."""
    tokens = Text(text).tokens
    values = {number_key(value) for token in tokens if token.kind == "number" for value in token.values}
    return (content_of(tokens) - COMMON_WORDS) | values


def _is_form_of(one: str, other: str) -> bool:
    if not (one.isalpha() and other.isalpha()):
        return False
    short, long = sorted((one, other), key=len)
    return root(one) == root(other) or (len(short) >= _SHORTEST_ROOT and long.startswith(short))


def _languages(text: str) -> frozenset[str]:
    """The languages a text may be in; a few words that are common in none may be of any."""
    words = [word.lower() for word in text.split()]
    if len(words) >= _WORDS_OF_A_SENTENCE and sum(word in COMMON_WORDS for word in words) < _COMMON_IN_A_SENTENCE:
        return frozenset()
    return frozenset(languages_of(text, TOLD_APART) or ())
