"""What a judge of pairs is shown: two answers to one question, and all that either was made from; no arm is told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from raggate_action.judges.chat_call import VisibleChunk


class PairTask(NamedTuple):
    """All that a prompt of the pair job holds beside its constant part; which arm wrote which answer is not in it.

    Attributes:
        question: What was asked.
        answer_a, answer_b: The two answers, whole, by the names they are shown under.
        chunks: All that either answer was made from, each once; the order tells no arm.
        harmful: A wrong answer to the question can do harm.
        order_a, order_b: Places in `chunks`, in the order in which the answer's own context had them, for whoever cites
            by number; both empty where the contexts are the same, and `chunks` has that order.
    """

    question: str
    answer_a: str
    answer_b: str
    chunks: tuple[VisibleChunk, ...]
    harmful: bool = False
    order_a: tuple[int, ...] = ()
    order_b: tuple[int, ...] = ()

    @property
    def swapped(self) -> PairTask:
        """The same pair with each answer under the other's name, and nothing else changed."""
        return self._replace(answer_a=self.answer_b, answer_b=self.answer_a, order_a=self.order_b, order_b=self.order_a)


class PairAnswer(NamedTuple):
    """An answer and what it was made from, in context order."""

    answer: str
    chunks: tuple[VisibleChunk, ...]


def pair_task(question: str, a: PairAnswer, b: PairAnswer, *, harmful: bool = False) -> PairTask:
    """The task of two answers to a question."""
    chunks = union_of(a.chunks, b.chunks)
    places = {chunk: place for place, chunk in enumerate(chunks)}
    orders = [tuple([places[chunk] for chunk in each.chunks]) for each in (a, b)] if a.chunks != b.chunks else [(), ()]
    return PairTask(question, a.answer, b.answer, chunks, harmful, *orders)


def union_of(one: Sequence[VisibleChunk], other: Sequence[VisibleChunk]) -> tuple[VisibleChunk, ...]:
    """The chunks of two contexts, each once, the same whichever context is named first.

    The higher a chunk stands in the context where it stands highest, the earlier it comes; what stands equally high
    comes by id and text. Two texts under one id are two chunks.
    """
    ranks: dict[VisibleChunk, int] = {}
    for context in (one, other):
        for rank, chunk in enumerate(context):
            ranks[chunk] = min(rank, ranks.get(chunk, rank))
    return tuple(sorted(ranks, key=lambda chunk: (ranks[chunk], chunk)))
