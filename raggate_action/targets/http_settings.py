"""What an HTTP target's settings must be, and what of them no message may show."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from urllib.parse import parse_qsl, unquote, urlsplit

from pydantic import JsonValue

from raggate_action.errors import UsageError
from raggate_action.network.addresses import EXAMPLE, address_problem
from raggate_action.replies.mapping import placeholder_problem
from raggate_action.schema.target import HttpTarget

_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_HEADER_VALUE = re.compile(r"[\t\x20-\x7e]*")
_NEVER_SECRET = frozenset({"accept", "accept-language", "content-type", "user-agent"})


def check_settings(target: HttpTarget) -> None:
    """Refuse what could not be sent for any case.

    Raises:
        UsageError: The url is none, a header cannot be sent, or the request body has an unknown placeholder.
    """
    _check_url("url", target.url)
    if target.ready is not None:
        _check_url("ready: url", target.ready.url)
    for name, value in target.headers.items():
        if not _HEADER_NAME.fullmatch(name) or not _HEADER_VALUE.fullmatch(value):
            raise UsageError(
                f"target: headers: {name!r} cannot be sent",
                hint="Write a header name without spaces and a value of printable ASCII characters on one line.",
            )
    if problem := placeholder_problem(target.request.body):
        raise UsageError(f"target: request: body: {problem}", hint="Correct the placeholder or write it in words.")
    if target.request.method == "GET" and not isinstance(target.request.body, dict | None):
        raise UsageError(
            "target: request: body: a GET request sends it as query parameters, so it must be an object",
            hint='Write `body: {q: "{{question}}"}`, or use POST.',
        )


def place_of(url: str) -> str:
    """The url as messages may show it: without user, password and query."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def secrets_of(target: HttpTarget) -> Iterator[str]:
    """Every string of the settings that an app could echo and no message may show."""
    for name, value in target.headers.items():
        if name.lower() not in _NEVER_SECRET:
            yield value
            # "Bearer abc": the token alone is the secret.
            yield value.rpartition(" ")[2]
    for url in (target.url, *([target.ready.url] if target.ready else [])):
        yield from _secrets_of_url(url)


def _secrets_of_url(url: str) -> Iterator[str]:
    parts = urlsplit(url)
    user, _, password = parts.netloc.rpartition("@")[0].partition(":")
    for part in (user, password):
        yield from (part, unquote(part))
    yield base64.b64encode(f"{unquote(user)}:{unquote(password)}".encode()).decode()
    yield parts.query
    for pair in parts.query.split("&"):
        yield pair.partition("=")[2]
    yield from (value for _name, value in parse_qsl(parts.query))


def _check_url(name: str, url: str) -> None:
    if problem := address_problem(url):
        raise UsageError(
            f"target: {name}: is not an address that can be asked: {problem}",
            hint=f"Write a whole one, as in {EXAMPLE}.",
        )


def as_query(value: JsonValue) -> str:
    """A value as a query parameter: text as it is, anything else as JSON."""
    # A lone surrogate has no place in a url.
    return value.encode(errors="replace").decode() if isinstance(value, str) else json.dumps(value)
