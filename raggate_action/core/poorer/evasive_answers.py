"""Answers that decline where main's answered, and answers about something else than the question."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, TypeAlias

from raggate_action.core.claims.claim_extraction import Reading
from raggate_action.core.text.prose import Expected, Prose, read_prose

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
