"""The answer job: whether an answer is what people wrote of a right one, and whether it is to the question.

As in the claims job nothing is guessed, each entry stands or falls alone, and the words that a vote rests on are taken
from the answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Final, Literal, TypeAlias, get_args

from pydantic import JsonValue, ValidationError

from raggate_action.core.gates.diagnosis import Drafted
from raggate_action.core.judging.agreement_with_labels import LABELLED
from raggate_action.core.judging.facts_and_criteria import ITEM_GATES, gates_used
from raggate_action.core.judging.item_vote_aggregation import QUOTED, answer_holds_quote, fold_items
from raggate_action.core.judging.undecided_claims import known_decline
from raggate_action.judges.judging_job import ReplyReading
from raggate_action.judges.prompts import Piece, chunk_names, chunk_pieces, template_source
from raggate_action.judges.reply_form import LoosePart, OffSchemaError, entries
from raggate_action.judging_jobs.items.item_injections import ITEM_PLANTS, task_of_label
from raggate_action.judging_jobs.items.items_task import AnswerTask, ItemQuestion
from raggate_action.judging_jobs.numbered_sentences import (
    NumberedSentence,
    SentenceNumber,
    lines,
    numbered_answer,
    passages,
    sentences_of,
)
from raggate_action.judging_jobs.panel_job import ArmedTerms, RunJob, shown_answer, visible_chunks
from raggate_action.judging_jobs.reply_sizes import choice, list_of, number_up_to, size_for, strict_object
from raggate_action.schema.base import Positive
from raggate_action.schema.calibration import TrialJob
from raggate_action.schema.case import Case
from raggate_action.schema.judgement import DroppedVote, ItemKind, ItemSaid, ItemVote, Judgement
from raggate_action.schema.judges import Judges
from raggate_action.schema.verdicts import Verdicts
from raggate_action.strings.visible_text import cut

_REPLY_TOKENS: Final = 60
_REPLY_TOKENS_AN_ITEM: Final = 90
_REPLY_TOKENS_A_CHUNK: Final = 30


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


class AnswerJob(RunJob[AnswerTask, AnswerReply]):
    """See `RunJob` for each member. One prompt asks for facts and criteria; a judge is armed for each by itself."""

    name = "answer"
    form = AnswerReply
    schema_name = "held_answer"
    labelled = tuple([LABELLED[gate] for gate in ITEM_GATES])
    plants = ITEM_PLANTS
    task_of_label = staticmethod(task_of_label)

    @property
    def system_source(self) -> str:
        return template_source(__file__, "answer.system.j2")

    def pieces(self, task: AnswerTask) -> Iterable[Piece]:
        """The material, in order."""
        yield Piece("question", task.question)
        yield from chunk_pieces(chunk_names(task.chunks))
        for number, fact in enumerate(task.facts, 1):
            yield Piece(f"fact {number}", fact.text)
        for number, criterion in enumerate(task.criteria, 1):
            yield Piece(f"criterion {number}", criterion.text)
        yield Piece("answer", lines([each.words for each in numbered_answer(task.answer).values()]))

    def closing(self, task: AnswerTask) -> str:
        """The last line: what is to be done, behind the last word of a stranger."""
        wanted = [_counted("fact", len(task.facts)), _counted("criterion", len(task.criteria), "criteria")]
        held = " and ".join(filter(None, wanted))
        parts = [f"hold the answer against {held}"] if held else []
        if task.relevance:
            what = "answer and chunks are" if task.chunks else "the answer is"
            parts.append(f"add the relevance: whether {what} to the question")
        text = ", ".join([*parts, "and reply with the JSON object alone."])
        return text[:1].upper() + text[1:]

    def schema(self, task: AnswerTask | None = None) -> Mapping[str, JsonValue]:
        if task is None:
            return _schema(0, 0, 0, relevance=True)
        sizes = [size_for(len(each)) if each else 0 for each in (task.facts, task.criteria)]
        return _schema(*sizes, size_for(len(sentences_of(task.answer))), relevance=task.relevance)

    def reply_tokens(self, task: AnswerTask) -> int:
        items = len(task.facts) + len(task.criteria)
        return _REPLY_TOKENS + _REPLY_TOKENS_AN_ITEM * items + _REPLY_TOKENS_A_CHUNK * len(task.chunks)

    def task_of(self, drafted: Drafted, judges: Judges) -> AnswerTask | None:
        """None of an answer that is empty, or declines where one was expected: it is held against nothing.

        Nor is one that declines to the question or not.
        """
        answer = shown_answer(drafted)
        says_nothing = known_decline(drafted.drafts, drafted.claims) or not drafted.claims
        if not answer.strip() or (says_nothing and drafted.case.expect == "answer"):
            return None
        items = [item for item in drafted.items if not item.withheld]
        is_relevance = judges.relevance and not says_nothing
        if not items and not is_relevance:
            return None
        return AnswerTask(
            question=drafted.case.question_with_turns,
            answer=answer,
            facts=tuple([ItemQuestion(item.id, item.text) for item in items if item.kind == "fact"]),
            criteria=tuple([ItemQuestion(item.id, item.text) for item in items if item.kind == "criterion"]),
            chunks=visible_chunks(drafted) if is_relevance else (),
            relevance=is_relevance,
        )

    def with_votes(
        self, found: Verdicts, drafted: Drafted, task: AnswerTask, judgements: Sequence[Judgement], terms: ArmedTerms
    ) -> Verdicts:
        own = {gate: terms[gate] for gate in ITEM_GATES}
        chunks = [chunk.chunk_id for chunk in task.chunks]
        votes = fold_items(drafted.items, judgements, own, answer=task.answer, chunks=chunks)
        return found.model_copy(update={"answer_votes": votes})

    def labels_needed(self, cases: Iterable[Case]) -> tuple[TrialJob, ...]:
        """The gates that a case of the suite asks for."""
        return gates_used(cases)

    def read(self, reply: AnswerReply, task: AnswerTask) -> ReplyReading:
        """Votes with what they need, facts first, each kind in the order shown; the others are named.

        Raises:
            OffSchemaError: Nothing of what was asked for is in it.
        """
        if reply.facts is None and reply.criteria is None and reply.relevance is None:
            raise OffSchemaError("it has no `facts`, no `criteria` and no `relevance`")
        lines = numbered_answer(task.answer)
        facts = entries(reply.facts or (), FactReply)
        criteria = entries(reply.criteria or (), CriterionReply)
        found = [
            *[
                _item_vote("fact", n, item, [each for each in facts if each.fact == n], lines)
                for n, item in enumerate(task.facts, 1)
            ],
            *[
                _item_vote("criterion", n, item, [each for each in criteria if each.criterion == n], lines)
                for n, item in enumerate(task.criteria, 1)
            ],
        ]
        relevance = _relevance(reply, task)
        items = [*[each for each in found if isinstance(each, ItemVote)], *relevance]
        dropped = [each for each in found if isinstance(each, DroppedVote)]
        problems = [each.reason for each in dropped]
        if task.relevance and not relevance:
            problems.append("it does not say whether the answer is to the question")
        return ReplyReading({"items": tuple(items), "dropped": tuple(dropped)}, len(items), tuple(problems))

    def left_over(self, task: AnswerTask, reading: ReplyReading) -> AnswerTask:
        """What of a task a reading says nothing of, as a task of its own; all of it where the reading says nothing."""
        answered = {(vote.kind, vote.item) for vote in reading.fields.get("items", ())}
        relevance = task.relevance and ("answer", "") not in answered
        return task._replace(
            facts=tuple([each for each in task.facts if ("fact", each.item) not in answered]),
            criteria=tuple([each for each in task.criteria if ("criterion", each.item) not in answered]),
            chunks=task.chunks if relevance else (),
            relevance=relevance,
        )

    def joined(self, task: AnswerTask, first: ReplyReading, again: ReplyReading) -> ReplyReading:
        """Two readings of one task as one: the first says what it said, the second what was left over."""
        both = (*first.fields.get("items", ()), *again.fields.get("items", ()))
        votes = {(vote.kind, vote.item): vote for vote in reversed(both)}
        order: list[tuple[ItemKind, str]] = [*[("fact", each.item) for each in task.facts]]
        order += [("criterion", each.item) for each in task.criteria]
        order += [("answer", ""), *[("chunk", chunk.chunk_id) for chunk in task.chunks]]
        items = tuple([votes[place] for place in dict.fromkeys(order) if place in votes])
        return again._replace(fields={**again.fields, "items": items}, amount=len(items))

    def fits(self, judgement: Judgement, task: AnswerTask) -> bool:
        """Whether it speaks of the task's facts, criteria and chunks alone, and quotes what the answer says."""
        known: dict[ItemKind, set[str]] = {
            "fact": {each.item for each in task.facts},
            "criterion": {each.item for each in task.criteria},
            "answer": {""} if task.relevance else set(),
            "chunk": {chunk.chunk_id for chunk in task.chunks} if task.relevance else set(),
        }
        return all(
            vote.item in known[vote.kind] and vote.said in _SAYABLE[vote.kind] and answer_holds_quote(vote, task.answer)
            for vote in judgement.items
        )


