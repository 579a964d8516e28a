"""YAML as people write it, read with the place of every value. The one module that knows the YAML library.

Read from parser events rather than composed nodes: no recursion that a hostile file could exhaust, and
duplicate keys, tags, aliases and further documents are all seen where they stand.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import yaml
from pydantic import JsonValue

from raggate_action.suite_files.located_tree import (
    DEEPEST,
    Entry,
    MappingNode,
    Node,
    Scalar,
    ScalarValue,
    SequenceNode,
    number_or_boolean,
)
from raggate_action.suite_files.problems import START, FileProblems, Mark, name_text

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_TEXT_TAGS = frozenset({"!", "tag:yaml.org,2002:str"})
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufeff\ufffe\uffff]")
# Characters that aliases may make of a file, whatever its size.
_LARGEST_EXPANSION = 1_000_000
# What YAML reads as text, and people as well, without quotes.
_PLAIN = re.compile(r"[A-Za-z_][\w./ -]*[\w/]|[A-Za-z_]")
_NOT_TEXT = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
# What a YAML reader refuses, or takes for the end of a line.
_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")


class _Refused(Exception):  # noqa: N818 - it never leaves this module
    """The document cannot be read any further."""

    def __init__(self, mark: Mark, text: str) -> None:
        super().__init__(text)
        self.mark = mark
        self.text = text


class _Built(NamedTuple):
    """A finished node, how many characters it stands for with every alias written out, and how deep it goes."""

    node: Node
    size: int
    depth: int


@dataclass(slots=True)
class _Frame:
    """A list or mapping still being read."""

    mark: Mark
    anchor: str | None
    entries: dict[str, Entry] | None
    items: list[Node] = field(default_factory=list)
    merged: list[MappingNode] = field(default_factory=list)
    key: Scalar | None = None
    size: int = 1
    depth: int = 1


def read_yaml(text: str, problems: FileProblems) -> Node | None:
    """Read one YAML document.

    Plain scalars are read by YAML 1.2's core schema: `no`, `on` and `2026-06-02` are text. Merge keys (`<<`) work.

    Returns:
        The document, an empty one as null; None when it could not be read, which `problems` then says.
    """
    try:
        _refuse_unprintable(text)
        return _Builder(problems, largest=max(10 * len(text), _LARGEST_EXPANSION)).read(text)
    except _Refused as refused:
        problems.add(refused.mark, refused.text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problems.add(_mark(mark) if mark else START, _syntax_text(error.problem))
    except yaml.YAMLError as error:
        problems.add(START, _syntax_text(str(error)))
    return None


def _refuse_unprintable(text: str) -> None:
    if found := _UNPRINTABLE.search(text):
        before = text[: found.start()]
        mark = Mark(before.count("\n") + 1, found.start() - (before.rfind("\n") + 1) + 1)
        raise _Refused(
            mark, f"found the character {found.group()!r}; remove it, or write it in quotes as \\x.. or \\u...."
        )


def _syntax_text(problem: str | None) -> str:
    return (
        f"this is not YAML: {name_text(problem or 'it cannot be read', cut=False)}; check indentation and quotes here"
    )


def _mark(mark: Any) -> Mark:
    return Mark(mark.line + 1, mark.column + 1)


class _Builder:
    """Makes nodes of parser events."""

    def __init__(self, problems: FileProblems, *, largest: int) -> None:
        self._problems = problems
        self._largest = largest
        self._frames: list[_Frame] = []
        self._anchors: dict[str, _Built] = {}
        self._root: Node | None = None

    def read(self, text: str) -> Node:
        """Read the events of a whole document."""
        for event in yaml.parse(text, Loader=_LOADER):
            match event:
                case yaml.ScalarEvent():
                    self._scalar(event)
                case yaml.AliasEvent():
                    self._alias(event)
                case yaml.SequenceStartEvent() | yaml.MappingStartEvent():
                    self._begin(event)
                case yaml.SequenceEndEvent() | yaml.MappingEndEvent():
                    self._end()
                case yaml.DocumentStartEvent() if self._root is not None:
                    raise _Refused(_mark(event.start_mark), "a second document begins here; keep one document per file")
        return self._root if self._root is not None else Scalar(None, "", START, plain=True)

    def _scalar(self, event: Any) -> None:
        mark = _mark(event.start_mark)
        plain = not event.style and event.tag is None
        if event.tag is not None and event.tag not in _TEXT_TAGS:
            self._problems.add(mark, _tag_text(event.tag))
        value: ScalarValue = event.value
        if plain:
            value = None if event.value in _NULLS else number_or_boolean(event.value)
        self._finish(event.anchor, _Built(Scalar(value, event.value, mark, plain), len(event.value) + 1, 0), mark)

    def _alias(self, event: Any) -> None:
        built = self._anchors.get(event.anchor)
        mark = _mark(event.start_mark)
        if built is None:
            name = name_text(event.anchor)
            raise _Refused(mark, f"`*{name}` refers to nothing written above; write `&{name}` before a finished value")
        if isinstance(built.node, Scalar):
            # A copy: here the same characters may be wanted as text, there as a number.
            built = built._replace(node=built.node._replace(mark=mark))
        self._finish(None, built, mark)

    def _begin(self, event: Any) -> None:
        mark = _mark(event.start_mark)
        if event.tag not in (None, "!"):
            self._problems.add(mark, _tag_text(event.tag))
        self._frames.append(_Frame(mark, event.anchor, {} if isinstance(event, yaml.MappingStartEvent) else None))
        self._refuse_depth(len(self._frames), mark)

    def _end(self) -> None:
        frame = self._frames.pop()
        if frame.entries is None:
            node: Node = SequenceNode(tuple(frame.items), frame.mark)
        else:
            for mapping in frame.merged:
                for key, entry in mapping.entries.items():
                    frame.entries.setdefault(key, entry)
            node = MappingNode(frame.entries, frame.mark)
        self._finish(frame.anchor, _Built(node, frame.size, frame.depth), frame.mark)

    def _finish(self, anchor: str | None, built: _Built, mark: Mark) -> None:
        if anchor is not None:
            self._anchors[anchor] = built
        if not self._frames:
            self._root = built.node
            return
        frame = self._frames[-1]
        frame.size += built.size
        frame.depth = max(frame.depth, built.depth + 1)
        if frame.size > self._largest:
            raise _Refused(mark, "aliases repeat their content into something huge; write it out once")
        self._refuse_depth(len(self._frames) + built.depth, mark)
        if frame.entries is None:
            frame.items.append(built.node)
        elif frame.key is None:
            frame.key = self._key(built.node)
        else:
            self._member(frame, frame.entries, built.node)

    def _key(self, node: Node) -> Scalar:
        if isinstance(node, Scalar):
            return node
        self._problems.add(node.mark, "a key is a list or a mapping; write keys as plain text")
        return Scalar(None, "?", node.mark)

    def _member(self, frame: _Frame, entries: dict[str, Entry], node: Node) -> None:
        key = frame.key
        frame.key = None
        if key is None:
            return
        if key.plain and key.source == "<<":
            self._merge(frame, node)
        elif key.source in entries:
            first = entries[key.source].key_mark.line
            text = f"key `{name_text(key.source)}` is written twice, first on line {first}; keep one of them"
            self._problems.add(key.mark, text)
        else:
            entries[key.source] = Entry(key.mark, node)

    def _merge(self, frame: _Frame, node: Node) -> None:
        for item in node.items if isinstance(node, SequenceNode) else (node,):
            if isinstance(item, MappingNode):
                frame.merged.append(item)
            else:
                self._problems.add(item.mark, "`<<` takes mappings in; write `<<: *name` of a mapping above")

    @staticmethod
    def _refuse_depth(depth: int, mark: Mark) -> None:
        if depth > DEEPEST:
            raise _Refused(mark, f"this is nested more than {DEEPEST} levels deep; write it flatter")


def _tag_text(tag: str) -> str:
    name = name_text(tag.replace("tag:yaml.org,2002:", "!!"))
    return f"the tag `{name}` is not read; remove it, and put text in quotes"


def flow(value: JsonValue) -> str:
    """A value on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{scalar(key)}: {flow(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(flow, value)) + "]"
    return scalar(value) if isinstance(value, str) else json.dumps(value)


def scalar(text: str) -> str:
    """A text as YAML: plain where nothing in it could be taken for anything else, else in double quotes."""
    if _PLAIN.fullmatch(text) and "  " not in text and text.lower() not in _NOT_TEXT:
        return text
    return in_json(text)


def in_json(value: JsonValue) -> str:
    """A value on one line as JSON, with nothing in it that YAML reads in another way."""
    return _ESCAPED.sub(lambda found: _escaped(found[0]), json.dumps(value, ensure_ascii=False))


def _escaped(character: str) -> str:
    # Half a surrogate pair is no character of any file.
    return "\\ufffd" if "\ud800" <= character <= "\udfff" else f"\\u{ord(character):04x}"
