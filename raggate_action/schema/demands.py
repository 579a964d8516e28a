"""What a case demands of an answer, and where its labels stand: kept in its row for a later run."""

from operator import not_

from pydantic import Field

from raggate_action.schema.base import AmountLimit, Record
from raggate_action.schema.case import Criterion, Expect, NonEmpty, Phrase, RequiredPoint


class LabelPassage(Record):
    """Where a label of a case stands in what the model was shown, so that a later run can tell whether it changed.

    Attributes:
        label: The required phrase, point or quote.
        chunk_id, document, version: The chunk that holds it, and what it was cut from, where known.
        words: The sentence that holds it; empty of a quote, which is one, and under `texts: ids`.
    """

    label: str
    chunk_id: str
    document: str | None = Field(default=None, exclude_if=lambda document: document is None)
    version: str | None = Field(default=None, exclude_if=lambda version: version is None)
    words: str = Field(default="", exclude_if=not_)


class Demands(Record):
    """The expectations of a case; None is none, so that a row writes only what its case demands.

    Attributes:
        asked: Digest of the words of question and messages and of the input: equal on two runs that asked the same.
        principals, as_of: Who asked, and when; they decide which chunks the answer may rest on.
        required_source_ids, required_quotes, required_points, expect, must_contain, must_not_contain, expected_tools,
        forbidden_tools, max_latency_ms, custom_check, released, criteria: As in `Case`.
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
    withheld: tuple[tuple[str, str], ...] | None = None
