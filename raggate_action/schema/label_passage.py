"""Where the labels of a case stand: kept in its row for a later run."""

from operator import not_

from pydantic import Field

from raggate_action.schema.base import Record


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
