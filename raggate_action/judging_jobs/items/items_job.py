"""The answer job: whether an answer is what people wrote of a right one, and whether it is to the question."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Final, get_args

from pydantic import JsonValue

from raggate_action.core.gates.diagnosis import Drafted
from raggate_action.core.judging.agreement_with_labels import LABELLED
from raggate_action.core.judging.facts_and_criteria import ITEM_GATES, gates_used
from raggate_action.core.judging.item_vote_aggregation import fold_items
from raggate_action.core.judging.undecided_claims import known_decline
from raggate_action.judges.prompts import template_source
from raggate_action.judging_jobs.items.item_injections import ITEM_PLANTS, task_of_label
from raggate_action.judging_jobs.items.items_prompt import AnswerTask, ItemQuestion, closing, pieces
from raggate_action.judging_jobs.items.items_reading import (
    SCHEMA_NAME,
    AnswerReply,
    CriterionSaid,
    FactSaid,
    fits,
    joined,
    left_over,
    read_reply,
)
from raggate_action.judging_jobs.numbered_sentences import sentences_of
from raggate_action.judging_jobs.panel_job import ArmedTerms, RunJob, answer_of, chunks_of
from raggate_action.judging_jobs.reply_sizes import choice, list_of, number_up_to, size_for, whole
from raggate_action.schema.calibration import TrialJob
from raggate_action.schema.case import Case
from raggate_action.schema.judgement import Judgement
from raggate_action.schema.judges import Judges
from raggate_action.schema.verdicts import Verdicts

_REPLY_TOKENS: Final = 60
_REPLY_TOKENS_AN_ITEM: Final = 90
_REPLY_TOKENS_A_CHUNK: Final = 30


class AnswerJob(RunJob[AnswerTask, AnswerReply]):
    """See `RunJob` for each member. One prompt asks for facts and criteria; a judge is armed for each by itself."""

    name = "answer"
    form = AnswerReply
    schema_name = SCHEMA_NAME
    labelled = tuple([LABELLED[gate] for gate in ITEM_GATES])
    plants = ITEM_PLANTS
    pieces = staticmethod(pieces)
    closing = staticmethod(closing)
    read = staticmethod(read_reply)
    left_over = staticmethod(left_over)
    joined = staticmethod(joined)
    fits = staticmethod(fits)
    task_of_label = staticmethod(task_of_label)

    @property
    def system_source(self) -> str:
        return template_source(__file__, "answer.system.j2")

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
        answer = answer_of(drafted)
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
            chunks=chunks_of(drafted) if is_relevance else (),
            relevance=is_relevance,
        )

    def with_votes(
        self, found: Verdicts, drafted: Drafted, task: AnswerTask, judgements: Sequence[Judgement], terms: ArmedTerms
    ) -> Verdicts:
        own = {gate: terms[gate] for gate in ITEM_GATES}
        chunks = [chunk.chunk_id for chunk in task.chunks]
        votes = fold_items(drafted.items, judgements, own, answer=task.answer, chunks=chunks)
        return found.model_copy(update={"answer_votes": votes})

    def used(self, cases: Iterable[Case]) -> tuple[TrialJob, ...]:
        """The gates that a case of the suite asks for."""
        return gates_used(cases)


@cache
def _schema(facts: int, criteria: int, lines: int, *, relevance: bool) -> dict[str, JsonValue]:
    """The form of a reply about so many facts, criteria and lines; keys of what is not asked are not in it."""

    def held(name: str, number: int, verdicts: Iterable[str]) -> JsonValue:
        parts = {name: number_up_to(number), "sentences": list_of(number_up_to(lines)), "verdict": choice([*verdicts])}
        return list_of(whole({**parts, "note": {"type": "string"}}))

    parts: dict[str, JsonValue] = {}
    if facts:
        parts["facts"] = held("fact", facts, get_args(FactSaid))
    if criteria:
        parts["criteria"] = held("criterion", criteria, get_args(CriterionSaid))
    if relevance:
        chunk = whole({"chunk": {"type": "string"}, "relevant": {"type": "boolean"}})
        parts["relevance"] = whole(
            {"answer": {"type": "boolean"}, "note": {"type": "string"}, "chunks": list_of(chunk)}
        )
    return whole(parts)


ANSWER: Final = AnswerJob()
