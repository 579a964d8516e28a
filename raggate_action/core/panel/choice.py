"""Which claims people are asked about, in which order: those that teach most, and every third one drawn from all.

Rates over labelled claims say something of the app only where chance chose them. So the claims of a run stand in an
order that chance alone made, and those labelled at random are always its beginning: a claim that the draw comes past
counts as drawn, though somebody labelled it earlier because it teaches.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable
from typing import Literal, NamedTuple, TypeAlias

from raggate_action.core.counting.row_suspects import suspects_in
from raggate_action.schema.base import digest_of_text
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


def claim_key(question: str, answer: str, claim: str) -> str:
    """What a label belongs to: whoever labels the same claim of the same answer again labels twice."""
    return digest_of_text(json.dumps([question, answer, claim]))


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
        found: dict[str, Claim] = {}
        for key, claim in claims:
            found.setdefault(key, claim)
        self.drawn = tuple(sorted(found, key=lambda key: _draw(seed, key)))
        self.why: dict[str, Teaches] = {key: why for key, claim in found.items() if (why := teaches(claim))}
        # Stable: what teaches alike stays in the run's order.
        self.teaching = tuple(sorted(self.why, key=lambda key: _lesson(found[key], self.why[key])))

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


def _lesson(claim: Claim, why: Teaches) -> tuple[int, float]:
    """Less teaches more: judges most evenly apart first, then what most of them hold for faulty."""
    share = sum(vote.verdict != "supported" for vote in claim.votes) / (len(claim.votes) or 1)
    return (0, abs(share - 0.5)) if why == "disagreement" else (1, -share)


def _draw(seed: int, key: str) -> bytes:
    return hashlib.blake2b(f"{seed}:{key}".encode(), digest_size=16).digest()
