"""A reply to the claims job, held against what was shown: votes, and which claims have none.

Nothing is guessed. A reply is one JSON object or it is none; a number stands for what was shown under it or for
nothing; the words a vote rests on are taken from the chunk. Each entry stands or falls alone: what was not asked, or
names what does not exist, is left out and takes nothing else with it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from raggate_action.core.judging.vote_aggregation import is_there
from raggate_action.judges.judging_job import ReplyReading
from raggate_action.judges.reply_form import LoosePart, OffSchemaError, entries
from raggate_action.judging_jobs.claims.claims_prompt import ClaimsTask, PromptNames, prompt_names
from raggate_action.judging_jobs.numbered_sentences import NumberedSentence, SentenceNumber, passages
from raggate_action.schema.base import Positive
from raggate_action.schema.judgement import DroppedVote, JudgedVerdict, Judgement, PointVote, Support, Vote
from raggate_action.strings.visible_text import cut

SCHEMA_NAME = "examined_claims"
_LONGEST_NOTE = 300
_LONGEST_ID = 80


class ClaimReply(LoosePart):
    """A claim, by the number it was shown with, and the numbers of the sentences that decide its verdict."""

    claim: Positive
    sentences: tuple[SentenceNumber, ...] = ()
    verdict: JudgedVerdict
    note: str | None = None


class PointReply(LoosePart):
    """A point, by its number, and the claims that state it."""

    point: Positive
    claims: tuple[int, ...] = ()


class ClaimsReply(LoosePart):
    """A whole reply; its lists are read entry by entry."""

    claims: tuple[JsonValue, ...] | None = None
    declines: JsonValue = None
    points: tuple[JsonValue, ...] | None = None


def read_reply(reply: ClaimsReply, task: ClaimsTask) -> ReplyReading:
    """Votes on the claims it judged with what a verdict needs, in the order they were shown; the others are named.

    Raises:
        OffSchemaError: Nothing of what was asked for is in it.
    """
    names = prompt_names(task)
    declines = reply.declines if isinstance(reply.declines, bool) else None
    if task.claims and reply.claims is None:
        raise OffSchemaError("it has no `claims`")
    if not task.claims and not task.points and declines is None:
        raise OffSchemaError("it does not say whether the answer declines")
    examined = entries(reply.claims or (), ClaimReply)
    votes: list[Vote] = []
    dropped: list[DroppedVote] = []
    problems: list[str] = []
    for number, claim in enumerate(task.claims, 1):
        found = _vote(claim.claim_id, [each for each in examined if each.claim == number], names.sentences)
        if isinstance(found, Vote):
            votes.append(found)
        else:
            problems.append(f"claim {number}: {found}")
            dropped.append(DroppedVote(claim_id=claim.claim_id, reason=found))
    located = entries(reply.points or (), PointReply)
    points = [point for n, name in names.points.items() if (point := _point(n, name, located, names)) is not None]
    spoken = {point.point for point in points}
    problems += [f"point {n}: nothing was said of it" for n, name in names.points.items() if name not in spoken]
    fields = {"votes": tuple(votes), "dropped": tuple(dropped), "declines": declines, "points": tuple(points)}
    return ReplyReading(fields, len(votes) + len(points), tuple(problems))


def left_over(task: ClaimsTask, reading: ReplyReading) -> ClaimsTask:
    """What of a task a reading says nothing of, as a task of its own; all of it where the reading says nothing."""
    judged = {vote.claim_id for vote in reading.fields.get("votes", ())}
    spoken = {point.point for point in reading.fields.get("points", ())}
    points = tuple([point for point in task.points if point.point not in spoken])
    settled = (*task.settled, *[claim for claim in task.claims if claim.claim_id in judged]) if points else ()
    return task._replace(
        claims=tuple([claim for claim in task.claims if claim.claim_id not in judged]), points=points, settled=settled
    )


def joined(task: ClaimsTask, first: ReplyReading, again: ReplyReading) -> ReplyReading:
    """Two readings of one task as one: the first says what it said, the second what was left over."""
    one, other = first.fields, again.fields
    votes = {vote.claim_id: vote for vote in (*one.get("votes", ()), *other.get("votes", ()))}
    points = {point.point: point for point in (*one.get("points", ()), *other.get("points", ()))}
    dropped = {each.claim_id: each for each in (*one.get("dropped", ()), *other.get("dropped", ()))}
    declines = one.get("declines")
    fields = {
        "votes": tuple([votes[claim.claim_id] for claim in task.claims if claim.claim_id in votes]),
        "dropped": tuple([each for claim_id, each in dropped.items() if claim_id not in votes]),
        "declines": other.get("declines") if declines is None else declines,
        "points": tuple([points[point.point] for point in task.points if point.point in points]),
    }
    return ReplyReading(fields, len(votes) + len(points), again.problems)


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


def _vote(claim_id: str, examined: Sequence[ClaimReply], sentences: Mapping[int, NumberedSentence]) -> Vote | str:
    """One claim's vote, or why it has none. No other verdict is put in the place of one that lacks what it rests on."""
    if not examined:
        return "nothing was said of it"
    first = examined[0]
    if any(each.verdict != first.verdict for each in examined[1:]):
        return "two entries give it different verdicts"
    deciding = passages([number for each in examined for number in each.sentences], sentences)
    places = tuple([Support(chunk_id=each.chunk_id, quote=each.words, quote_start=each.start) for each in deciding])
    if first.verdict in ("supported", "contradicted") and not places:
        return f"it is called {first.verdict}, and no sentence of the evidence is named"
    return Vote(
        claim_id=claim_id,
        verdict=first.verdict,
        support=places if first.verdict in ("supported", "partial") else (),
        against=places[0] if first.verdict == "contradicted" else None,
        note=_note(first, sentences),
    )


def _note(examined: ClaimReply, sentences: Mapping[int, NumberedSentence]) -> str | None:
    """The judge's words; a sentence that it names by our number is called by its chunk."""

    def named(found: re.Match[str]) -> str:
        number = int(found[1])
        known = number in sentences and number in examined.sentences
        return cut(sentences[number].chunk_id, _LONGEST_ID) if known else found[0]

    note = re.sub(r"\bS(\d{1,6})\b\|?", named, examined.note or "")
    return cut(note.strip(), _LONGEST_NOTE) or None


def _point(number: int, name: str, located: Sequence[PointReply], names: PromptNames) -> PointVote | None:
    """The vote on a point: the first claim named that was shown; None where the reply says nothing that can be read."""
    here = [each for each in located if each.point == number]
    if not here:
        return None
    makers = [claim for each in here for claim in each.claims]
    known = [names.claims[claim] for claim in makers if claim in names.claims]
    return None if makers and not known else PointVote(point=name, claim_id=known[0] if known else None)
