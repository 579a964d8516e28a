"""Files that a suite names: found, read as text, and read as lists of things, cases or chunks."""

from __future__ import annotations

import glob
import json
import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from raggate_action.suite_files.json_file import read_json
from raggate_action.suite_files.located_records import node_text, read_record, unknown_key
from raggate_action.suite_files.located_tree import MappingNode, Node, Scalar, SequenceNode, WrittenText, mark_at
from raggate_action.suite_files.problems import START, FileProblems, Mark, name_text
from raggate_action.suite_files.yaml_file import read_yaml

R = TypeVar("R", bound=BaseModel)

BOM = b"\xef\xbb\xbf"
LINE_SUFFIXES = (".jsonl", ".ndjson")
SUFFIXES = (".yaml", ".yml", ".json", *LINE_SUFFIXES)


def read_text(path: Path, problems: FileProblems) -> str | None:
    """The text of a UTF-8 file, without its byte order mark; None when it has none, which `problems` then says."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        problems.add(START, unreadable(error))
        return None
    return decode(raw.removeprefix(BOM), problems)


def decode(raw: bytes, problems: FileProblems, *, line: int = 1) -> str | None:
    """Bytes as text; None when they are not UTF-8. `line` is the line of the file that `raw` begins on."""
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        before = raw[: error.start]
        column = len(before[before.rfind(b"\n") + 1 :].decode(errors="replace")) + 1
        text = f"the byte 0x{raw[error.start]:02x} is not UTF-8; save the file as UTF-8"
        problems.add(Mark(line + before.count(b"\n"), column), text)
        return None


def unreadable(error: OSError) -> str:
    """Message about a file that the system does not give out."""
    return f"cannot be read: {error.strerror or error}; check that it is there and that you may read it"


def matching_files(patterns: Iterable[WrittenText], *, directory: Path, problems: FileProblems) -> list[Path]:
    """Files that paths and glob patterns name, in the order named, each once; those of one pattern sorted.

    Args:
        patterns: As written in the suite file.
        directory: What they are relative to.
        problems: Of the suite file: a pattern that names nothing, or a file of another kind, is one where it stands.
    """
    found: dict[Path, Path] = {}
    for pattern in patterns:
        paths = _matching_files(pattern, directory, problems)
        for path in paths:
            name = name_text(path.name)
            if path.suffix.lower() in SUFFIXES:
                found.setdefault(path.resolve(), path)
            elif path.suffix.lower() in {".csv", ".tsv"}:
                text = f"`{name}` is a table; `raggate-action init --from {name}` writes its rows as cases"
                problems.add(pattern.mark, text)
            else:
                known = ", ".join(SUFFIXES)
                problems.add(pattern.mark, f"`{name}` is no kind of file read here; write one of {known}")
    return list(found.values())


def _matching_files(pattern: WrittenText, directory: Path, problems: FileProblems) -> list[Path]:
    name = name_text(pattern.text)
    literal = directory / pattern.text
    try:
        if literal.is_file():
            return [literal]
        if literal.is_dir():
            example = name_text(pattern.text.rstrip("/"))
            problems.add(pattern.mark, f"`{name}` is a folder; write which files of it, as in `{example}/*.yaml`")
            return []
        matches = sorted(glob.glob(pattern.text, root_dir=directory, recursive=True))  # noqa: PTH207 - also takes absolute patterns
    except (OSError, ValueError):
        matches = []
    files = [directory / match for match in matches if (directory / match).is_file()]
    if not files:
        is_glob = glob.has_magic(pattern.text)
        problems.add(
            pattern.mark,
            f"`{name}` matches no file; correct the pattern, it is relative to this file's folder"
            if is_glob
            else f"there is no file `{name}`; write its path relative to this file's folder",
        )
    return files


class ListEntry(NamedTuple, Generic[R]):
    """A thing that a file lists.

    Attributes:
        record: It, validated; None of a thing at fault. What is wrong has been reported.
        source: Its line, or its place in the document; None where nothing can be read of it.
        mark: Where it stands.
    """

    record: R | None
    source: bytes | Node | None = None
    mark: Mark = START


def read_data_file(path: Path, problems: FileProblems) -> Node | None:
    """A whole YAML or JSON file; None when it cannot be read, which `problems` then says."""
    text = read_text(path, problems)
    if text is None:
        return None
    match path.suffix.lower():
        case ".json" if not text.strip():
            return Scalar(None, "", START, plain=True)
        case ".json":
            return read_json(text, problems)
        case _:
            return read_yaml(text, problems)


def listed_in(path: Path, key: str, problems: FileProblems) -> tuple[Node, ...]:
    """The items of a file that is a list, or a mapping with the one key `key`; empty when `problems` says why."""
    before = len(problems)
    node = read_data_file(path, problems)
    if isinstance(node, MappingNode):
        for name, entry in node.entries.items():
            if name != key:
                problems.add(entry.key_mark, unknown_key(name, (key,)))
        node = node.get(key)
        if node is None and len(problems) == before:
            problems.add(START, f"`{key}` is missing; write a list, or a mapping with the key `{key}`")
    if isinstance(node, SequenceNode) and node.items:
        return node.items
    if node is not None and (isinstance(node, SequenceNode) or (isinstance(node, Scalar) and node.value is None)):
        problems.add(node.mark, f"there are no {key} here; write at least one, or take the file out of the suite")
    elif node is not None:
        problems.add(node.mark, f"this is {node_text(node)}; write a list of {key}")
    return ()


def entries_of(path: Path, model: type[R], *, key: str, problems: FileProblems) -> Iterator[ListEntry[R]]:
    """The things that a file lists, whatever its form.

    Args:
        path: The file.
        model: What a thing is.
        key: What the things are called.
        problems: Is told what does not fit.
    """
    if path.suffix.lower() in LINE_SUFFIXES:
        yield from _lines_of(path, model, key=key, problems=problems)
        return
    nodes = listed_in(path, key, problems)
    if not nodes:
        yield ListEntry(None)
    for node in nodes:
        yield ListEntry(read_record(model, node, problems), node, node.mark)


def _lines_of(path: Path, model: type[R], *, key: str, problems: FileProblems) -> Iterator[ListEntry[R]]:
    """The records of a file with one JSON object per line, blank lines left out. Nothing of a line is kept."""
    empty = True
    try:
        with path.open("rb") as stream:
            for number, whole in enumerate(stream, 1):
                raw = whole.removeprefix(BOM) if number == 1 else whole
                if raw and not raw.isspace():
                    empty = False
                    yield _line_entry(raw, number, model, problems)
    except OSError as error:
        problems.add(START, unreadable(error))
        yield ListEntry(None)
        return
    if empty:
        problems.add(START, f"there are no {key} here; write at least one, or take the file out of the suite")
        yield ListEntry(None)


def _line_entry(raw: bytes, number: int, model: type[R], problems: FileProblems) -> ListEntry[R]:
    record: R | None = None
    try:
        record = model.model_validate_json(raw)
    except ValidationError as error:
        if problems.full:
            problems.count(error.error_count())
            return ListEntry(None)
    before = len(problems)
    if record is None or not _is_sound(raw):
        node = _line_node(raw, number, problems)
        if node is not None:
            read_record(model, node, problems)
        if record is None and len(problems) == before:
            problems.add(Mark(number, 1), "this line cannot be read; write one JSON object per line")
    return ListEntry(record if len(problems) == before else None, raw, Mark(number, 1))


def mark_in(entry: ListEntry[R], path: tuple[int | str, ...], problems: FileProblems) -> Mark:
    """The place of a value in a thing that a file lists; its line is read once more for it."""
    node = entry.source
    if isinstance(node, bytes):
        node = None if problems.full else _line_node(node, entry.mark.line, problems)
    return entry.mark if node is None else mark_at(node, *path)


def _line_node(raw: bytes, number: int, problems: FileProblems) -> Node | None:
    """A line with the place of every value."""
    text = decode(raw, problems, line=number)
    return None if text is None else read_json(text, problems, line=number)


def _finite(source: str) -> float:
    number = float(source)
    if not math.isfinite(number):
        raise ValueError
    return number


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError
    return members


# Refuses what the validator lets pass: NaN, numbers too large to be any, and keys written twice. Made once: for every
# line it would cost as much as reading the line.
_STRICT = json.JSONDecoder(
    object_pairs_hook=_without_duplicates, parse_constant=_finite, parse_float=_finite, parse_int=_finite
)


def _is_sound(raw: bytes) -> bool:
    try:
        _STRICT.decode(raw.decode())
    except ValueError:
        return False
    return True
