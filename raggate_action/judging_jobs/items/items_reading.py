"""A reply to the answer job, held against what was shown: votes, and which facts and criteria have none.

As in the claims job nothing is guessed, each entry stands or falls alone, and the words that a vote rests on are taken
from the answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

from pydantic import JsonValue, ValidationError

from raggate_action.core.judging.item_vote_aggregation import QUOTED, is_borne_out
from raggate_action.judges.judging_job import ReplyReading
from raggate_action.judges.prompts import chunk_names
from raggate_action.judges.reply_form import LoosePart, OffSchemaError, entries
from raggate_action.judging_jobs.items.items_prompt import AnswerTask, ItemQuestion
from raggate_action.judging_jobs.numbered_sentences import NumberedSentence, SentenceNumber, numbered_answer, passages
from raggate_action.schema.base import Positive
from raggate_action.schema.judgement import DroppedVote, ItemKind, ItemSaid, ItemVote, Judgement
from raggate_action.strings.visible_text import cut

SCHEMA_NAME = "held_answer"
FactSaid: TypeAlias = Literal["contradicted", "lacking", "stated"]
CriterionSaid: TypeAlias = Literal["yes", "no", "cannot-tell"]
_LONGEST_NOTE: Final = 300


class FactReply(LoosePart):
    """A fact, by the number it was shown with, and the numbers of the lines of the answer that decide."""

    fact: Positive
    sentences: tuple[SentenceNumber, ...] = ()
    verdict: FactSaid
    note: str | None = None


class CriterionReply(LoosePart):
    """A criterion, by its number."""

    criterion: Positive
    sentences: tuple[SentenceNumber, ...] = ()
    verdict: CriterionSaid
    note: str | None = None


class ChunkReply(LoosePart):
    """A chunk, by the name it was shown with."""

    chunk: str
    relevant: bool


class Relevance(LoosePart):
    """Whether answer and chunks are to the question."""

    answer: bool
    note: str | None = None
    chunks: tuple[JsonValue, ...] = ()


class AnswerReply(LoosePart):
    """A whole reply; its lists are read entry by entry."""

    facts: tuple[JsonValue, ...] | None = None
    criteria: tuple[JsonValue, ...] | None = None
    relevance: JsonValue = None


def read_reply(reply: AnswerReply, task: AnswerTask) -> ReplyReading:
    """Votes with what they need, facts first, each kind in the order shown; the others are named.

    Raises:
        OffSchemaError: Nothing of what was asked for is in it.
    """
    if reply.facts is None and reply.criteria is None and reply.relevance is None:
        raise OffSchemaError("it has no `facts`, no `criteria` and no `relevance`")
    lines = numbered_answer(task.answer)
    facts = {n: _item_vote("fact", n, item, _facts(reply, n), lines) for n, item in enumerate(task.facts, 1)}
    criteria = {
        n: _item_vote("criterion", n, item, _criteria(reply, n), lines) for n, item in enumerate(task.criteria, 1)
    }
    found = [*facts.values(), *criteria.values()]
    relevance = _relevance(reply, task)
    items = [*[each for each in found if isinstance(each, ItemVote)], *relevance]
    dropped = [each for each in found if isinstance(each, DroppedVote)]
    problems = [each.reason for each in dropped]
    if task.relevance and not relevance:
        problems.append("it does not say whether the answer is to the question")
    return ReplyReading({"items": tuple(items), "dropped": tuple(dropped)}, len(items), tuple(problems))


def left_over(task: AnswerTask, reading: ReplyReading) -> AnswerTask:
    """What of a task a reading says nothing of, as a task of its own; all of it where the reading says nothing."""
    answered = {(vote.kind, vote.item) for vote in reading.fields.get("items", ())}
    relevance = task.relevance and ("answer", "") not in answered
    return task._replace(
        facts=tuple([each for each in task.facts if ("fact", each.item) not in answered]),
        criteria=tuple([each for each in task.criteria if ("criterion", each.item) not in answered]),
        chunks=task.chunks if relevance else (),
        relevance=relevance,
    )


def joined(task: AnswerTask, first: ReplyReading, again: ReplyReading) -> ReplyReading:
    """Two readings of one task as one: the first says what it said, the second what was left over."""
    both = (*first.fields.get("items", ()), *again.fields.get("items", ()))
    votes = {(vote.kind, vote.item): vote for vote in reversed(both)}
    order: list[tuple[ItemKind, str]] = [*[("fact", each.item) for each in task.facts]]
    order += [("criterion", each.item) for each in task.criteria]
    order += [("answer", ""), *[("chunk", chunk.chunk_id) for chunk in task.chunks]]
    items = tuple([votes[place] for place in dict.fromkeys(order) if place in votes])
    return again._replace(fields={**again.fields, "items": items}, amount=len(items))


def fits(judgement: Judgement, task: AnswerTask) -> bool:
    """Whether a judgement speaks of the task's facts, criteria and chunks alone, and quotes what its answer says."""
    known: dict[ItemKind, set[str]] = {
        "fact": {each.item for each in task.facts},
        "criterion": {each.item for each in task.criteria},
        "answer": {""} if task.relevance else set(),
        "chunk": {chunk.chunk_id for chunk in task.chunks} if task.relevance else set(),
    }
    return all(
        vote.item in known[vote.kind] and vote.said in _SAYABLE[vote.kind] and is_borne_out(vote, task.answer)
        for vote in judgement.items
    )


