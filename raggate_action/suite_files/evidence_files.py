"""The evidence store, made of the chunk files a suite names."""

from __future__ import annotations

import hashlib
import json
from array import array
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic_core import to_jsonable_python

from raggate_action.schema.base import canonical_json
from raggate_action.schema.evidence import Chunk, ChunkFacts, ChunkTable, EvidenceChunk, EvidenceStore
from raggate_action.suite_files.file_reading import ListEntry, entries_of, mark_in, matching_files
from raggate_action.suite_files.located_tree import (
    MappingNode,
    Node,
    Scalar,
    SequenceNode,
    WrittenNumber,
    WrittenValue,
    child,
    texts_at,
    written_value,
)
from raggate_action.suite_files.problems import FileProblems, Problems, name_text, nearest_word

DEFAULT_TEXT_FIELDS = ("title", "name", "heading", "description", "content", "body")
# Longer fields are texts, not addresses.
_LONGEST_ADDRESS = 500
_IN_ADDRESSES = frozenset("./@")
_MAY_BE_ADDRESS = _IN_ADDRESSES | frozenset("0123456789")
# Otherwise a misspelt flag would be taken for a free-form field, and the chunk for permitted.
_DECIDING = ("permitted", "current", "principals", "valid_from", "valid_until", "version")


class EvidenceReader:
    """Makes the store.

    Attributes:
        store: The evidence; None when the suite names none.
        is_whole: It has every chunk there is, so that an id it does not have is an unknown one.
        remarks: What the author should know and what is no mistake.

    Args:
        problems: Of all files; is told what is wrong.
    """

    def __init__(self, problems: Problems) -> None:
        self.store: EvidenceStore | None = None
        self.is_whole = True
        self.remarks: tuple[str, ...] = ()
        self._chunks = ChunkTable()
        # As long as files are read: each file with the number of its first chunk, and the line of every chunk.
        self._files: list[tuple[int, str]] = []
        self._line_of = array("I")
        self._free_fields: set[str] = set()
        self._text_fields: tuple[str, ...] = ()
        self._problems = problems

    def read(self, suite: Node, path: Path) -> None:
        """Read all files that the suite file, which is at `path`, names as evidence."""
        section = child(suite, "evidence")
        if section is None or (isinstance(section, Scalar) and section.value is None):
            return
        own = self._problems.within(path)
        if isinstance(section, SequenceNode) and not section.items:
            own.add(section.mark, "`evidence` names no file; write `evidence: [evidence/*.jsonl]`, or leave it out")
        before = len(own)
        patterns = texts_at(section) or texts_at(section, "files")
        paths = matching_files(patterns, directory=path.parent, problems=own)
        self.is_whole = bool(paths) and len(own) == before
        fields = texts_at(section, "text")
        self._text_fields = tuple([field.text for field in fields])
        digest = _StoreDigest()
        for each in paths:
            file = self._problems.within(each)
            self._files.append((len(self._chunks), file.file))
            for chunk in self._chunks_in(each, file):
                self._chunks.add(chunk)
                digest.add(chunk)
        self.store = EvidenceStore(self._chunks, digest=digest.hex())
        free = self._free_fields - set(self._text_fields)
        # Free-form fields that look like a misspelt field which decides.
        self.remarks = tuple(
            f"evidence field `{name_text(name)}` decides nothing; if `{meant}` was meant, rename it"
            for name in sorted(free)
            if (meant := nearest_word(name, _DECIDING))
        )
        for field in fields:
            # One that is like no other may be a field that chunks do not always have.
            if field.text not in {*self._free_fields, *Chunk.model_fields} and (
                meant := nearest_word(field.text, free)
            ):
                text = f"`text` names `{name_text(field.text)}`, a field that no chunk has"
                own.add(field.mark, f"{text}; did you mean `{name_text(meant)}`?")

    def _chunks_in(self, path: Path, problems: FileProblems) -> Iterator[EvidenceChunk]:
        for entry in entries_of(path, Chunk, key="chunks", problems=problems):
            chunk = entry.record
            if chunk is None:
                self.is_whole = False
            elif self._is_new(chunk, entry, problems):
                begin, end = chunk.valid_from, chunk.valid_until
                if begin is not None and end is not None and begin >= end:
                    text = f"`valid_until` is {_moment(end)}, not after `valid_from`, {_moment(begin)}"
                    place = mark_in(entry, ("valid_until",), problems)
                    problems.add(place, f"{text}: the chunk never holds; write a later `valid_until`, or leave it out")
                text = chunk.text or ""
                if not text or text.isspace():
                    text = self._text_of_fields(entry, problems)
                yield _read_chunk(chunk, text)

    def _is_new(self, chunk: Chunk, entry: ListEntry[Chunk], problems: FileProblems) -> bool:
        self._free_fields.update(chunk.free_fields)
        first = self._chunks.row(chunk.chunk_id)
        if first is None:
            # Its row will be the next one: every new chunk is added at once.
            self._line_of.append(entry.mark.line)
            return True
        name = name_text(chunk.chunk_id)
        file = next(file for begin, file in reversed(self._files) if begin <= first)
        place = f"{file}:{self._line_of[first]}"
        text = f"chunk id `{name}` is already used at {place}; give every chunk its own id"
        problems.add(mark_in(entry, ("chunk_id",), problems), text)
        return False

    def _text_of_fields(self, entry: ListEntry[Chunk], problems: FileProblems) -> str:
        """The text of a chunk without one, made of its fields."""
        fields: Any = {}
        if isinstance(entry.source, bytes):
            fields = json.loads(entry.source, parse_float=WrittenNumber, parse_int=WrittenNumber)
        elif isinstance(entry.source, MappingNode):
            fields = written_value(entry.source)
        names = self._text_fields or DEFAULT_TEXT_FIELDS
        lines = [line for name in names if (line := _line(name, fields.get(name)))]
        if not lines:
            text = f"this chunk has no text; write `text:`, or one of the fields {', '.join(names)}"
            problems.add(entry.mark, text)
        return "\n".join(lines)


