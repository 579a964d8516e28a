"""The chunks of a reply under one id each: of candidates, context and what lies between."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any, NamedTuple

from pydantic import JsonValue
from pydantic_core import to_json

from raggate_action.replies.reply_forms import (
    ReadChunk,
    folded_spaces,
    is_own_form,
    is_random,
    items_of,
    look_like_ids,
    looks_like_id,
    names_nothing,
    read_chunk,
    text_id,
)
from raggate_action.schema.evidence import EvidenceChunk, EvidenceStore
from raggate_action.schema.trace import STAGES, Trace, are_ids

# Words in the name of a document.
_LONGEST_NAME = 10


class StageReader:
    """Gives every chunk of a reply its id, by the evidence store where there is one."""

    def __init__(self, store: EvidenceStore | None = None) -> None:
        """The store's texts are read when the first text comes that it has to be looked up in."""
        self._store = store
        self._by_text: dict[bytes, str] | None = None

    def read(self, trace: dict[str, Any]) -> dict[str, Any]:
        """Trace JSON with its chunks in the trace's own form.

        Per chunk: a string is an id if the store knows it; else it is the store's chunk of the same text (spaces
        folded); else an id if it looks like one and no string beside it is a passage; else a text. An object goes by
        the first of its ids that the store knows; else it is the store's chunk of its text; else by its first id; else
        by an id made from its text. No id, beside a text, is a random UUID, which the next index makes anew, and one
        that stands for two texts in one reply: that is the id of their document. What is in the trace's own form keeps
        the id it says.

        One string that looks like an id where a list would stand, and that the store does not know, is a session's or a
        request's: the stage is left out.

        A chunk that comes twice in a stage is marked as repeated, unless the app says its id alone both times, or in
        the trace's own form: that is for the gates to judge. What is no chunk stays as it is, for whoever checks the
        trace to name.
        """
        bare = [stage for stage in STAGES if names_nothing(trace.get(stage)) and not self._knows(str(trace[stage]))]
        trace = {field: value for field, value in trace.items() if field not in bare} if bare else trace
        stages = {stage: items for stage in STAGES if (items := items_of(trace.get(stage))) is not None}
        if not stages:
            return trace
        read = {stage: [_Item(value, read_chunk(value)) for value in items] for stage, items in stages.items()}
        own = _OwnIds([item for items in read.values() for item in items])
        return {**trace, **{stage: self._stage(items, own) for stage, items in read.items()}}

    def leaves(self, trace: Trace) -> bool:
        """Whether `read` leaves a trace as it is whose chunks are in the trace's own form."""
        values, store = vars(trace), self._store
        # Most stages name the chunks of the one before: each is looked at once.
        strings: set[str] = set()
        for stage in STAGES:
            chunks = values[stage] or ()
            strings.update(chunks if are_ids(chunks) else [chunk for chunk in chunks if isinstance(chunk, str)])
        return look_like_ids([*strings]) if store is None else all(map(store.__contains__, strings))

    def of_trace(self, trace: Trace) -> Trace:
        """A trace that somebody wrote, its chunks read the same way."""
        if self.leaves(trace):
            return trace
        return Trace.model_validate_json(to_json(self.read(trace.model_dump(mode="json", exclude_none=True))))

    def _stage(self, items: list[_Item], own: _OwnIds) -> list[Any]:
        # By id, whether one of its chunks said more than that.
        seen: dict[str, bool] = {}
        found: list[Any] = []
        strings = [item.value for item in items if isinstance(item.value, str)]
        # More words than the name of a document has.
        has_passage = any(len(string.split()) > _LONGEST_NAME for string in strings)
        for item in items:
            chunk = self._named(item, own, has_passage=has_passage)
            if chunk is None:
                found.append(item.value)
                continue
            says_more = chunk.says_more
            repeats = chunk.chunk_id in seen and (says_more or seen[chunk.chunk_id])
            seen[chunk.chunk_id] = says_more or seen.get(chunk.chunk_id, False)
            found.append(chunk.written(repeated=repeats))
        return found

    def _named(self, item: _Item, own: _OwnIds, *, has_passage: bool) -> _Named | None:
        value, chunk = item
        if chunk is None or (is_own_form(value) and not chunk.ids):
            return None
        if isinstance(value, dict) and is_own_form(value):
            return _Named(chunk.ids[0], {**value, "chunk_id": chunk.ids[0]}, says_more=False)
        if isinstance(value, str):
            return self._named_string(value, own, has_passage=has_passage)
        return self._named_object(chunk, own)

    def _named_object(self, chunk: ReadChunk, own: _OwnIds) -> _Named:
        known = next((each for each in chunk.ids if self._knows(each)), None)
        ids, document_id = own.lasting(chunk)
        # A piece of what the store has whole would differ from it.
        text = None if known is not None and chunk.partial else chunk.text
        fields = {"version": chunk.version, "text": text, "document_id": document_id}
        if known is not None:
            return _Named.of(known, fields)
        if chunk.text is None:
            return _Named.of(ids[0], fields, says_more=False)
        if (same := self._with_text(chunk.text)) is not None:
            return _Named.of(same, {**fields, "text": None})
        made = ids[0] if ids else own.by_text.get(folded_spaces(chunk.text)) or text_id(chunk.text)
        return _Named.of(made, fields)

    def _named_string(self, string: str, own: _OwnIds, *, has_passage: bool) -> _Named:
        if self._knows(string):
            return _Named.of(string, {}, says_more=False)
        if (same := self._with_text(string)) is not None:
            return _Named.of(same, {})
        # Among passages it is a piece of text: a splitter leaves "---" or "Example:" as chunks of their own.
        if looks_like_id(string) and not has_passage:
            return _Named.of(string, {}, says_more=False)
        return _Named.of(own.by_text.get(folded_spaces(string)) or text_id(string), {"text": string})

    def _knows(self, chunk_id: str) -> bool:
        return self._store is not None and chunk_id in self._store

    def _with_text(self, text: str) -> str | None:
        """The store's chunk of this text; None without one."""
        if self._store is None:
            return None
        if self._by_text is None:
            self._by_text = _ids_by_text(self._store)
        return self._by_text.get(_digest(text))


