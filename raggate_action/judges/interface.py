"""How a judge is asked: one call as a value, and what can come of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol, TypeAlias

from pydantic import JsonValue

from raggate_action.schema.judgement import Lost, Usage


class Exchange(NamedTuple):
    """An earlier reply of the judge, and what we said was wrong with it."""

    reply: str
    problem: str


class ChatRequest(NamedTuple):
    """One call.

    Attributes:
        system: The constant part, first, so that providers keep it.
        user: The part of this call.
        schema_name: Name of the reply's form.
        schema: JSON Schema of the reply.
        earlier: Replies to the same call that were sent back, in order.
    """

    system: str
    user: str
    schema_name: str
    schema: Mapping[str, JsonValue]
    earlier: tuple[Exchange, ...] = ()


class ChatReply(NamedTuple):
    """What a judge replied: its text as it came, never empty."""

    text: str
    usage: Usage


class LostCall(NamedTuple):
    """A call that came to nothing, after all attempts.

    Attributes:
        lost: Why.
        usage: Tokens that were spent all the same.
        is_sent: Something was sent. Nothing is where the endpoint is known to take no call.
    """

    lost: Lost
    usage: Usage = Usage()
    is_sent: bool = True


ChatOutcome: TypeAlias = ChatReply | LostCall


class Chat(Protocol):
    """An endpoint with a model."""

    async def complete(self, request: ChatRequest) -> ChatOutcome:
        """Make one call. What goes wrong is a value, never raised; it may be cancelled."""
        ...

    async def aclose(self) -> None:
        """Let go of the connections. Closing twice is closing once."""
        ...


class AskedChunk(NamedTuple):
    """A chunk that the app's model was shown, its asker may read, and that has a text."""

    chunk_id: str
    text: str


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
    chunks: tuple[AskedChunk, ...]
    harmful: bool = False
    order_a: tuple[int, ...] = ()
    order_b: tuple[int, ...] = ()

    @property
    def swapped(self) -> PairTask:
        """The same pair with each answer under the other's name, and nothing else changed."""
        return self._replace(answer_a=self.answer_b, answer_b=self.answer_a, order_a=self.order_b, order_b=self.order_a)


class Answered(NamedTuple):
    """An answer and what it was made from, in context order."""

    answer: str
    chunks: tuple[AskedChunk, ...]


def pair_task(question: str, a: Answered, b: Answered, *, harmful: bool = False) -> PairTask:
    """The task of two answers to a question."""
    chunks = union_of(a.chunks, b.chunks)
    places = {chunk: place for place, chunk in enumerate(chunks)}
    orders = [tuple([places[chunk] for chunk in each.chunks]) for each in (a, b)] if a.chunks != b.chunks else [(), ()]
    return PairTask(question, a.answer, b.answer, chunks, harmful, *orders)


def union_of(one: Sequence[AskedChunk], other: Sequence[AskedChunk]) -> tuple[AskedChunk, ...]:
    """The chunks of two contexts, each once, the same whichever context is named first.

    The higher a chunk stands in the context where it stands highest, the earlier it comes; what stands equally high
    comes by id and text. Two texts under one id are two chunks.
    """
    ranks: dict[AskedChunk, int] = {}
    for context in (one, other):
        for rank, chunk in enumerate(context):
            ranks[chunk] = min(rank, ranks.get(chunk, rank))
    return tuple(sorted(ranks, key=lambda chunk: (ranks[chunk], chunk)))
