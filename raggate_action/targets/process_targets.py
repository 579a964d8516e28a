"""A RAG app behind a program that reads a case per line and writes a trace per line, or behind a Python function."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncGenerator, Iterable
from contextlib import aclosing
from pathlib import Path
from typing import NamedTuple

from pydantic import JsonValue
from pydantic_core import from_json, to_json

from raggate_action.errors import TargetError
from raggate_action.isolation.child_environment import child_environment
from raggate_action.isolation.child_user import ChildUser
from raggate_action.isolation.error_line import ErrorLines
from raggate_action.isolation.secrets import Secrets, values_of_secret_names
from raggate_action.replies.mapping import has_placeholder, placeholder_problem, request_body
from raggate_action.schema.case import Case, PlacedCase
from raggate_action.schema.target import CommandTarget, FunctionTarget
from raggate_action.schema.trace import Reply, TargetFailure
from raggate_action.targets.child_program import (
    GRACE_S,
    WORKER,
    Program,
    ProgramEndedError,
    await_greeting,
    start_program,
)
from raggate_action.targets.interface import Surroundings
from raggate_action.targets.pacing import ask_concurrently, clock_s, milliseconds_since
from raggate_action.targets.read_reply import OffSchema, ReplyReader, Unread, reply_from
from raggate_action.targets.reply_mapping import ReplyMapping

_NO_REPLY = b'{"ready": false, "error": "TypeError: the function returned '
_NO_REPLY_HINT = 'Let it return {"answer": "...", "context": ["..."]}, or the answer alone.'


class Calling(NamedTuple):
    """How a program is called.

    Attributes:
        command: Program and arguments.
        directory: Where it runs.
        environment: Its whole environment.
        reader: Reads its lines, without the secrets of the suite and of its environment in what it writes.
        timeout_s: Longest wait for one case.
        concurrency: Processes side by side.
        per_case: Started anew for every case.
        greets: It writes a line before its first case that says whether it can answer at all; the text names what
            it needs. None for a program that does not.
        grace_s: How long a process may take to end when told to.
        child_user: Whom it runs as; ourselves when None.
        warm_up: Each process is asked its first case once before it counts, unless it has only that one.
    """

    command: tuple[str, ...]
    directory: Path
    environment: dict[str, str]
    reader: ReplyReader
    timeout_s: float
    concurrency: int
    per_case: bool = False
    greets: str | None = None
    grace_s: float = GRACE_S
    child_user: ChildUser | None = None
    warm_up: bool = False


def calling_of(
    target: CommandTarget | FunctionTarget, surroundings: Surroundings, mapping: ReplyMapping, *, warm_up: bool = False
) -> Calling:
    """How a suite's command is called from its directory; a function by a command that runs our worker."""
    if isinstance(target, CommandTarget):
        command, greets = target.command, None
        per_case = target.per_case or _is_filled_in(command)
    else:
        python, per_case = target.python or sys.executable, False
        command = (python, str(WORKER), "function", str(surroundings.directory.resolve()), target.function)
        greets = f"{target.function} with {python}"
    lines = ErrorLines([*surroundings.secrets, *values_of_secret_names(target.env)])
    return Calling(
        command=command,
        directory=surroundings.directory,
        environment=child_environment(surroundings.environment, target.env, surroundings.child_user),
        reader=ReplyReader(mapping, Secrets(surroundings.secrets), lines),
        timeout_s=target.timeout_s,
        concurrency=target.concurrency,
        per_case=per_case,
        greets=greets,
        child_user=surroundings.child_user,
        warm_up=warm_up,
    )


class CommandApp:
    """Asks a RAG app over lines of JSON; implements `Asked`.

    Attributes:
        mapping: Reads its replies.
    """

    def __init__(self, calling: Calling) -> None:
        self.mapping = calling.reader.mapping
        self._calling = calling
        self._has_worked = self._has_answered = False

    async def replies(self, cases: Iterable[PlacedCase]) -> AsyncGenerator[tuple[PlacedCase, Reply | Unread], None]:
        """See `Target.replies`. However it is left, no process of the program remains."""
        lanes = [_ProgramLane(self._calling, self) for _ in range(self._calling.concurrency)]
        try:
            async with aclosing(ask_concurrently(cases, [lane.ask for lane in lanes])) as answers:
                async for answer in answers:
                    yield answer
            await asyncio.gather(*(lane.finish() for lane in lanes))
        finally:
            await asyncio.gather(*(lane.stop() for lane in lanes))

    def check_reply(self, raw: bytes) -> None:
        """Look at a reply.

        Raises:
            TargetError: It is the first of all, and the function returns what can be no reply.
        """
        calling = self._calling
        if calling.greets is not None and not self._has_answered and raw.startswith(_NO_REPLY):
            why = calling.reader.lines.line(from_json(raw)["error"])
            raise TargetError(f"{calling.greets} cannot be called: {why}", hint=_NO_REPLY_HINT)
        self._has_answered = True

    async def program(self, case: Case) -> Program:
        """A program that is ready to be asked, about `case` where its arguments hold it.

        Raises:
            TargetError: It has never worked.
            ProgramEndedError: This time it does not.
        """
        calling = self._calling
        try:
            program = await start_program(
                _command(calling.command, case),
                directory=calling.directory,
                environment=calling.environment,
                child_user=calling.child_user,
                grace_s=calling.grace_s,
                lines=calling.reader.lines,
            )
            if calling.greets is not None:
                await await_greeting(program, calling.greets, timeout_s=calling.timeout_s, lines=calling.reader.lines)
        except TargetError as error:
            if self._has_worked:
                raise ProgramEndedError(str(error)) from None
            raise
        self._has_worked = True
        return program


class _ProgramLane:
    """One place for a process of the program; asks one case at a time."""

    def __init__(self, calling: Calling, app: CommandApp) -> None:
        self._calling = calling
        self._app = app
        self._program: Program | None = None

    async def ask(self, placed: PlacedCase) -> Reply | Unread:
        """The reply of one case; whatever went wrong, the next case finds a program in step."""
        begun = clock_s()
        try:
            if self._program is None:
                self._program = await self._app.program(placed.case)
                await self._warm_up(placed)
            begun = clock_s()
            async with asyncio.timeout(self._calling.timeout_s):
                line = _line(placed.case)
                if self._calling.per_case:
                    raw = _reply_of(await self._program.whole_answer(line))
                else:
                    raw = await self._program.ask(line)
        except (TimeoutError, ProgramEndedError) as error:
            latency_ms = milliseconds_since(begun)
            await self.stop()
            timed_out = isinstance(error, TimeoutError)
            words = f"no answer within {self._calling.timeout_s:g} s" if timed_out else str(error)
            return TargetFailure(self._calling.reader.lines.line(words), latency_ms, words)
        latency_ms = milliseconds_since(begun)
        self._app.check_reply(raw)
        read = self._calling.reader.read(raw, latency_ms)
        if isinstance(read, OffSchema):
            # A line that is no trace may be a stray print, with the answer still to come: a new process is in step.
            await self.stop()
        elif self._calling.per_case:
            await self.finish()
        return reply_from(read, raw, latency_ms, self._calling.reader.lines)

    async def _warm_up(self, placed: PlacedCase) -> None:
        """Have the new program answer a case that does not count; one that cannot is replaced by a cold one."""
        if self._program is None or not self._calling.warm_up or self._calling.per_case:
            return
        try:
            async with asyncio.timeout(self._calling.timeout_s):
                raw = await self._program.ask(_line(placed.case))
        except (TimeoutError, ProgramEndedError):
            raw = b""
        if isinstance(self._calling.reader.read(raw, 0), OffSchema):
            await self.stop()
            self._program = await self._app.program(placed.case)

    async def finish(self) -> None:
        """Let the program end by itself."""
        if self._program is not None:
            await self._program.finish()
            self._program = None

    async def stop(self) -> None:
        """End the program."""
        if self._program is not None:
            await self._program.stop()
            self._program = None


def _is_filled_in(command: tuple[str, ...]) -> bool:
    """Whether arguments hold placeholders, and none that is unknown: those are a template of the program's own."""
    arguments: list[JsonValue] = [*command[1:]]
    return has_placeholder(arguments) and placeholder_problem(arguments) is None


def _command(command: tuple[str, ...], case: Case) -> list[str]:
    """Program and arguments, filled in; the program itself is never what a case says."""
    program, *arguments = command
    if not _is_filled_in(command):
        return [*command]
    filled = request_body(list(arguments), case)
    words = [each if isinstance(each, str) else json.dumps(each) for each in filled] if isinstance(filled, list) else []
    # No argument of a program can hold a NUL.
    return [program, *[word.replace("\0", " ") for word in words]]


def _reply_of(written: bytes) -> bytes:
    """All that a program wrote as a reply: its first line or all of it, where that is JSON, else as an answer."""
    for text in (written.partition(b"\n")[0], written):
        try:
            if isinstance(from_json(text), dict):
                return text
        except ValueError:
            continue
    return to_json({"answer": written.decode(errors="replace").strip()})


def _line(case: Case) -> bytes:
    return json.dumps(request_body(None, case)).encode()
