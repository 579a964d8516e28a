"""The error that a reply states in place of an answer, in the forms that apps and protocols have for it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from pydantic import JsonValue

from raggate_action.replies.machine_values import is_prose
from raggate_action.replies.reply_forms import read_answer

_KEYS = ("error", "errors")
# Around a whole reply: the result of JSON-RPC, the data of GraphQL and of workflow engines.
_ENVELOPES = ("result", "data", "response", "output", "body")
_MESSAGE_KEYS = ("message", "msg", "detail", "details", "description", "reason", "title", "error", "data")
_CODE_KEYS = ("code", "type", "status", "name")
_DEEPEST = 4
_LONGEST = 2000


class StatedError(NamedTuple):
    """An error that a reply states.

    Attributes:
        text: What it says, for people.
        path: Where it stands.
        is_flagged: The reply is marked as failed as a whole (MCP's `isError`), so that its text is no answer.
    """

    text: str
    path: str
    is_flagged: bool = False


def stated_error(reply: JsonValue) -> StatedError | None:
    """The error at the top of a reply or in one envelope around it; None where nothing, null, false or 0 stands there.

    Whether an answer beside it counts is for the caller to say, except where the reply is marked as failed.
    """
    if not isinstance(reply, dict):
        return None
    inner = [(f"{name}.", held) for name in _ENVELOPES if isinstance(held := reply.get(name), dict)]
    places = [("", reply), *inner]
    for prefix, place in places:
        if place.get("isError") is True:
            text = read_answer(place.get("content")) or "the reply says `isError`"
            return StatedError(text, f"{prefix}content", is_flagged=True)
    for prefix, place in places:
        for key in _KEYS:
            # A number there may be a count.
            value = place.get(key)
            if value is True or (not isinstance(value, int | float) and _says_something(value)):
                return StatedError(_words(value) or f"the reply has `{prefix}{key}`", f"{prefix}{key}")
    return _failure(reply)


def _failure(reply: dict[str, JsonValue]) -> StatedError | None:
    """A reply that says of itself that it failed: `{"success": false, "message": ...}`, or a status of HTTP's."""
    code = next((value for key in _STATUS_KEYS if isinstance(value := reply.get(key), int)), 0)
    state = reply.get("status")
    message_key = next((key for key in _MESSAGE_KEYS if isinstance(reply.get(key), str)), None)
    failed = any(reply.get(key) is False for key in ("success", "ok")) or code >= _BAD
    failed = failed or (
        _has_code_of_failure(reply) and not any(_is_content(reply[key]) for key in reply if key != message_key)
    )
    failed = failed or (isinstance(state, str) and state.lower() in _FAILED)
    if message_key is None or not failed:
        return None
    return StatedError(_words(reply[message_key]) or "the reply says that it failed", message_key)


def _has_code_of_failure(reply: dict[str, JsonValue]) -> bool:
    """Whether a code of the app's own says that it failed: by its name, or a number that is not 0 and no 2xx."""
    codes = [reply[key] for key in _CODES_OF_APPS if key in reply]
    numbers = [code for code in codes if isinstance(code, int) and not isinstance(code, bool)]
    named = any(isinstance(code, str) and _name_of_failure().search(code) for code in codes)
    return named or any(code and code not in _GOOD for code in numbers)


def _is_content(value: JsonValue) -> bool:
    return is_prose(value) if isinstance(value, str) else isinstance(value, dict | list) and bool(value)


_CODES_OF_APPS = ("code", "retcode", "ret_code", "errcode", "err_code", "error_code", "errorCode")
_GOOD = range(200, 300)
_STATUS_KEYS = ("statusCode", "status_code", "status", "code")
_BAD = 400
_FAILED = frozenset({"error", "failed", "failure", "fail"})


@cache
def _name_of_failure() -> re.Pattern[str]:
    """Names of errors, as `ThrottlingException`; compiled for the first reply that has a code in words."""
    return re.compile(
        r"invalid|error|denied|exceed|not.?found|fail|throttl|unauthori[sz]ed|forbidden|unavailable|timeout",
        re.IGNORECASE,
    )


def _says_something(value: JsonValue) -> bool:
    """Whether anything stands there: `{"code": 0, "message": ""}` is how some apps say that all went well."""
    if isinstance(value, dict):
        return any(map(_says_something, value.values()))
    if isinstance(value, list):
        return any(map(_says_something, value))
    return bool(value.strip()) if isinstance(value, str) else bool(value)


def _words(value: JsonValue) -> str:
    return _message(value, _DEEPEST)[:_LONGEST]


def _message(value: JsonValue, depth: int) -> str:
    """The message of an error, its code behind it; of several the first, and how many more there are."""
    if not depth or value is None or isinstance(value, bool):
        return ""
    if isinstance(value, str | int | float):
        return str(value).strip()
    if isinstance(value, list):
        texts = [text for each in value if (text := _message(each, depth - 1))]
        more = len(texts) - 1
        return f"{texts[0]} (and {more} more)" if more > 0 else "".join(texts)
    message = next(_found(value, _MESSAGE_KEYS, depth), "")
    code = next(_found(value, _CODE_KEYS, depth), "")
    return f"{message} ({code})" if message and code and code not in message else message or code


def _found(value: dict[str, JsonValue], keys: tuple[str, ...], depth: int) -> Iterator[str]:
    yield from (text for key in keys if (text := _message(value.get(key), depth - 1)))
