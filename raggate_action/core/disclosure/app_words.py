"""Everything an app can put words into, as texts: what a trace says beyond the ids and texts of its evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel

from raggate_action.schema.case import Case
from raggate_action.schema.evidence import EvidenceStore
from raggate_action.schema.trace import STAGES, ChunkForm, Trace


def words_of_app(trace: Trace, store: EvidenceStore, case: Case | None) -> Iterator[str]:
    """Every text of a trace, keys and numbers included, but for what the suite knows of itself.

    Left out are the case's own id, ids of the store, and of a chunk of the store its own version and text. Claims are
    there one by one and as one text, which is how an answer without a text of its own is shown.
    """
    asked = case.case_id if case is not None else None
    if claims := trace.reply.claims:
        yield " ".join(claim.text for claim in claims)
    for name, value in vars(trace).items():
        if name in STAGES:
            for chunk in value or ():
                yield from _words_of_chunk(chunk, store)
        elif value is not None:
            yield from (text for text in strings_in(value) if text != asked and text not in store)


def strings_in(value: Any) -> Iterator[str]:
    """Every string and number inside a value, keys included; truth and absence say nothing."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, bool) or value is None:
        return
    elif isinstance(value, int | float):
        yield f"{value:.17g}" if isinstance(value, float) else str(value)
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from strings_in(key)
            yield from strings_in(inner)
    elif isinstance(value, BaseModel):
        for inner in vars(value).values():
            yield from strings_in(inner)
    else:
        for inner in value:
            yield from strings_in(inner)


def _words_of_chunk(chunk: ChunkForm, store: EvidenceStore) -> Iterator[str]:
    if isinstance(chunk, str):
        if chunk not in store:
            yield chunk
        return
    known = store.get(chunk.chunk_id)
    if known is None:
        yield chunk.chunk_id
    if chunk.version is not None and (known is None or chunk.version != known.version):
        yield chunk.version
    if chunk.text is not None and (known is None or chunk.text != known.text):
        yield chunk.text
    if chunk.document_id is not None and chunk.document_id not in store:
        yield chunk.document_id
