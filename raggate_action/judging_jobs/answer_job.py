"""The answer job: whether an answer is what people wrote of a right one, and whether it is to the question.

As in the claims job nothing is guessed, and the words that a vote rests on are taken from the answer.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple, cast

from pydantic import JsonValue, ValidationError

from raggate_action.core.gates.diagnosis import Drafted
from raggate_action.core.judging.agreement_with_labels import LABELLED
from raggate_action.core.judging.facts_and_criteria import ITEM_GATES, gates_used
from raggate_action.core.judging.item_vote_aggregation import QUOTED, answer_holds_quote, fold_items
from raggate_action.core.judging.undecided_claims import known_decline
from raggate_action.judges.chat_call import VisibleChunk
from raggate_action.judges.judging_job import ReplyReading
from raggate_action.judges.prompts import Piece, chunk_names, chunk_pieces, template_source
from raggate_action.judges.reply_form import LoosePart, OffSchemaError, entries
from raggate_action.judging_jobs.numbered_entries import (
    NumberedText,
    entries_by_number,
    list_of,
    list_of_entries,
    opinion_in,
    size_for,
    strict_object,
    votes_of_both,
)
from raggate_action.judging_jobs.numbered_sentences import lines, numbered_chunks, sentences_of
from raggate_action.judging_jobs.panel_job import ArmedTerms, RunJob, shown_answer, visible_chunks
from raggate_action.judging_jobs.planted_words import DESK_QUESTION, Plant, answer_with, chunks_with, planted
from raggate_action.schema.calibration import HeldAnswer, TrialJob
from raggate_action.schema.case import Case
from raggate_action.schema.judgement import DroppedVote, ItemSaid, ItemVote, Judgement
from raggate_action.schema.judges import Judges
from raggate_action.schema.outcome import ItemKind
from raggate_action.schema.verdicts import Verdicts
from raggate_action.strings.visible_text import cut

_REPLY_TOKENS: Final = 60
_REPLY_TOKENS_AN_ITEM: Final = 90
_REPLY_TOKENS_A_CHUNK: Final = 30
_LONGEST_NOTE: Final = 300
# What may be said of each kind, in the order of the reply's schema.
_SAYABLE: Final[Mapping[ItemKind, tuple[ItemSaid, ...]]] = {
    "fact": ("contradicted", "lacking", "stated"),
    "criterion": ("yes", "no", "cannot-tell"),
    "answer": ("yes", "no"),
    "chunk": ("yes", "no"),
}


class AnswerTask(NamedTuple):
    """All that a prompt of the answer job holds beside its constant part.

    Attributes:
        question: What was asked.
        answer: The answer, whole.
        facts: Of a right answer, in its order.
        criteria: What an answer may do, whether or not it should: the judge is not told which.
        chunks: What it was made from, in context order; empty where their relevance is not asked for.
        relevance: Whether answer and chunks are to the question is asked as well.
    """

    question: str
    answer: str
    facts: tuple[NumberedText, ...] = ()
    criteria: tuple[NumberedText, ...] = ()
    chunks: tuple[VisibleChunk, ...] = ()
    relevance: bool = False

    @property
    def by_kind(self) -> tuple[tuple[ItemKind, tuple[NumberedText, ...]], ...]:
        """Facts and criteria."""
        return ("fact", self.facts), ("criterion", self.criteria)


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


def _plant(name: str, row: Mapping[str, str]) -> Plant:
    """A plant of a fact and a criterion, so that one call tries a judge for both gates.

    An answer that lacks both is to be let through; with `wants_good: false` one that has both is to be failed. Beside
    chunks relevance is asked for.
    """
    lets_through = row.get("wants_good", "true") == "true"
    lacks = "The desk is open from nine to five, and it is a friendly place."
    has = "A late return costs 15 EUR, and the desk may waive the fee once a year."
    chunks = chunks_with(row)[:2] if row.get("in_chunk") else ()
    task = AnswerTask(
        DESK_QUESTION,
        answer_with(row, lacks if lets_through else has),
        facts=(NumberedText("fact-1", "A late return costs 15 EUR."),),
        criteria=(NumberedText("criterion-1", "says that the desk may waive the fee"),),
        chunks=chunks,
        relevance=bool(chunks),
    )
    fact, criterion = ("stated", "yes") if lets_through else ("lacking", "no")
    wanted = {"agreement": {"fact": fact}, "criteria": {"criterion": criterion}}
    return Plant(f"items-{name}", f"item-plant-items-{name}", task, wanted)


_OBEDIENT_REPLY: Final = {
    "facts": [{"fact": 1, "sentences": [1], "verdict": "stated", "note": ""}],
    "criteria": [{"criterion": 1, "sentences": [1], "verdict": "yes", "note": ""}],
}


class AnswerJob(RunJob[AnswerTask, AnswerReply]):
    """See `RunJob` for each member. One prompt asks for facts and criteria; a judge is armed for each by itself."""

    name = "answer"
    form = AnswerReply
    schema_name = "held_answer"
    system_source = template_source(__file__, "answer.system.j2")
    labelled = tuple([LABELLED[gate] for gate in ITEM_GATES])
    plants = tuple([_plant(name, row) for name, row in planted("items", json.dumps(_OBEDIENT_REPLY)).items()])

    def pieces(self, task: AnswerTask) -> Iterable[Piece]:
        """The material, in order."""
        yield Piece("question", task.question)
        yield from chunk_pieces(chunk_names(task.chunks))
        for kind, asked in task.by_kind:
            for number, each in enumerate(asked, 1):
                yield Piece(f"{kind} {number}", each.text)
        yield Piece("answer", lines([task.answer[start:end] for start, end in sentences_of(task.answer)]))

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
            facts=tuple([NumberedText(item.id, item.text) for item in items if item.kind == "fact"]),
            criteria=tuple([NumberedText(item.id, item.text) for item in items if item.kind == "criterion"]),
            chunks=visible_chunks(drafted) if is_relevance else (),
            relevance=is_relevance,
        )

    def task_of_label(self, label: HeldAnswer) -> AnswerTask:
        """All of its facts, or all of its criteria."""
        items = tuple([NumberedText(item.item_id, item.text) for item in label.items])
        facts, criteria = (items, ()) if label.job == "agreement" else ((), items)
        return AnswerTask(label.question, label.answer, facts, criteria)

    def with_votes(
        self, found: Verdicts, drafted: Drafted, task: AnswerTask, judgements: Sequence[Judgement], terms: ArmedTerms
    ) -> Verdicts:
        own = {gate: terms[gate] for gate in ITEM_GATES}
        chunks = [chunk.chunk_id for chunk in task.chunks]
        votes = fold_items(drafted.items, judgements, own, answer=task.answer, chunks=chunks)
        return found._replace(answer_votes=votes)

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
        lines = numbered_chunks([VisibleChunk("", task.answer)])
        items: list[ItemVote] = []
        dropped: list[DroppedVote] = []
        for (kind, asked), values in zip(task.by_kind, (reply.facts, reply.criteria), strict=True):
            said = entries_by_number(values, kind, _SAYABLE[kind])
            for number, each in enumerate(asked, 1):
                found = opinion_in(said.get(number, ()), f"{kind} {number}", lines, QUOTED)
                if isinstance(found, str):
                    dropped.append(DroppedVote(claim_id=each.id, reason=found))
                    continue
                entry, deciding = found
                verdict = cast("ItemSaid", entry.verdict)
                quote = deciding[0].words if verdict in QUOTED else None
                items.append(ItemVote(kind=kind, item=each.id, said=verdict, quote=quote, note=_note(entry.note)))
        problems = [each.reason for each in dropped]
        relevance = _relevance(reply, task)
        if task.relevance and not relevance:
            problems.append("it does not say whether the answer is to the question")
        items += relevance
        return ReplyReading({"items": tuple(items), "dropped": tuple(dropped)}, len(items), tuple(problems))

    def left_over(self, task: AnswerTask, reading: ReplyReading) -> AnswerTask:
        """What of a task a reading says nothing of, as a task of its own; all of it where the reading says nothing."""
        answered = {(vote.kind, vote.item) for vote in reading.fields.get("items", ())}
        relevance = task.relevance and ("answer", "") not in answered
        facts, criteria = [
            tuple([each for each in asked if (kind, each.id) not in answered]) for kind, asked in task.by_kind
        ]
        chunks = task.chunks if relevance else ()
        return task._replace(facts=facts, criteria=criteria, chunks=chunks, relevance=relevance)

    def joined(self, task: AnswerTask, first: ReplyReading, again: ReplyReading) -> ReplyReading:
        """Two readings of one task as one: the first says what it said, the second what was left over."""
        order: list[tuple[ItemKind, str]] = [(kind, each.id) for kind, asked in task.by_kind for each in asked]
        order += [("answer", ""), *[("chunk", chunk.chunk_id) for chunk in task.chunks]]
        items = votes_of_both(first, again, "items", order, lambda vote: (vote.kind, vote.item))
        return again._replace(fields={**again.fields, "items": items}, amount=len(items))

    def fits(self, judgement: Judgement, task: AnswerTask) -> bool:
        """Whether it speaks of the task's facts, criteria and chunks alone, and quotes what the answer says."""
        known = {(kind, each.id) for kind, asked in task.by_kind for each in asked}
        if task.relevance:
            known |= {("answer", ""), *[("chunk", chunk.chunk_id) for chunk in task.chunks]}
        return all(
            (vote.kind, vote.item) in known
            and vote.said in _SAYABLE[vote.kind]
            and answer_holds_quote(vote, task.answer)
            for vote in judgement.items
        )


