"""Files that hold a list of things, cases or chunks: which formats there are, and how each is read."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Generic, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from raggate_action.suite_files.csv_file import read_csv
from raggate_action.suite_files.json_file import read_json
from raggate_action.suite_files.nodes import Mapping, Node, Scalar, Sequence
from raggate_action.suite_files.problems import START, FileProblems, Mark
from raggate_action.suite_files.records import mark_at, read_record
from raggate_action.suite_files.text_file import BOM, decoded, read_text, unreadable
from raggate_action.suite_files.wording import found, unknown_key
from raggate_action.suite_files.yaml_file import read_yaml

R = TypeVar("R", bound=BaseModel)

LINE_SUFFIXES = (".jsonl", ".ndjson")
CHUNK_SUFFIXES = (".yaml", ".yml", ".json", *LINE_SUFFIXES)
CASE_SUFFIXES = (*CHUNK_SUFFIXES, ".csv")
_OF_ANY_FORM = frozenset({"input", "trace"})
# Too large for a number, perhaps: the exact reading tells.
_HUGE = re.compile(rb"[0-9][eE]\+?[0-9]{3}|[0-9]{300}")


def is_by_line(path: Path) -> bool:
    """Whether a file holds one JSON object per line."""
    return path.suffix.lower() in LINE_SUFFIXES


class Line(NamedTuple, Generic[R]):
    """A record that is a line of a file.

    Attributes:
        record: The line, validated.
        raw: Its bytes.
        offset: Where it begins in the file, in bytes.
        number: Its line, from 1.
    """

    record: R
    raw: bytes
    offset: int
    number: int


class BrokenLine(NamedTuple):
    """A line that does not fit, which has been reported.

    Attributes:
        node: The line with the place of every value; None when nothing can be read of it.
        offset, number: As of `Line`.
    """

    node: Node | None
    offset: int = 0
    number: int = 1


def read_document(path: Path, problems: FileProblems) -> Node | None:
    """A whole YAML, JSON or CSV file; None when it cannot be read, which `problems` then says."""
    text = read_text(path, problems)
    if text is None:
        return None
    match path.suffix.lower():
        case ".json" if not text.strip():
            return Scalar(None, "", START, plain=True)
        case ".json":
            return read_json(text, problems)
        case ".csv":
            return read_csv(text, problems)
        case _:
            return read_yaml(text, problems)


def listed_in(path: Path, key: str, problems: FileProblems) -> tuple[Node, ...]:
    """The items of a file that is a list, or a mapping with the one key `key`; empty when `problems` says why."""
    before = len(problems)
    node = read_document(path, problems)
    if isinstance(node, Mapping):
        for name, entry in node.entries.items():
            if name != key:
                problems.add(entry.key_mark, unknown_key(name, (key,)))
        node = node.get(key)
        if node is None and len(problems) == before:
            problems.add(START, f"`{key}` is missing; write a list, or a mapping with the key `{key}`")
    if isinstance(node, Sequence) and node.items:
        return node.items
    if node is not None and (isinstance(node, Sequence) or (isinstance(node, Scalar) and node.value is None)):
        problems.add(node.mark, f"there are no {key} here; write at least one, or take the file out of the suite")
    elif node is not None:
        problems.add(node.mark, f"this is {found(node)}; write a list of {key}")
    return ()


def lines_of(
    path: Path, model: type[R] | Callable[[bytes], type[R]], *, key: str, problems: FileProblems
) -> Iterator[Line[R] | BrokenLine]:
    """The records of a file with one JSON object per line, blank lines left out.

    What does not fit is added to `problems`. Nothing of a line is kept.

    Args:
        path: The file.
        model: What a line is, or what tells by its bytes what it is.
        key: What the lines are called.
        problems: Is told what does not fit.
    """

    def model_of(raw: bytes) -> type[R]:
        return model if isinstance(model, type) else model(raw)

    try:
        with path.open("rb") as stream:
            yield from _records(stream, model_of, key, problems)
    except OSError as error:
        problems.add(START, unreadable(error))
        yield BrokenLine(None)


def _records(
    stream: BinaryIO, model_of: Callable[[bytes], type[R]], key: str, problems: FileProblems
) -> Iterator[Line[R] | BrokenLine]:
    offset, empty = 0, True
    for number, raw in enumerate(stream, 1):
        begin, offset = offset, offset + len(raw)
        if begin == 0 and raw.startswith(BOM):
            begin, raw = len(BOM), raw[len(BOM) :]  # noqa: PLW2901
        if raw.isspace() or not raw:
            continue
        empty = False
        model = model_of(raw)
        try:
            record = model.model_validate_json(raw)
        except ValidationError as error:
            if problems.full:
                problems.count(error.error_count())
                yield BrokenLine(None)
                continue
            node, holds = _read_exactly(raw, model, number, problems)
            if holds:
                problems.add(Mark(number, 1), "this line cannot be read; write one JSON object per line")
            yield BrokenLine(node, begin, number)
            continue
        if not _is_sound(raw, record):
            node, holds = _read_exactly(raw, model, number, problems)
            if not holds:
                yield BrokenLine(node, begin, number)
                continue
        yield Line(record, raw, begin, number)
    if empty:
        problems.add(START, f"there are no {key} here; write at least one, or take the file out of the suite")
        yield BrokenLine(None)


def place_in(source: bytes | Node, path: tuple[int | str, ...], number: int, problems: FileProblems) -> Mark:
    """The place of a value in a document, or in the line `number`, which is read once more for it."""
    if not isinstance(source, bytes):
        return mark_at(source, *path)
    node = None if problems.full else _line_node(source, number, problems)
    return Mark(number, 1) if node is None else mark_at(node, *path)


def _line_node(raw: bytes, number: int, problems: FileProblems) -> Node | None:
    """A line with the place of every value."""
    text = decoded(raw, problems, line=number)
    return None if text is None else read_json(text, problems, line=number)


def _read_exactly(raw: bytes, model: type[BaseModel], number: int, problems: FileProblems) -> tuple[Node | None, bool]:
    """A line read slowly, and whether nothing is wrong with it; what is wrong, `problems` says."""
    before = len(problems)
    node = _line_node(raw, number, problems)
    if node is not None:
        read_record(model, node, problems)
    return node, len(problems) == before


def _is_sound(raw: bytes, record: BaseModel) -> bool:
    """What the validator lets pass although JSON has no such thing, or is silent about.

    These are NaN, numbers too large to be any, and keys written twice.
    """
    if b"NaN" in raw or b"Infinity" in raw:
        return False
    # Only values of any form may hold such numbers; other fields are validated as what they are.
    if (not _OF_ANY_FORM.isdisjoint(record.model_fields_set) or record.model_extra) and _HUGE.search(raw):
        return False
    # As many colons as keys taken: none can have been written twice, and there is no nested mapping.
    if raw.count(b":") == len(record.model_fields_set):
        return True
    try:
        json.loads(raw, object_pairs_hook=_without_duplicates)
    except ValueError:
        return False
    return True


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError
    return members
