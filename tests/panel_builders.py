"""Judgements and claims for tests of the panel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from raggate_action.schema.case_run import Claim
from raggate_action.schema.judgement import JudgedVerdict, Judgement, Lost, LostCode, PointVote, Support, Vote

CHUNKS = {"hours": "The shop opens at nine. It is closed on Sundays.", "refunds": "Refunds take ten days."}


def place(chunk_id: str = "hours", quote: str | None = None) -> Support:
    """A place in one of `CHUNKS`; without a quote its first sentence."""
    text = CHUNKS[chunk_id]
    quote = quote if quote is not None else text[: text.index(".") + 1]
    return Support(chunk_id=chunk_id, quote=quote, quote_start=max(text.find(quote), 0))


def vote(claim_id: str, verdict: JudgedVerdict, *chunk_ids: str, **fields: Any) -> Vote:
    """A vote; one for `supported` rests on `hours` where no chunk is named."""
    named = chunk_ids or (("hours",) if verdict == "supported" else ())
    return Vote(claim_id=claim_id, verdict=verdict, support=tuple([place(each) for each in named]), **fields)


def judgement(judge: str, *votes: Vote, points: Mapping[str, str | None] | None = None, **fields: Any) -> Judgement:
    """What a judge says of an answer."""
    made = {"id": "case", "fingerprint": f"is-{judge}", "prompt": "prompt", "key": f"key-of-{judge}", "calls": 1}
    named = tuple([PointVote(point=point, claim_id=claim_id) for point, claim_id in (points or {}).items()])
    return Judgement(judge=judge, votes=votes, points=named, **{**made, **fields})


def lost(judge: str, code: LostCode = "judge-timeout", detail: str = "no answer in 60 s") -> Judgement:
    """A judgement that was lost."""
    return judgement(judge, lost=Lost(code=code, detail=detail))


def claim(claim_id: str = "c1", text: str = "The shop opens at nine.", **fields: Any) -> Claim:
    """A claim that nothing has verified."""
    return Claim(claim_id=claim_id, text=text, **fields)