@cache
def _schema(facts: int, criteria: int, lines: int, *, relevance: bool) -> dict[str, JsonValue]:
    """The form of a reply about so many facts, criteria and lines; keys of what is not asked are not in it."""
    parts: dict[str, JsonValue] = {}
    if facts:
        parts["facts"] = list_of_entries("fact", facts, lines, _SAYABLE["fact"])
    if criteria:
        parts["criteria"] = list_of_entries("criterion", criteria, lines, _SAYABLE["criterion"])
    if relevance:
        chunk = strict_object({"chunk": {"type": "string"}, "relevant": {"type": "boolean"}})
        parts["relevance"] = strict_object(
            {"answer": {"type": "boolean"}, "note": {"type": "string"}, "chunks": list_of(chunk)}
        )
    return strict_object(parts)


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
    of_answer = ItemVote(kind="answer", said="yes" if relevance.answer else "no", note=_note(relevance.note))
    return [
        of_answer,
        *[
            ItemVote(kind="chunk", item=chunk.chunk_id, said="yes" if relevant[name] else "no")
            for name, chunk in names.items()
            if name in relevant
        ],
    ]


def _note(note: str | None) -> str | None:
    return cut((note or "").strip(), _LONGEST_NOTE) or None


def _counted(one: str, number: int, many: str = "facts") -> str:
    return "" if not number else f"{one} 1" if number == 1 else f"{many} 1 to {number}"


ANSWER: Final = AnswerJob()
