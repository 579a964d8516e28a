"""Asks a target the way the evaluator does, and looks for processes it may have left behind."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from contextlib import aclosing
from pathlib import Path
from typing import Any

from raggate_action.schema.case import Case, PlacedCase
from raggate_action.schema.trace import Answered, NoTrace, Reply, TargetFailure
from raggate_action.targets.interface import Target, no_progress
from raggate_action.targets.path_choice import ChoosingApp


def placed(*case_ids: str, **fields: Any) -> list[PlacedCase]:
    """Cases of these ids, in this order."""
    cases = [Case(**{"case_id": case_id, "question": f"What is {case_id}?", **fields}) for case_id in case_ids]
    return [PlacedCase(case, position, "digest", "cases.yaml", 1) for position, case in enumerate(cases)]


def numbered(count: int) -> list[PlacedCase]:
    """Cases q0, q1, ..."""
    return placed(*(f"q{number}" for number in range(count)))


def ask_all(app: Any, cases: Iterable[PlacedCase]) -> dict[str, Reply]:
    """Every case's reply by case id, in the order they finished."""
    target: Target = app
    if hasattr(app, "mapping") and not isinstance(app, ChoosingApp):
        target = ChoosingApp(app, asks_context=False, tell=no_progress)

    async def ask() -> dict[str, Reply]:
        async with aclosing(target.replies(cases)) as replies:
            return {case.case.case_id: reply async for case, reply in replies}

    return asyncio.run(ask())


def answer(reply: Reply) -> str:
    """The answer's text of a reply that is one."""
    assert isinstance(reply, Answered), reply
    return reply.trace.reply.text


def error(reply: Reply) -> str:
    """The error line of a reply that is a failure."""
    assert isinstance(reply, TargetFailure), reply
    assert "\n" not in reply.error
    return reply.error


def latency_ms(reply: Reply) -> float:
    """What was measured for a reply."""
    assert not isinstance(reply, NoTrace)
    assert reply.latency_ms is not None
    return reply.latency_ms


def is_running(pid: int) -> bool:
    """Whether a process is alive; one that has ended and only waits for its parent is not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX"


def eventually(holds: Callable[[], bool], *, within_s: float = 3.0) -> bool:
    """Whether something becomes true soon."""
    deadline = time.monotonic() + within_s
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True
