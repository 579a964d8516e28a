"""JSON read by the standard reader, with the place of every value: for files written by hand, and for a wrong line."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from json import JSONDecodeError, JSONDecoder
from json.decoder import JSONArray, JSONObject  # type: ignore[attr-defined]
from json.scanner import py_make_scanner  # type: ignore[attr-defined]
from typing import Any

from raggate_action.suite_files.located_tree import DEEPEST, Entry, MappingNode, Node, Scalar, SequenceNode
from raggate_action.suite_files.problems import FileProblems, Mark, name_text

_LONGEST_NUMBER = 300


def read_json(text: str, problems: FileProblems, *, line: int = 1) -> Node | None:
    """Read one JSON document.

    Args:
        text: The document.
        problems: Where mistakes are reported, duplicate keys included.
        line: The line of its file that `text` begins on.

    Returns:
        The document; None when it could not be read.
    """
    reader = _Reader(text, problems, line)
    try:
        node: Node = reader.decode(text)
    except JSONDecodeError as error:
        fault = error.msg if error.msg.endswith(_OURS) else f"this is not JSON: {error.msg[:1].lower()}{error.msg[1:]}"
        problems.add(reader.mark(error.pos), fault)
        return None
    return node


# How the messages end that say more than that a text is no JSON.
_OURS = ("write it as text", "write the whole pair", "write it flatter")


class _Reader(JSONDecoder):
    """Makes nodes of what the scanner finds."""

    def __init__(self, text: str, problems: FileProblems, line: int) -> None:
        super().__init__(parse_int=str, parse_float=str, parse_constant=_Constant)
        self._problems, self._line, self._depth = problems, line, 0
        self._starts = [0, *[found.end() for found in re.finditer("\n", text)]]
        self.parse_object, self.parse_array = self._mapping, self._sequence
        self._scan = py_make_scanner(self)
        self.scan_once = self._located

    def mark(self, offset: int) -> Mark:
        """The place of a character."""
        row = bisect_right(self._starts, offset) - 1
        return Mark(self._line + row, offset - self._starts[row] + 1)

    def _located(self, text: str, start: int) -> tuple[Node, int]:
        """A value with its place, and where it ends."""
        value, end = self._scan(text, start)
        source, mark = text[start:end], self.mark(start)
        if isinstance(value, MappingNode | SequenceNode):
            return value, end
        if isinstance(value, _Constant):
            raise JSONDecodeError("Expecting value", text, start)
        if value is None or isinstance(value, bool):
            return Scalar(value, source, mark), end
        if text[start] == '"':
            if any("\ud800" <= character <= "\udfff" for character in value):
                fault = "a text holds half a character (a lone \\ud800 to \\udfff); write the whole pair"
                raise JSONDecodeError(fault, text, start)
            return Scalar(value, value, mark), end
        if len(source) > _LONGEST_NUMBER:
            raise JSONDecodeError(f"the number {name_text(source)} is too long; write it as text", text, start)
        number = int(source) if source.lstrip("-").isdecimal() else float(source)
        if not math.isfinite(number):
            fault = f"the number {source} is too large; write a smaller one, or write it as text"
            raise JSONDecodeError(fault, text, start)
        return Scalar(number, source, mark), end

    def _inside(self, text: str, start: int) -> Mark:
        """The place of a list or mapping, whose bracket stands before `start`; it is one level deeper."""
        self._depth += 1
        if self._depth > DEEPEST:
            fault = f"this is nested more than {DEEPEST} levels deep; write it flatter"
            raise JSONDecodeError(fault, text, start - 1)
        return self.mark(start - 1)

    def _sequence(self, place: tuple[str, int], _scan: object) -> tuple[Node, int]:
        mark = self._inside(*place)
        items, end = JSONArray(place, self._located)
        self._depth -= 1
        return SequenceNode(tuple(items), mark), end

    def _mapping(self, place: tuple[str, int], strict: bool, _scan: object, *_hooks: Any) -> tuple[Node, int]:  # noqa: FBT001
        mark, starts = self._inside(*place), list[int]()

        def located(text: str, start: int) -> tuple[Node, int]:
            starts.append(start)
            return self._located(text, start)

        pairs, end = JSONObject(place, strict, located, None, list, {})
        self._depth -= 1
        entries: dict[str, Entry] = {}
        for (key, node), start in zip(pairs, starts, strict=True):
            key_mark = self.mark(_key_before(place[0], start))
            if key in entries:
                first = entries[key].key_mark.line
                fault = f"key `{name_text(key)}` is written twice, first on line {first}; keep one of them"
                self._problems.add(key_mark, fault)
            else:
                entries[key] = Entry(key_mark, node)
        return MappingNode(entries, mark), end


class _Constant(str):
    """NaN or an infinity, which JSON does not have."""

    __slots__ = ()


def _key_before(text: str, start: int) -> int:
    """Where the key of a value begins that begins at `start`."""
    quote = text.rindex('"', 0, start)
    while True:
        quote = text.rindex('"', 0, quote)
        behind = text[max(0, quote - 100) : quote]
        if (len(behind) - len(behind.rstrip("\\"))) % 2 == 0:
            return quote