_SAYABLE: Final[Mapping[ItemKind, frozenset[ItemSaid]]] = {
    "fact": frozenset({"stated", "lacking", "contradicted"}),
    "criterion": frozenset({"yes", "no", "cannot-tell"}),
    "answer": frozenset({"yes", "no"}),
    "chunk": frozenset({"yes", "no"}),
}


def _facts(reply: AnswerReply, number: int) -> list[FactReply]:
    return [each for each in entries(reply.facts or (), FactReply) if each.fact == number]


def _criteria(reply: AnswerReply, number: int) -> list[CriterionReply]:
    return [each for each in entries(reply.criteria or (), CriterionReply) if each.criterion == number]


def _item_vote(
    kind: ItemKind,
    number: int,
    item: ItemQuestion,
    held: Sequence[FactReply | CriterionReply],
    lines: Mapping[int, NumberedSentence],
) -> ItemVote | DroppedVote:
    """The vote on one item, or why there is none. No other vote is put in the place of one."""
    here = f"{kind} {number}"
    if not held:
        return DroppedVote(claim_id=item.item, reason=f"nothing was said of {here}")
    first = held[0]
    if any(each.verdict != first.verdict for each in held[1:]):
        return DroppedVote(claim_id=item.item, reason=f"two entries give {here} different verdicts")
    deciding = passages([line for each in held for line in each.sentences], lines) if first.verdict in QUOTED else []
    if first.verdict in QUOTED and not deciding:
        why = f'{here} is called "{first.verdict}", and no line of the answer is named'
        return DroppedVote(claim_id=item.item, reason=why)
    quote = deciding[0].words if deciding else None
    return ItemVote(kind=kind, item=item.item, said=first.verdict, quote=quote, note=_note(first.note))


def _relevance(reply: AnswerReply, task: AnswerTask) -> list[ItemVote]:
    """The votes on what is to the question; it is advice, so that a chunk left out is no fault."""
    if not task.relevance or not isinstance(reply.relevance, dict):
        return []
    try:
        relevance = Relevance.model_validate(reply.relevance, strict=False)
    except ValidationError:
        return []
    names = chunk_names(task.chunks)
    relevant = {each.chunk: each.relevant for each in reversed(entries(relevance.chunks, ChunkReply))}
    of_answer = ItemVote(kind="answer", said=_yes(relevance.answer), note=_note(relevance.note))
    return [
        of_answer,
        *[
            ItemVote(kind="chunk", item=chunk.chunk_id, said=_yes(relevant[name]))
            for name, chunk in names.items()
            if name in relevant
        ],
    ]


def _yes(holds: bool) -> ItemSaid:  # noqa: FBT001 - a verdict as it came
    return "yes" if holds else "no"


def _note(note: str | None) -> str | None:
    return cut((note or "").strip(), _LONGEST_NOTE) or None
