"""The evidence store, made of the chunk files a suite names."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from raggate_action.schema.base import canonical_json
from raggate_action.schema.evidence import Chunk, EvidenceChunk, EvidenceStore
from raggate_action.suite_files.entry_files import Line, is_by_line, lines_of, listed_in, place_in
from raggate_action.suite_files.nodes import Mapping, Node, WrittenNumber, WrittenValue, written_value
from raggate_action.suite_files.problems import FileProblems, Mark, Problems
from raggate_action.suite_files.records import Standin, read_record, salvaged
from raggate_action.suite_files.words import closest, shown_name

DEFAULT_TEXT_FIELDS = ("title", "name", "heading", "description", "content", "body")
# Longer fields are texts, not addresses.
_LONGEST_ADDRESS = 500
_MAY_BE_ADDRESS = frozenset("./@0123456789")
_INSTEAD: dict[str, dict[str, Standin]] = {"chunk_id": {"chunk_id": "?"}}
# A misspelt flag would silently be a free-form field, and the chunk permitted.
_DECIDING = ("permitted", "current", "principals", "valid_from", "valid_until", "version")


class _Place(NamedTuple):
    file: str
    line: int


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
        self._chunks: list[EvidenceChunk] = []
        self._places: dict[str, _Place] = {}
        self._free_fields: set[str] = set()
        self.all_named = True

    def read(self, paths: Iterable[Path]) -> EvidenceStore:
        """Read all files, in the order given."""
        for path in paths:
            problems = self._problems.within(path)
            for chunk in self._of_lines(path, problems) if is_by_line(path) else self._of_document(path, problems):
                self._chunks.append(chunk)
        return EvidenceStore(self._chunks, digest=store_digest(self._chunks))

    @property
    def remarks(self) -> tuple[str, ...]:
        """Free-form fields that look like a misspelt field which decides."""
        near = [(name, closest(name, _DECIDING)) for name in sorted(self._free_fields - set(self._text_fields))]
        return tuple(
            f"evidence field `{shown_name(name)}` decides nothing; if `{meant}` was meant, rename it"
            for name, meant in near
            if meant
        )

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
        first = self._places.setdefault(chunk.chunk_id, place := _Place(problems.file, mark.line))
        if first is place:
            return True
        name = shown_name(chunk.chunk_id)
        text = f"chunk id `{name}` is already used at {first.file}:{first.line}; give every chunk its own id"
        problems.add(place_in(source, ("chunk_id",), mark.line, problems), text)
        return False

    def _assembled(self, fields: dict[str, WrittenValue], mark: Mark, problems: FileProblems) -> str:
        names = self._text_fields or DEFAULT_TEXT_FIELDS
        lines = [line for name in names if (line := _line(name, fields.get(name)))]
        if not lines:
            wanted = ", ".join(names)
            problems.add(mark, f"this chunk has no text; write `text:`, or one of the fields {wanted}")
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
    return EvidenceChunk(
        chunk_id=chunk.chunk_id,
        version=chunk.version,
        permitted=chunk.permitted,
        current=chunk.current,
        principals=chunk.principals,
        valid_from=chunk.valid_from,
        valid_until=chunk.valid_until,
        text=text,
        beside=_beside(chunk),
    )


def _beside(chunk: Chunk) -> str:
    """What the document's id and the free-form fields hold that may be an address: a source, a page, a contact."""
    held = list(_texts((chunk.document_id, chunk.parent_id, *chunk.free_fields.values())))
    return "\n".join([text for text in held if len(text) <= _LONGEST_ADDRESS and not _MAY_BE_ADDRESS.isdisjoint(text)])


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _texts(tuple(value.values()))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)


def store_digest(chunks: Iterable[EvidenceChunk]) -> str:
    """Digest over everything gates read of the chunks, whatever their order."""
    whole = hashlib.sha256()
    for row in sorted(_digest_row(chunk) for chunk in chunks):
        whole.update(row)
    return whole.hexdigest()[:32]


def _digest_row(chunk: EvidenceChunk) -> bytes:
    exclude = None if chunk.beside else {"beside"}
    members = chunk.model_dump(mode="json", exclude=exclude) | {"principals": sorted(chunk.principals)}
    return hashlib.sha256(canonical_json(members)).digest()