def _moment(moment: datetime) -> str:
    """As people write it: a date where it is the first moment of one."""
    text = moment.isoformat().replace("+00:00", "Z")
    return text.removesuffix("T00:00:00Z")


def _line(name: str, value: WrittenValue) -> str:
    """One field as a line of evidence: texts as they are, lists joined, numbers and booleans with their name."""
    if isinstance(value, WrittenNumber | bool):
        return f"{name}: {_word(value)}"
    if isinstance(value, str):
        return value if value.strip() else ""
    if isinstance(value, list):
        return ", ".join(_word(item) for item in value if isinstance(item, str | bool) and item != "")
    return ""


def _word(value: WrittenValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _read_chunk(chunk: Chunk, text: str) -> EvidenceChunk:
    facts = ChunkFacts(
        version=chunk.version,
        permitted=chunk.permitted,
        current=chunk.current,
        principals=chunk.principals,
        valid_from=chunk.valid_from,
        valid_until=chunk.valid_until,
        metadata=_metadata(chunk),
    )
    return EvidenceChunk(chunk.chunk_id, facts, text, (chunk.document_id, chunk.parent_id))


def _metadata(chunk: Chunk) -> str:
    """What the document's id and the free-form fields hold that may be an address: a source, a page, a contact."""
    named = [text for text in (chunk.document_id, chunk.parent_id) if text and not _IN_ADDRESSES.isdisjoint(text)]
    held = [text for text in _texts(tuple(chunk.free_fields.values())) if not _MAY_BE_ADDRESS.isdisjoint(text)]
    return "\n".join([text for text in (*named, *held) if len(text) <= _LONGEST_ADDRESS])


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _texts(tuple(value.values()))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)


class _StoreDigest:
    """Digest over everything gates read of the chunks, whatever their order."""

    def __init__(self) -> None:
        # By their first byte, so that they are put in order a few at a time: as objects they would take thrice as much.
        self._parts = [bytearray() for _ in range(256)]

    def add(self, chunk: EvidenceChunk) -> None:
        members = to_jsonable_python(chunk.facts._asdict()) | {
            "chunk_id": chunk.chunk_id,
            "principals": sorted(chunk.principals),
            "text": chunk.text,
        }
        # Left out where it is not known: a store without documents keeps the digest it had.
        if chunk.origin != (None, None):
            members["origin"] = chunk.origin
        digest = hashlib.sha256(canonical_json(members)).digest()
        self._parts[digest[0]] += digest

    def hex(self) -> str:
        """The digest of all that were added: the first 128 bits, in hex."""
        whole, size = hashlib.sha256(), hashlib.sha256().digest_size
        for part in self._parts:
            for digest in sorted(bytes(part[at : at + size]) for at in range(0, len(part), size)):
                whole.update(digest)
        return whole.hexdigest()[:32]