class _Item(NamedTuple):
    """One entry of a stage, and the chunk read from it; None where it is no chunk."""

    value: JsonValue
    chunk: ReadChunk | None


class _Named(NamedTuple):
    """A chunk under its id, as the trace has it; `says_more` where the app said more of it than an id."""

    chunk_id: str
    form: dict[str, Any] | None
    says_more: bool

    @classmethod
    def of(cls, chunk_id: str, fields: dict[str, str | None], *, says_more: bool = True) -> _Named:
        """Made of its fields; those that are None are left out."""
        given = {name: value for name, value in fields.items() if value is not None}
        # A name with spaces would be a text, if it stood alone.
        alone = not given and looks_like_id(chunk_id)
        return cls(chunk_id, None if alone else {"chunk_id": chunk_id, **given}, says_more)

    def written(self, *, repeated: bool) -> Any:
        """As the trace format has it: its id alone where there is nothing else to say."""
        if repeated:
            return {**(self.form or {"chunk_id": self.chunk_id}), "repeated": True}
        return self.form or self.chunk_id


class _OwnIds:
    """The ids that the chunks of one reply bring themselves.

    Attributes:
        by_text: The id of a text, spaces folded, that one of them brings an id for.
    """

    def __init__(self, items: Iterable[_Item]) -> None:
        texts: dict[str, set[str]] = {}
        of_text: list[tuple[str, ReadChunk]] = []
        for value, chunk in items:
            if chunk is None or chunk.text is None or not chunk.ids:
                continue
            folded = folded_spaces(chunk.text)
            of_text.append((folded, chunk))
            if not is_own_form(value):
                for each in chunk.ids:
                    texts.setdefault(each, set()).add(folded)
        self._of_documents = frozenset([each for each, known in texts.items() if len(known) > 1])
        self.by_text: dict[str, str] = {}
        for folded, chunk in of_text:
            if ids := self.lasting(chunk)[0]:
                self.by_text.setdefault(folded, ids[0])

    def lasting(self, chunk: ReadChunk) -> tuple[tuple[str, ...], str | None]:
        """The ids of a chunk that are its own and will be tomorrow, and the id of its document."""
        if chunk.text is None:
            return chunk.ids, chunk.document_id
        shared = [each for each in chunk.ids if each in self._of_documents]
        ids = tuple([each for each in chunk.ids if each not in self._of_documents and not is_random(each)])
        return ids, chunk.document_id or next(iter(shared), None)


def _digest(text: str) -> bytes:
    return hashlib.sha256(folded_spaces(text).encode(errors="surrogatepass")).digest()


def _ids_by_text(store: EvidenceStore) -> dict[bytes, str]:
    """The chunk of each text.

    Of several chunks with one text it is one that everybody may read, where there is one: which of them the app read,
    nobody can tell.
    """
    found: dict[bytes, EvidenceChunk] = {}
    for chunk in store:
        key = _digest(chunk.text)
        if key not in found or (_is_open(chunk) and not _is_open(found[key])):
            found[key] = chunk
    return {key: chunk.chunk_id for key, chunk in found.items()}


def _is_open(chunk: EvidenceChunk) -> bool:
    return chunk.permitted and chunk.current and not chunk.principals
