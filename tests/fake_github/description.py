"""GitHub's description of itself, asked: which operation a request is, and whether a body is on schema."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import best_match
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

_HERE = Path(__file__).parent
_MULTI_SEGMENT = "{basehead}"
_formats = FormatChecker(formats=())


@_formats.checks("date-time", raises=ValueError)
def _is_date_time(value: object) -> bool:
    return not isinstance(value, str) or datetime.fromisoformat(value).tzinfo is not None


@_formats.checks("uri")
def _is_uri(value: object) -> bool:
    return not isinstance(value, str) or re.match(r"[a-z]+://", value) is not None


class Parameter(NamedTuple):
    """One parameter of an operation; `place` is `path` or `query`."""

    name: str
    place: str
    required: bool
    schema: Mapping[str, Any]


class Operation(NamedTuple):
    """One operation.

    Attributes:
        id: Its name at GitHub, as `issues/create-comment`.
        method, path: How it is called; `path` has `{names}`.
        pointer: Where it stands in the document.
        parameters: All it knows.
        takes_body: Whether the request carries a body.
        answers: Status -> whether its answer carries a body.
    """

    id: str
    method: str
    path: str
    pointer: str
    parameters: tuple[Parameter, ...]
    takes_body: bool
    answers: Mapping[int, bool]


class Document:
    """One trimmed description, its schemas compiled when first needed."""

    def __init__(self, name: str) -> None:
        self.content: dict[str, Any] = json.loads((_HERE / name).read_text("utf-8"))
        self._uri = f"urn:{name}"
        resource = Resource.from_contents(self.content, default_specification=DRAFT202012)
        self._registry: Registry[Any] = Registry().with_resource(self._uri, resource)
        self._validators: dict[str, Draft202012Validator] = {}

    @cached_property
    def operations(self) -> tuple[Operation, ...]:
        """Every operation of the description."""
        return tuple(
            _operation(path, method, found)
            for path, methods in self.content["paths"].items()
            for method, found in methods.items()
        )

    def problem(self, pointer: str, instance: Any) -> str | None:
        """What is wrong with a body by the schema at a JSON pointer; None when nothing is."""
        if pointer not in self._validators:
            schema = {"$ref": f"{self._uri}#{pointer}"}
            self._validators[pointer] = Draft202012Validator(schema, registry=self._registry, format_checker=_formats)
        errors = list(self._validators[pointer].iter_errors(instance))
        # A combination with something wrong inside calls its other keys unevaluated too.
        causes = [error for error in errors if error.validator != "unevaluatedProperties"]
        error = best_match(causes or errors)
        return f"{error.json_path}: {error.message}"[:600] if error else None

    def filled(self, component: str, given: Mapping[str, Any]) -> dict[str, Any]:
        """A body of a component: what is given, and neutral values for whatever else the schema requires."""
        body: dict[str, Any] = self._filled({"$ref": f"#/$defs/{component}"}, given)
        return body

    def _filled(self, schema: Mapping[str, Any], given: Any) -> Any:
        schema = self._plain(schema)
        if alternatives := schema.get("anyOf", schema.get("oneOf")):
            empty = given is None or (given is _NOTHING and {"type": "null"} in alternatives)
            return None if empty else self._filled(alternatives[0], given)
        if "properties" in schema and not (given is None and "null" in schema["type"]):
            if given is _NOTHING and "null" in schema["type"]:
                return None
            known = given if isinstance(given, Mapping) else {}
            wanted = [*schema.get("required", ()), *known]
            return {
                name: self._filled(schema["properties"].get(name, {}), known.get(name, _NOTHING))
                for name in dict.fromkeys(wanted)
            }
        if isinstance(given, list):
            return [self._filled(schema.get("items", {}), each) for each in given]
        return _neutral(schema) if given is _NOTHING else given

    def _plain(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """A schema with its reference followed and its `allOf` merged."""
        while "$ref" in schema:
            schema = self.content["$defs"][schema["$ref"].removeprefix("#/$defs/")]
        if "allOf" not in schema:
            return schema
        parts = [self._plain(part) for part in schema["allOf"]]
        properties: dict[str, Any] = {}
        for part in parts:
            for name, each in part.get("properties", {}).items():
                properties[name] = _both(properties[name], each) if name in properties else each
        nullable = all("null" in part.get("type", "") for part in parts)
        return {
            "type": ["object", "null"] if nullable else "object",
            "properties": properties,
            "required": [name for part in parts for name in part.get("required", ())],
        }


def _both(one: Mapping[str, Any], other: Mapping[str, Any]) -> Mapping[str, Any]:
    """What satisfies both of two schemas of one property, as far as filling it goes."""
    if "properties" in one and "properties" in other:
        return {"allOf": [one, other]}
    kinds = [schema["type"] for schema in (one, other) if "type" in schema]
    never_null = [kind for kind in kinds if "null" not in kind]
    return {**other, **one, **({"type": (never_null or kinds)[0]} if kinds else {})}


_NOTHING = object()
_NEUTRAL = {"string": "", "integer": 0, "number": 0, "boolean": False, "array": [], "object": {}}


def _neutral(schema: Mapping[str, Any]) -> Any:
    """A value that says nothing: null where it may, else the first or emptiest of its type."""
    kinds = schema.get("type", "object")
    if "null" in kinds:
        return None
    if "enum" in schema:
        return schema["enum"][0]
    match schema.get("format"):
        case "date-time":
            return "2026-01-01T00:00:00Z"
        case "uri":
            return "https://filler.invalid/"
        case _:
            return _NEUTRAL[kinds if isinstance(kinds, str) else kinds[0]]


def _operation(path: str, method: str, found: Mapping[str, Any]) -> Operation:
    return Operation(
        id=found["operationId"],
        method=method.upper(),
        path=path,
        pointer=f"/paths/{path.replace('~', '~0').replace('/', '~1')}/{method}",
        parameters=tuple(
            Parameter(each["name"], each["in"], each["required"], each["schema"]) for each in found["parameters"]
        ),
        takes_body="requestBody" in found,
        answers={int(status): schema is not None for status, schema in found["responses"].items()},
    )


class Match(NamedTuple):
    """An operation that a path leads to, and the texts that stand for the path's names."""

    operation: Operation
    values: Mapping[str, str]


def matches(document: Document, path: str) -> Iterator[Match]:
    """The operations of a path, whatever their method; a literal segment is preferred to a name."""
    for operation in sorted(document.operations, key=lambda each: each.path.count("{")):
        if found := _pattern(operation.path).fullmatch(path):
            yield Match(operation, {name: unquote(value) for name, value in found.groupdict().items()})


@cache
def _pattern(path: str) -> re.Pattern[str]:
    parts = re.split(r"(\{\w+\})", path)
    return re.compile("".join(_part(each) if each.startswith("{") else re.escape(each) for each in parts))


def _part(name: str) -> str:
    return f"(?P<{name[1:-1]}>{'.+' if name == _MULTI_SEGMENT else '[^/]+'})"


@cache
def rest() -> Document:
    """The operations that raggate uses."""
    return Document("openapi.json")


@cache
def webhooks() -> Document:
    """The events that start it."""
    return Document("webhooks.json")
