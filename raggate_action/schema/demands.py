"""What a case demands of an answer, kept in its row: so a later run can judge its own answer by it as well."""

from operator import not_
from typing import Literal

from pydantic import Field

from raggate_action.schema.base import AmountLimit, Record
from raggate_action.schema.case import Criterion, Expect, NonEmpty, Phrase, RequiredPoint


class SourceState(Record):
    """A chunk that a case requires, as the evidence store had it; absent fields are at their default.

    Attributes:
        chunk_id: Its id.
        text: Digest of its text, spaces aside; None where there is no such chunk, or no store.
        version: Its version.
        superseded: Its flag `current` is false.
        valid_from, valid_until: When it holds, ISO 8601.
        expired: It held no more at the moment the case was asked.
    """

    chunk_id: str
    text: str | None = None
    version: str | None = None
    superseded: Literal[True] | None = None
    valid_from: str | None = None
    valid_until: str | None = None
    expired: Literal[True] | None = None


class Demands(Record):
    """The expectations of a case; None is none, so that a row writes only what its case demands.

    Attributes:
        asked: Digest of the words of question and messages and of the input: equal on two runs that asked the same.
        principals, as_of: Who asked, and when; they decide which chunks the answer may rest on.
        required_source_ids, required_quotes, required_points, expect, must_contain, must_not_contain, expected_tools,
        forbidden_tools, max_latency_ms, custom_check, released, criteria: As in `Case`.
        sources: The chunks required now or on the baseline.
        withheld: Field and digest of each demand that repeats text which the case's asker may not read.
    """

    asked: str
    principals: tuple[NonEmpty, ...] | None = None
    as_of: str | None = None
    required_source_ids: tuple[NonEmpty, ...] | None = None
    required_quotes: tuple[NonEmpty, ...] | None = None
    required_points: tuple[NonEmpty | RequiredPoint, ...] | None = None
    expect: Expect | None = None
    must_contain: tuple[Phrase, ...] | None = None
    must_not_contain: tuple[Phrase, ...] | None = None
    expected_tools: tuple[NonEmpty, ...] | None = None
    forbidden_tools: tuple[NonEmpty, ...] | None = None
    max_latency_ms: AmountLimit | None = None
    custom_check: str | None = None
    released: bool | None = None
    criteria: tuple[Criterion, ...] | None = Field(default=None, exclude_if=not_)
    sources: tuple[SourceState, ...] | None = None
    withheld: tuple[tuple[str, str], ...] | None = None
