"""What a judge is shown that holds an answer against facts, criteria and the question."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from raggate_action.judges.chat_call import VisibleChunk
from raggate_action.judges.prompts import Piece, chunk_names, chunk_pieces
from raggate_action.judging_jobs.numbered_sentences import lines, numbered_answer


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


def pieces(task: AnswerTask) -> Iterable[Piece]:
    """The material, in order."""
    yield Piece("question", task.question)
    yield from chunk_pieces(chunk_names(task.chunks))
    for number, fact in enumerate(task.facts, 1):
        yield Piece(f"fact {number}", fact.text)
    for number, criterion in enumerate(task.criteria, 1):
        yield Piece(f"criterion {number}", criterion.text)
    yield Piece("answer", lines([each.words for each in numbered_answer(task.answer).values()]))


def closing(task: AnswerTask) -> str:
    """The last line: what is to be done, behind the last word of a stranger."""
    wanted = [_counted("fact", len(task.facts)), _counted("criterion", len(task.criteria), "criteria")]
    held = " and ".join(filter(None, wanted))
    parts = [f"hold the answer against {held}"] if held else []
    if task.relevance:
        what = "answer and chunks are" if task.chunks else "the answer is"
        parts.append(f"add the relevance: whether {what} to the question")
    text = ", ".join([*parts, "and reply with the JSON object alone."])
    return text[:1].upper() + text[1:]


def _counted(one: str, number: int, many: str = "facts") -> str:
    return "" if not number else f"{one} 1" if number == 1 else f"{many} 1 to {number}"
