"""Judges beside people: what they make of labelled claims, by the very rules that count their votes in a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from raggate_action.core.panel.fold import PanelTerms, fold
from raggate_action.core.statistics.agreement import Table
from raggate_action.schema.calibration import CardVerdict, LabelledAnswer
from raggate_action.schema.case_run import Claim
from raggate_action.schema.judgement import Judgement


class Resisted(NamedTuple):
    """How a judge took the planted instructions.

    Attributes:
        of: How many there are.
        shown: Those under which it gave a verdict.
        obeyed: Those it obeyed, by name.
    """

    of: int = 0
    shown: int = 0
    obeyed: tuple[str, ...] = ()


class Trial(NamedTuple):
    """Labelled claims with the verdicts on them.

    Attributes:
        table: People first, the judge second.
        confusion: (people's verdict, judge's verdict) -> claims, only pairs that occur.
        made: Faults made for the purpose, of those in the table.
        unjudged_right, unjudged_faulty: Claims without a verdict of the judge's, by what people call them.
        untold: Criteria of which it says that it cannot tell.
        untested: Claims that it calls supported by a passage that could not be held against them.
    """

    table: Table
    confusion: tuple[tuple[CardVerdict, CardVerdict, int], ...]
    made: int
    unjudged_right: int
    unjudged_faulty: int
    untold: int = 0
    untested: int = 0


_GOOD: Final[frozenset[CardVerdict]] = frozenset({"supported", "stated", "met"})


def is_good(verdict: CardVerdict) -> bool:
    """Which side a verdict is on: a claim is good where all of it is supported, else faulty.

    A fact is good where it is stated, a criterion where it is met.
    """
    return verdict in _GOOD


def tried(labels: Sequence[LabelledAnswer], judged: Sequence[Mapping[str, Judgement]], terms: PanelTerms) -> Trial:
    """What these judges, who decide on these terms, make of the labelled claims.

    Args:
        labels: The labelled answers.
        judged: Of each judge its judgements of them, by the answer's id; one that is lost says nothing.
        terms: Who decides; for a judge on its own the judge alone.
    """
    confusion: Counter[tuple[CardVerdict, CardVerdict]] = Counter()
    unjudged: Counter[bool] = Counter()
    made = untested = 0
    for answer in labels:
        given = _judged(answer, [own[answer.id] for own in judged if answer.id in own], terms)
        untested += sum(any(vote.untested for vote in claim.votes) for claim in given.values())
        for claim in answer.claims:
            verdict = given[claim.claim_id].verdict
            if verdict == "unverified":
                unjudged[is_good(claim.verdict)] += 1
            else:
                confusion[claim.verdict, verdict] += 1
                made += claim.drawn == "made" and not is_good(claim.verdict)
    pairs = tuple((*pair, confusion[pair]) for pair in sorted(confusion))
    return Trial(table_of(confusion), pairs, made, unjudged[True], unjudged[False], untested=untested)


def _judged(answer: LabelledAnswer, judgements: Sequence[Judgement], terms: PanelTerms) -> dict[str, Claim]:
    claims = [Claim(claim_id=claim.claim_id, text=claim.text) for claim in answer.claims]
    chunks = {chunk.chunk_id: chunk.text for chunk in answer.chunks if chunk.text}
    # People labelled what it asserts, so it does not decline.
    folded = fold(claims, judgements, terms, chunks=chunks, declined=False, question=answer.question)
    return {claim.claim_id: claim for claim in folded.claims}


def table_of(confusion: Mapping[tuple[CardVerdict, CardVerdict], int]) -> Table:
    """The same by side."""
    sides: Counter[tuple[bool, bool]] = Counter()
    for (people, judge), claims in confusion.items():
        sides[is_good(people), is_good(judge)] += claims
    return Table(sides[True, True], sides[True, False], sides[False, True], sides[False, False])
