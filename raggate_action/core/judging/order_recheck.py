"""A judge against itself: what it says of the same claims when it is shown the chunks in another order."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from raggate_action.core.counting.judge_only_findings import is_open
from raggate_action.schema.base import Rate, rate_of
from raggate_action.schema.case_run import Claim
from raggate_action.schema.judgement import DroppedVote, Judgement

_OTHERWISE = "it said otherwise of this claim when it was asked again with the chunks in another order"


class RecheckedJudgement(NamedTuple):
    """What became of a judge's votes on some claims.

    Attributes:
        judgement: What counts of both, with what both took: a vote that the judge took back is dropped.
        flips: Claims that it put on the other side (supported or not), of those it gave a verdict on both times.
    """

    judgement: Judgement
    flips: Rate


def doubted_votes(claims: Iterable[Claim], *, reviewed: bool) -> dict[str, frozenset[str]]:
    """The votes by which an answer fails, or is to be reviewed: judge -> claims; empty where none does.

    Args:
        claims: The answer's, with the panel's verdicts.
        reviewed: What judges agree on who do not count is reviewed.
    """
    found: dict[str, frozenset[str]] = {}
    for claim in claims:
        fails = claim.judged and claim.verdict != "supported"
        against = [vote for vote in claim.votes if vote.verdict != "supported" and (vote.armed or not fails)]
        if fails or (reviewed and is_open(claim) and against and len(against) == len(claim.votes)):
            for vote in against:
                found[vote.judge] = found.get(vote.judge, frozenset()) | {claim.claim_id}
    return found


def flips_between(first: Judgement, second: Judgement, claims: Collection[str] | None = None) -> list[tuple[str, bool]]:
    """Whether each claim with a verdict both times was put on the other side; None of `claims` is all of them."""
    sides: Mapping[str, bool] = {vote.claim_id: vote.verdict == "supported" for vote in second.votes}
    told = [vote for vote in first.votes if vote.claim_id in sides and (claims is None or vote.claim_id in claims)]
    return [(vote.claim_id, sides[vote.claim_id] != (vote.verdict == "supported")) for vote in told]


def with_second(first: Judgement, second: Judgement, claims: Collection[str]) -> RecheckedJudgement:
    """A judgement after the judge was asked again about some of its claims; a second one that is lost only costs."""
    told = flips_between(first, second, claims)
    flipped = [claim_id for claim_id, is_flip in told if is_flip]
    costs = (first.cost_usd, second.cost_usd)
    joined = first.model_copy(
        update={
            "votes": tuple([vote for vote in first.votes if vote.claim_id not in flipped]),
            "dropped": (*first.dropped, *[DroppedVote(claim_id=each, reason=_OTHERWISE) for each in flipped]),
            "usage": first.usage.plus(second.usage),
            "calls": first.calls + second.calls,
            "attempts": first.attempts + second.attempts,
            "unmetered": first.unmetered + second.unmetered,
            "cost_usd": None if None in costs else sum(each or 0.0 for each in costs),
            "reused": first.reused and not second.calls,
        }
    )
    return RecheckedJudgement(joined, rate_of(len(flipped), len(told)))
