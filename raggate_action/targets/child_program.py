"""A program of the user's that answers lines with lines, in a process group of its own that never outlives us."""

from __future__ import annotations

import asyncio
import os
import signal
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic_core import from_json

from raggate_action.errors import TargetError
from raggate_action.isolation.child_user import ChildUser
from raggate_action.isolation.error_line import ErrorLines
from raggate_action.targets.read_reply import LARGEST_REPLY, TOO_LARGE

# Run by path, never imported: the app's interpreter has nothing of ours.
WORKER = Path(__file__).with_name("function_worker.py")
_LAST_WORDS_LINES = 20
# Far more than is shown: a secret is struck as a whole, before the line is cut.
_LAST_WORDS_WIDTH = 8192
# Lines that nobody has asked for yet; beyond so many, nothing more is read from the program.
_UNREAD_LINES = 16
GRACE_S = 2.0
_POLL_S = 0.02
_LINE_LENGTH = 80
# After its end, how long its last output may take to reach us (a grandchild can hold a pipe open for ever).
_LAST_OUTPUT_S = 0.2

_PLAIN = ErrorLines()


class ProgramEndedError(Exception):
    """The program can answer no further line; the message is one line for people."""


class Program:
    """One running program. Made by `start_program`; ended by `finish` or `stop`."""

    def __init__(
        self, transport: asyncio.SubprocessTransport, pipes: _Pipes, *, grace_s: float, lines: ErrorLines
    ) -> None:
        self._transport = transport
        self._pipes = pipes
        self._lines = lines
        self._grace_s = grace_s
        self._pid = transport.get_pid()
        self._group_gone = False
        pipes.exited.add_done_callback(lambda _exited: self._is_gone())

    async def ask(self, line: bytes) -> bytes:
        """Send one line, without its end, and return the next line the program writes.

        Raises:
            ProgramEndedError: It ended, wrote a line too many before, or one that is too long.
        """
        # A line it wrote in the meantime must be noticed, or every later answer would belong to the case before.
        await asyncio.sleep(0)
        if (stray := self._pipes.stray_line()) is not None:
            excerpt = self._lines.line(stray[:_LAST_WORDS_WIDTH].decode(errors="replace"), _LINE_LENGTH)
            raise ProgramEndedError(f"the program wrote a line too many after its last answer: {excerpt!r}")
        stdin = self._stdin()
        if stdin is not None and not stdin.is_closing():
            stdin.write(line + b"\n")
        return await self.next_line()

    async def whole_answer(self, line: bytes) -> bytes:
        """Send one line and nothing further, and return all that the program writes to its end, without blank lines.

        Raises:
            ProgramEndedError: It ended with another exit status than 0, wrote nothing, or more than is read.
        """
        stdin = self._stdin()
        if stdin is not None and not stdin.is_closing():
            stdin.write(line + b"\n")
        self.no_more_lines()
        written: list[bytes] = []
        size = 0
        while (found := await self._pipes.next_line()) is not None and size <= LARGEST_REPLY:
            written.append(found)
            size += len(found) + 1
        if size > LARGEST_REPLY:
            raise ProgramEndedError(f"reply is {TOO_LARGE}")
        await self._pipes.exited
        if not written or self._transport.get_returncode() != 0:
            raise ProgramEndedError(await self._how_it_ended())
        return b"\n".join(written)

    async def next_line(self) -> bytes:
        """The next line that is not blank.

        Raises:
            ProgramEndedError: There will be none.
        """
        line = await self._pipes.next_line()
        if line is None:
            raise ProgramEndedError(await self._how_it_ended())
        return line

    def no_more_lines(self) -> None:
        """Say that nothing further will be asked."""
        if (stdin := self._stdin()) is not None:
            stdin.close()

    async def finish(self) -> None:
        """Close its stdin, give it some grace to end on its own, then end what is left."""
        try:
            self.no_more_lines()
            await asyncio.wait([self._pipes.exited], timeout=self._grace_s)
        finally:
            await self.stop()

    async def stop(self) -> None:
        """End the whole process group: SIGTERM, and SIGKILL to what is left after some grace."""
        try:
            self._signal(signal.SIGTERM)
            async with asyncio.timeout(self._grace_s):
                while not self._is_gone():  # noqa: ASYNC110 - the system tells of its leader only
                    await asyncio.sleep(_POLL_S)
        except TimeoutError:
            pass
        finally:
            # Without waiting, so that it also happens when we are cancelled a second time.
            self._signal(signal.SIGKILL)
            try:
                await asyncio.wait([self._pipes.exited], timeout=self._grace_s)
            finally:
                self._transport.close()

    def _stdin(self) -> asyncio.WriteTransport | None:
        pipe = self._transport.get_pipe_transport(0)
        return pipe if isinstance(pipe, asyncio.WriteTransport) else None

    def _is_gone(self) -> bool:
        self._signal(0)
        if not self._group_gone and self._pipes.exited.done() and not has_live_member(self._pid):
            self._group_gone = True
        return self._group_gone

    def _signal(self, number: int) -> None:
        # Once the group has ended, the system may give its number to a foreign process.
        if not self._group_gone:
            try:
                os.killpg(self._pid, number)
            except (ProcessLookupError, PermissionError):
                self._group_gone = True

    async def _how_it_ended(self) -> str:
        if self._pipes.too_long:
            return f"reply is {TOO_LARGE}"
        await asyncio.wait([self._pipes.exited], timeout=_LAST_OUTPUT_S)
        await asyncio.wait([self._pipes.silent], timeout=_LAST_OUTPUT_S)
        code = self._transport.get_returncode()
        if code is None:
            how = "the program closed its output without an answer"
        elif code < 0:
            how = f"the program was ended by {signal.Signals(-code).name}"
        else:
            how = f"the program ended with exit code {code} before its answer"
        last = self._pipes.last_words()
        return f"{how}: {last[-1]}" if last else how


