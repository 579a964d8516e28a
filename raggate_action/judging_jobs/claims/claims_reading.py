"""A reply to the claims job, held against what was shown: votes, and what is wrong with the reply.

Nothing is guessed. A reply is one JSON object of the form asked for or it is none; a name stands for what was shown
under it or for nothing; a quote is in its chunk or it is dropped. What cannot stand is a problem, in one sentence, and
the judge is shown it once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from raggate_action.core.judging.vote_aggregation import WORST_FIRST, is_there
from raggate_action.judges.chat_call import VisibleChunk
from raggate_action.judges.judging_job import ReplyReading
from raggate_action.judges.reply_form import OffSchemaError, ReplyPart, quoted_name, twice
from raggate_action.judging_jobs.claims.claims_prompt import ClaimsTask, PromptNames, prompt_names
from raggate_action.schema.base import Positive
from raggate_action.schema.judgement import DroppedVote, JudgedVerdict, Judgement, Part, PointVote, Support, Vote
from raggate_action.strings.passages import is_long_enough, place_of
from raggate_action.strings.visible_text import cut

SCHEMA_NAME = "examined_claims"


class Quoted(ReplyPart):
    """A chunk, by the name it was shown with, and its words."""

    chunk: str
    quote: str


class SplitOff(ReplyPart):
    """A statement that a claim joins with others."""

    span: str
    verdict: JudgedVerdict


class Examined(ReplyPart):
    """A claim, by the number it was shown with. The verdict stands last: a model writes it after what it rests on."""

    claim: Positive
    support: tuple[Quoted, ...] = ()
    against: Quoted | None = None
    note: str | None = None
    parts: tuple[SplitOff, ...] = ()
    verdict: JudgedVerdict


class Looked(ReplyPart):
    """A point, by its number, and the claim that states it."""

    point: Positive
    claim: Positive | None = None


class ClaimsReply(ReplyPart):
    """A whole reply."""

    claims: tuple[Examined, ...]
    declines: bool | None = None
    points: tuple[Looked, ...] = ()


_LONGEST_NOTE = 1_000
_LONGEST_ID = 80
_LONGEST_REASON = 500


def read_reply(reply: ClaimsReply, task: ClaimsTask) -> ReplyReading:
    """Votes on the claims it judged with what a verdict needs, in the order asked; why the others it judged have none.

    Raises:
        OffSchemaError: The reply speaks of what was not asked.
    """
    labels = prompt_names(task)
    _see_names(reply, labels)
    claims = {claim.claim_id: claim.text for claim in task.claims}
    said = {labels.claims[each.claim]: each for each in reply.claims}
    votes: list[Vote] = []
    problems: list[str] = []
    dropped: list[DroppedVote] = []
    for claim_id, text_of_claim in claims.items():
        if claim_id in said:
            try:
                votes.append(_vote(claim_id, text_of_claim, said[claim_id], labels))
            except OffSchemaError as wrong:
                problems.extend(wrong.problems)
                reason = _in_ids("; ".join(wrong.problems), labels.chunks)
                dropped.append(DroppedVote(claim_id=claim_id, reason=cut(reason, _LONGEST_REASON)))
    by_number = {each.point: each for each in reply.points}
    points = [
        PointVote(point=point, claim_id=None if (claim := by_number[number].claim) is None else labels.claims[claim])
        for number, point in labels.points.items()
        if number in by_number
    ]
    fields = {"votes": tuple(votes), "dropped": tuple(dropped), "declines": reply.declines, "points": tuple(points)}
    return ReplyReading(fields, len(votes), tuple(problems))


def fits(judgement: Judgement, task: ClaimsTask) -> bool:
    """Whether a judgement speaks of the task's claims, points and chunks alone, and quotes what stands there."""
    claims = {claim.claim_id for claim in task.claims}
    anywhere = {*claims, *(claim.claim_id for claim in task.settled), None}
    texts = {chunk.chunk_id: chunk.text for chunk in task.chunks}
    points = {point.point for point in task.points}

    def is_sound(vote: Vote) -> bool:
        named = (*vote.support, *([vote.against] if vote.against is not None else []))
        backed = bool(vote.support) or vote.verdict != "supported"
        return vote.claim_id in claims and backed and all(is_there(each, texts) for each in named)

    return all(map(is_sound, judgement.votes)) and all(
        point.point in points and point.claim_id in anywhere for point in judgement.points
    )


