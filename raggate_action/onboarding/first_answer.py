"""An app asked one question, before there is a suite: how it wants to be asked, and what it replies."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from pydantic import JsonValue

from raggate_action.addresses import shown_address
from raggate_action.errors import RaggateError, TargetError, UsageError
from raggate_action.schema.case import Case, PlacedCase, case_digest
from raggate_action.schema.target import FunctionTarget, HttpRequest, HttpTarget
from raggate_action.schema.trace import TargetFailure
from raggate_action.suite_files.target_secrets import secrets_of
from raggate_action.suite_files.variables import REFERENCE, with_values
from raggate_action.targets.one_reply import Heard, ask_once
from raggate_action.targets.surroundings import Surroundings, unheard

# What apps call the question in a request, the usual first.
_BODY_NAMES = ("question", "query", "input", "message", "prompt", "text", "q")
_CHAT: JsonValue = {"messages": "{{messages}}"}
_WRONG_BODY = frozenset({400, 415, 422})
_NEEDS_KEY = frozenset({401, 403})
_NOT_ALLOWED = 405
_NOT_THERE = 404
_STATUS = re.compile(r"(\d{3}) ")
_A_PAGE = re.compile(r"\s*<(!doctype|html|head|body)\b", re.IGNORECASE)
_MISSING_KEY = re.compile(r"\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:KEY|TOKEN|SECRET|PASSWORD))\b")


class FirstAnswer(NamedTuple):
    """What one question showed.

    Attributes:
        target: The app as it wants to be asked; `${VARS}` as written.
        reply: Its reply as JSON, secrets struck.
        latency_ms: Time to it.
    """

    target: HttpTarget | FunctionTarget
    reply: JsonValue
    latency_ms: float | None


class Asking(NamedTuple):
    """What is asked, and from where.

    Attributes:
        question: The question.
        directory: The suite's folder, in which a function's module is found.
        environment: Where variables come from.
        tell: Shows a line while the app is waited for.
    """

    question: str
    directory: Path
    environment: Mapping[str, str]
    tell: Callable[[str], object] = unheard

    @property
    def placed(self) -> PlacedCase:
        """The question as a case."""
        case = Case(case_id="first-question", question=self.question)
        return PlacedCase(case, 0, case_digest(case), "", 1)


async def first_answer(target: HttpTarget | FunctionTarget, asking: Asking) -> FirstAnswer:
    """Ask the app once; where an http app refuses the form of the request, other usual forms are tried.

    Args:
        target: The app as it was named; an http target with a body is asked with that body alone.
        asking: The question.

    Raises:
        TargetError: The app cannot be asked, or fails.
        UsageError: A variable that the target names is not set.
    """
    first: Heard | None = None
    for form in _forms(target):
        heard = await _heard(form, asking)
        if heard.failure is None:
            return FirstAnswer(form, heard.reply, heard.latency_ms)
        first = first or heard
        if isinstance(form, HttpTarget) and (named := _named_by(heard.failure)) is not None and not _has_body(target):
            again = await _heard(_with_body(form, named), asking)
            if again.failure is None:
                return FirstAnswer(_with_body(form, named), again.reply, again.latency_ms)
        if _status(heard.failure) not in {*_WRONG_BODY, _NOT_ALLOWED}:
            first = heard
            break
    failure = first.failure if first is not None and first.failure is not None else TargetFailure("there was no reply")
    raise failed(failure, target)


async def _heard(target: HttpTarget | FunctionTarget, asking: Asking) -> Heard:
    for text in _texts(target):
        for name in REFERENCE.findall(text):
            if name and not asking.environment.get(name):
                raise UsageError(
                    f"${{{name}}} is not set in the environment",
                    hint=f"Set it where you run this command: export {name}=...",
                )
    secrets = secrets_of(target, asking.environment)
    surroundings = Surroundings(asking.directory, asking.environment, None, secrets, asking.tell)
    filled = with_values(target, asking.environment)
    if isinstance(filled, HttpTarget):
        filled = filled.model_copy(update={"attempts": 1})
    assert isinstance(filled, HttpTarget | FunctionTarget)  # noqa: S101 - of the kind it was
    return await ask_once(filled, asking.placed, surroundings)


def _texts(target: HttpTarget | FunctionTarget) -> tuple[str, ...]:
    if isinstance(target, HttpTarget):
        return (target.url, *target.headers.values(), json.dumps(target.request.body))
    return tuple(target.env.values())


def _has_body(target: HttpTarget | FunctionTarget) -> bool:
    return isinstance(target, FunctionTarget) or target.request.body is not None


def _with_body(target: HttpTarget, body: JsonValue) -> HttpTarget:
    return target.model_copy(update={"request": HttpRequest(method=target.request.method, body=body)})


def _forms(target: HttpTarget | FunctionTarget) -> Iterator[HttpTarget | FunctionTarget]:
    """The ways to ask, in order; one where the way is named."""
    if isinstance(target, FunctionTarget) or _has_body(target):
        yield target
        return
    bodies: list[JsonValue] = [{name: "{{question}}"} for name in _BODY_NAMES]
    yield from (_with_body(target, body) for body in [*bodies[:2], _CHAT, *bodies[2:]])
    by_get = target.model_copy(update={"request": HttpRequest(method="GET")})
    yield from (_with_body(by_get, body) for body in bodies[:2])


def _named_by(failure: TargetFailure) -> JsonValue:
    """The body that an app asks for in refusing another, as FastAPI does; None where it names no field."""
    try:
        detail = json.loads(failure.excerpt)["detail"]
        missing = [each["loc"] for each in detail if each["type"] == "missing"]
    except (ValueError, TypeError, KeyError):
        return None
    if len(missing) != 1 or missing[0][0] != "body" or len(missing[0]) != 2:
        return None
    name = str(missing[0][1])
    return dict(_CHAT) if name == "messages" and isinstance(_CHAT, dict) else {name: "{{question}}"}


def _status(failure: TargetFailure) -> int | None:
    found = _STATUS.match(failure.error)
    return int(found[1]) if found else None


def failed(failure: TargetFailure, target: HttpTarget | FunctionTarget) -> RaggateError:
    """Why an app gave no answer, with what to do about it."""
    if isinstance(target, FunctionTarget):
        return TargetError(f"{target.function} failed: {failure.error}", hint=_function_hint(failure, target))
    place = shown_address(target.url)
    error, status = failure.error, _status(failure)
    if "connection refused" in error:
        return TargetError(f"nothing listens at {place}", hint="Start your app, then give the same command again.")
    if "host name is not known" in error:
        return TargetError(f"{place}: the host name is not known", hint="Correct the address.")
    if error.startswith("no answer within"):
        hint = "Ask the app by hand to see how long it takes; in a suite `target: timeout_s` allows for more."
        return TargetError(f"{place} gave {error}", hint=hint)
    if status in _NEEDS_KEY:
        hint = "Put the key into the environment and name it: --header 'Authorization: Bearer ${APP_KEY}'."
        return TargetError(f"{place} wants a key: {error}", hint=hint)
    if status == _NOT_THERE:
        hint = "Name the address that your front end asks, as in http://localhost:8000/ask."
        return TargetError(f"there is nothing at {place}: {error}", hint=hint)
    if status in {*_WRONG_BODY, _NOT_ALLOWED}:
        hint = """Say how it is asked: --body '{"query": "{{question}}"}'."""
        return TargetError(f"{place} refuses every usual form of a question: {error}", hint=hint)
    if _A_PAGE.match(failure.excerpt):
        hint = "Name the address of its interface, which answers with JSON, not the one people open in a browser."
        return TargetError(f"{place} answers with a page (HTML): {error}", hint=hint)
    if error.startswith("reply is"):
        hint = 'Let it answer with JSON, as in {"answer": "...", "contexts": ["..."]}.'
        return TargetError(f"{place}: {error}", hint=hint)
    return TargetError(f"{place} failed: {error}", hint="Its own log says more.")


def _function_hint(failure: TargetFailure, target: FunctionTarget) -> str:
    missing = _MISSING_KEY.search(failure.error)
    if missing is not None and missing[1] not in target.env:
        return f"Only variables that are named reach the app: give --env {missing[1]}."
    return "It is called in the suite's folder with the case, a mapping with `question`; its own error is above."
