"""JSON read with the place of every value, for files written by hand and for explaining a line that is wrong."""

from __future__ import annotations

import json
import math
import re
from bisect import bisect_right
from typing import NoReturn

from raggate_action.suite_files.located_tree import DEEPEST, Entry, MappingNode, Node, Scalar, SequenceNode
from raggate_action.suite_files.problems import FileProblems, Mark, name_text, value_text

_SPACE = re.compile(r"[ \t\n\r]*")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+"')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_WORD = re.compile(r"[-+A-Za-z0-9_.]+")
_NAMES = {"true": True, "false": False, "null": None}
_LONGEST_NUMBER = 300


class _JsonError(Exception):
    def __init__(self, offset: int, text: str) -> None:
        super().__init__(text)
        self.offset = offset
        self.text = text


def read_json(text: str, problems: FileProblems, *, line: int = 1) -> Node | None:
    """Read one JSON document.

    Args:
        text: The document.
        problems: Where mistakes are reported, duplicate keys included.
        line: The line of its file that `text` begins on.

    Returns:
        The document; None when it could not be read.
    """
    reader = _JsonReader(text, problems, line)
    try:
        return reader.document()
    except _JsonError as refused:
        problems.add(reader.mark(refused.offset), refused.text)
        return None


class _JsonReader:
    """Reads one text by recursive descent."""

    def __init__(self, text: str, problems: FileProblems, line: int) -> None:
        self._text = text
        self._problems = problems
        self._first_line = line
        self._starts = [0, *[found.end() for found in re.finditer("\n", text)]]

    def mark(self, offset: int) -> Mark:
        """The place of a character."""
        row = bisect_right(self._starts, offset) - 1
        return Mark(self._first_line + row, offset - self._starts[row] + 1)

    def document(self) -> Node:
        """The one value of the text."""
        node, end = self._value(self._skip(0), 0)
        end = self._skip(end)
        if end < len(self._text):
            self._refuse(end, "nothing more")
        return node

    def _skip(self, offset: int) -> int:
        found = _SPACE.match(self._text, offset)
        return found.end() if found else offset

    def _refuse(self, offset: int, expected: str) -> NoReturn:
        rest = self._text[offset : offset + 12].split("\n")[0].rstrip()
        offset = offset if rest else len(self._text[:offset].rstrip())
        found = value_text(rest) if rest else "the end"
        raise _JsonError(offset, f"this is not JSON: found {found}; write {expected} here")

    def _value(self, offset: int, depth: int) -> tuple[Node, int]:
        if depth > DEEPEST:
            raise _JsonError(offset, f"this is nested more than {DEEPEST} levels deep; write it flatter")
        match self._text[offset : offset + 1]:
            case "{":
                return self._mapping(offset, depth)
            case "[":
                return self._sequence(offset, depth)
            case '"':
                text, end = self._string(offset)
                return Scalar(text, text, self.mark(offset)), end
            case _:
                return self._bare(offset)

    def _string(self, offset: int) -> tuple[str, int]:
        found = _STRING.match(self._text, offset)
        if found is None:
            if self._text[offset : offset + 1] == '"':
                raise _JsonError(
                    offset, 'this is not JSON: a text is not closed or not escaped; write `\\n`, `\\"`, `\\\\`'
                )
            self._refuse(offset, "a key in double quotes")
        text: str = json.loads(found.group())
        if any("\ud800" <= character <= "\udfff" for character in text):
            raise _JsonError(offset, "a text holds half a character (a lone \\ud800 to \\udfff); write the whole pair")
        return text, found.end()

    def _bare(self, offset: int) -> tuple[Node, int]:
        word = _WORD.match(self._text, offset)
        if word and word.group() in _NAMES:
            return Scalar(_NAMES[word.group()], word.group(), self.mark(offset)), word.end()
        found = _NUMBER.match(self._text, offset)
        if found is None or (word and word.end() != found.end()):
            self._refuse(offset, "a value: text in double quotes, a number, true, false, null, a list or a mapping")
        source = found.group()
        if len(source) > _LONGEST_NUMBER:
            raise _JsonError(offset, f"the number {name_text(source)} is too long; write it as text")
        number = float(source) if found.group(1) or found.group(2) else int(source)
        if not math.isfinite(number):
            raise _JsonError(offset, f"the number {source} is too large; write a smaller one, or write it as text")
        return Scalar(number, source, self.mark(offset)), found.end()

    def _sequence(self, offset: int, depth: int) -> tuple[Node, int]:
        items: list[Node] = []
        end = self._skip(offset + 1)
        if self._text.startswith("]", end):
            return SequenceNode((), self.mark(offset)), end + 1
        while True:
            item, end = self._value(end, depth + 1)
            items.append(item)
            end = self._skip(end)
            if self._text.startswith("]", end):
                return SequenceNode(tuple(items), self.mark(offset)), end + 1
            if not self._text.startswith(",", end):
                self._refuse(end, "`,` or `]`")
            end = self._skip(end + 1)

    def _mapping(self, offset: int, depth: int) -> tuple[Node, int]:
        entries: dict[str, Entry] = {}
        end = self._skip(offset + 1)
        if self._text.startswith("}", end):
            return MappingNode(entries, self.mark(offset)), end + 1
        while True:
            end = self._member(entries, end, depth)
            if self._text.startswith("}", end):
                return MappingNode(entries, self.mark(offset)), end + 1
            if not self._text.startswith(",", end):
                self._refuse(end, "`,` or `}`")
            end = self._skip(end + 1)

    def _member(self, entries: dict[str, Entry], offset: int, depth: int) -> int:
        key, end = self._string(offset)
        end = self._skip(end)
        if not self._text.startswith(":", end):
            self._refuse(end, "`:`")
        node, end = self._value(self._skip(end + 1), depth + 1)
        mark = self.mark(offset)
        if key in entries:
            first = entries[key].key_mark.line
            text = f"key `{name_text(key)}` is written twice, first on line {first}; keep one of them"
            self._problems.add(mark, text)
        else:
            entries[key] = Entry(mark, node)
        return self._skip(end)
