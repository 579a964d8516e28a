"""The pair job: which of two answers to one question is better, by a rubric, for a judge that knows of no arms."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Final

from pydantic import JsonValue

from raggate_action.judges.interface import AskedChunk, PairTask
from raggate_action.judges.job import Job, Reading
from raggate_action.judges.pair_reading import fits, read_reply
from raggate_action.judges.pair_reply import SCHEMA_NAME, PairReply, pair_schema
from raggate_action.judges.prompts import (
    RENDERING,
    Piece,
    chunk_names,
    chunk_pieces,
    rendered,
    repair_part,
    source_beside,
)
from raggate_action.schema.ab import Rubric
from raggate_action.schema.base import digest_of
from raggate_action.schema.judgement import Judgement

_REPLY_TOKENS: Final = 400
_REPLY_TOKENS_A_DIMENSION: Final = 30
# Sources named by their place in the context: `[2]`, `[1, 3]`, `【2】`.
_BY_NUMBER: Final = re.compile(r"[\[\u3010](?:\d{1,3})(?:\s*[,;\u2013-]\s*\d{1,3})*[\]\u3011]")


class PairJob(Job[PairTask, PairReply]):
    """See `Job` for each member.

    Attributes:
        rubric: What pairs are scored by; digest, schema and reading follow it.
    """

    name = "pair"
    form = PairReply
    schema_name = SCHEMA_NAME

    def __init__(self, rubric: Rubric) -> None:
        self.rubric = rubric

    @property
    def system_source(self) -> str:
        return source_beside(__file__, "pair.system.j2")

    @cached_property
    def system(self) -> str:
        schema = json.dumps(self.schema(), separators=(",", ":"))
        return rendered(self.system_source, dimensions=self.rubric.dimensions, schema=schema)

    @cached_property
    def digest(self) -> str:
        """Of a prompt whose material is empty, and of what is said of a reply out of form."""
        cited = "[1]"
        blank = PairTask("", cited, cited, (AskedChunk("chunk", ""), AskedChunk(" ", "")), order_a=(0,), order_b=(1,))
        users = [self.prompt(task, "token").user for task in (blank, PairTask("", "", "", (), harmful=True))]
        return digest_of([self.system, *users, self.repair([""]), self.schema(), RENDERING])

    def schema(self) -> Mapping[str, JsonValue]:
        return pair_schema(self.rubric.names)

    def pieces(self, task: PairTask) -> Iterable[Piece]:
        return _pieces(task)

    def closing(self, task: PairTask) -> str:
        harm = "A wrong answer to this question can do harm. " if task.harmful else ""
        ground = "the chunks" if task.chunks else "nothing, for there is no chunk"
        return (
            f"{harm}Score answer A and answer B by the rubric, against {ground}, and reply with the JSON object alone."
        )

    def reply_tokens(self, task: PairTask) -> int:
        return _REPLY_TOKENS + 2 * _REPLY_TOKENS_A_DIMENSION * len(self.rubric.dimensions)

    def read(self, reply: PairReply, task: PairTask) -> Reading:
        return read_reply(reply, self.rubric.names)

    def repair(self, problems: Iterable[str]) -> str:
        return repair_part(source_beside(__file__, "pair.repair.j2"), problems)

    def fits(self, judgement: Judgement, task: PairTask) -> bool:
        return fits(judgement, self.rubric.names)


def _pieces(task: PairTask) -> Iterable[Piece]:
    yield Piece("question", task.question)
    names = chunk_names(task.chunks)
    for name, chunk in names.items():
        yield from chunk_pieces({name: chunk})
        if name != chunk.chunk_id:
            # Answers cite it by that.
            yield Piece(f'id of chunk "{name}"', chunk.chunk_id)
    shown = [*names]
    # Where an id is a number, a number is an id.
    by_place = not any(chunk.chunk_id.isdecimal() for chunk in task.chunks)
    for letter, answer, order in (("A", task.answer_a, task.order_a), ("B", task.answer_b, task.order_b)):
        yield Piece(f"answer {letter}", answer)
        if order and by_place and _BY_NUMBER.search(answer):
            numbered = [f'[{number}] "{shown[place]}"' for number, place in enumerate(order, 1)]
            yield Piece(f"numbers in answer {letter}", "\n".join(numbered))
