"""What a judge of pairs is shown: two answers to one question, and all that either was made from; no arm is told."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from raggate_action.judges.chat_call import VisibleChunk
from raggate_action.judges.prompts import Piece, chunk_names, chunk_pieces

# Sources named by their place in the context: `[2]`, `[1, 3]`, `【2】`.
_BY_NUMBER: Final = re.compile(r"[\[\u3010](?:\d{1,3})(?:\s*[,;\u2013-]\s*\d{1,3})*[\]\u3011]")


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


def pieces(task: PairTask) -> Iterable[Piece]:
    """The material, in order."""
    yield Piece("question", task.question)
    names = chunk_names(task.chunks)
    for name, chunk in names.items():
        yield from chunk_pieces({name: chunk})
        if name != chunk.chunk_id:
            # Answers cite it by that.
            yield Piece(f'id of chunk "{name}"', chunk.chunk_id)
    lines = [*names]
    # Where an id is a number, a number is an id.
    by_place = not any(chunk.chunk_id.isdecimal() for chunk in task.chunks)
    for letter, answer, order in (("A", task.answer_a, task.order_a), ("B", task.answer_b, task.order_b)):
        yield Piece(f"answer {letter}", answer)
        if order and by_place and _BY_NUMBER.search(answer):
            numbered = [f'[{number}] "{lines[place]}"' for number, place in enumerate(order, 1)]
            yield Piece(f"numbers in answer {letter}", "\n".join(numbered))


def closing(task: PairTask) -> str:
    """The last line: what is to be done, behind the last word of a stranger."""
    harm = "A wrong answer to this question can do harm. " if task.harmful else ""
    ground = "the chunks" if task.chunks else "nothing, for there is no chunk"
    return f"{harm}Score answer A and answer B by the rubric, against {ground}, and reply with the JSON object alone."
