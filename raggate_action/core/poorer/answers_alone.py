"""What an answer tells where no answer of main's is known: whether it is cut, and whether it is about its own case."""

from __future__ import annotations

from collections.abc import Sequence

from raggate_action.core.evidence_checks.evidence_index import EvidenceIndex
from raggate_action.core.poorer.cut_answers import cut_end
from raggate_action.core.poorer.same_answers import OwnAnswer, is_yes_or_no, same_digest
from raggate_action.core.text.canonical_form import root
from raggate_action.core.text.languages.en_words import STOP_WORDS
from raggate_action.core.text.read_in_english import keys_in
from raggate_action.schema.later import AnswerAlone


def answer_alone(answer: str, evidence: Sequence[EvidenceIndex], language: str, *, fits: bool) -> AnswerAlone | None:
    """What an answer tells by itself; None where it tells nothing.

    Args:
        answer: The answer, whole.
        evidence: What it was given; without any, nobody can tell whether it fits its case.
        language: ISO 639-1 code.
        fits: It is known to fit its case: it declines, or the evidence bears out a claim of it.
    """
    texts = [index.text for index in evidence]
    is_cut = cut_end(answer, (), texts, language) is not None
    same = None
    if texts and not (fits or is_yes_or_no(answer) or _is_of_its_evidence(answer, language, evidence)):
        same = same_digest(answer, OwnAnswer(texts, texts, declined=False))
    if not is_cut and same is None:
        return None
    from raggate_action.schema.main_answers import AnswerAlone

    return AnswerAlone(cut=is_cut, same=same)


def _is_of_its_evidence(answer: str, language: str, evidence: Sequence[EvidenceIndex]) -> bool:
    """Whether half of its words, by their stems, are the evidence's."""
    keys = keys_in(answer, language) - STOP_WORDS
    left = set(map(root, keys))
    enough = len(left) // 2
    for index in evidence:
        # Most words stand there as they are; stems are made for the others alone, and no chunk is read in vain.
        left.difference_update(map(root, keys & index.words))
        if len(left) > enough:
            left.difference_update(map(root, index.words))
        if len(left) <= enough:
            return True
    return False
