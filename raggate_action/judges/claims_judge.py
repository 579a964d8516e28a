"""The claims job: whether the chunks that an answer was made from support what it claims."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from pydantic import JsonValue

from raggate_action.judges.asking import Size
from raggate_action.judges.claims_reading import Reading, fits, read_reply
from raggate_action.judges.claims_reply import SCHEMA_NAME, reply_schema
from raggate_action.judges.interface import ClaimsTask
from raggate_action.judges.prompts import (
    FRAME_BYTES,
    Prompt,
    claims_prompt,
    claims_prompt_digest,
    repair_part,
    system_part,
)
from raggate_action.schema.judgement import JobName, Judgement

_REPLY_TOKENS: Final = 300
_REPLY_TOKENS_A_CLAIM: Final = 250
_REPLY_TOKENS_A_POINT: Final = 40


class ClaimsJob:
    """A `Job`."""

    name: JobName = "claims"
    schema_name = SCHEMA_NAME

    @property
    def digest(self) -> str:
        """Of all that is constant."""
        return claims_prompt_digest()

    def schema(self) -> Mapping[str, JsonValue]:
        """JSON Schema of a reply."""
        return reply_schema()

    def prompt(self, task: ClaimsTask, token: str) -> Prompt:
        """The prompt for a task."""
        return claims_prompt(task, token)

    def read(self, text: str, task: ClaimsTask, prompt: Prompt, *, fenced: bool) -> Reading:
        """Read a reply to the prompt."""
        return read_reply(text, task, prompt.labels, fenced=fenced)

    def repair(self, problems: Iterable[str]) -> str:
        """What a judge is told of a reply that cannot be used as it is."""
        return repair_part(problems)

    def size(self, task: ClaimsTask) -> Size:
        """How large a call is, about."""
        texts = [task.question, task.answer]
        texts += [each.text for each in (*task.claims, *task.settled)] + [point.text for point in task.points]
        texts += [part for chunk in task.chunks for part in (chunk.text, chunk.chunk_id)]
        prompt = len(system_part()) + sum(len(text.encode(errors="replace")) + FRAME_BYTES for text in texts)
        reply = _REPLY_TOKENS + _REPLY_TOKENS_A_CLAIM * len(task.claims) + _REPLY_TOKENS_A_POINT * len(task.points)
        return Size(prompt, reply)

    def fits(self, judgement: Judgement, task: ClaimsTask) -> bool:
        """Whether a stored judgement speaks of the task alone, and quotes what stands there."""
        return fits(judgement, task)


CLAIMS: Final = ClaimsJob()
