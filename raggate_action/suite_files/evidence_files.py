"""The evidence store, made of the chunk files a suite names."""

from __future__ import annotations

import hashlib
import json
from array import array
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path

from pydantic_core import to_jsonable_python

from raggate_action.schema.base import canonical_json
from raggate_action.schema.evidence import Chunk, ChunkFacts, ChunkTable, EvidenceChunk, EvidenceStore
from raggate_action.suite_files.file_reading import Line, is_by_line, lines_of, listed_in, place_in
from raggate_action.suite_files.nodes import Mapping, Node, WrittenNumber, WrittenValue, written_value
from raggate_action.suite_files.problems import FileProblems, Mark, Problems, closest, name_text
from raggate_action.suite_files.records import Standin, read_record, salvaged

DEFAULT_TEXT_FIELDS = ("title", "name", "heading", "description", "content", "body")
# Longer fields are texts, not addresses.
_LONGEST_ADDRESS = 500
_IN_ADDRESSES = frozenset("./@")
_MAY_BE_ADDRESS = _IN_ADDRESSES | frozenset("0123456789")
_INSTEAD: dict[str, dict[str, Standin]] = {"chunk_id": {"chunk_id": "?"}}
# Otherwise a misspelt flag would be taken for a free-form field, and the chunk for permitted.
_DECIDING = ("permitted", "current", "principals", "valid_from", "valid_until", "version")


class EvidenceLoading:
    """Makes the store.

    Attributes:
        all_named: The id of every chunk is known, so that an id nobody has had is an unknown one.

    Args:
        text_fields: Fields that make the text of a chunk without one; empty takes the usual ones that are there.
        problems: Is told what is wrong.
    """

    def __init__(self, text_fields: Sequence[str], problems: Problems) -> None:
        self._text_fields = tuple(text_fields)
        self._problems = problems
        self._chunks = ChunkTable()
        # As long as files are read: each file with the number of its first chunk, and the line of every chunk.
        self._files: list[tuple[int, str]] = []
        self._line_of = array("I")
        self._free_fields: set[str] = set()
        self.all_named = True

    def read(self, paths: Iterable[Path]) -> EvidenceStore:
        """Read all files, in the order given."""
        digest = _StoreDigest()
        for path in paths:
            problems = self._problems.within(path)
            self._files.append((len(self._chunks), problems.file))
            for chunk in self._of_lines(path, problems) if is_by_line(path) else self._of_document(path, problems):
                self._chunks.add(chunk)
                digest.add(chunk)
        return EvidenceStore(self._chunks, digest=digest.hex())

    @property
    def remarks(self) -> tuple[str, ...]:
        """Free-form fields that look like a misspelt field which decides."""
        near = [(name, closest(name, _DECIDING)) for name in sorted(self._free_fields - set(self._text_fields))]
        return tuple(
            f"evidence field `{name_text(name)}` decides nothing; if `{meant}` was meant, rename it"
            for name, meant in near
            if meant
        )

    def unknown_fields(self) -> Iterator[tuple[str, str]]:
        """Fields that were to make texts and that no chunk has, each with the free-form field that was meant.

        One that is like no other is left out: it may be a field that chunks do not always have.
        """
        for name in self._text_fields:
            if name not in self._free_fields and name not in Chunk.model_fields:
                near = closest(name, self._free_fields - set(self._text_fields))
                if near is not None:
                    yield name, near

    def _of_lines(self, path: Path, problems: FileProblems) -> Iterator[EvidenceChunk]:
        for line in lines_of(path, Chunk, key="chunks", problems=problems):
            if not isinstance(line, Line):
                yield from self._sound_part(line.node, problems)
                continue
            chunk, place = line.record, Mark(line.number, 1)
            if self._is_new(chunk, place, problems, line.raw):
                self._check_dates(chunk, place, problems, line.raw)
                text = chunk.text
                if not text or text.isspace():
                    fields = json.loads(line.raw, parse_float=WrittenNumber, parse_int=WrittenNumber)
                    text = self._assembled(fields, place, problems)
                yield _read_chunk(chunk, text)

    def _of_document(self, path: Path, problems: FileProblems) -> Iterator[EvidenceChunk]:
        nodes = listed_in(path, "chunks", problems)
        self.all_named &= bool(nodes)
        for node in nodes:
            chunk = read_record(Chunk, node, problems)
            if chunk is None:
                yield from self._sound_part(node, problems)
            else:
                yield from self._placed(chunk, node, problems)

    def _sound_part(self, node: Node | None, problems: FileProblems) -> Iterator[EvidenceChunk]:
        """What can be read of a faulty chunk: its id is one that cases may name."""
        sound = None if node is None or problems.full else salvaged(Chunk, node, _INSTEAD, problems)
        if node is None or sound is None or "chunk_id" in sound.left_out:
            self.all_named = False
            return
        yield from self._placed(sound.record, node, problems, without_text="text" in sound.left_out)

    def _placed(
        self, chunk: Chunk, node: Node, problems: FileProblems, *, without_text: bool = False
    ) -> Iterator[EvidenceChunk]:
        if self._is_new(chunk, node.mark, problems, node):
            self._check_dates(chunk, node.mark, problems, node)
            text = chunk.text
            if (not text or text.isspace()) and isinstance(node, Mapping) and not without_text:
                fields = {key: written_value(entry.node) for key, entry in node.entries.items()}
                text = self._assembled(fields, node.mark, problems)
            yield _read_chunk(chunk, text or "")

    @staticmethod
    def _check_dates(chunk: Chunk, mark: Mark, problems: FileProblems, source: bytes | Node) -> None:
        begin, end = chunk.valid_from, chunk.valid_until
        if begin is not None and end is not None and begin >= end:
            text = f"`valid_until` is {_moment(end)}, not after `valid_from`, {_moment(begin)}: the chunk never holds"
            place = place_in(source, ("valid_until",), mark.line, problems)
            problems.add(place, f"{text}; write a later `valid_until`, or leave it out")

    def _is_new(self, chunk: Chunk, mark: Mark, problems: FileProblems, source: bytes | Node) -> bool:
        self._free_fields.update(chunk.free_fields)
        first = self._chunks.row(chunk.chunk_id)
        if first is None:
            # Its row will be the next one: every new chunk is added at once.
            self._line_of.append(mark.line)
            return True
        name = name_text(chunk.chunk_id)
        file = next(file for begin, file in reversed(self._files) if begin <= first)
        place = f"{file}:{self._line_of[first]}"
        text = f"chunk id `{name}` is already used at {place}; give every chunk its own id"
        problems.add(place_in(source, ("chunk_id",), mark.line, problems), text)
        return False

    def _assembled(self, fields: dict[str, WrittenValue], mark: Mark, problems: FileProblems) -> str:
        names = self._text_fields or DEFAULT_TEXT_FIELDS
        lines = [line for name in names if (line := _line(name, fields.get(name)))]
        if not lines:
            choices = ", ".join(names)
            problems.add(mark, f"this chunk has no text; write `text:`, or one of the fields {choices}")
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
