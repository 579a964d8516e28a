"""The form of a reply to the answer job."""

from __future__ import annotations

from typing import Literal, TypeAlias

from raggate_action.judges.reply_form import ReplyPart
from raggate_action.schema.base import Positive

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
