"""Whether a Python function takes the case or the question, and the adapter for one that takes the question."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from pydantic import JsonValue

from raggate_action.schema.target import FunctionTarget

# The module that `init` writes beside the suite for a function that takes the question alone.
ADAPTER = "raggate_app"
_PROBE = "raggate_first_question"
_TAKES, _REPLY = "raggate_takes", "raggate_reply"

# Runs in the app's interpreter, which has nothing of ours. A first parameter that is a text, or is called like one,
# gets the question; one that nothing is known of gets the case, and the question if it cannot use that.
_PROBE_TEXT = f"""\
import importlib
import inspect

NAME = "@NAME@"
TEXTS = {{"question", "query", "q", "prompt", "text", "message", "user_input", "user_query", "input", "input_text"}}
CASES = {{"case", "row", "record", "example", "sample", "payload", "request", "data", "body"}}


def found():
    module, _, path = NAME.partition(":")
    value = importlib.import_module(module)
    for part in path.split("."):
        value = getattr(value, part)
    return value


FUNCTION = found()


def takes():
    try:
        parameters = list(inspect.signature(FUNCTION).parameters.values())
    except (TypeError, ValueError):
        return None
    first = parameters[0] if parameters else None
    if first is None:
        return None
    if first.annotation in (str, "str") or first.name in TEXTS:
        return "question"
    if first.annotation in (dict, "dict") or first.name in CASES:
        return "case"
    return None


def told(kind, result):
    if inspect.isawaitable(result):
        async def awaited():
            return told(kind, await result)
        return awaited()
    if isinstance(result, str):
        result = {{"answer": result}}
    return {{"{_TAKES}": kind, "{_REPLY}": result}}


def answer(case):
    kind = takes()
    if kind == "question":
        return told(kind, FUNCTION(case["question"]))
    try:
        return told("case", FUNCTION(case))
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        if kind == "case":
            raise
    return told("question", FUNCTION(case["question"]))
"""

_ADAPTER_TEXT = '''\
"""How raggate asks the app: it has the case, a mapping with "question" and more; {function} takes the question."""

import {module} as app


def answer(case):
    return app.{path}(case["question"])
'''


class FunctionReply(NamedTuple):
    """What a function replied, and what it was given.

    Attributes:
        takes_question: It was called with the question as text, not with the case.
        reply: What it returned, as JSON.
    """

    takes_question: bool
    reply: JsonValue


@contextmanager
def probed(target: FunctionTarget) -> Iterator[FunctionTarget]:
    """A target that finds out which form the function takes; nothing is written into the app's folder."""
    with tempfile.TemporaryDirectory(prefix="raggate-") as folder:
        (Path(folder) / f"{_PROBE}.py").write_text(_PROBE_TEXT.replace("@NAME@", target.function))
        env = {**target.env, "PYTHONPATH": folder, "PYTHONDONTWRITEBYTECODE": "1"}
        yield target.model_copy(update={"function": f"{_PROBE}:answer", "env": env})


def reply_of(reply: JsonValue) -> FunctionReply:
    """What a probed target replied."""
    if isinstance(reply, dict) and _TAKES in reply:
        return FunctionReply(reply[_TAKES] == "question", reply.get(_REPLY))
    return FunctionReply(takes_question=False, reply=reply)


def adapter(function: str) -> str:
    """The text of a module whose `answer` takes a case and calls a function that takes the question."""
    module, _, path = function.partition(":")
    return _ADAPTER_TEXT.format(function=function, module=module, path=path)
