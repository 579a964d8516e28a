"""A reply to the answer job, held against what was shown: votes, and what is wrong with the reply.

As in the claims job nothing is guessed: a number stands for what was shown under it or for nothing, and what an answer
is said to say is said with words that stand in it, or it is not said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal, TypeAlias

from raggate_action.core.judging.item_vote_aggregation import QUOTED, is_borne_out
from raggate_action.judges.chat_call import VisibleChunk
from raggate_action.judges.judging_job import ReplyReading
from raggate_action.judges.prompts import chunk_names
from raggate_action.judges.reply_form import OffSchemaError, ReplyPart, quoted_name, twice
from raggate_action.judging_jobs.items.items_prompt import AnswerTask, ItemQuestion
from raggate_action.schema.base import Positive
from raggate_action.schema.judgement import DroppedVote, ItemKind, ItemSaid, ItemVote, Judgement
from raggate_action.strings.passages import is_long_enough, place_of
from raggate_action.strings.visible_text import cut

SCHEMA_NAME = "held_answer"
FactSaid: TypeAlias = Literal["stated", "lacking", "contradicted"]
CriterionSaid: TypeAlias = Literal["yes", "no", "cannot-tell"]


class FactHeld(ReplyPart):
    """A fact, by the number it was shown with. What is said stands last: a model writes it after what it rests on."""

    fact: Positive
    quote: str | None = None
    note: str | None = None
    said: FactSaid


class CriterionHeld(ReplyPart):
    """A criterion, by its number."""

    criterion: Positive
    quote: str | None = None
    note: str | None = None
    said: CriterionSaid


class ChunkHeld(ReplyPart):
    """A chunk, by the name it was shown with."""

    chunk: str
    relevant: bool


class Relevance(ReplyPart):
    """Whether answer and chunks are to the question."""

    answer: bool
    note: str | None = None
    chunks: tuple[ChunkHeld, ...] = ()


class AnswerReply(ReplyPart):
    """A whole reply."""

    facts: tuple[FactHeld, ...] = ()
    criteria: tuple[CriterionHeld, ...] = ()
    relevance: Relevance | None = None


_LONGEST_NOTE: Final = 1_000


# A vote, one that lacks what it needs, or what is missing.
_Found: TypeAlias = ItemVote | DroppedVote | str


def read_reply(reply: AnswerReply, task: AnswerTask) -> ReplyReading:
    """Votes with what they need, facts first, each kind in the order asked; and why others are none.

    Raises:
        OffSchemaError: The reply speaks of what was not asked.
    """
    chunks = chunk_names(task.chunks)
    _see_names(reply, task, chunks)
    found = [
        *_held("fact", task.facts, {each.fact: each for each in reply.facts}, task.answer),
        *_held("criterion", task.criteria, {each.criterion: each for each in reply.criteria}, task.answer),
        *_relevance(reply, task, chunks),
    ]
    items = [each for each in found if isinstance(each, ItemVote)]
    dropped = [each for each in found if isinstance(each, DroppedVote)]
    problems = [each if isinstance(each, str) else each.reason for each in found if not isinstance(each, ItemVote)]
    return ReplyReading({"items": tuple(items), "dropped": tuple(dropped)}, len(items), tuple(problems))


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


def _see_names(reply: AnswerReply, task: AnswerTask, chunks: Mapping[str, VisibleChunk]) -> None:
    """See that the reply speaks of what was asked, of each once.

    Raises:
        OffSchemaError: It does not; every problem is named.
    """
    problems = list(_wrong_numbers("fact", [each.fact for each in reply.facts], len(task.facts)))
    problems += _wrong_numbers("criterion", [each.criterion for each in reply.criteria], len(task.criteria))
    shown = [each.chunk for each in reply.relevance.chunks] if reply.relevance is not None and task.relevance else []
    problems += [f"there is no chunk {quoted_name(name)}" for name in dict.fromkeys(shown) if name not in chunks]
    problems += [f"chunk {quoted_name(name)} is named twice" for name in twice(shown)]
    if problems:
        raise OffSchemaError(*problems)


def _wrong_numbers(what: str, numbers: Sequence[int], asked: int) -> Iterator[str]:
    yield from (f"there is no {what} {n}" for n in dict.fromkeys(numbers) if not 1 <= n <= asked)
    yield from (f"{what} {n} is named twice" for n in twice(numbers))


def _held(
    kind: ItemKind, items: Iterable[ItemQuestion], said: Mapping[int, FactHeld | CriterionHeld], answer: str
) -> Iterator[_Found]:
    """The votes on one kind, and why a reply has none on an item. No other vote is put in the place of one."""
    for number, item in enumerate(items, 1):
        if number not in said:
            yield f"it says nothing of {kind} {number}"
            continue
        one = said[number]
        quote = None
        if one.said in QUOTED:
            quote = _quoted(one.quote, answer)
            if quote is None:
                why = f"{kind} {number} is called {quoted_name(one.said)}, but {_why_no_quote(one.quote, answer)}"
                yield DroppedVote(claim_id=item.item, reason=why)
                continue
        yield ItemVote(kind=kind, item=item.item, said=one.said, quote=quote, note=_note(one.note))


def _relevance(reply: AnswerReply, task: AnswerTask, chunks: Mapping[str, VisibleChunk]) -> Iterator[_Found]:
    """The votes on what is to the question; it is advice, so that a chunk left out is no fault."""
    if not task.relevance:
        return
    if reply.relevance is None:
        yield "it does not say whether the answer is to the question"
        return
    yield ItemVote(kind="answer", said=_yes(reply.relevance.answer), note=_note(reply.relevance.note))
    relevant = {each.chunk: each.relevant for each in reply.relevance.chunks}
    for name, chunk in chunks.items():
        if name in relevant:
            yield ItemVote(kind="chunk", item=chunk.chunk_id, said=_yes(relevant[name]))


def _yes(holds: bool) -> ItemSaid:  # noqa: FBT001 - a verdict as it came
    return "yes" if holds else "no"


def _quoted(quote: str | None, answer: str) -> str | None:
    """The words as the answer has them; None where it does not."""
    if not quote or not is_long_enough(quote, answer):
        return None
    place = place_of(quote, answer)
    return None if place is None else answer[place.start : place.end]


def _why_no_quote(quote: str | None, answer: str) -> str:
    if not quote or not quote.strip():
        return "no words of the answer are quoted"
    if not is_long_enough(quote, answer):
        return f"{quoted_name(quote)} is too short for a quote: copy a whole clause of the answer"
    return f"the answer does not hold {quoted_name(quote)} word for word"


def _note(note: str | None) -> str | None:
    return cut((note or "").strip(), _LONGEST_NOTE) or None
