"""JSON Schemas of replies that name numbers: in a few sizes, since hosted endpoints compile each one they are sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from pydantic import JsonValue

_SMALLEST: Final = 4
# More values than this in a choice are refused by some endpoints, and any whole number is taken instead.
_MOST_CHOICES: Final = 256


def size_for(number: int) -> int:
    """How many a schema has room for: 4, 8, 16, 32 and so on."""
    size = _SMALLEST
    while size < number:
        size *= 2
    return size


def number_up_to(number: int) -> JsonValue:
    """A number that something was shown under."""
    size = size_for(number)
    return {"type": "integer", "enum": list(range(1, size + 1))} if size <= _MOST_CHOICES else {"type": "integer"}


def list_of(item: JsonValue) -> JsonValue:
    """The form of a list of such items, as many as there are."""
    return {"type": "array", "items": item}


def choice(values: Sequence[str]) -> JsonValue:
    """One of these words."""
    return {"type": "string", "enum": list(values)}


def strict_object(properties: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """An object with all of these keys and no other, in this order: strict endpoints take no key that may be absent."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }
