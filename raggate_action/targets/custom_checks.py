"""Runs the suite's own checks: `module:callable` given case and trace, returning a list of issues."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pydantic_core import from_json

from raggate_action.errors import TargetError
from raggate_action.isolation.child_user import ChildUser
from raggate_action.isolation.error_line import ErrorLines
from raggate_action.schema.case import Case
from raggate_action.schema.trace import STAGES, ToolCall, Trace, TracedChunk
from raggate_action.targets.child_program import WORKER, Program, ProgramEndedError, await_greeting, start_program

_ISSUES_AT_MOST = 50


class CheckFailure(NamedTuple):
    """A check could not say anything; `detail` is one line for people."""

    detail: str


class CustomChecks:
    """Asks custom checks in processes of their own; `aclose` ends them.

    One process serves as many checks as it can: another is started only while all that run are busy, one after the
    other, and never more than `processes`.
    """

    def __init__(
        self,
        directory: Path,
        *,
        python: str | None,
        env: Mapping[str, str],
        timeout_s: float,
        processes: int = 1,
        child_user: ChildUser | None = None,
        secrets: Sequence[str] = (),
    ) -> None:
        """Prepare; a process is started by the first check.

        Args:
            directory: The suite's; checks are modules in it.
            python: The interpreter; raggate's own when None.
            env: A process's whole environment, see `child_environment`.
            timeout_s: Longest wait for one check.
            processes: How many may run side by side.
            child_user: Whom the processes run as; ourselves when None.
            secrets: Struck from what checks say.
        """
        self._directory = directory
        self._python = python or sys.executable
        self._env = dict(env)
        self._timeout_s = timeout_s
        self._child_user = child_user
        self._idle: list[Program] = []
        self._lines = ErrorLines(secrets)
        self._places = asyncio.Semaphore(processes)
        self._one_starts = asyncio.Lock()

    async def issues_of(self, case: Case, trace: Trace) -> tuple[str, ...] | CheckFailure:
        """What the case's check finds; empty when it finds nothing or the case names none."""
        if case.custom_check is None:
            return ()
        visible = {
            "case": case.model_dump(mode="json", exclude={"trace"}, exclude_none=True),
            "trace": _trace_json(trace),
        }
        question = json.dumps({"check": case.custom_check, **visible}).encode()
        async with self._places:
            try:
                program = await self._ready()
            except (ProgramEndedError, TargetError) as error:
                return self._failure(f"{case.custom_check}: {error}")
            in_step = False
            try:
                async with asyncio.timeout(self._timeout_s):
                    line = await program.ask(question)
                in_step = True
                return self._read(line)
            except TimeoutError:
                return self._failure(f"{case.custom_check} did not end within {self._timeout_s:g} s")
            except ProgramEndedError as error:
                return self._failure(f"{case.custom_check}: {error}")
            finally:
                if in_step:
                    self._idle.append(program)
                else:
                    await program.stop()

    async def aclose(self) -> None:
        """End the processes; nothing may be asked afterwards."""
        idle, self._idle = self._idle, []
        await asyncio.gather(*(program.finish() for program in idle))

    async def _ready(self) -> Program:
        """A process that can be asked."""
        if self._idle:
            return self._idle.pop()
        async with self._one_starts:
            # While others were started some may have become idle.
            return self._idle.pop() if self._idle else await self._started()

    async def _started(self) -> Program:
        program = await start_program(
            (self._python, str(WORKER), "check", str(self._directory.resolve())),
            directory=self._directory,
            environment=self._env,
            child_user=self._child_user,
            lines=self._lines,
        )
        await await_greeting(program, "the custom checks", timeout_s=self._timeout_s, lines=self._lines)
        return program

    def _read(self, line: bytes) -> tuple[str, ...] | CheckFailure:
        reply: dict[str, Any] = from_json(line)
        if "issues" not in reply:
            return self._failure(str(reply.get("error")))
        return tuple(self._lines.line(issue) for issue in reply["issues"][:_ISSUES_AT_MOST])

    def _failure(self, detail: str) -> CheckFailure:
        return CheckFailure(self._lines.line(detail))


def _trace_json(trace: Trace) -> dict[str, Any]:
    """The trace in its long forms only, so that a check need not ask which form the app wrote."""
    long: dict[str, Any] = {"answer": trace.reply}
    for stage in STAGES:
        if (chunks := getattr(trace, stage)) is not None:
            long[stage] = tuple(TracedChunk(chunk_id=c) if isinstance(c, str) else c for c in chunks)
    if trace.versions is not None:
        long["versions"] = trace.version_pairs
    if trace.tool_calls is not None:
        long["tool_calls"] = tuple(ToolCall(name=c) if isinstance(c, str) else c for c in trace.tool_calls)
    return trace.model_copy(update=long).model_dump(mode="json", exclude_none=True)
