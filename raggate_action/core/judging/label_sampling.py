"""What people are asked to label, in which order: what teaches most, and every third thing drawn from all of a run.

A thing is a claim, a fact, a criterion. Rates over labelled claims say something of the app only where chance chose
them. So the claims of a run stand in an order that chance alone made, and those labelled at random are always its
beginning: a claim that the draw comes past counts as drawn, though somebody labelled it earlier because it teaches.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable
from typing import Literal, NamedTuple, TypeAlias

from raggate_action.core.counting.case_state import suspects_in
from raggate_action.schema.answer_votes import JudgedItem
from raggate_action.schema.calibration import Drawn
from raggate_action.schema.case_run import Claim

# Why a claim teaches: judges are on both sides, or somebody (a rule, a label, a judge) holds it for faulty.
Teaches: TypeAlias = Literal["disagreement", "suspect"]

_EVERY = 3
_FAULTY = frozenset({"partial", "unsupported", "contradicted"})


class Turn(NamedTuple):
    """The next claim, by its key, and how it came to be asked about."""

    key: str
    drawn: Drawn


class Lesson(NamedTuple):
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

    def __init__(self, things: Iterable[tuple[str, Lesson | None]], *, seed: int) -> None:
        """Draw.

        Args:
            things: Key, and what the thing teaches, in the run's order; of two with one key the first counts.
            seed: The suite's.
        """
        found: dict[str, Lesson | None] = {}
        for key, lesson in things:
            found.setdefault(key, lesson)
        taught = {key: lesson for key, lesson in found.items() if lesson is not None}
        self.drawn = tuple(
            sorted(found, key=lambda key: hashlib.blake2b(f"{seed}:{key}".encode(), digest_size=16).digest())
        )
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

    def drawn_so_far(self, labelled: Collection[str], last: Turn) -> tuple[str, ...]:
        """The labelled claims that the draw has come past, once `last` is labelled: all that count as random."""
        if all(key in labelled for key in self.drawn):
            # With every claim labelled, nothing is left to chance.
            return self.drawn
        # Up to the draw's own last claim and no farther: the next one may have been labelled because it teaches.
        upto = self.drawn.index(last.key) + 1 if last.drawn == "random" else 0
        return tuple([key for key in self.drawn[:upto] if key in labelled])


def lesson_of_claim(claim: Claim) -> Lesson | None:
    """Why a claim teaches more than another; None where nothing says that it does."""
    faulty = sum(vote.verdict != "supported" for vote in claim.votes)
    doubted = faulty or claim.verdict in _FAULTY or any(suspects_in((claim,)))
    return _lesson(faulty, len(claim.votes)) if doubted else None


def lesson_of_item(item: JudgedItem) -> Lesson | None:
    """The same of a fact or criterion; a judge that cannot tell is not on the good side."""
    faulty = sum(vote.said != item.order[-1] for vote in item.votes)
    return _lesson(faulty, len(item.votes)) if faulty else None


def _lesson(faulty: int, votes: int) -> Lesson:
    """Less teaches more: judges most evenly apart first, then what most of them hold for faulty."""
    share = faulty / (votes or 1)
    if 0 < faulty < votes:
        return Lesson("disagreement", (0, abs(share - 0.5)))
    return Lesson("suspect", (1, -share))
