"""The prompt of the pair job read back as a judge reads it, and replies as judges write them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from raggate_action.judges.interface import AskedChunk, PairTask
from raggate_action.schema.ab import Dimension, Level, Rubric
from tests.message_pieces import read_message

_CHUNK = re.compile(r'chunk "(.*)"')


class ReadPair(NamedTuple):
    """The pieces of a prompt's message; chunks by the names they are shown with, in order."""

    token: str
    question: str
    chunks: dict[str, str]
    a: str
    b: str
    closing: str


def read_pair(user: str) -> ReadPair:
    """The message of a prompt: a question, chunks, answer A, answer B, and nothing else."""
    message = read_message(user)
    names = [name for name, _ in message.pieces]
    texts = dict(message.pieces)
    assert len(texts) == len(names), names
    assert (names[0], names[-2:]) == ("question", ["answer A", "answer B"]), names
    shown = [_CHUNK.fullmatch(name) for name in names[1:-2]]
    chunks = {found[1]: texts[found[0]] for found in shown if found is not None}
    assert len(chunks) == len(shown), names
    return ReadPair(message.token, texts["question"], chunks, texts["answer A"], texts["answer B"], message.closing)


def pair_in(body: Mapping[str, Any]) -> ReadPair:
    """The prompt of a request to a chat API."""
    return read_pair(body["messages"][1]["content"])


def make_pair(
    a: str = "The fee is 20 EUR [fee].",
    b: str = "There is no fee.",
    chunks: Mapping[str, str] | None = None,
    *,
    question: str = "What is the fee?",
    harmful: bool = False,
) -> PairTask:
    """A task."""
    sources = {"fee": "The fee for every order is 20 EUR."} if chunks is None else chunks
    asked = tuple([AskedChunk(chunk_id, text) for chunk_id, text in sources.items()])
    return PairTask(question, a, b, asked, harmful)


def make_rubric(*names: str) -> Rubric:
    """A rubric of these dimensions, by default of two."""
    levels = (Level(score=1, means="It does not."), Level(score=5, means="It does.", example="as here"))
    named = names or ("groundedness", "specificity")
    return Rubric(dimensions=tuple([Dimension(name=name, asks=f"About {name}?", levels=levels) for name in named]))


def scores_of(rubric: Rubric, score: int, **others: int) -> dict[str, int]:
    """One score for every dimension but those named."""
    return {name: others.get(name, score) for name in rubric.names}


def reply_of(
    a: Mapping[str, int],
    b: Mapping[str, int],
    *,
    totals: tuple[int, int] | None = None,
    verdict: str | None = None,
    reason: str = "A says what the chunks say.",
) -> dict[str, Any]:
    """A whole reply; totals and verdict are what the scores come to unless they are given."""
    first, second = totals or (sum(a.values()), sum(b.values()))
    by_scores = "A" if first > second else "B" if second > first else "tie"
    return {
        "scores": {"A": dict(a), "B": dict(b)},
        "totals": {"A": first, "B": second},
        "verdict": verdict or by_scores,
        "verdict_reason": reason,
    }
