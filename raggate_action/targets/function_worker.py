"""Runs inside the app's own interpreter: calls the app's functions over JSON lines.

A script on its own: nothing but the standard library, Python 3.8 or newer, and nothing of raggate is imported,
because none of it is installed there.

    python function_worker.py function DIRECTORY module:callable  a case per line in, a trace per line out
    python function_worker.py check DIRECTORY                     {"check", "case", "trace"} in, a line of issues out

The first line out is {"ready": true}, or {"ready": false, "error": "..."} when the function cannot be imported. The
latter is also the reply for what a function returned that can be no reply; nothing at all it may return for one case.
"""

# ruff: noqa: E402, PTH119, PTH120, BLE001 - the path is cleaned before any import; an app may raise anything

from __future__ import annotations

import os
import sys

# This script's directory has modules named like the standard library's; they must not be found.
_HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:] = [entry for entry in sys.path if os.path.realpath(entry or os.curdir) != _HERE]

import asyncio
import dataclasses
import importlib
import inspect
import json
import traceback
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, BinaryIO


class Lines:
    """Our side of stdin and stdout, taken away from the app: its prints go to stderr, its reads find nothing."""

    def __init__(self) -> None:
        self._requests: BinaryIO = os.fdopen(os.dup(0), "rb")
        self._output: BinaryIO = os.fdopen(os.dup(1), "wb")
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)

    def __iter__(self) -> Lines:
        return self

    def __next__(self) -> dict[str, Any]:
        line = self._requests.readline()
        if not line:
            raise StopIteration
        request: dict[str, Any] = json.loads(line)
        return request

    def say(self, line: str) -> None:
        """Write one line of JSON."""
        self._output.write(line.encode() + b"\n")
        self._output.flush()


class Caller:
    """Calls sync and async functions; async ones share one loop, so that the app's clients live on between calls."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None

    def call(self, function: Callable[..., Any], *arguments: object) -> Any:
        """The function's result, awaited where it has to be."""
        result = function(*arguments)
        if not inspect.isawaitable(result):
            return result
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            asyncio.set_event_loop(self._loop)
        return self._loop.run_until_complete(_awaited(result))

    def close(self) -> None:
        """Let go of the loop."""
        if self._loop is not None:
            self._loop.close()


async def _awaited(result: Any) -> Any:
    return await result


def find(name: str) -> Callable[..., Any]:
    """The callable, or object with `invoke`, named `module:attribute.attribute`."""
    module, _, path = name.partition(":")
    found: Any = importlib.import_module(module)
    for part in path.split("."):
        found = getattr(found, part)
    if not callable(found) and not callable(getattr(found, "invoke", None)):
        raise TypeError(f"{name} is not callable")
    return found  # type: ignore[no-any-return]


def as_json(value: Any) -> Any:
    """What JSON has no form for: documents, dataclasses, pydantic models, sets, dates, arrays, plain objects."""
    found = document(value)
    if found is not None:
        return found
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    for method in ("model_dump", "_asdict", "tolist", "isoformat"):
        if callable(getattr(value, method, None)) and not isinstance(value, type):
            return getattr(value, method)()
    if isinstance(value, (set, frozenset)):
        return sorted(value, key=str)
    if hasattr(value, "keys") and hasattr(value, "__getitem__"):
        return {key: value[key] for key in value.keys()}  # noqa: SIM118 - a mapping of any kind
    if hasattr(value, "__dict__") and not isinstance(value, type) and not callable(value):
        return vars(value)
    raise TypeError(f"a {type(value).__name__} cannot be written as JSON")


def document(value: Any) -> Any:
    """A document or node of a framework by the attributes it is known by; None for anything else."""
    if isinstance(value, type):
        return None
    metadata = getattr(value, "metadata", None)
    if isinstance(getattr(value, "page_content", None), str):
        text, names = value.page_content, ["id"]
    elif callable(getattr(value, "get_content", None)) and isinstance(getattr(value, "node_id", None), str):
        text, names = value.get_content(), ["node_id", "ref_doc_id"]
    else:
        return None
    found = {name: getattr(value, name, None) for name in names}
    return {"text": text, "metadata": dict(metadata) if isinstance(metadata, dict) else {}, **found}


def reply_line(result: Any) -> str:
    """What a function returned, as JSON; text is the answer."""
    if isinstance(result, str):
        result = {"answer": result}
    if hasattr(result, "_asdict"):
        result = result._asdict()
    line = json.dumps(result, default=as_json)
    if not line.startswith("{"):
        error = f"TypeError: the function returned {type(result).__name__}; return a mapping or text"
        return json.dumps({"error": error} if result is None else {"ready": False, "error": error})
    return line


