"""What a judge is shown that holds an answer against facts, criteria and the question."""

from __future__ import annotations

from typing import NamedTuple

from raggate_action.judges.chat_call import VisibleChunk


class ItemQuestion(NamedTuple):
    """A fact of a reference answer or a criterion, by an id that is unique among its kind."""

    item: str
    text: str


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
    facts: tuple[ItemQuestion, ...] = ()
    criteria: tuple[ItemQuestion, ...] = ()
    chunks: tuple[VisibleChunk, ...] = ()
    relevance: bool = False
