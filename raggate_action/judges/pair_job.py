"""The pair job: which of two answers to one question is better, by a rubric, for a judge that knows of no arms."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Final, NamedTuple

from pydantic import JsonValue

from raggate_action.judges.asking import Size
from raggate_action.judges.interface import AskedChunk, PairTask
from raggate_action.judges.pair_reading import Reading, fits, read_reply
from raggate_action.judges.pair_reply import SCHEMA_NAME, pair_schema
from raggate_action.judges.prompts import FRAME_BYTES, RENDERING, Piece, chunk_names, chunk_pieces, template, user_part
from raggate_action.judges.shown_text import shown_text
from raggate_action.schema.ab import Rubric
from raggate_action.schema.base import digest_of
from raggate_action.schema.judgement import JobName, Judgement

_REPLY_TOKENS: Final = 400
_REPLY_TOKENS_A_DIMENSION: Final = 30
# Sources named by their place in the context: `[2]`, `[1, 3]`, `【2】`.
_BY_NUMBER: Final = re.compile(r"[\[\u3010](?:\d{1,3})(?:\s*[,;\u2013-]\s*\d{1,3})*[\]\u3011]")


class Prompt(NamedTuple):
    """A prompt as it is sent.

    Attributes:
        system: Rubric and form of the reply, the same bytes in every call.
        user: The material.
    """

    system: str
    user: str


class PairJob:
    """A `Job`.

    Attributes:
        rubric: What pairs are scored by; digest, schema and reading follow it.
    """

    name: JobName = "pair"
    schema_name = SCHEMA_NAME

    def __init__(self, rubric: Rubric) -> None:
        self.rubric = rubric

    @cached_property
    def digest(self) -> str:
        """Of all that is constant: of a prompt whose material is empty, and of what is said of a reply out of form."""
        cited = "[1]"
        blank = PairTask("", cited, cited, (AskedChunk("chunk", ""), AskedChunk(" ", "")), order_a=(0,), order_b=(1,))
        users = [self.prompt(task, "token").user for task in (blank, PairTask("", "", "", (), harmful=True))]
        return digest_of([self._system, *users, self.repair([""]), self.schema(), RENDERING])

    def schema(self) -> Mapping[str, JsonValue]:
        """JSON Schema of a reply."""
        return pair_schema(self.rubric.names)

    def prompt(self, task: PairTask, token: str) -> Prompt:
        """The prompt for a task."""
        return Prompt(self._system, user_part(_pieces(task), _closing(task), token))

    def read(self, text: str, task: PairTask, prompt: Prompt, *, fenced: bool) -> Reading:  # noqa: ARG002 - as of any job
        """Read a reply to the prompt."""
        return read_reply(text, self.rubric.names, fenced=fenced)

    def repair(self, problems: Iterable[str]) -> str:
        """What a judge is told of a reply that cannot be used as it is."""
        return template("pair.repair.j2").render(problems=[shown_text(problem) for problem in problems])

    def size(self, task: PairTask) -> Size:
        """How large a call is, about."""
        texts = [task.question, task.answer_a, task.answer_b]
        texts += [part for chunk in task.chunks for part in (chunk.text, chunk.chunk_id)]
        prompt = len(self._system.encode()) + sum(len(text.encode(errors="replace")) + FRAME_BYTES for text in texts)
        return Size(prompt, _REPLY_TOKENS + 2 * _REPLY_TOKENS_A_DIMENSION * len(self.rubric.dimensions))

    def fits(self, judgement: Judgement, task: PairTask) -> bool:  # noqa: ARG002 - as of any job
        """Whether a stored judgement has the scores that are asked for and nothing else."""
        return fits(judgement, self.rubric.names)

    @cached_property
    def _system(self) -> str:
        schema = json.dumps(self.schema(), separators=(",", ":"))
        return template("pair.system.j2").render(dimensions=self.rubric.dimensions, schema=schema)


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


def _closing(task: PairTask) -> str:
    """The last line: what is to be done, behind the last word of a stranger."""
    harm = "A wrong answer to this question can do harm. " if task.harmful else ""
    ground = "the chunks" if task.chunks else "nothing, for there is no chunk"
    return f"{harm}Score answer A and answer B by the rubric, against {ground}, and reply with the JSON object alone."
