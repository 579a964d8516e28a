"""What the chat API takes: a request that a real endpoint would refuse is refused here, in the same form."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

_ROLES = frozenset({"system", "developer", "user", "assistant", "tool"})
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
# Of JSON Schema, what strict structured output does not take.
_NOT_STRICT = frozenset(
    {"allOf", "oneOf", "not", "dependentRequired", "dependentSchemas", "if", "then", "else", "patternProperties"}
)


class Refusal(NamedTuple):
    """Why a request is not taken."""

    status: int
    message: str
    code: str | None = None

    @property
    def body(self) -> dict[str, Any]:
        """OpenAI's error form."""
        error = {"message": self.message, "type": "invalid_request_error", "param": None, "code": self.code}
        return {"error": error}


def read_body(headers: dict[str, str], raw: bytes) -> dict[str, Any] | Refusal:
    """The body of a request, or why it is none."""
    if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        return Refusal(400, "you must send Content-Type: application/json")
    try:
        body = json.loads(raw)
    except ValueError:
        return Refusal(400, "We could not parse the JSON body of your request.")
    if not isinstance(body, dict):
        return Refusal(400, "the body must be an object")
    problem = next(_problems(body), None)
    return Refusal(400, problem) if problem else body


def _problems(body: dict[str, Any]) -> Iterator[str]:
    model, messages = body.get("model"), body.get("messages")
    if not isinstance(model, str) or not model:
        yield "you must provide a model parameter"
    if not isinstance(messages, list) or not messages:
        yield "Missing required parameter: 'messages'."
        return
    for at, message in enumerate(messages):
        yield from _of_message(at, message)
    if body.get("stream"):
        yield "this endpoint does not stream"
    yield from _of_format(body.get("response_format"), messages)


def _of_message(at: int, message: Any) -> Iterator[str]:
    if not isinstance(message, dict) or message.get("role") not in _ROLES:
        yield f"Invalid value: 'messages[{at}].role'."
    elif not isinstance(message.get("content"), str) or not message["content"]:
        yield f"Invalid value for 'content' of messages[{at}]: expected a string, got {message.get('content')!r}."
    elif unknown := message.keys() - {"role", "content", "name"}:
        yield f"Additional properties are not allowed in messages[{at}]: {sorted(unknown)}"


def _of_format(form: Any, messages: list[Any]) -> Iterator[str]:
    if form is None:
        return
    kind = form.get("type") if isinstance(form, dict) else None
    if kind == "json_object":
        if not any("json" in str(message.get("content", "")).lower() for message in messages):
            yield "'messages' must contain the word 'json' in some form, to use 'response_format' of 'json_object'."
    elif kind == "json_schema":
        yield from _of_schema_form(form.get("json_schema"))
    elif kind != "text":
        yield "Invalid value: 'response_format.type'."


def _of_schema_form(form: Any) -> Iterator[str]:
    if not isinstance(form, dict) or not _NAME.fullmatch(str(form.get("name", ""))):
        yield "Missing or invalid: 'response_format.json_schema.name'."
        return
    if unknown := form.keys() - {"name", "description", "schema", "strict"}:
        yield f"Unknown parameter: 'response_format.json_schema.{min(unknown)}'."
    schema = form.get("schema")
    if not isinstance(schema, dict) or schema.get("type") != "object":
        yield "Invalid schema for response_format: schema must be a JSON Schema of 'type: \"object\"'."
    elif form.get("strict"):
        yield from (f"Invalid schema for response_format '{form['name']}': {why}" for why in _not_strict(schema, ()))


def _not_strict(schema: Any, place: tuple[str, ...]) -> Iterator[str]:
    """What strict structured output refuses of a schema: it takes a part of JSON Schema only."""
    if not isinstance(schema, dict):
        return
    if forbidden := schema.keys() & _NOT_STRICT:
        yield f"In context={place}, '{min(forbidden)}' is not permitted."
    if schema.get("type") == "object" or "properties" in schema:
        if schema.get("additionalProperties") is not False:
            yield f"In context={place}, 'additionalProperties' is required to be supplied and to be false."
        if set(schema.get("required", ())) != set(schema.get("properties", ())):
            yield f"In context={place}, 'required' is required to be an array including every key in properties."
    for name, inner in _parts(schema):
        yield from _not_strict(inner, (*place, name))


def _parts(schema: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for key in ("properties", "$defs"):
        yield from schema.get(key, {}).items()
    yield from ((f"anyOf[{at}]", each) for at, each in enumerate(schema.get("anyOf", ())))
    yield "items", schema.get("items")
