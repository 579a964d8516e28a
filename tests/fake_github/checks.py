"""A request, held against the description before anything is done: what is off has a name and is refused."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit

from tests.fake_github.description import Match, Operation, Parameter, matches, rest
from tests.fake_github.state import Token

API_VERSIONS = {"2022-11-28", "2026-03-10"}
_TRUTH = {"true": True, "false": False}


class Refused(Exception):  # noqa: N818 - an answer of GitHub, not an error of ours
    """GitHub says no.

    Attributes:
        name: A short name for the reason.
        status: Of the answer.
        message: Of the answer, in GitHub's words where they are known.
        wrong: No right client sends this: the test fails, unless it expects the name. Otherwise it is something
            that GitHub may answer to a right client.
        errors: GitHub's list of errors.
        headers: Of the answer.
    """

    def __init__(
        self,
        name: str,
        status: int,
        message: str,
        *,
        wrong: bool = False,
        errors: list[dict[str, Any]] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(f"{name}: {message}")
        self.name, self.status, self.message, self.wrong = name, status, message, wrong
        self.errors, self.headers = errors, dict(headers or {})


class Raw(NamedTuple):
    """A request as it came; header names in lower case."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def path(self) -> str:
        return urlsplit(self.target).path


@dataclass(frozen=True)
class Request:
    """A request that is on schema.

    Attributes:
        operation: Which.
        path: The values of the path's names.
        query: The values of its query, absent ones missing.
        body: Its JSON; None without one.
        token: Whose; None when nobody's.
    """

    operation: Operation
    path: Mapping[str, Any]
    query: Mapping[str, Any]
    body: Any
    token: Token | None


def found_operation(raw: Raw, prefix: str) -> Match:
    """The operation that a request calls.

    Raises:
        Refused: The description has none.
    """
    if not raw.path.startswith(f"{prefix}/"):
        raise Refused("path-unknown", 404, f"Not Found: {raw.path} is not under {prefix}", wrong=True)
    found = list(matches(rest(), raw.path.removeprefix(prefix)))
    if not found:
        raise Refused("path-unknown", 501, f"no used operation of GitHub has the path {raw.path}", wrong=True)
    for match in found:
        if match.operation.method == raw.method:
            return match
    raise Refused("method-wrong", 405, f"{raw.path} is not called with {raw.method}", wrong=True)


def checked(raw: Raw, match: Match, token: Token | None) -> Request:
    """The request, when nothing of it is off schema.

    Raises:
        Refused: Something is.
    """
    operation = match.operation
    parameters = [each for each in operation.parameters if each.place == "path"]
    path = {each.name: _value(each, match.values[each.name], operation) for each in parameters}
    return Request(operation, path, _query(raw, operation), _body(raw, operation), token)


def check_headers(headers: Mapping[str, str]) -> None:
    """What GitHub wants of every request.

    Raises:
        Refused: It is missing, or not what GitHub knows.
    """
    if not headers.get("user-agent"):
        message = "Request forbidden by administrative rules. Please make sure your request has a User-Agent header"
        raise Refused("user-agent-missing", 403, message, wrong=True)
    accept = headers.get("accept")
    if accept is None:
        raise Refused("accept-missing", 415, "GitHub asks for an Accept header", wrong=True)
    if not any(_is_accepted(each) for each in accept.split(",")):
        raise Refused("accept-unsupported", 415, f"Unsupported 'Accept' header: {accept}.", wrong=True)
    version = headers.get("x-github-api-version")
    if version is not None and version not in API_VERSIONS:
        message = f'"{version}" is not a supported version.'
        raise Refused("api-version-unsupported", 400, message, wrong=True)


def _is_accepted(media: str) -> bool:
    kind = media.partition(";")[0].strip()
    github = kind.startswith("application/vnd.github") and kind.endswith("json")
    return github or kind in {"*/*", "application/*", "application/json", "application/octet-stream"}


def _query(raw: Raw, operation: Operation) -> dict[str, Any]:
    known = {each.name: each for each in operation.parameters if each.place == "query"}
    query: dict[str, Any] = {}
    for name, text in parse_qsl(urlsplit(raw.target).query, keep_blank_values=True):
        if name not in known:
            raise Refused("query-unknown", 400, f"{operation.id} has no query parameter {name!r}", wrong=True)
        if name in query:
            raise Refused("query-repeated", 400, f"{operation.id}: {name!r} twice", wrong=True)
        query[name] = _value(known[name], text, operation)
    missing = [name for name, each in known.items() if each.required and name not in query]
    if missing:
        raise Refused("query-missing", 400, f"{operation.id} needs {missing}", wrong=True)
    return query


def _value(parameter: Parameter, text: str, operation: Operation) -> Any:
    """The value of a text by its parameter's type."""
    place = operation.parameters.index(parameter)
    match parameter.schema["type"]:
        case "integer" if text.isascii() and text.isdigit():
            value: Any = int(text)
        case "boolean":
            value = _TRUTH.get(text, text)
        case _:
            value = text
    if problem := rest().problem(f"{operation.pointer}/parameters/{place}/schema", value):
        message = f"{operation.id}: {parameter.name}={text!r}: {problem}"
        raise Refused(f"{parameter.place}-off-schema", 422 if parameter.place == "query" else 404, message, wrong=True)
    return value


def _body(raw: Raw, operation: Operation) -> Any:
    if not operation.takes_body:
        if raw.body:
            raise Refused("body-unexpected", 400, f"{operation.id} takes no body", wrong=True)
        return None
    body = json_body(raw)
    if problem := rest().problem(f"{operation.pointer}/requestBody", body):
        raise Refused("body-off-schema", 422, f"Invalid request.\n\n{operation.id}: {problem}", wrong=True)
    return body


def json_body(raw: Raw) -> Any:
    """The body as JSON.

    Raises:
        Refused: It is none, or is not said to be.
    """
    kind = raw.headers.get("content-type", "").partition(";")[0].strip()
    if kind != "application/json":
        raise Refused("content-type-wrong", 415, f"a JSON body comes as application/json, not {kind!r}", wrong=True)
    try:
        return json.loads(raw.body)
    except ValueError:
        raise Refused("body-not-json", 400, "Problems parsing JSON", wrong=True) from None
