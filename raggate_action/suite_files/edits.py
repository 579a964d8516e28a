"""What is put into a case file: insertions alone, so that every character that was there stays as it was."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeAlias

from pydantic import JsonValue

# Labels of a case by field; a list of texts, a list of points, or one text.
Labels: TypeAlias = Mapping[str, JsonValue]

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_MEANT_OTHERWISE = frozenset({"true", "false", "null"})
# JSON lets them stand; YAML takes them for line breaks, or not at all.
_UNPRINTABLE = re.compile("[\x7f-\xa0\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")


class Insertion(NamedTuple):
    """A text that is put in before the character `at`."""

    at: int
    text: str


# One way to write the labels of a case; all of it is done or nothing.
Way: TypeAlias = tuple[Insertion, ...]


def with_insertions(text: str, insertions: Iterable[Insertion]) -> str:
    """The text with everything put in; of two at one place the first comes first."""
    parts: list[str] = []
    done = 0
    for each in sorted(insertions, key=lambda insertion: insertion.at):
        parts += (text[done : each.at], each.text)
        done = each.at
    return "".join((*parts, text[done:]))


def in_json(value: JsonValue) -> str:
    """A value on one line, as JSON."""
    return _escaped(json.dumps(value, ensure_ascii=False))


def in_yaml(value: JsonValue) -> str:
    """A value on one line, as YAML in brackets: names bare, other texts in double quotes."""
    if isinstance(value, str):
        bare = _PLAIN.fullmatch(value) and value.casefold() not in _MEANT_OTHERWISE
        return value if bare else in_json(value)
    if isinstance(value, list):
        return f"[{', '.join(map(in_yaml, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{in_yaml(key)}: {in_yaml(item)}' for key, item in value.items())}}}"
    return json.dumps(value)


def _escaped(text: str) -> str:
    return _UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
