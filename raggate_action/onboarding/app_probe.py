"""One question to an app that has no suite yet: the form of the request, the reply, or why it failed."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterator
from typing import NamedTuple

from pydantic import JsonValue, ValidationError

from raggate_action.errors import TargetError, UsageError
from raggate_action.network.addresses import printable_address
from raggate_action.onboarding.setup import Setup
from raggate_action.replies.mapping import ReplyMismatchError, has_placeholder
from raggate_action.replies.place_choice import AskedReply, Understanding
from raggate_action.schema.case import Case, PlacedCase, case_digest
from raggate_action.schema.reply_limits import reply_problem
from raggate_action.schema.target import AUTO, CommandTarget, FunctionTarget, HttpRequest, HttpTarget, RecordedTarget
from raggate_action.schema.trace import TargetFailure, Trace
from raggate_action.suite_files.secret_values import secrets_of
from raggate_action.suite_files.target_section import REFERENCE, with_values
from raggate_action.targets.interface import Surroundings, no_progress
from raggate_action.targets.read_reply import schema_problems
from raggate_action.targets.reply_mapping import NotChosenError, ReplyMapping, shape_of
from raggate_action.targets.target_factory import Attempt, LiveTarget, answers_by_the_line, ask_once

# The address is right, and the form of the request is not.
NOT_ALLOWED = 405
REFUSED = frozenset({400, NOT_ALLOWED, 415, 422})
_NEEDS_KEY = frozenset({401, 403})
_NOT_THERE = 404
_STATUS = re.compile(r"(\d{3}) ")
_A_PAGE = re.compile(r"\s*<(!doctype|html|head|body)\b", re.IGNORECASE)
_MISSING_KEY = re.compile(r"\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:KEY|TOKEN|SECRET|PASSWORD))\b")

_KEY_HINT = "Put the key into the environment and name it: --header '%s${APP_KEY}'."
_KEY_HEADER = re.compile(r"\b(X-[\w-]*\w|(?:\w+-)*(?:Api-?Key|Token|Secret))\b", re.IGNORECASE)
_ADDRESS_HINT = "Name the address that your front end asks, as in http://localhost:8000/ask."
_BODY_HINT = """Say how it is asked: --body '{"query": "{{question}}"}'."""
_METHOD_HINT = (
    """Write the suite by hand, with `request: {method: GET, body: {NAME: "{{question}}"}}` under `target:`. """
    "`init` posts; GET it tries only without --body, with the usual names."
)
_PAGE_HINT = "Name the address of its interface, which answers with JSON, not the one people open in a browser."
_JSON_HINT = 'Let it answer with JSON, as in {"answer": "...", "contexts": ["..."]}.'
_SLOW_HINT = "Ask the app by hand to see how long it takes; in a suite `target: timeout_s` allows for more."


def status_of(failure: TargetFailure) -> int | None:
    """The HTTP status an app answered with; None where it did not come so far."""
    found = _STATUS.match(failure.error)
    return int(found[1]) if found else None


def target_error(failure: TargetFailure, target: LiveTarget) -> TargetError:
    """The failure as an error, with what to do about it."""
    if isinstance(target, FunctionTarget):
        return TargetError(f"{target.function} failed: {failure.error}", hint=_function_hint(failure, target))
    if isinstance(target, CommandTarget):
        return TargetError(
            f"`{shlex.join(target.command)}` failed: {failure.error}", hint=_command_hint(failure, target)
        )
    place = printable_address(target.url)
    message, hint = _by_status(failure, place, target.request.method) or _by_words(failure, place)
    return TargetError(message, hint=hint)


def _by_status(failure: TargetFailure, place: str, method: str) -> tuple[str, str] | None:
    error, status = failure.error, status_of(failure)
    if status in _NEEDS_KEY:
        named = _KEY_HEADER.search(failure.excerpt)
        header = f"{named[1]}: " if named is not None else "Authorization: Bearer "
        return f"{place} wants a key: {error}", _KEY_HINT % header
    if status == _NOT_THERE:
        return f"there is nothing at {place}: {error}", _ADDRESS_HINT
    if status == NOT_ALLOWED:
        return f"{place} takes no {method}: {error}", _METHOD_HINT
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


def _command_hint(failure: TargetFailure, target: CommandTarget) -> str:
    missing = _missing_key(failure, target)
    if missing:
        return f"Only variables that are named reach the app: give --env {missing}."
    if any(map(has_placeholder, target.command)):
        return "It runs in the suite's folder, without a shell; what it prints on standard output is its answer."
    return (
        "It is given the case as a line of JSON on standard input. One that takes the question as an argument is named "
        "with '{{question}}' where the question goes."
    )


def _missing_key(failure: TargetFailure, target: FunctionTarget | CommandTarget) -> str:
    """The variable that an app names in its error and does not get; empty for none."""
    missing = _MISSING_KEY.search(failure.error)
    return missing[1] if missing is not None and missing[1] not in target.env else ""


def _function_hint(failure: TargetFailure, target: FunctionTarget) -> str:
    if missing := _missing_key(failure, target):
        return f"Only variables that are named reach the app: give --env {missing}."
    return "It is called in the suite's folder with the case, a mapping with `question`, or with the question as text."


class ReadReply(NamedTuple):
    """A reply, read.

    Attributes:
        trace: The trace; None where it could not be read as one.
        paths: Trace field -> path in the reply; empty for trace JSON itself.
        problem: Why there is no trace; empty where there is one.
        shape: Keys and types of the reply.
        has_context: The reply has a place for the context, filled or not.
        found: What else its answer and evidence could be; None where paths were given.
    """

    trace: Trace | None
    paths: dict[str, str]
    problem: str
    shape: str
    has_context: bool
    found: Understanding | None = None


def reply_parts(reply: JsonValue, mapping: ReplyMapping, question: str = "") -> ReadReply:
    """Read a reply as a run reads it; where paths have to be chosen, or do not fit it, they are chosen by it alone."""
    shape = shape_of(reply)
    try:
        trace = _trace_or_fault(_fields(reply, mapping, question))
    except ReplyMismatchError as error:
        trace = str(error)
    paths = mapping.explicit.expressions if mapping.explicit is not None else mapping.paths
    if isinstance(trace, str):
        return ReadReply(None, paths, trace, shape, has_context=False)
    has_context = "context" in paths if mapping.explicit is not None else trace.context is not None
    return ReadReply(trace, paths, "", shape, has_context)


def _fields(reply: JsonValue, mapping: ReplyMapping, question: str) -> dict[str, object]:
    try:
        return mapping.trace_json(reply, may_wait=True)
    except (NotChosenError, ReplyMismatchError):
        if mapping.explicit is None:
            mapping.choose([AskedReply(question, reply)], asks_context=False)
        return mapping.trace_json(reply)


def _trace_or_fault(fields: dict[str, object]) -> Trace | str:
    try:
        trace = Trace.model_validate_json(json.dumps(fields))
    except ValidationError as error:
        return schema_problems(error)
    return reply_problem(trace) or trace


# What apps call the question in a request, the usual first.
_BODY_NAMES = ("question", "query", "input", "message", "prompt", "text", "q")
_CHAT: JsonValue = {"messages": "{{messages}}"}


class FirstReply(NamedTuple):
    """An app's reply to one question.

    Attributes:
        question: The question.
        target: The app as it wants to be asked; `${VARS}` as written.
        reply: Its reply as JSON, secrets struck.
        latency_ms: Time to it.
    """

    question: str
    target: LiveTarget
    reply: JsonValue
    latency_ms: float | None


def asked_case(question: str, case_id: str = "first-question") -> PlacedCase:
    """A question as a case."""
    case = Case(case_id=case_id, question=question)
    return PlacedCase(case, 0, case_digest(case), "", 1)


async def first_reply(target: LiveTarget, question: str, setup: Setup) -> FirstReply:
    """Ask the app once; where an http app refuses the form of the request, other usual forms are tried.

    Args:
        target: The app as it was named; an http target with a body is asked with that body alone.
        question: The question.
        setup: Where it is asked from.

    Raises:
        TargetError: The app cannot be asked, or fails.
        UsageError: A variable that the target names is not set.
    """
    refused: TargetFailure | None = None
    forms, tried = list(_forms(target)), list[LiveTarget]()
    while forms:
        form = forms.pop(0)
        if form in tried:
            continue
        tried.append(form)
        attempt = await _attempt(form, question, setup)
        if attempt.failure is None:
            return FirstReply(question, form, attempt.reply, attempt.latency_ms)
        refused = attempt.failure if refused is None or status_of(attempt.failure) not in REFUSED else refused
        if status_of(attempt.failure) not in REFUSED:
            break
        if status_of(attempt.failure) == NOT_ALLOWED:
            forms = [each for each in forms if isinstance(each, HttpTarget) and each.request.method == "GET"]
        elif isinstance(form, HttpTarget) and forms and (named := _named_by(attempt.failure)) is not None:
            forms.insert(0, _with_body(form, named))
    raise target_error(refused or TargetFailure("there was no reply"), target)


def _surroundings(target: LiveTarget, setup: Setup, tell: Callable[[str], object] = no_progress) -> Surroundings:
    return Surroundings(setup.folder, setup.environment, None, secrets_of(target, setup.environment), tell)


async def _attempt(target: LiveTarget, question: str, setup: Setup) -> Attempt:
    for text in _texts(target):
        for name in REFERENCE.findall(text):
            if name and not setup.environment.get(name):
                raise UsageError(
                    f"${{{name}}} is not set in the environment",
                    hint=f"Set it where you run this command: export {name}=...",
                )
    filled = with_values(target, setup.environment)
    if isinstance(filled, HttpTarget):
        filled = filled.model_copy(update={"attempts": 1})
    assert not isinstance(filled, RecordedTarget)  # noqa: S101
    try:
        return await ask_once(filled, asked_case(question), _surroundings(target, setup, setup.tell))
    except TargetError as error:
        if not isinstance(target, FunctionTarget):
            raise
        # It could not even be imported.
        why = str(error).partition(" cannot be called: ")[2] or str(error)
        raise target_error(TargetFailure(why), target) from None


def _texts(target: LiveTarget) -> tuple[str, ...]:
    if isinstance(target, HttpTarget):
        return (target.url, *target.headers.values(), json.dumps(target.request.body))
    words = target.command if isinstance(target, CommandTarget) else ()
    return (*words, *target.env.values())


def _with_body(target: HttpTarget, body: JsonValue) -> HttpTarget:
    return target.model_copy(update={"request": HttpRequest(method=target.request.method, body=body)})


def _forms(target: LiveTarget) -> Iterator[LiveTarget]:
    """The ways to ask, in order; one where the way is named."""
    if isinstance(target, CommandTarget):
        # Without the question among its arguments it reads lines, or its input to the end: it is given one line and
        # the end.
        filled_in = any(map(has_placeholder, target.command))
        yield target if filled_in else target.model_copy(update={"per_case": True})
        return
    if isinstance(target, FunctionTarget) or target.request.body is not None:
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


# A program that reads its input to the end never answers the first line.
_SHORTEST_TRIAL_S = 5.0


async def command_target(target: CommandTarget, setup: Setup, latency_ms: float | None) -> CommandTarget:
    """A program as a suite names it: one that answers line after line is started once, not for every case.

    Args:
        target: The program as it answered.
        setup: The question it answered, and the paths of its reply.
        latency_ms: How long it took then, its start included.
    """
    if not target.per_case:
        return target
    longest_s = max(_SHORTEST_TRIAL_S, 2 * (latency_ms or 0) / 1000)
    response = dict(setup.paths) or AUTO
    once = target.model_copy(update={"per_case": False, "timeout_s": longest_s, "response": response})
    filled = with_values(once, setup.environment)
    by_line = isinstance(filled, CommandTarget) and await answers_by_the_line(
        filled, asked_case(setup.asked), _surroundings(target, setup)
    )
    return target.model_copy(update={"per_case": False}) if by_line else target
