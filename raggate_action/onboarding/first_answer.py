"""An app asked one question, before there is a suite: how it wants to be asked, and what it replies."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from pydantic import JsonValue

from raggate_action.errors import TargetError, UsageError
from raggate_action.onboarding.failures import NOT_ALLOWED, REFUSED, failed, status_of
from raggate_action.schema.case import Case, PlacedCase, case_digest
from raggate_action.schema.target import FunctionTarget, HttpRequest, HttpTarget
from raggate_action.schema.trace import TargetFailure
from raggate_action.suite_files.secret_values import secrets_of
from raggate_action.suite_files.target_section import REFERENCE, with_values
from raggate_action.targets.one_reply import Heard, ask_once
from raggate_action.targets.surroundings import Surroundings, unheard

# What apps call the question in a request, the usual first.
_BODY_NAMES = ("question", "query", "input", "message", "prompt", "text", "q")
_CHAT: JsonValue = {"messages": "{{messages}}"}


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


async def first_answer(
    target: HttpTarget | FunctionTarget, asking: Asking, *, shown_as: FunctionTarget | None = None
) -> FirstAnswer:
    """Ask the app once; where an http app refuses the form of the request, other usual forms are tried.

    Args:
        target: The app as it was named; an http target with a body is asked with that body alone.
        asking: The question.
        shown_as: The function that messages name, where another stands before it.

    Raises:
        TargetError: The app cannot be asked, or fails.
        UsageError: A variable that the target names is not set.
    """
    refused: TargetFailure | None = None
    forms, tried = list(_forms(target)), list[HttpTarget | FunctionTarget]()
    while forms:
        form = forms.pop(0)
        if form in tried:
            continue
        tried.append(form)
        heard = await _heard(form, asking, shown_as)
        if heard.failure is None:
            return FirstAnswer(form, heard.reply, heard.latency_ms)
        refused = heard.failure if refused is None or status_of(heard.failure) not in REFUSED else refused
        if status_of(heard.failure) not in REFUSED:
            break
        if status_of(heard.failure) == NOT_ALLOWED:
            forms = [each for each in forms if isinstance(each, HttpTarget) and each.request.method == "GET"]
        elif isinstance(form, HttpTarget) and forms and (named := _named_by(heard.failure)) is not None:
            forms.insert(0, _with_body(form, named))
    raise failed(refused or TargetFailure("there was no reply"), shown_as or target)


async def _heard(target: HttpTarget | FunctionTarget, asking: Asking, shown_as: FunctionTarget | None) -> Heard:
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
    if not isinstance(filled, HttpTarget | FunctionTarget):
        raise TypeError(type(filled).__name__)
    try:
        return await ask_once(filled, asking.placed, surroundings)
    except TargetError as error:
        named = shown_as or target
        if not isinstance(named, FunctionTarget):
            raise
        # It could not even be imported; the words are of the function that was meant.
        raise failed(TargetFailure(str(error).partition(" cannot be called: ")[2] or str(error)), named) from None


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
