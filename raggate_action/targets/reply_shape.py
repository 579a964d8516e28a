"""What an app's reply looks like, keys and types without a value, and the path in it that is nearest to a wrong one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import NamedTuple

from pydantic import JsonValue

# A key of this form is a name that somebody gave a field; any other may be a value that an app files things under.
_NAME = re.compile(r"[A-Za-z_][\w-]{0,39}")
_PLAIN = re.compile(r"[A-Za-z_]\w*")
_DEEPEST = 6
_KEYS = 12
_PATHS = 500
# What apps call these things; only breaks ties between paths that are equally near.
_USUAL = {
    "answer": frozenset({"answer", "text", "output", "response", "content", "message", "result", "completion"}),
    "context": frozenset(
        {"context", "contexts", "docs", "documents", "sources", "chunks", "passages", "id", "chunk_id"}
    ),
    "candidates": frozenset({"candidates", "retrieved", "results", "hits", "docs", "documents", "id", "chunk_id"}),
}
_IS_ID = re.compile(r"(?:^|_)id$")


class _Path(NamedTuple):
    """A path that leads to text, and whether it leads to one for each item of a list."""

    written: str
    keys: tuple[str, ...]
    of_list: bool


def shape_of(reply: JsonValue) -> str:
    """Keys and types: `{output: {text: string, docs: [{id: string}]}}`. Of a list its first item stands for all."""
    return _shape(reply, _DEEPEST)


def _shape(value: JsonValue, depth: int) -> str:
    if isinstance(value, dict):
        if not value or not depth:
            return "{...}" if value else "{}"
        shown = [f"{shown_key(key)}: {_shape(each, depth - 1)}" for key, each in list(value.items())[:_KEYS]]
        return "{" + ", ".join([*shown, *(["..."] if len(value) > _KEYS else [])]) + "}"
    if isinstance(value, list):
        return f"[{_shape(value[0], depth - 1)}]" if value and depth else "[...]" if value else "[]"
    if isinstance(value, bool):
        return "boolean"
    return "null" if value is None else "string" if isinstance(value, str) else "number"


def shown_key(key: str) -> str:
    """A key as messages may show it: one that is no name may be a value that an app files things under."""
    return key if _NAME.fullmatch(key) else "(another key)"


def nearest_path(reply: JsonValue, field: str, expression: str) -> str | None:
    """The path nearest to `expression` that finds what the field needs; None where the reply has nothing of the kind.

    Args:
        reply: What the app said.
        field: `answer` needs a text; any other field a text for each item of a list.
        expression: What the suite says.
    """
    fitting = [path for path in _paths(reply) if path.of_list == (field != "answer")]
    return max(fitting, key=lambda path: _nearness(path, field, expression)).written if fitting else None


def _nearness(path: _Path, field: str, expression: str) -> float:
    asked = re.findall(r"\w+", expression)
    last = SequenceMatcher(None, asked[-1] if asked else "", path.keys[-1]).ratio() if path.keys else 0.0
    usual = bool(_USUAL.get(field, frozenset()).intersection(path.keys))
    is_id = path.of_list and bool(path.keys) and _IS_ID.search(path.keys[-1]) is not None
    return SequenceMatcher(None, expression, path.written).ratio() + last / 2 + usual / 4 + is_id / 4


def _paths(reply: JsonValue) -> Iterator[_Path]:
    """Paths that lead to text, in the order of the reply."""
    left = [_PATHS]

    def walk(value: JsonValue, path: _Path, depth: int) -> Iterator[_Path]:
        if not depth or left[0] <= 0:
            return
        left[0] -= 1
        if isinstance(value, str):
            yield path
        elif isinstance(value, dict):
            for key, each in value.items():
                if _NAME.fullmatch(key):
                    name = key if _PLAIN.fullmatch(key) else json.dumps(key)
                    written = f"{path.written}.{name}" if path.written else name
                    yield from walk(each, _Path(written, (*path.keys, key), path.of_list), depth - 1)
        elif isinstance(value, list) and value:
            yield from walk(value[0], _Path(f"{path.written}[]", path.keys, of_list=True), depth - 1)

    yield from walk(reply, _Path("", (), of_list=False), _DEEPEST)
