"""Evidence: the chunks answers are held against."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict

from raggate_action.schema.base import Moment, Record


class Chunk(BaseModel):
    """One unit of evidence. The only open record: free-form fields (`name`, `description`, ...) are the user's.

    Attributes:
        chunk_id: Unique in the store.
        document_id: The document it was cut from.
        parent_id: The parent section it was cut from.
        version: Version of the text; compared with what the trace reports.
        permitted: False when nobody may be shown it.
        current: False when it has been superseded.
        principals: Who may be shown it; empty means everybody.
        valid_from: First moment it holds.
        valid_until: First moment it no longer holds.
        text: What it says; None when the store assembles it from named fields.
    """

    model_config = ConfigDict(frozen=True, extra="allow", strict=True)

    chunk_id: str
    document_id: str | None = None
    parent_id: str | None = None
    version: str | None = None
    permitted: bool = True
    current: bool = True
    principals: tuple[str, ...] = ()
    valid_from: Moment | None = None
    valid_until: Moment | None = None
    text: str | None = None

    @property
    def free_fields(self) -> dict[str, Any]:
        """The fields this record does not name, as the user wrote them."""
        return self.model_extra or {}


class EvidenceChunk(Record):
    """A chunk as the gates read it: text assembled, flags kept, free-form fields gone but for their addresses.

    Attributes: as `Chunk`; `text` is always there.
        beside: What free-form fields hold that may be an address, one a line; empty without any.
    """

    chunk_id: str
    version: str | None
    permitted: bool
    current: bool
    principals: tuple[str, ...]
    valid_from: datetime | None
    valid_until: datetime | None
    text: str
    beside: str = ""

    def permitted_for(self, principals: frozenset[str]) -> bool:
        """Whether a case asked by `principals` may be shown this chunk (rules 5)."""
        return self.permitted and (not self.principals or not principals.isdisjoint(self.principals))

    def current_at(self, as_of: datetime) -> bool:
        """Whether the chunk holds at `as_of`: its flag, and valid_from <= as_of < valid_until."""
        return (
            self.current
            and (self.valid_from is None or self.valid_from <= as_of)
            and (self.valid_until is None or as_of < self.valid_until)
        )


class EvidenceStore:
    """All chunks by id, and one digest over them. Immutable; iteration is in file order."""

    def __init__(self, chunks: Iterable[EvidenceChunk], *, digest: str) -> None:
        self._chunks = {chunk.chunk_id: chunk for chunk in chunks}
        self.digest = digest

    def get(self, chunk_id: str) -> EvidenceChunk | None:
        """The chunk of that id; None when the store does not know it."""
        return self._chunks.get(chunk_id)

    def __contains__(self, chunk_id: object) -> bool:
        return chunk_id in self._chunks

    def __iter__(self) -> Iterator[EvidenceChunk]:
        return iter(self._chunks.values())

    def __len__(self) -> int:
        return len(self._chunks)