async def start_program(
    command: Sequence[str],
    *,
    directory: Path,
    environment: Mapping[str, str],
    child_user: ChildUser | None = None,
    grace_s: float = GRACE_S,
    lines: ErrorLines = _PLAIN,
) -> Program:
    """Start `command` without a shell, as the leader of a new session.

    Args:
        command: Program and arguments.
        directory: Where it runs; a relative program is found from here.
        environment: Its whole environment.
        child_user: Whom it runs as, without groups; ourselves when None.
        grace_s: How long it may take to end when told to.
        lines: Writes what is quoted of command and output.

    Raises:
        TargetError: It cannot be started.
    """
    loop = asyncio.get_running_loop()
    try:
        transport, pipes = await loop.subprocess_exec(
            _Pipes,
            *command,
            cwd=directory,
            env=dict(environment),
            start_new_session=True,
            user=child_user.uid if child_user else None,
            group=child_user.gid if child_user else None,
            extra_groups=() if child_user else None,
        )
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise TargetError(
            f"{lines.line(command[0])!r} cannot be started in {str(directory)!r}: {why}",
            hint="Write the program as it is called from the directory of the suite file.",
        ) from None
    return Program(transport, pipes, grace_s=grace_s, lines=lines)


def has_live_member(group: int) -> bool:
    """Whether a process of the group still runs; True where the system does not say.

    In a container whose first process does not collect its orphans, ended grandchildren stay in their group for ever.
    """
    stats = [*Path("/proc").glob("[0-9]*/stat")]
    return not stats or any(_is_live_member(stat, group) for stat in stats)


def _is_live_member(stat: Path, group: int) -> bool:
    try:
        # After the name, which may contain anything: state, parent, group.
        state, _parent, of_group = stat.read_text(errors="replace").rpartition(")")[2].split()[:3]
    except (OSError, ValueError):
        return False
    return int(of_group) == group and state not in "ZX"


class _Pipes(asyncio.SubprocessProtocol):
    """Collects what the program writes: whole lines of stdout, the last lines of stderr."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.exited: asyncio.Future[None] = loop.create_future()
        self.silent: asyncio.Future[None] = loop.create_future()
        self.too_long = False
        self._lines: deque[bytes] = deque()
        self._partial = bytearray()
        self._more = asyncio.Event()
        self._over = False
        self._stderr: deque[bytes] = deque(maxlen=_LAST_WORDS_LINES)
        self._stderr_partial = b""
        self._transport: asyncio.SubprocessTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The program runs, and this is the way to it."""
        if isinstance(transport, asyncio.SubprocessTransport):
            self._transport = transport

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """The program has written something; of stderr the last lines are kept for a message."""
        if fd == 1:
            self._feed(data)
        else:
            *lines, rest = (self._stderr_partial + data).split(b"\n")
            self._stderr.extend(line[:_LAST_WORDS_WIDTH] for line in lines if line.strip())
            self._stderr_partial = rest[:_LAST_WORDS_WIDTH]

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """Nothing more comes on stdout or stderr; a child of the program may have kept it open until now."""
        del exc
        if fd == 1:
            self._end()
        elif fd == 2 and not self.silent.done():
            self.silent.set_result(None)

    def process_exited(self) -> None:
        """The program itself has ended."""
        if not self.exited.done():
            self.exited.set_result(None)
        # Its stdout may stay open in a grandchild; what it wrote itself is here in a moment.
        asyncio.get_running_loop().call_later(_LAST_OUTPUT_S, self._end)

    async def next_line(self) -> bytes | None:
        """The next line; None when there will be none."""
        while not self._lines and not self._over:
            self._more.clear()
            await self._more.wait()
        if not self._lines:
            return None
        line = self._lines.popleft()
        if len(self._lines) < _UNREAD_LINES and (stdout := self._stdout()) is not None:
            stdout.resume_reading()
        return line

    def stray_line(self) -> bytes | None:
        """A line written before it was asked for; None when there is none."""
        return self._lines[0] if self._lines else None

    def last_words(self) -> list[str]:
        """The last lines of stderr, oldest first."""
        lines = [*self._stderr, self._stderr_partial]
        return [line.decode(errors="replace") for line in lines if line.strip()]

    def _feed(self, data: bytes) -> None:
        *ends, rest = data.split(b"\n")
        for end in ends:
            line = bytes(self._partial) + end
            self._partial.clear()
            if line.strip():
                self._lines.append(line)
        self._partial += rest
        if len(self._partial) > LARGEST_REPLY:
            self.too_long = True
            self._end()
        if (self.too_long or len(self._lines) >= _UNREAD_LINES) and (stdout := self._stdout()) is not None:
            stdout.pause_reading()
        self._more.set()

    def _stdout(self) -> asyncio.ReadTransport | None:
        pipe = self._transport.get_pipe_transport(1) if self._transport else None
        return pipe if isinstance(pipe, asyncio.ReadTransport) and not pipe.is_closing() else None

    def _end(self) -> None:
        if self._partial.strip() and not self.too_long:
            self._lines.append(bytes(self._partial))
        self._partial.clear()
        self._over = True
        self._more.set()


# Loading an app is slower than asking it once.
_SHORTEST_WAIT_S = 60.0
_HINT = "Check `function:`, `python:` and `env:`; the suite's directory is searched for modules first."


async def await_greeting(program: Program, needed: str, *, timeout_s: float, lines: ErrorLines) -> None:
    """Wait until the worker says that it is ready; stop it if it does not.

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
