"""A RAG app behind a callable of this very process: a test's fixture, a notebook's function."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import json
import re
import threading
from collections.abc import AsyncGenerator, Callable, Iterable
from concurrent.futures import Future
from contextlib import aclosing
from functools import partial
from itertools import chain, islice
from queue import SimpleQueue
from typing import Any, TypeAlias

from raggate_action.isolation.error_line import ErrorLines
from raggate_action.isolation.secrets import Secrets
from raggate_action.replies.mapping import request_body
from raggate_action.schema.case import PlacedCase
from raggate_action.schema.evidence import EvidenceStore
from raggate_action.schema.trace import Reply, TargetFailure
from raggate_action.targets.function_worker import failure, reply_line
from raggate_action.targets.pacing import ask_concurrently, clock_s, milliseconds_since
from raggate_action.targets.read_reply import ReplyReader, Unread
from raggate_action.targets.reply_mapping import ReplyMapping

# Called with the case as a mapping; returns, or returns an awaitable of, trace JSON or the answer's text.
AppCallable: TypeAlias = Callable[[dict[str, Any]], object]


class InProcessApp:
    """Asks a callable; implements `Asked`. What it raises is the failed answer of that case.

    An async callable is awaited in the loop of whoever takes the replies. Any other is called in a thread, the same
    one for case after case; one that is still at work when its time is over cannot be stopped, so its thread is left
    behind and the next case gets a new one.
    """

    def __init__(
        self,
        function: AppCallable,
        *,
        timeout_s: float,
        concurrency: int,
        secrets: tuple[str, ...] = (),
        warm_up: bool = False,
        store: EvidenceStore | None = None,
    ) -> None:
        """Nothing is called yet.

        Args:
            function: The app.
            timeout_s: Longest wait for one case.
            concurrency: Cases under way at once.
            secrets: Struck from every reply as it comes in.
            warm_up: Call it with the first case once before that counts, and throw the answer away.
            store: The evidence store, which knows the chunks of a reply.
        """
        self._is_cold = warm_up
        self.mapping = ReplyMapping(store=store)
        reader = ReplyReader(self.mapping, Secrets(secrets), ErrorLines(secrets))
        self._lane = partial(_CallLane, function, timeout_s, reader)
        self._concurrency = concurrency

    async def replies(self, cases: Iterable[PlacedCase]) -> AsyncGenerator[tuple[PlacedCase, Reply | Unread], None]:
        """Ask every case by a call. See `Target.replies`."""
        lanes = [self._lane() for _ in range(self._concurrency)]
        source = iter(cases)
        first = tuple(islice(source, 1))
        try:
            if self._is_cold and first:
                self._is_cold = False
                await lanes[0].ask(first[0])
            async with aclosing(ask_concurrently(chain(first, source), [lane.ask for lane in lanes])) as answers:
                async for answer in answers:
                    yield answer
        finally:
            for lane in lanes:
                lane.leave_thread()


class _CallLane:
    """One place for a call; asks one case at a time."""

    def __init__(self, function: AppCallable, timeout_s: float, reader: ReplyReader) -> None:
        self._function = function
        self._timeout_s = timeout_s
        self._reader = reader
        self._thread: _CallingThread | None = None

    async def ask(self, placed: PlacedCase) -> Reply | Unread:
        """The reply of one case."""
        begun = clock_s()
        # A task of its own: an app that cancels itself ends its own case, not the run.
        call = asyncio.ensure_future(self._line(request_body(None, placed.case)))
        try:
            await asyncio.wait({call}, timeout=self._timeout_s)
            latency_ms = milliseconds_since(begun)
            if not call.done():
                self.leave_thread()
                words = f"no answer within {self._timeout_s:g} s"
                return TargetFailure(self._reader.lines.line(words), latency_ms, words)
            line = _failed("the callable cancelled itself") if call.cancelled() else call.result()
        finally:
            call.cancel()
        return self._reader.reply(line.encode(errors="replace"), latency_ms)

    def leave_thread(self) -> None:
        """Let the thread end once its call has ended."""
        if self._thread is not None:
            self._thread.end()
            self._thread = None

    async def _line(self, case: Any) -> str:
        """The app's reply to a case, as a line of trace JSON."""
        function = self._function
        try:
            if inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__):
                result = function(case)
            else:
                self._thread = self._thread or _CallingThread()
                result, raised = await asyncio.wrap_future(self._thread.call(function, case))
                if raised is not None:
                    raise raised  # noqa: TRY301 - as if the call had been made here
            return reply_line(await result if inspect.isawaitable(result) else result)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - an app may raise anything
            return _failed(failure(error.with_traceback(_of_the_app(error))) + _hint_for(error))


_CALLED_WITH = (
    "the function is called with the case, a mapping with question, case_id and what else the case asks: "
    'take case["question"]'
)


def _hint_for(error: BaseException) -> str:
    """What to write instead, where a function took the case for a text; empty otherwise."""
    took = isinstance(error, (TypeError, AttributeError, ValueError)) and re.search(r"\bdict\b", str(error))
    return f"; {_CALLED_WITH}" if took else ""


# A call's result, and what it raised: a future cannot be given every error.
_Outcome: TypeAlias = tuple[object, BaseException | None]


class _CallingThread:
    """A thread that calls what it is given, one call after the other.

    It does not keep the process from ending, as the threads of an executor would.
    """

    def __init__(self) -> None:
        self._calls: SimpleQueue[tuple[Future[_Outcome], Callable[[], object]] | None] = SimpleQueue()
        threading.Thread(target=self._serve, name="raggate-app", daemon=True).start()

    def call(self, function: AppCallable, case: dict[str, Any]) -> Future[_Outcome]:
        """Call a function in the thread, with the caller's context variables."""
        future: Future[_Outcome] = Future()
        context = contextvars.copy_context()
        self._calls.put((future, lambda: context.run(function, case)))
        return future

    def end(self) -> None:
        """No further call comes."""
        self._calls.put(None)

    def _serve(self) -> None:
        while (given := self._calls.get()) is not None:
            future, call = given
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result((call(), None))
                except BaseException as error:  # noqa: BLE001 - raised again where the answer is awaited
                    future.set_result((None, error))


def _failed(error: str) -> str:
    return json.dumps({"error": error})


def _of_the_app(error: BaseException) -> Any:
    """The traceback without the steps of this file that led to the app."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    return trace
