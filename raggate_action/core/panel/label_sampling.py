"""Which claims people are asked about, in which order: those that teach most, and every third one drawn from all.

Rates over labelled claims say something of the app only where chance chose them. So the claims of a run stand in an
order that chance alone made, and those labelled at random are always its beginning: a claim that the draw comes past
counts as drawn, though somebody labelled it earlier because it teaches.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable
from typing import Literal, NamedTuple, Self, TypeAlias

from raggate_action.core.counting.row_suspects import suspects_in
from raggate_action.schema.answer_votes import JudgedItem
from raggate_action.schema.base import digest_of_text
from raggate_action.schema.calibration import Drawn, HeldAnswer, LabelledItem
from raggate_action.schema.case_run import Claim

# Why a claim teaches: judges are on both sides, or somebody (a rule, a label, a judge) holds it for faulty.
Teaches: TypeAlias = Literal["disagreement", "suspect"]

_EVERY = 3
_FAULTY = frozenset({"partial", "unsupported", "contradicted"})


class Turn(NamedTuple):
    """The next claim, by its key, and how it came to be asked about."""

    key: str
    drawn: Drawn


def claim_key(question: str, answer: str, claim: str) -> str:
    """What a label belongs to: whoever labels the same claim of the same answer again labels twice."""
    return digest_of_text(json.dumps([question, answer, claim]))


def item_key(answer: HeldAnswer, item: LabelledItem) -> str:
    """The same of a fact or criterion: whether it must hold is no part of what is said of it, and is of the label."""
    return digest_of_text(json.dumps([answer.job, answer.question, answer.answer, item.text, item.must_not]))


class _Lesson(NamedTuple):
    """Why something teaches more than another, and how much: less is more."""

    why: Teaches
    rank: tuple[int, float]


class Sample:
    """The claims of one run, in the order of the draw and in the order of what they teach.

    Attributes:
        drawn: Keys of all claims, as drawn.
        teaching: Keys of those that teach more than others, most first.
        why: Why each of these does.
    """

    def __init__(self, claims: Iterable[tuple[str, Claim]], *, seed: int) -> None:
        """Draw.

        Args:
            claims: Key and claim, in the run's order; of two with one key the first counts.
            seed: The suite's.
        """
        self._take([(key, _of_claim(claim)) for key, claim in claims], seed)

    @classmethod
    def of_items(cls, items: Iterable[tuple[str, JudgedItem | None]], *, seed: int) -> Self:
        """The same of facts or criteria, each with what judges said of it; None where nobody was asked."""
        sample = cls((), seed=seed)
        sample._take([(key, None if item is None else _of_item(item)) for key, item in items], seed)
        return sample

    def _take(self, lessons: Iterable[tuple[str, _Lesson | None]], seed: int) -> None:
        found: dict[str, _Lesson | None] = {}
        for key, lesson in lessons:
            found.setdefault(key, lesson)
        taught = {key: lesson for key, lesson in found.items() if lesson is not None}
        self.drawn = tuple(sorted(found, key=lambda key: _draw(seed, key)))
        self.why: dict[str, Teaches] = {key: lesson.why for key, lesson in taught.items()}
        # Stable: what teaches alike stays in the run's order.
        self.teaching = tuple(sorted(taught, key=lambda key: taught[key].rank))

    def turn(self, labelled: Collection[str], passed: Collection[str]) -> Turn | None:
        """Whose turn it is.

        Args:
            labelled: Keys that have a label, of this run's claims and of others.
            passed: Keys that somebody has skipped.

        Returns:
            The next claim; None where every claim is labelled or skipped.
        """
        here = sum(key in labelled for key in self.drawn)
        by_chance = next((key for key in self.drawn if key not in labelled and key not in passed), None)
        if by_chance is None:
            return None
        teaching = next((key for key in self.teaching if key not in labelled and key not in passed), None)
        if teaching is None or here % _EVERY == _EVERY - 1:
            return Turn(by_chance, "random")
        return Turn(teaching, "chosen")

    def reached(self, labelled: Collection[str], last: Turn) -> tuple[str, ...]:
        """The labelled claims that the draw has come past, once `last` is labelled: all that count as random."""
        if all(key in labelled for key in self.drawn):
            # With every claim labelled, nothing is left to chance.
            return self.drawn
        # Up to the draw's own last claim and no farther: the next one may have been labelled because it teaches.
        upto = self.drawn.index(last.key) + 1 if last.drawn == "random" else 0
        return tuple([key for key in self.drawn[:upto] if key in labelled])


def teaches(claim: Claim) -> Teaches | None:
    """Why a claim teaches more than another; None where nothing says that it does."""
    faulty = sum(vote.verdict != "supported" for vote in claim.votes)
    if 0 < faulty < len(claim.votes):
        return "disagreement"
    return "suspect" if faulty or claim.verdict in _FAULTY or any(suspects_in((claim,))) else None


def _of_claim(claim: Claim) -> _Lesson | None:
    why = teaches(claim)
    faulty = sum(vote.verdict != "supported" for vote in claim.votes)
    return None if why is None else _Lesson(why, _rank(why, faulty, len(claim.votes)))


def _of_item(item: JudgedItem) -> _Lesson | None:
    """As of a claim; who cannot tell is not on the good side."""
    faulty = sum(vote.said != item.order[-1] for vote in item.votes)
    if not faulty:
        return None
    why: Teaches = "disagreement" if faulty < len(item.votes) else "suspect"
    return _Lesson(why, _rank(why, faulty, len(item.votes)))


def _rank(why: Teaches, faulty: int, votes: int) -> tuple[int, float]:
    """Less teaches more: judges most evenly apart first, then what most of them hold for faulty."""
    share = faulty / (votes or 1)
    return (0, abs(share - 0.5)) if why == "disagreement" else (1, -share)


def _draw(seed: int, key: str) -> bytes:
    return hashlib.blake2b(f"{seed}:{key}".encode(), digest_size=16).digest()
