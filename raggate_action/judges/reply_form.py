"""The form of a reply: its JSON Schema for endpoints, and its reading, which takes exactly one JSON object or none."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import Any, Final, NoReturn, TypeVar

from pydantic import ConfigDict, JsonValue, ValidationError

from raggate_action.network.bounded_reply import json_problem
from raggate_action.schema.base import Record
from raggate_action.strings.visible_text import cut

_Value = TypeVar("_Value", int, str)
_Reply = TypeVar("_Reply", bound=Record)

_FENCED = re.compile(r"\s*```(?:json|JSON)?[ \t]*\r?\n(.*?)\r?\n```\s*", re.DOTALL)
_LONGEST_NAME = 80


class OffSchemaError(Exception):
    """A reply that is not what was asked for; `problems` says why, in sentences for whoever wrote it."""

    def __init__(self, *problems: str) -> None:
        super().__init__(*problems)
        self.problems = problems


def parsed(text: str, form: type[_Reply], *, fenced: bool) -> _Reply:
    """The one object of a reply.

    Args:
        text: The reply as it came.
        form: Its form.
        fenced: A fence of Markdown around the whole of it is no fault.

    Raises:
        OffSchemaError: It is anything else, or more than is read, or a key stands twice in an object.
    """
    text = text.removeprefix("\ufeff")
    if fenced and (inside := _FENCED.fullmatch(text)) is not None:
        text = inside[1]
    if (beyond := json_problem(text.encode(errors="replace"))) is not None:
        raise OffSchemaError(beyond)
    try:
        value = json.loads(text, object_pairs_hook=once, parse_constant=_refused)
    except (ValueError, RecursionError) as error:
        at = f" (line {error.lineno}, column {error.colno})" if isinstance(error, json.JSONDecodeError) else ""
        raise OffSchemaError(f"it is not one JSON object and nothing else{at}") from None
    if not isinstance(value, dict):
        raise OffSchemaError("it is not a JSON object")
    try:
        return form.model_validate_json(text)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_context=False, include_input=False)
        raise OffSchemaError(*[_sentence(each["loc"], each["msg"]) for each in faults]) from None


def quoted_name(text: str) -> str:
    """A text of a reply as a sentence about it shows it: on one line, cut, in quotation marks."""
    return json.dumps(cut(" ".join(text.split()), _LONGEST_NAME), ensure_ascii=False)


def twice(values: Iterable[_Value]) -> list[_Value]:
    """The values that stand there more than once, each once."""
    return [value for value, times in Counter(values).items() if times > 1]


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON, as the parser hands over its pairs.

    Raises:
        OffSchemaError: A key stands there twice: nobody knows which of the two is meant.
    """
    for key in twice(key for key, _ in pairs):
        raise OffSchemaError(f"the key {quoted_name(key)} is written twice in one object")
    return dict(pairs)


def _refused(name: str) -> NoReturn:
    raise OffSchemaError(f"{name} is no JSON value")


def _sentence(place: Iterable[int | str], message: str) -> str:
    where = ".".join(cut(str(part), _LONGEST_NAME) for part in place)
    return f"at {where or 'the top'}: {message[:1].lower()}{message[1:]}"


# Endpoints that hold a reply to its schema know types and choices; of bounds and defaults many know nothing.
_KEPT: Final = {"$defs", "$ref", "additionalProperties", "anyOf", "enum", "items", "properties", "required", "type"}


class ReplyPart(Record):
    """What a schema names has to be there; a reader takes what is absent for what says nothing."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=True)


class LoosePart(ReplyPart):
    """A part of a reply whose further keys say nothing that was asked for, and are left out."""

    model_config = ConfigDict(extra="ignore")


_Entry = TypeVar("_Entry", bound=LoosePart)


def entries(values: Iterable[JsonValue], form: type[_Entry]) -> list[_Entry]:
    """The entries of a list that are in the form; each stands or falls alone."""
    found = []
    for value in values:
        try:
            found.append(form.model_validate_json(json.dumps(value)))
        except ValidationError:
            continue
    return found


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
