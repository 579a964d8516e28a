"""The answer job: whether an answer is what people wrote of a right one, and whether it is to the question."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from pydantic import JsonValue

from raggate_action.judges.answer_prompts import (
    AnswerPrompt,
    answer_prompt,
    answer_prompt_digest,
    answer_system_part,
)
from raggate_action.judges.answer_reading import AnswerReading, fits, read_answer_reply
from raggate_action.judges.answer_reply import SCHEMA_NAME, AnswerReply
from raggate_action.judges.asking import Size
from raggate_action.judges.claims_reply import reply_schema
from raggate_action.judges.interface import AnswerTask
from raggate_action.judges.prompts import FRAME_BYTES, repair_part
from raggate_action.schema.judgement import JobName, Judgement

_REPLY_TOKENS: Final = 150
_REPLY_TOKENS_AN_ITEM: Final = 120
_REPLY_TOKENS_A_CHUNK: Final = 30


class AnswerJob:
    """A `Job`."""

    name: JobName = "answer"
    schema_name = SCHEMA_NAME

    @property
    def digest(self) -> str:
        """Of all that is constant."""
        return answer_prompt_digest()

    def schema(self) -> Mapping[str, JsonValue]:
        """JSON Schema of a reply."""
        return reply_schema(AnswerReply)

    def prompt(self, task: AnswerTask, token: str) -> AnswerPrompt:
        """The prompt for a task."""
        return answer_prompt(task, token)

    def read(self, text: str, task: AnswerTask, prompt: AnswerPrompt, *, fenced: bool) -> AnswerReading:
        """Read a reply to the prompt."""
        return read_answer_reply(text, task, prompt.chunks, fenced=fenced)

    def repair(self, problems: Iterable[str]) -> str:
        """What a judge is told of a reply that cannot be used as it is."""
        return repair_part(problems)

    def size(self, task: AnswerTask) -> Size:
        """How large a call is, about."""
        items = (*task.facts, *task.criteria)
        texts = [task.question, task.answer, *[each.text for each in items]]
        texts += [part for chunk in task.chunks for part in (chunk.text, chunk.chunk_id)]
        prompt = len(answer_system_part()) + sum(len(text.encode(errors="replace")) + FRAME_BYTES for text in texts)
        reply = _REPLY_TOKENS + _REPLY_TOKENS_AN_ITEM * len(items) + _REPLY_TOKENS_A_CHUNK * len(task.chunks)
        return Size(prompt, reply)

    def fits(self, judgement: Judgement, task: AnswerTask) -> bool:
        """Whether a stored judgement speaks of the task alone, and quotes what stands there."""
        return fits(judgement, task)


ANSWER: Final = AnswerJob()
