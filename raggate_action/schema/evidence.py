"""Evidence: the chunks answers are held against."""

from array import array
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from functools import cached_property, partial
from typing import Any, NamedTuple, TypeAlias

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

from raggate_action.schema.base import Moment


class Chunk(BaseModel):
    """One unit of evidence. The only open record: free-form fields (`name`, `description`, ...) are the user's.

    Attributes:
        chunk_id: Unique in the store; `id` is read too.
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

    chunk_id: str = Field(validation_alias=AliasChoices("chunk_id", "id"))
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


class ChunkFacts(NamedTuple):
    """What decides whether a chunk may be shown; one for all chunks of which the same holds.

    Attributes: as of `Chunk`.
        metadata: What its free-form fields and its document hold that may be an address, one a line; empty without any.
    """

    version: str | None
    permitted: bool
    current: bool
    principals: tuple[str, ...]
    valid_from: datetime | None
    valid_until: datetime | None
    metadata: str = ""


# Ids of document and parent.
Origin: TypeAlias = tuple[str | None, str | None]


class EvidenceChunk:
    """A chunk as the gates read it: text assembled, flags kept, free-form fields gone but for their addresses.

    Attributes:
        chunk_id: Unique in the store.
        facts: What decides whether it may be shown.
        origin: The document and the parent section it was cut from; None where that is not known.
    """

    __slots__ = ("_text", "chunk_id", "facts", "origin")

    def __init__(
        self, chunk_id: str, facts: ChunkFacts, text: str | Callable[[], str], origin: Origin = (None, None)
    ) -> None:
        """Make a chunk of its text, or of what gives its text when it is asked for."""
        self.chunk_id = chunk_id
        self.facts = facts
        self.origin = origin
        self._text = text

    @property
    def text(self) -> str:
        """What it says; may be empty."""
        return self._text if isinstance(self._text, str) else self._text()

    def is_of(self, source: str) -> bool:
        """Whether it is what a case means by `source`: the chunk, or one cut from that document or parent."""
        return source == self.chunk_id or source in self.origin

    @property
    def metadata(self) -> str:
        """What stands beside the text that may be an address, one a line."""
        return self.facts.metadata

    @property
    def version(self) -> str | None:
        """Version of the text."""
        return self.facts.version

    @property
    def permitted(self) -> bool:
        """False when nobody may be shown it."""
        return self.facts.permitted

    @property
    def current(self) -> bool:
        """False when it has been superseded."""
        return self.facts.current

    @property
    def principals(self) -> tuple[str, ...]:
        """Who may be shown it; empty means everybody."""
        return self.facts.principals

    @property
    def valid_from(self) -> datetime | None:
        """First moment it holds."""
        return self.facts.valid_from

    @property
    def valid_until(self) -> datetime | None:
        """First moment it no longer holds."""
        return self.facts.valid_until

    def permitted_for(self, principals: frozenset[str]) -> bool:
        """Whether a case asked by `principals` may be shown this chunk: its flag, and it names none or one of them."""
        facts = self.facts
        return facts.permitted and (not facts.principals or not principals.isdisjoint(facts.principals))

    def current_at(self, as_of: datetime) -> bool:
        """Whether the chunk holds at `as_of`: its flag, and valid_from <= as_of < valid_until."""
        facts = self.facts
        return (
            facts.current
            and (facts.valid_from is None or facts.valid_from <= as_of)
            and (facts.valid_until is None or as_of < facts.valid_until)
        )


class ChunkTable:
    """Chunks in the order they were added, found by id; little larger than their texts in UTF-8.

    As records, each with a text of its own, chunks take three to five times the memory of their file.
    """

    def __init__(self, chunks: Iterable[EvidenceChunk] = ()) -> None:
        self._rows: dict[bytes, int] = {}
        # What holds of many chunks stands here once, and of each chunk which it is, and where its text ends.
        self._facts: dict[ChunkFacts, int] = {}
        self._each_facts: list[ChunkFacts] = []
        self._facts_of = array("I")
        # The same of documents and parents.
        self._origins: dict[Origin, int] = {}
        self._each_origin: list[Origin] = []
        self._origin_of = array("I")
        self._texts = bytearray()
        self._ends = array("Q")
        for chunk in chunks:
            self.add(chunk)

    def add(self, chunk: EvidenceChunk) -> None:
        """Append a chunk; a second one of an id takes the place of the first."""
        self._rows[_bytes(chunk.chunk_id)] = len(self._ends)
        number = self._facts.setdefault(chunk.facts, len(self._each_facts))
        if number == len(self._each_facts):
            self._each_facts.append(chunk.facts)
        self._facts_of.append(number)
        place = self._origins.setdefault(chunk.origin, len(self._each_origin))
        if place == len(self._each_origin):
            self._each_origin.append(chunk.origin)
        self._origin_of.append(place)
        self._texts += _bytes(chunk.text)
        self._ends.append(len(self._texts))

    def row(self, chunk_id: str) -> int | None:
        """How many were added before it; None when there is no chunk of that id."""
        return self._rows.get(_bytes(chunk_id))

    def chunk(self, chunk_id: str) -> EvidenceChunk | None:
        """The chunk of that id; None when there is none."""
        row = self._rows.get(_bytes(chunk_id))
        return None if row is None else self._chunk(chunk_id, row)

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[EvidenceChunk]:
        for chunk_id, row in self._rows.items():
            yield self._chunk(_text(chunk_id), row)

    def _chunk(self, chunk_id: str, row: int) -> EvidenceChunk:
        facts, origin = self._each_facts[self._facts_of[row]], self._each_origin[self._origin_of[row]]
        return EvidenceChunk(chunk_id, facts, partial(self._text_of, row), origin)

    @cached_property
    def origins(self) -> frozenset[str]:
        """The id of every document and parent; read once all chunks are there."""
        return frozenset(name for origin in self._each_origin for name in origin if name is not None)

    def _text_of(self, row: int) -> str:
        start = self._ends[row - 1] if row else 0
        return _text(self._texts[start : self._ends[row]])


def _bytes(text: str) -> bytes:
    # As it is, whatever it holds: an app may ask for half a surrogate pair.
    return text.encode(errors="surrogatepass")


def _text(raw: bytes | bytearray) -> str:
    return raw.decode(errors="surrogatepass")


class EvidenceStore:
    """All chunks by id, and one digest over them. Immutable; iteration is in file order."""

    def __init__(self, chunks: Iterable[EvidenceChunk], *, digest: str) -> None:
        self._table = chunks if isinstance(chunks, ChunkTable) else ChunkTable(chunks)
        self._others: dict[str, EvidenceChunk] = {}
        self.digest = digest

    def with_chunks(self, chunks: Iterable[EvidenceChunk]) -> "EvidenceStore":
        """The store, in which these chunks are found by their ids instead of its own."""
        store = EvidenceStore(self._table, digest=self.digest)
        store._others = {chunk.chunk_id: chunk for chunk in chunks}
        return store

    def get(self, chunk_id: str) -> EvidenceChunk | None:
        """The chunk of that id; None when the store does not know it."""
        return self._others.get(chunk_id) or self._table.chunk(chunk_id)

    @property
    def origins(self) -> frozenset[str]:
        """The id of every document and every parent that chunks were cut from."""
        return self._table.origins

    def __contains__(self, chunk_id: object) -> bool:
        return isinstance(chunk_id, str) and (chunk_id in self._others or self._table.row(chunk_id) is not None)

    def __iter__(self) -> Iterator[EvidenceChunk]:
        return iter(self._table)

    def __len__(self) -> int:
        return len(self._table)
