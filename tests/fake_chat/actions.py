"""What a scripted judge does with one request: replies of every kind, errors, silence, broken connections."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any, TypeAlias

from pydantic import JsonValue


class Counted:
    """Says that the usage is counted from the words of request and reply."""


COUNTED = Counted()


class Action:
    """What a request meets."""


@dataclass(frozen=True)
class Reply(Action):
    """A chat completion, status 200.

    Attributes:
        text: What the judge says; None sends `"content": null`.
        after_s: How long it takes.
        finish_reason: Why it ended.
        refusal: The message's refusal.
        usage: As it is sent; None leaves it out.
        choices: Sent instead of the one choice that the others make.
    """

    text: str | None
    after_s: float = 0.0
    finish_reason: str | None = "stop"
    refusal: str | None = None
    usage: Counted | JsonValue = COUNTED
    choices: JsonValue = None


@dataclass(frozen=True)
class Answer(Action):
    """Any HTTP answer: status, body, further headers.

    Attributes:
        body: Sent as it is; JSON where it is no bytes.
        share: The part of the body that is sent before the connection is closed; 1 is all of it.
        drip_s: Wait before each byte of the body; 0 sends it at once.
    """

    status: int
    body: JsonValue | bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    after_s: float = 0.0
    share: float = 1.0
    drip_s: float = 0.0


@dataclass(frozen=True)
class Endless(Action):
    """An answer without an end: the same bytes until the client leaves."""

    part: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Hang(Action):
    """No answer at all, and the connection stays."""


@dataclass(frozen=True)
class Drop(Action):
    """The connection is closed without an answer."""


# A request's body as it came: `model`, `messages`, `response_format` and the parameters.
Body: TypeAlias = dict[str, Any]
# One for all requests; one after another, the last for all further ones; or what the request says.
Script: TypeAlias = Action | list[Action] | Callable[[Body], Action | Awaitable[Action]]


def says(value: JsonValue, *, after_s: float = 0.0, usage: Counted | JsonValue = COUNTED) -> Reply:
    """The judge says a text as it is, anything else as JSON."""
    return Reply(value if isinstance(value, str) else json.dumps(value), after_s=after_s, usage=usage)


def says_fenced(value: JsonValue) -> Reply:
    """JSON inside a Markdown fence, with a sentence before it."""
    return Reply(f"Here is my verdict:\n\n```json\n{json.dumps(value, indent=2)}\n```\n")


def judges(make: Callable[[Body], JsonValue], *, after_s: float = 0.0) -> Callable[[Body], Action]:
    """A judge whose reply is made from the request."""
    return lambda body: says(make(body), after_s=after_s)


def cut_short(value: JsonValue, *, keep: int = 20) -> Reply:
    """A reply cut at its length: the first `keep` characters, `finish_reason: length`."""
    whole = says(value)
    return replace(whole, text=(whole.text or "")[:keep], finish_reason="length")


def refuses(why: str = "I can't help with that.") -> Reply:
    """The model refuses."""
    return Reply(None, refusal=why)


def filtered(text: str | None = "") -> Reply:
    """The provider's content filter took the reply."""
    return Reply(text, finish_reason="content_filter")


def no_choices() -> Reply:
    """A completion without a single choice."""
    return Reply(None, choices=[])


def error(
    status: int, message: str = "it went wrong", *, kind: str = "server_error", code: str | None = None, **headers: str
) -> Answer:
    """An error in OpenAI's form. Headers are given as `retry_after="1"`."""
    body: JsonValue = {"error": {"message": message, "type": kind, "param": None, "code": code}}
    return Answer(status, body, {name.replace("_", "-"): value for name, value in headers.items()})


def too_many(*, retry_after: str | None = None, retry_after_ms: str | None = None) -> Answer:
    """A 429."""
    asked = {"retry_after": retry_after, "retry_after_ms": retry_after_ms}
    headers = {name: value for name, value in asked.items() if value is not None}
    return error(429, "Rate limit reached", kind="requests", code="rate_limit_exceeded", **headers)


def http_date(seconds_from_now: float) -> str:
    """A moment as `Retry-After` may write it: whole seconds."""
    return format_datetime(datetime.now(UTC) + timedelta(seconds=seconds_from_now), usegmt=True)


def no_json() -> Answer:
    """A 200 that says JSON and is none."""
    return Answer(200, b'{"id": "chatcmpl-1", "choices": [{"ind')


def body_cut() -> Answer:
    """A 200 whose connection ends in the middle of the body."""
    return Answer(200, {"id": "chatcmpl-1", "object": "chat.completion", "choices": []}, share=0.5)
