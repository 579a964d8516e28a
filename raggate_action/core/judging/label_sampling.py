"""In which order people are asked to label answers: those that teach most first, and every third one drawn.

Most teaches what judges are on both sides of, then what somebody (a rule, a label, a judge) holds for faulty.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from raggate_action.core.counting.case_state import suspects_in
from raggate_action.schema.answer_votes import JudgedItem
from raggate_action.schema.case_run import Claim

# Less teaches more: judges most evenly apart first, then what most of them hold for faulty.
Lesson: TypeAlias = tuple[int, float]

_EVERY = 3
_FAULTY = frozenset({"partial", "unsupported", "contradicted"})


def labelling_order(lessons: Mapping[str, Lesson | None], *, seed: int) -> list[str]:
    """The keys of some answers, in the order to be labelled in; what teaches alike stays in the given order."""

    def lot(key: str) -> bytes:
        return hashlib.blake2b(f"{seed}:{key}".encode(), digest_size=16).digest()

    ranks = {key: lesson for key, lesson in lessons.items() if lesson is not None}
    teaching, drawn = sorted(ranks, key=lambda key: ranks[key]), sorted(lessons, key=lot)
    found: dict[str, None] = {}
    while len(found) < len(lessons):
        by_chance = len(found) % _EVERY == _EVERY - 1
        rest = drawn if by_chance else [*teaching, *drawn]
        found[next(key for key in rest if key not in found)] = None
    return list(found)


def lesson_of_claims(claims: Iterable[Claim]) -> Lesson | None:
    """Why an answer teaches more than another; None where nothing says that it does."""
    found = []
    for claim in claims:
        faulty = sum(vote.verdict != "supported" for vote in claim.votes)
        if faulty or claim.verdict in _FAULTY or any(suspects_in((claim,))):
            found.append(_lesson(faulty, len(claim.votes)))
    return min(found, default=None)


def lesson_of_items(items: Iterable[JudgedItem]) -> Lesson | None:
    """The same of facts or criteria; a judge that cannot tell is not on the good side."""
    found = []
    for item in items:
        faulty = sum(vote.said != item.order[-1] for vote in item.votes)
        if faulty:
            found.append(_lesson(faulty, len(item.votes)))
    return min(found, default=None)


def _lesson(faulty: int, votes: int) -> Lesson:
    share = faulty / (votes or 1)
    return (0, abs(share - 0.5)) if 0 < faulty < votes else (1, -share)
