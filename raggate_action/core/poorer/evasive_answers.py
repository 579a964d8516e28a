"""Answers that decline where main's answered, and answers about something else than the question."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, TypeAlias

from raggate_action.core.claims.claim_extraction import Reading
from raggate_action.core.evidence_checks.evidence_index import EvidenceIndex, content_of
from raggate_action.core.text.canonical_form import root
from raggate_action.core.text.languages.common_words import languages_of
from raggate_action.core.text.languages.language_rules import KNOWN
from raggate_action.core.text.prose import Expected, Prose, read_prose
from raggate_action.core.text.text import Text

Stance: TypeAlias = Literal["answers", "may decline", "declines"]
# Fewer words are a yes, a name or a number.
_FEWEST = 4


@lru_cache(maxsize=64)
def stance_on(text: str, question: str, reading: Reading) -> Stance:
    """Whether an answer declines, read with its question; it may where it would if a decline were expected."""
    strict = _read(text, reading, Expected(question=question))
    if strict.declined:
        return "declines"
    wide = _read(text, reading, Expected(unanswerable=question))
    return "may decline" if wide.declined or wide.may_decline else "answers"


def _read(text: str, reading: Reading, expected: Expected) -> Prose:
    return read_prose(
        text, (), patterns=reading.patterns, known=frozenset(), language=reading.language, expected=expected
    )


def is_less_sure(text: str, mains: Sequence[str], question: str, reading: Reading) -> Stance | None:
    """How an answer declines where every one of main's reads as an answer; None where it does not, or they do not."""
    here = stance_on(text, question, reading)
    if here == "answers" or any(stance_on(main, question, reading) != "answers" for main in mains):
        return None
    return here


def is_off_the_question(text: str, mains: Sequence[str], question: str, evidence: Sequence[EvidenceIndex]) -> bool:
    """Whether an answer of several words has no word, value or name of question, evidence or main's answers.

    Never across languages: there the same is said in other words.
    """
    stated = Text(text).stated
    words = frozenset([root(key) for key in content_of(stated.tokens)])
    if len(words) < _FEWEST or len(text.split()) < _FEWEST:
        return False
    here = frozenset(languages_of(text, KNOWN) or ())
    if any(here.isdisjoint(languages_of(main, KNOWN) or ()) for main in mains):
        return False
    known = {root(key) for other in (question, *mains) for key in Text(other).keys}
    known |= {root(key) for index in evidence for key in index.words}
    return words.isdisjoint(known)
