"""The form of a reply, and its JSON Schema as endpoints take it."""

from __future__ import annotations

from functools import cache
from typing import Final

from pydantic import ConfigDict, JsonValue

from raggate_action.schema.base import Record

# Endpoints that hold a reply to its schema know types and choices; of bounds and defaults many know nothing.
_KEPT: Final = {"$defs", "$ref", "additionalProperties", "anyOf", "enum", "items", "properties", "required", "type"}


class ReplyPart(Record):
    """What a schema names has to be there; a reader takes what is absent for what says nothing."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=True)


@cache
def reply_schema(form: type[ReplyPart]) -> dict[str, JsonValue]:
    """The JSON Schema of a reply: every key required, no other allowed."""
    whole: JsonValue = form.model_json_schema(mode="serialization")
    kept = _kept(whole)
    if not isinstance(kept, dict):
        raise TypeError("a schema is an object")
    return kept


def _kept(schema: JsonValue) -> JsonValue:
    """A schema with nothing in it but what endpoints know."""
    if isinstance(schema, list):
        return [_kept(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    named = {"$defs", "properties"}
    return {
        key: {name: _kept(each) for name, each in value.items()}
        if key in named and isinstance(value, dict)
        else _kept(value)
        for key, value in schema.items()
        if key in _KEPT
    }
