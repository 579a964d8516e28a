"""The prompt of the pair job read back as a judge reads it, and replies as judges write them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from raggate_action.judges.chat_call import VisibleChunk
from raggate_action.judging_jobs.pair_job import PairTask
from raggate_action.schema.ab import Dimension, Level, Rubric
from tests.message_pieces import read_message


class ReadPair(NamedTuple):
    """The pieces of a prompt's message.

    Attributes:
        chunks: By the names they are shown with, in order.
        ids: Name of a chunk -> the id it has, where it is shown under another name.
        numbered: Answer -> what its numbers stand for, line by line.
    """

    token: str
    question: str
    chunks: dict[str, str]
    a: str
    b: str
    closing: str
    ids: dict[str, str]
    numbered: dict[str, list[str]]


def read_pair(user: str) -> ReadPair:
    """The message of a prompt: a question, chunks, answer A, answer B, what they cite by, and nothing else."""
    message = read_message(user)
    texts = dict(message.pieces)
    assert len(texts) == len(message.pieces), [name for name, _ in message.pieces]
    found: dict[str, dict[str, str]] = {"chunk ": {}, "id of chunk ": {}, "numbers in answer ": {}, "answer ": {}}
    for name, text in message.pieces:
        for kind, place in found.items():
            if name.startswith(kind):
                place[name.removeprefix(kind).strip('"')] = text
    assert list(found["answer "]) == ["A", "B"]
    assert sum(map(len, found.values())) == len(texts) - 1, list(texts)
    return ReadPair(
        token=message.token,
        question=texts["question"],
        chunks=found["chunk "],
        a=found["answer "]["A"],
        b=found["answer "]["B"],
        closing=message.closing,
        ids=found["id of chunk "],
        numbered={letter: text.split("\n") for letter, text in found["numbers in answer "].items()},
    )


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
    asked = tuple([VisibleChunk(chunk_id, text) for chunk_id, text in sources.items()])
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
