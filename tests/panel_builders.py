"""Judgements and claims for tests of the panel."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from raggate_action.core.gates.case_row import evaluate_drafted
from raggate_action.core.gates.diagnosis import Drafted, Rulebook, draft
from raggate_action.core.judging.claim_vote_aggregation import PanelTerms, fold
from raggate_action.core.judging.undecided_claims import known_decline
from raggate_action.schema.case import PlacedCase, case_digest
from raggate_action.schema.case_run import CaseRun, Claim
from raggate_action.schema.judgement import JudgedVerdict, Judgement, Lost, LostCode, PointVote, Support, Vote
from raggate_action.schema.trace import Answered
from raggate_action.schema.verdicts import Verdicts
from tests.builders import make_case, make_rules, make_trace

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


def claim(claim_id: str = "c1", text: str = "The shop opens at nine and refunds are quick.", **fields: Any) -> Claim:
    """A claim that nothing has verified."""
    return Claim(claim_id=claim_id, text=text, **fields)


OPEN = "It opens early. Refunds are slow."
PANEL = PanelTerms(("a", "b", "c"), frozenset("abc"), 2)
ADVISING = PANEL._replace(armed=frozenset())


def drafted(answer: Any = OPEN, rules: Rulebook | None = None, **case: Any) -> Drafted:
    """An answer built from `CHUNKS`, before its gates; nothing verifies or refutes its claims."""
    context = [{"chunk_id": name, "text": text} for name, text in CHUNKS.items()]
    trace = make_trace(case_id=None, answer=answer, context=context)
    found = draft(make_case(**case), Answered(trace, labelled=True), rules or make_rules())
    assert isinstance(found, Drafted)
    return found


def said_of(found: Drafted, judgements: Iterable[Judgement], terms: PanelTerms = PANEL) -> Verdicts:
    """What a panel makes of an answer."""
    chunks = {chunk.chunk_id: chunk.text for chunk in found.context.chunks}
    declined = known_decline(found.drafts, found.claims)
    return fold(found.claims, judgements, terms, chunks=chunks, declined=declined)


def all_say(*votes: Vote, judges: str = "abc", **fields: Any) -> list[Judgement]:
    """Every judge says the same."""
    return [judgement(name, *votes, **fields) for name in judges]


def judged_row(
    judgements: Iterable[Judgement],
    answer: Any = OPEN,
    *,
    terms: PanelTerms = PANEL,
    rules: Rulebook | None = None,
    position: int = 0,
    **case: Any,
) -> CaseRun:
    """The row of an answer that a panel judged."""
    rules = rules or make_rules()
    found = drafted(answer, rules, **{"case_id": f"q{position}", **case})
    placed = PlacedCase(found.case, position, case_digest(found.case), "cases.yaml", position + 1)
    verdicts = said_of(found, judgements, terms)
    return evaluate_drafted(placed, found, verdicts, rules, finished_at="2026-06-02T12:00:00Z").row
