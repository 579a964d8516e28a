"""Runs inside the app's own interpreter: calls the app's functions over JSON lines.

A script on its own: nothing but the standard library, Python 3.8 or newer, and nothing of raggate is imported,
because none of it is installed there.

    python function_worker.py function DIRECTORY module:callable  a case per line in, a trace per line out
    python function_worker.py check DIRECTORY                     {"check", "case", "trace"} in, a line of issues out

The first line out is {"ready": true}, or {"ready": false, "error": "..."} when the function cannot be imported.
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
import re
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
    """The callable named `module:attribute.attribute`."""
    module, _, path = name.partition(":")
    found: Any = importlib.import_module(module)
    for part in path.split("."):
        found = getattr(found, part)
    if not callable(found):
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
        raise TypeError(f"the function returned {type(result).__name__}; return a mapping or text")
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


CALLED_WITH = (
    "the function is called with the case, a mapping with question, case_id and what else the case asks: "
    'take case["question"]'
)


def takes_text(function: Callable[..., Any]) -> str | None:
    """The first parameter of a function that says it is a text; None of any other."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return None
    first = parameters[0] if parameters else None
    return first.name if first is not None and first.annotation in (str, "str") else None


def hint_for(error: BaseException) -> str:
    """What to write instead, where a function took the case for a text; empty otherwise."""
    took = isinstance(error, (TypeError, AttributeError, ValueError)) and re.search(r"\bdict\b", str(error))
    return f"; {CALLED_WITH}" if took else ""


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
        function = find(name)
    except (Exception, SystemExit) as error:
        lines.say(json.dumps({"ready": False, "error": failure(error)}))
        return
    text = takes_text(function)
    if text is not None:
        lines.say(json.dumps({"ready": False, "error": f"its parameter `{text}` is a text, but {CALLED_WITH}"}))
        return
    lines.say(json.dumps({"ready": True}))
    for case in lines:
        try:
            lines.say(reply_line(caller.call(function, case)))
        except (Exception, SystemExit) as error:
            lines.say(json.dumps({"error": failure(error) + hint_for(error)}))


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
