"""A parsed document whose every value knows its place; YAML, JSON and CSV are all read into this."""

from __future__ import annotations

import math
import re
from collections.abc import Container, Iterator
from typing import NamedTuple, TypeAlias

from pydantic import JsonValue

from raggate_action.suite_files.problems import Mark

# Deeper documents are refused before anything can run out of stack.
DEEPEST = 100

ScalarValue: TypeAlias = bool | int | float | str | None


class Scalar(NamedTuple):
    """A single value.

    Attributes:
        value: What it is read as.
        source: The characters it was written with, quotes and escapes resolved.
        mark: Where it stands.
        plain: Written without quotes, so that `source` may be what was meant where text is wanted.
    """

    value: ScalarValue
    source: str
    mark: Mark
    plain: bool = False


class SequenceNode(NamedTuple):
    """A list."""

    items: tuple[Node, ...]
    mark: Mark


class Entry(NamedTuple):
    """A value of a mapping, and the place of its key."""

    key_mark: Mark
    node: Node


class MappingNode(NamedTuple):
    """A mapping; keys are text as written."""

    entries: dict[str, Entry]
    mark: Mark

    def get(self, key: str) -> Node | None:
        """The value under `key`; None when there is none."""
        entry = self.entries.get(key)
        return entry.node if entry else None


Node: TypeAlias = Scalar | SequenceNode | MappingNode


Loc: TypeAlias = tuple[int | str, ...]
# Where something is wrong, and what, with what to write instead.
PlacedFault: TypeAlias = tuple[Mark, str]


class WrittenText(NamedTuple):
    """A text of the document and its place."""

    text: str
    mark: Mark


class WrittenNumber(str):
    """A number as it was written: a price of 12.50 is not 12.5 to somebody who quotes it."""

    __slots__ = ()


WrittenValue: TypeAlias = bool | str | list["WrittenValue"] | dict[str, "WrittenValue"] | None

_WHOLE = re.compile(r"[-+]?[0-9]+")
_BASED = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_BOOLEANS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_LONGEST_NUMBER = 300


def number_or_boolean(source: str) -> bool | int | float | str:
    """Read plain characters by YAML 1.2's core schema: a boolean, a number, or text.

    Infinities and NaN stay text: JSON, which targets and run files speak, has no such numbers.
    """
    if source in _BOOLEANS:
        return _BOOLEANS[source]
    if len(source) > _LONGEST_NUMBER:
        return source
    if _WHOLE.fullmatch(source):
        return int(source)
    if _BASED.fullmatch(source):
        return int(source, 0)
    if _FLOAT.fullmatch(source) and math.isfinite(number := float(source)):
        return number
    return source


def json_value(node: Node, as_text: Container[int] = frozenset()) -> JsonValue:
    """The bare value of a node; plain scalars whose `id` is in `as_text` are taken as the text they were written as."""
    if isinstance(node, Scalar):
        return node.source if id(node) in as_text else node.value
    if isinstance(node, SequenceNode):
        return [json_value(item, as_text) for item in node.items]
    return {key: json_value(entry.node, as_text) for key, entry in node.entries.items()}


def written_value(node: Node) -> WrittenValue:
    """The bare value of a node, numbers as they were written."""
    if isinstance(node, SequenceNode):
        return [written_value(item) for item in node.items]
    if isinstance(node, MappingNode):
        return {key: written_value(entry.node) for key, entry in node.entries.items()}
    if isinstance(node.value, bool) or node.value is None or isinstance(node.value, str):
        return node.value
    return WrittenNumber(node.source)


def child(node: Node | None, *path: int | str) -> Node | None:
    """The value at `path`; None when there is none."""
    for step in path:
        if isinstance(node, MappingNode) and isinstance(step, str):
            node = node.get(step)
        elif isinstance(node, SequenceNode) and isinstance(step, int) and step < len(node.items):
            node = node.items[step]
        else:
            return None
    return node


def mark_at(node: Node, *path: int | str) -> Mark:
    """The place of the value at `path`, or of the nearest thing above it that is there."""
    for step in path:
        inner = child(node, step)
        if inner is None:
            break
        node = inner
    return node.mark


def key_mark(node: Node, *path: int | str) -> Mark:
    """The place of the key at the end of `path`."""
    holder = child(node, *path[:-1])
    entry = holder.entries.get(str(path[-1])) if isinstance(holder, MappingNode) else None
    return mark_at(node, *path) if entry is None else entry.key_mark


def children(node: Node | None, *path: int | str) -> tuple[Node, ...]:
    """The items of the list at `path`; empty when there is none."""
    found = child(node, *path)
    return found.items if isinstance(found, SequenceNode) else ()


def members(node: Node | None, *path: int | str) -> Iterator[tuple[str, Entry]]:
    """Keys and entries of the mapping at `path`; empty when there is none."""
    found = child(node, *path)
    return iter(found.entries.items() if isinstance(found, MappingNode) else ())


def written_text(node: Node | None, *path: int | str) -> WrittenText | None:
    """The text of the scalar at `path`, a plain number or boolean as written; None for anything else."""
    found = child(node, *path)
    if isinstance(found, Scalar) and (isinstance(found.value, str) or (found.plain and found.value is not None)):
        return WrittenText(found.source, found.mark)
    return None


def texts_at(node: Node | None, *path: int | str) -> list[WrittenText]:
    """The texts of the list at `path`, other items left out; empty when there is none."""
    return [text for item in children(node, *path) if (text := written_text(item))]
