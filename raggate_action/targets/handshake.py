"""The first line of our worker: whether the app's function can be called at all."""

from __future__ import annotations

import asyncio
from typing import Any

from pydantic_core import from_json

from raggate_action.errors import TargetError
from raggate_action.isolation.error_line import ErrorLines
from raggate_action.targets.child_program import Program, ProgramEndedError

# Loading an app is slower than asking it once.
_SHORTEST_WAIT_S = 60.0
_HINT = "Check `function:`, `python:` and `env:`; the suite's directory is searched for modules first."


async def await_greeting(program: Program, needed: str, *, timeout_s: float, lines: ErrorLines) -> None:
    """Wait until the worker says that it is ready; otherwise stop it.

    Args:
        program: The worker, just started.
        needed: What it has to load, for the message.
        timeout_s: Longest wait; never less than a minute.
        lines: Writes what it says.

    Raises:
        TargetError: It cannot be ready, and why.
    """
    longest_s = max(timeout_s, _SHORTEST_WAIT_S)
    why = f"not loaded within {longest_s:g} s"
    is_ready = False
    try:
        async with asyncio.timeout(longest_s):
            greeting = _greeting(await program.next_line(), lines)
        is_ready = greeting.get("ready") is True
        why = str(greeting.get("error"))
    except ProgramEndedError as error:
        why = str(error)
    except TimeoutError:
        pass
    finally:
        if not is_ready:
            await program.stop()
    if not is_ready:
        raise TargetError(f"{needed} cannot be called: {lines.line(why)}", hint=_HINT)


def _greeting(line: bytes, lines: ErrorLines) -> dict[str, Any]:
    try:
        greeting: Any = from_json(line)
    except ValueError:
        greeting = None
    if isinstance(greeting, dict):
        return greeting
    return {"error": f"it wrote {lines.line(line.decode(errors='replace'), 80)!r}"}
