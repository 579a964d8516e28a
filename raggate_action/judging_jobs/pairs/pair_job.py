"""The pair job: which of two answers to one question is better, by a rubric, for a judge that knows of no arms."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Final

from pydantic import JsonValue

from raggate_action.judges.chat_call import VisibleChunk
from raggate_action.judges.judging_job import JudgingJob, ReplyReading
from raggate_action.judges.prompts import (
    RENDERING,
    rendered,
    repair_part,
    template_source,
)
from raggate_action.judging_jobs.pairs.pair_prompt import PairTask, closing, pieces
from raggate_action.judging_jobs.pairs.pair_reading import SCHEMA_NAME, PairReply, fits, pair_schema, read_reply
from raggate_action.schema.ab import Rubric
from raggate_action.schema.base import digest_of
from raggate_action.schema.judgement import Judgement

_REPLY_TOKENS: Final = 400
_REPLY_TOKENS_A_DIMENSION: Final = 30


class PairJob(JudgingJob[PairTask, PairReply]):
    """See `JudgingJob` for each member.

    Attributes:
        rubric: What pairs are scored by; digest, schema and reading follow it.
    """

    name = "pair"
    form = PairReply
    schema_name = SCHEMA_NAME
    pieces = staticmethod(pieces)
    closing = staticmethod(closing)

    def __init__(self, rubric: Rubric) -> None:
        self.rubric = rubric

    @property
    def system_source(self) -> str:
        return template_source(__file__, "pair.system.j2")

    @cached_property
    def system(self) -> str:
        schema = json.dumps(self.schema(), separators=(",", ":"))
        return rendered(self.system_source, dimensions=self.rubric.dimensions, schema=schema)

    @cached_property
    def digest(self) -> str:
        """Of a prompt whose material is empty, and of what is said of a reply out of form."""
        cited = "[1]"
        blank = PairTask(
            "", cited, cited, (VisibleChunk("chunk", ""), VisibleChunk(" ", "")), order_a=(0,), order_b=(1,)
        )
        users = [self.prompt(task, "token").user for task in (blank, PairTask("", "", "", (), harmful=True))]
        return digest_of([self.system, *users, self.repair([""]), self.schema(), RENDERING])

    def schema(self, task: PairTask | None = None) -> Mapping[str, JsonValue]:
        return pair_schema(self.rubric.names)

    def reply_tokens(self, task: PairTask) -> int:
        return _REPLY_TOKENS + 2 * _REPLY_TOKENS_A_DIMENSION * len(self.rubric.dimensions)

    def read(self, reply: PairReply, task: PairTask) -> ReplyReading:
        return read_reply(reply, self.rubric.names)

    def repair(self, problems: Iterable[str]) -> str:
        return repair_part(template_source(__file__, "pair.repair.j2"), problems)

    def fits(self, judgement: Judgement, task: PairTask) -> bool:
        return fits(judgement, self.rubric.names)
