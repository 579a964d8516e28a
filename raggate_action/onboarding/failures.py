"""Why an app that is asked for the first time gave no answer, and what its owner can do about it."""

from __future__ import annotations

import re

from raggate_action.errors import TargetError
from raggate_action.network.addresses import shown_address
from raggate_action.schema.target import FunctionTarget, HttpTarget
from raggate_action.schema.trace import TargetFailure

# The address is right, and the form of the request is not.
NOT_ALLOWED = 405
REFUSED = frozenset({400, NOT_ALLOWED, 415, 422})
_NEEDS_KEY = frozenset({401, 403})
_NOT_THERE = 404
_STATUS = re.compile(r"(\d{3}) ")
_A_PAGE = re.compile(r"\s*<(!doctype|html|head|body)\b", re.IGNORECASE)
_MISSING_KEY = re.compile(r"\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:KEY|TOKEN|SECRET|PASSWORD))\b")

_KEY_HINT = "Put the key into the environment and name it: --header 'Authorization: Bearer ${APP_KEY}'."
_ADDRESS_HINT = "Name the address that your front end asks, as in http://localhost:8000/ask."
_BODY_HINT = """Say how it is asked: --body '{"query": "{{question}}"}'."""
_PAGE_HINT = "Name the address of its interface, which answers with JSON, not the one people open in a browser."
_JSON_HINT = 'Let it answer with JSON, as in {"answer": "...", "contexts": ["..."]}.'
_SLOW_HINT = "Ask the app by hand to see how long it takes; in a suite `target: timeout_s` allows for more."


def status_of(failure: TargetFailure) -> int | None:
    """The HTTP status an app answered with; None where it did not come so far."""
    found = _STATUS.match(failure.error)
    return int(found[1]) if found else None


def failed(failure: TargetFailure, target: HttpTarget | FunctionTarget) -> TargetError:
    """The failure as an error, with what to do about it."""
    if isinstance(target, FunctionTarget):
        return TargetError(f"{target.function} failed: {failure.error}", hint=_function_hint(failure, target))
    place = shown_address(target.url)
    message, hint = _by_status(failure, place) or _by_words(failure, place)
    return TargetError(message, hint=hint)


def _by_status(failure: TargetFailure, place: str) -> tuple[str, str] | None:
    error, status = failure.error, status_of(failure)
    if status in _NEEDS_KEY:
        return f"{place} wants a key: {error}", _KEY_HINT
    if status == _NOT_THERE:
        return f"there is nothing at {place}: {error}", _ADDRESS_HINT
    if status in REFUSED:
        return f"{place} refuses every usual form of a question: {error}", _BODY_HINT
    return None


def _by_words(failure: TargetFailure, place: str) -> tuple[str, str]:
    error = failure.error
    if "connection refused" in error:
        return f"nothing listens at {place}", "Start your app, then give the same command again."
    if "host name is not known" in error:
        return f"{place}: the host name is not known", "Correct the address."
    if error.startswith("no answer within"):
        return f"{place} gave {error}", _SLOW_HINT
    if _A_PAGE.match(failure.excerpt):
        return f"{place} answers with a page (HTML), not with JSON", _PAGE_HINT
    if error.startswith("reply is"):
        return f"{place}: {error}", _JSON_HINT
    return f"{place} failed: {error}", "Its own log says more."


def _function_hint(failure: TargetFailure, target: FunctionTarget) -> str:
    missing = _MISSING_KEY.search(failure.error)
    if missing is not None and missing[1] not in target.env:
        return f"Only variables that are named reach the app: give --env {missing[1]}."
    return "It is called in the suite's folder with the case, a mapping with `question`, or with the question as text."
