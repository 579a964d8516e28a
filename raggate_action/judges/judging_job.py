"""A job that judges are asked to do: its material, the form of a reply to it, and what a reply comes to.

A member says what is its own; prompt, schema, digest, repair and size are made of that, the same way for every job.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any, Final, Generic, NamedTuple, TypeVar

from pydantic import JsonValue

from raggate_action.judges.prompts import (
    FRAME_BYTES,
    RENDERING,
    Piece,
    Prompt,
    rendered,
    repair_part,
    repair_source,
    user_part,
    user_source,
)
from raggate_action.judges.reply_form import OffSchemaError, ReplyPart, parsed, reply_schema
from raggate_action.schema.base import digest_of
from raggate_action.schema.judgement import JobName, Judgement

Task = TypeVar("Task", bound=tuple[Any, ...])
Form = TypeVar("Form", bound=ReplyPart)

_PROBLEMS: Final = 8
_REPLY_TOKENS: Final = 200


class ReplyReading(NamedTuple):
    """What a reply comes to, held against what was shown.

    Attributes:
        fields: What it says, by the fields of the record that keeps it, for most jobs a `Judgement`.
        amount: How much it says: a reply that repairs another says no less than it.
        problems: What is wrong with it, in sentences for the judge; empty when nothing is.
        usable: What it says may stand, whatever else is wrong; False of a reply that is not in the form.
    """

    fields: Mapping[str, Any]
    amount: int = 0
    problems: tuple[str, ...] = ()
    usable: bool = True


class Size(NamedTuple):
    """How large a call is.

    Attributes:
        prompt_bytes: Of its prompt, UTF-8.
        reply_tokens: A long reply.
    """

    prompt_bytes: int
    reply_tokens: int


class JudgingJob(ABC, Generic[Task, Form]):
    """What judges are asked; a task is a tuple with all that its prompt holds beside the constant part.

    Attributes:
        name: As judgements have it.
        form: The form of a reply.
        schema_name: The form's name, as endpoints are told.
        system_source: The constant part, as a template that is given the reply's schema.
    """

    name: JobName
    form: type[ReplyPart]
    schema_name: str
    system_source: str

    @abstractmethod
    def pieces(self, task: Task) -> Iterable[Piece]:
        """The material, in order."""

    @abstractmethod
    def closing(self, task: Task) -> str:
        """The last line: what is to be done, behind the last word of a stranger."""

    def reply_tokens(self, task: Task) -> int:
        """How long a long reply is; here a short paragraph."""
        return _REPLY_TOKENS

    @abstractmethod
    def read(self, reply: Form, task: Task) -> ReplyReading:
        """Hold a reply in the form against what was shown. Nothing is guessed, and no other verdict put in its place.

        Raises:
            OffSchemaError: It speaks of what was not asked.
        """

    def fits(self, judgement: Judgement, task: Task) -> bool:
        """Whether a stored judgement speaks of the task alone, and quotes what stands there; else it is asked anew."""
        return False

    def left_over(self, task: Task, reading: ReplyReading) -> Task | None:
        """What of a task a reading says nothing of, to be asked in a call of its own.

        None of a job whose faulty reply is sent back instead: only the whole of it can be put right.
        """
        return None

    def joined(self, task: Task, first: ReplyReading, again: ReplyReading) -> ReplyReading:
        """What a reading and that of its `left_over` come to."""
        return again

    def shortened(self, task: Task) -> tuple[Task, tuple[str, ...]] | None:
        """A task for an endpoint that refused its length, and the chunks it leaves out, by id; None where none can be.

        Nothing is left out that may decide what is asked, and nothing is cut.
        """
        return None

    def schema(self, task: Task | None = None) -> Mapping[str, JsonValue]:
        """JSON Schema of a reply: to a task, or as the digest has it where none is given."""
        return reply_schema(self.form)

    @cached_property
    def system(self) -> str:
        """The constant part, the same bytes in every call."""
        return rendered(self.system_source, schema=json.dumps(self.schema(), separators=(",", ":")))

    @cached_property
    def digest(self) -> str:
        """Of all that is constant: templates, the reply's schema, the way of rendering."""
        return digest_of([self.system_source, user_source(), repair_source(), self.schema(), RENDERING])

    def prompt(self, task: Task, token: str) -> Prompt:
        """The prompt for a task.

        Args:
            task: The material.
            token: What the lines around pieces are known by; nobody who wrote the material may be able to guess it.
        """
        return Prompt(self.system, user_part(self.pieces(task), self.closing(task), token))

    def reading(self, text: str, task: Task, *, fenced: bool = False) -> ReplyReading:
        """Read a reply.

        Args:
            text: The reply as it came.
            task: What was asked.
            fenced: A fence of Markdown around the whole of it is no fault: nothing but words told the judge the form.
        """
        try:
            found = self.read(parsed(text, self.form, fenced=fenced), task)  # type: ignore[arg-type]
        except OffSchemaError as wrong:
            found = ReplyReading({}, problems=wrong.problems, usable=False)
        return found._replace(problems=found.problems[:_PROBLEMS])

    def repair(self, problems: Iterable[str]) -> str:
        """What a judge is told of a reply that cannot be used as it is."""
        return repair_part(repair_source(), problems)

    def size(self, task: Task) -> Size:
        """How large a call is, about, before a prompt is made."""
        # A chunk is named by its id where that is plain.
        names = [chunk.chunk_id for chunk in getattr(task, "chunks", ())]
        texts = [*[piece.text for piece in self.pieces(task)], *names]
        prompt = len(self.system.encode()) + sum(len(text.encode(errors="replace")) + FRAME_BYTES for text in texts)
        return Size(prompt, self.reply_tokens(task))
