"""The prompt of the answer job: a constant part, then the material as in every job."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final, NamedTuple

from raggate_action.judges.answer_reply import AnswerReply
from raggate_action.judges.claims_reply import reply_schema
from raggate_action.judges.interface import AnswerTask, AskedChunk
from raggate_action.judges.prompts import Piece, chunk_names, chunk_pieces, digest_of_prompt, template, user_part

# How a task becomes pieces, in what order, under what names; another way is another prompt.
RENDERING: Final = 1
_SYSTEM: Final = "answer.system.j2"


class AnswerPrompt(NamedTuple):
    """A prompt as it is sent.

    Attributes:
        system: The constant part, the same bytes in every call.
        user: The material.
        chunks: Name -> chunk. A chunk's own id where it is plain, else a name of ours.
    """

    system: str
    user: str
    chunks: Mapping[str, AskedChunk]


def answer_prompt(task: AnswerTask, token: str) -> AnswerPrompt:
    """The prompt for a task.

    Args:
        task: The material.
        token: What the lines around pieces are known by; nobody who wrote the material may be able to guess it.
    """
    chunks = chunk_names(task.chunks)
    return AnswerPrompt(answer_system_part(), user_part(_pieces(task, chunks), _closing(task), token), chunks)


@cache
def answer_system_part() -> str:
    """The constant part."""
    return template(_SYSTEM).render(schema=json.dumps(reply_schema(AnswerReply), separators=(",", ":")))


@cache
def answer_prompt_digest() -> str:
    """Digest of all that is constant: templates, the reply's schema, the way of rendering."""
    return digest_of_prompt(_SYSTEM, reply_schema(AnswerReply), RENDERING)


def _pieces(task: AnswerTask, chunks: Mapping[str, AskedChunk]) -> Iterable[Piece]:
    yield Piece("question", task.question)
    yield from chunk_pieces(chunks)
    for number, fact in enumerate(task.facts, 1):
        yield Piece(f"fact {number}", fact.text)
    for number, criterion in enumerate(task.criteria, 1):
        yield Piece(f"criterion {number}", criterion.text)
    yield Piece("answer", task.answer)


def _closing(task: AnswerTask) -> str:
    """The last line: what is to be done, behind the last word of a stranger."""
    asked = [_counted("fact", len(task.facts)), _counted("criterion", len(task.criteria), "criteria")]
    held = " and ".join(filter(None, asked))
    parts = [f"hold the answer against {held}"] if held else []
    if task.relevance:
        what = "answer and chunks are" if task.chunks else "the answer is"
        parts.append(f"say whether {what} to the question")
    text = ", ".join([*parts, "and reply with the JSON object alone."])
    return text[:1].upper() + text[1:]


def _counted(one: str, number: int, many: str = "facts") -> str:
    return "" if not number else f"{one} 1" if number == 1 else f"{many} 1 to {number}"
