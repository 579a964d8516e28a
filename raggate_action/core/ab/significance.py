"""Who is ahead, as far as a panel's test tells: the same test, at the same level, as the gate's."""

from __future__ import annotations

from typing import NamedTuple

from raggate_action.core.decision.ab_gate import LARGEST_CHANCE, LEAST_QUESTIONS
from raggate_action.schema.ab_result import Headline
from raggate_action.schema.base import Rate
from raggate_action.schema.judge_rows import Winner


class Told(NamedTuple):
    """What a test tells.

    Attributes:
        winner: Who is ahead; a tie where nobody is told apart.
        chance: How often chance alone does as much: of the control one-sided, as the gate has it, else two-sided.
        one_sided: Which of both.
    """

    winner: Winner
    chance: Rate
    one_sided: bool = False


def told_by(headline: Headline) -> Told | None:
    """What the test tells; None where nothing may be claimed, for there are too few questions.

    Whoever is ahead by the scores has won more questions as well: one judge's scores can carry the mean of all while
    most judges see no difference anywhere.
    """
    test, delta, wins = headline.test, headline.mean_delta or 0, headline.wins
    if test is None or headline.questions < LEAST_QUESTIONS:
        return None
    if delta < 0 and wins.control > wins.treatment and _is_rare(test.control):
        return Told("control", test.control, one_sided=True)
    if delta > 0 and wins.treatment > wins.control and _is_rare(test.two_sided):
        return Told("treatment", test.two_sided)
    return Told("tie", test.two_sided)


def ahead_by_test(headline: Headline) -> Winner | None:
    """Who is ahead by the test; None where nothing may be claimed."""
    told = told_by(headline)
    return None if told is None else told.winner


def _is_rare(chance: Rate) -> bool:
    return chance.hits <= LARGEST_CHANCE * chance.total
