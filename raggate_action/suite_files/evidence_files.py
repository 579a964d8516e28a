"""The evidence store, made of the chunk files a suite names."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from raggate_action.schema.base import canonical_json
from raggate_action.schema.evidence import Chunk, EvidenceChunk, EvidenceStore
from raggate_action.suite_files.entry_files import is_by_line, lines_of, listed_in, place_in
from raggate_action.suite_files.nodes import Mapping, Node, WrittenNumber, WrittenValue, written_value
from raggate_action.suite_files.problems import FileProblems, Mark, Problems
from raggate_action.suite_files.records import read_record
from raggate_action.suite_files.words import closest, shown_name

DEFAULT_TEXT_FIELDS = ("title", "name", "heading", "description", "content", "body")
# A misspelt flag would silently be a free-form field, and the chunk permitted.
_DECIDING = ("permitted", "current", "principals", "valid_from", "valid_until", "version")


class _Place(NamedTuple):
    file: str
    line: int


class EvidenceLoading:
    """Makes the store.

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
        for chunk, raw, _, number in lines_of(path, Chunk, key="chunks", problems=problems):
            place = Mark(number, 1)
            if self._is_new(chunk, place, problems, raw):
                text = chunk.text
                if not text or text.isspace():
                    fields = json.loads(raw, parse_float=WrittenNumber, parse_int=WrittenNumber)
                    text = self._assembled(fields, place, problems)
                yield _read_chunk(chunk, text)

    def _of_document(self, path: Path, problems: FileProblems) -> Iterator[EvidenceChunk]:
        for node in listed_in(path, "chunks", problems):
            chunk = read_record(Chunk, node, problems)
            if chunk is not None and self._is_new(chunk, node.mark, problems, node):
                text = chunk.text
                if (not text or text.isspace()) and isinstance(node, Mapping):
                    fields = {key: written_value(entry.node) for key, entry in node.entries.items()}
                    text = self._assembled(fields, node.mark, problems)
                yield _read_chunk(chunk, text or "")

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
    )


def store_digest(chunks: Iterable[EvidenceChunk]) -> str:
    """Digest over everything gates read of the chunks, whatever their order."""
    whole = hashlib.sha256()
    for row in sorted(_digest_row(chunk) for chunk in chunks):
        whole.update(row)
    return whole.hexdigest()[:32]


def _digest_row(chunk: EvidenceChunk) -> bytes:
    members = chunk.model_dump(mode="json") | {"principals": sorted(chunk.principals)}
    return hashlib.sha256(canonical_json(members)).digest()