def issues_of(result: Any) -> list[str]:
    """What a check returned, as a list of issues."""
    if result is None:
        # None comes from a path without `return`: it has checked nothing, or forgot to return what it found.
        raise TypeError("the check returned nothing; return a list of issues, [] where there are none")
    if isinstance(result, str):
        return [result] if result else []
    if isinstance(result, (list, tuple)) and all(isinstance(issue, str) for issue in result):
        return list(result)
    raise TypeError(f"the check returned {type(result).__name__}; return a list of issues, one text each")


# Called like a text, a first parameter gets the question; called like a case, nothing else is tried.
TEXTS = frozenset(
    "question query q prompt text message user_input user_query input input_text".split()  # noqa: SIM905
)
CASES = frozenset("case row record example sample payload request data body".split())  # noqa: SIM905
WRONG_ARGUMENT = (AssertionError, AttributeError, LookupError, TypeError, ValueError)
_LONGEST_FAILURE = 160


def question_of(case: dict[str, Any]) -> str:
    """What a case asks; of a conversation its last turn."""
    question: str = case["question"] if "question" in case else case["messages"][-1]["content"]
    return question


ARGUMENTS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "the case": lambda case: case,
    "the question as text": question_of,
    '{"input": question}': lambda case: {"input": question_of(case)},
}


class App:
    """A function, or an object with `invoke`, and what it is called with, which its first answer decides."""

    def __init__(self, name: str, caller: Caller) -> None:
        found: Any = find(name)
        self._caller = caller
        self._wrapper = ""
        invoke = None if isinstance(found, type) else getattr(found, "invoke", None)
        self._function = invoke if callable(invoke) else found
        case, text, mapping = ARGUMENTS
        if self._function is invoke:
            self._takes = [text, mapping]
            call = name.partition(":")[2] + ".invoke"
            self._wrapper = f'; write what it takes: def answer(case): return {call}(... case["question"] ...)'
            return
        first = first_parameter(found)
        if first is not None and (first.annotation in (str, "str") or first.name in TEXTS):
            self._takes = [text, case]
        elif first is not None and (first.annotation in (dict, "dict") or first.name in CASES):
            self._takes = [case]
        else:
            self._takes = [case, text]

    def reply(self, case: dict[str, Any]) -> str:
        """The reply to a case, as a line."""
        failures: dict[str, str] = {}
        for argument in self._takes:
            try:
                result = self._caller.call(self._function, ARGUMENTS[argument](case))
            except (Exception, SystemExit) as error:
                failures.setdefault(failure(error), argument)
                if not isinstance(error, WRONG_ARGUMENT):
                    break
            else:
                self._takes, self._wrapper = [argument], ""
                return reply_line(result)
        told = [f"called with {argument}: {text[:_LONGEST_FAILURE]}" for text, argument in failures.items()]
        return json.dumps({"error": "; ".join(told if len(told) > 1 else failures) + self._wrapper})


def first_parameter(function: Callable[..., Any]) -> inspect.Parameter | None:
    """The first parameter of a function; None without one, and where nobody can tell."""
    try:
        return next(iter(inspect.signature(function).parameters.values()), None)
    except (TypeError, ValueError):
        return None


def failure(error: BaseException) -> str:
    """`ValueError: what (app.py line 12)`: the innermost place outside this script."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename != __file__]
    frames = [frame for frame in frames if not frame.filename.startswith("<")]
    place = f" ({os.path.basename(frames[-1].filename)} line {frames[-1].lineno})" if frames else ""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}{': ' if text else ''}{text}{place}"


def answer_cases(lines: Lines, caller: Caller, name: str) -> None:
    """Answer one case per line with the function called `name`."""
    try:
        app = App(name, caller)
    except (Exception, SystemExit) as error:
        missing = isinstance(error, ModuleNotFoundError) and error.name == name.partition(":")[0].split(".")[0]
        place = f"; it is looked for in {sys.path[0]} first" if missing else ""
        lines.say(json.dumps({"ready": False, "error": failure(error) + place}))
        return
    lines.say(json.dumps({"ready": True}))
    for case in lines:
        try:
            lines.say(app.reply(case))
        except (Exception, SystemExit) as error:
            lines.say(json.dumps({"error": failure(error)}))


def answer_checks(lines: Lines, caller: Caller) -> None:
    """Run one check per line."""
    lines.say(json.dumps({"ready": True}))
    for request in lines:
        try:
            issues = issues_of(caller.call(find(request["check"]), request["case"], request["trace"]))
            lines.say(json.dumps({"issues": issues}))
        except (Exception, SystemExit) as error:
            lines.say(json.dumps({"error": failure(error)}))


def main() -> None:
    """Do what the command line says until there is no further line."""
    job, directory = sys.argv[1:3]
    lines = Lines()
    caller = Caller()
    sys.path.insert(0, directory)
    try:
        if job == "check":
            answer_checks(lines, caller)
        else:
            answer_cases(lines, caller, sys.argv[3])
    finally:
        caller.close()


if __name__ == "__main__":
    main()