@cache
def _schema(facts: int, criteria: int, lines: int, *, relevance: bool) -> dict[str, JsonValue]:
    """The form of a reply about so many facts, criteria and lines; keys of what is not asked are not in it."""

    def held(name: str, number: int, verdicts: Iterable[str]) -> JsonValue:
        parts = {name: number_up_to(number), "sentences": list_of(number_up_to(lines)), "verdict": choice([*verdicts])}
        return list_of(strict_object({**parts, "note": {"type": "string"}}))

    parts: dict[str, JsonValue] = {}
    if facts:
        parts["facts"] = held("fact", facts, get_args(FactSaid))
    if criteria:
        parts["criteria"] = held("criterion", criteria, get_args(CriterionSaid))
    if relevance:
        chunk = strict_object({"chunk": {"type": "string"}, "relevant": {"type": "boolean"}})
        parts["relevance"] = strict_object(
            {"answer": {"type": "boolean"}, "note": {"type": "string"}, "chunks": list_of(chunk)}
        )
    return strict_object(parts)


_SAYABLE: Final[Mapping[ItemKind, frozenset[ItemSaid]]] = {
    "fact": frozenset({"stated", "lacking", "contradicted"}),
    "criterion": frozenset({"yes", "no", "cannot-tell"}),
    "answer": frozenset({"yes", "no"}),
    "chunk": frozenset({"yes", "no"}),
}


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


def _counted(one: str, number: int, many: str = "facts") -> str:
    return "" if not number else f"{one} 1" if number == 1 else f"{many} 1 to {number}"


ANSWER: Final = AnswerJob()
