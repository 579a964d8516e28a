"""The shown context as the gates read it: what the model saw, with the evidence store's text where there is one."""

from __future__ import annotations

import re
from functools import cached_property
from typing import NamedTuple

from raggate_action.core.text.case_folding import folded
from raggate_action.core.text.quotation import ChunkText, chunk_text
from raggate_action.schema.case import Case
from raggate_action.schema.evidence import EvidenceStore, Origin
from raggate_action.schema.trace import Trace, TracedChunk

# What a passage ends in that was cut.
_CUT = re.compile(r"(?:\.\.\.|…)[\s\])\"”»]*\Z")


class ShownChunk:
    """A chunk of the context.

    Attributes:
        chunk_id: Its id.
        version: Its evidence version, from the store or the trace; None when neither says.
        text: What it says, from the store or the trace; None when neither says.
        folded: The text in the spelling labels are looked up by; empty without a text.
        metadata: What stands in its free-form fields that may be an address; empty without any.
        origin: The document and the parent section it was cut from, as far as the store, or else the trace, knows them.
    """

    __slots__ = ("_language", "_quotable", "chunk_id", "folded", "metadata", "origin", "text", "version")

    def __init__(
        self,
        chunk_id: str,
        version: str | None,
        text: str | None,
        *,
        language: str,
        metadata: str = "",
        origin: Origin = (None, None),
    ) -> None:
        self.metadata = metadata
        self.origin = origin
        self.chunk_id = chunk_id
        self.version = version
        self.text = text
        self.folded = folded(text) if text else ""
        self._language = language
        self._quotable: ChunkText | None = None

    @property
    def quotable(self) -> ChunkText:
        """The text, ready to be quoted from; empty without a text."""
        if self._quotable is None:
            self._quotable = chunk_text(self.text or "", self._language)
        return self._quotable


class Beside(NamedTuple):
    """What an answer may rest on beside its chunks.

    Attributes:
        own_addresses: Addresses that it may name without a chunk.
        case: What was asked, with more than the question.
        trace: What the app reported of its answer.
        common: Keys of values that many answers of the run give, whatever was asked.
    """

    own_addresses: tuple[str, ...] = ()
    case: Case | None = None
    trace: Trace | None = None
    common: frozenset[str] = frozenset()


_NOTHING = Beside()


class ShownContext:
    """The context of one answer.

    Attributes:
        chunks: In order.
        by_id: The same by chunk id.
        ids: Chunk ids in order; `[1]` in an answer is the first.
        beside: What else an answer may rest on.
    """

    def __init__(self, chunks: tuple[ShownChunk, ...], beside: Beside = _NOTHING) -> None:
        self.beside = beside
        self.chunks = chunks
        self.by_id = {chunk.chunk_id: chunk for chunk in chunks}
        self.ids = tuple([chunk.chunk_id for chunk in chunks])

    @property
    def without_text(self) -> tuple[str, ...]:
        """Chunks of which neither store nor trace has the text."""
        return tuple([chunk.chunk_id for chunk in self.chunks if chunk.text is None])

    @cached_property
    def is_whole(self) -> bool:
        """Whether all that the model read is at hand: no tool's result is missing, and no passage, or its end."""
        texts = {chunk.text for chunk in self.chunks if chunk.text is not None}
        lengths = [len(text) for text in texts]
        are_cut = lengths.count(max(lengths, default=0)) > 1
        lacks = self.beside.trace is not None and self.beside.trace.lacks_results
        return not (lacks or self.without_text or are_cut or any(map(_CUT.search, texts)))


def context_of(
    traced: tuple[TracedChunk, ...], store: EvidenceStore | None, *, language: str, beside: Beside = _NOTHING
) -> ShownContext:
    """Join the traced context with the store: with a store its text is the evidence."""
    chunks = []
    for chunk in traced:
        known = store.get(chunk.chunk_id) if store is not None else None
        if known is not None:
            made = ShownChunk(
                chunk.chunk_id,
                known.version,
                known.text,
                language=language,
                metadata=known.metadata,
                origin=known.origin,
            )
            chunks.append(made)
        else:
            origin = chunk.document_id, None
            chunks.append(ShownChunk(chunk.chunk_id, chunk.version, chunk.text, language=language, origin=origin))
    return ShownContext(tuple(chunks), beside)