def _see_names(reply: ClaimsReply, labels: PromptNames) -> None:
    """See that the reply speaks of what was asked, of each once.

    Raises:
        OffSchemaError: It does not; every problem is named.
    """
    claims = [each.claim for each in reply.claims]
    points = [each.point for each in reply.points]
    makers = [each.claim for each in reply.points if each.claim is not None]
    problems = [f"claim {n} was not to be examined" for n in dict.fromkeys(claims) if not 1 <= n <= labels.examined]
    problems += [f"claim {n} is judged twice" for n in twice(claims)]
    problems += [f"there is no point {n}" for n in dict.fromkeys(points) if n not in labels.points]
    problems += [f"point {n} is named twice" for n in twice(points)]
    problems += [f"there is no claim {n}" for n in dict.fromkeys(makers) if n not in labels.claims]
    if not labels.examined and not labels.points and reply.declines is None:
        problems.append("it does not say whether the answer declines")
    if problems:
        raise OffSchemaError(*problems)


def _vote(claim_id: str, claim: str, said: Examined, labels: PromptNames) -> Vote:
    """One claim's vote.

    Raises:
        OffSchemaError: The verdict lacks what it rests on, or a part is not the claim's. No other verdict is put in its
            place: the claim is without this judge's vote then.
    """
    here = f"claim {said.claim}"
    parts = tuple([Part(span=_span(each.span, claim, here), verdict=each.verdict) for each in said.parts])
    verdict = min([said.verdict, *[part.verdict for part in parts]], key=WORST_FIRST.index)
    support: dict[str, Support] = {}
    missed = []
    for each in said.support if verdict in ("supported", "partial") else ():
        found = _found(each, labels.chunks)
        if isinstance(found, Support):
            support.setdefault(found.chunk_id, found)
        else:
            missed.append(found)
    against = _found(said.against, labels.chunks) if verdict == "contradicted" and said.against else None
    if verdict == "supported" and not support:
        why = missed or ["it names no chunk"]
        raise OffSchemaError(*[f"{here} is called supported, but {each}" for each in why])
    if verdict == "contradicted" and not isinstance(against, Support):
        raise OffSchemaError(f"{here} is called contradicted, but {against or 'it names no chunk that disagrees'}")
    order = {chunk.chunk_id: place for place, chunk in enumerate(labels.chunks.values())}
    return Vote(
        claim_id=claim_id,
        verdict=verdict,
        support=tuple(sorted(support.values(), key=lambda each: order[each.chunk_id])),
        against=against if isinstance(against, Support) else None,
        note=_note(said.note or "", labels.chunks),
        parts=parts,
    )


def _span(span: str, claim: str, here: str) -> str:
    """The part's words as the claim has them."""
    place = place_of(span, claim)
    if place is None:
        raise OffSchemaError(f"{here} does not hold the part {quoted_name(span)} word for word")
    return claim[place.start : place.end]


def _note(note: str, chunks: Mapping[str, VisibleChunk]) -> str | None:
    """The judge's words; a chunk that was shown under a name of ours is called by its id."""
    return cut(_in_ids(note, chunks).strip(), _LONGEST_NOTE) or None


def _in_ids(text: str, chunks: Mapping[str, VisibleChunk]) -> str:
    ours = {name: chunk.chunk_id for name, chunk in chunks.items() if name != chunk.chunk_id}
    if not ours:
        return text
    any_of_ours = "|".join(map(re.escape, ours))
    return re.sub(rf"(?<![\w-])(?:{any_of_ours})(?![\w-])", lambda found: cut(ours[found[0]], _LONGEST_ID), text)


def _found(quoted: Quoted, chunks: Mapping[str, VisibleChunk]) -> Support | str:
    """The place a judge names, as the chunk has it; else why it is none."""
    chunk = chunks.get(quoted.chunk)
    if chunk is None:
        return f"there is no chunk {quoted_name(quoted.chunk)}"
    if not is_long_enough(quoted.quote, chunk.text):
        where = f"chunk {quoted_name(quoted.chunk)}"
        return f"{quoted_name(quoted.quote)} is too short for a quote: copy a whole clause of {where}"
    place = place_of(quoted.quote, chunk.text)
    if place is None:
        return f"chunk {quoted_name(quoted.chunk)} does not hold {quoted_name(quoted.quote)} word for word"
    return Support(chunk_id=chunk.chunk_id, quote=chunk.text[place.start : place.end], quote_start=place.start)
