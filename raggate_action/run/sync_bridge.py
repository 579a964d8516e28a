"""Runs an event loop for a caller who may have one running already: a notebook, an async test, a web server."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, wait
from contextlib import suppress
from typing import Any, Protocol, TypeVar

T = TypeVar("T")

_LOOK_S = 0.1


class RunLoop(Protocol):
    """`asyncio.run`, or what stands in for it."""

    def __call__(self, main: Coroutine[Any, Any, T], /) -> T:
        """Run `main` in a loop made for it, to its end."""
        ...


def outside_any_loop(work: Callable[[RunLoop], T]) -> T:
    """Do work that runs a loop of its own; here, or where a loop is running here already in another thread.

    It blocks either way: a loop that is running here stands still until the work is done. Ctrl-C stops the work as it
    would here.

    Args:
        work: Is given what it has to run its coroutine by.

    Raises:
        KeyboardInterrupt: Ctrl-C.
        CancelledError: The task that waits here was cancelled; `asyncio.run` does that at Ctrl-C.
        BaseException: Whatever the work raises.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return work(asyncio.run)
    return _in_a_thread(work)


def _in_a_thread(work: Callable[[RunLoop], T]) -> T:
    loop = _StoppableLoop()
    outcome: Future[T] = Future()

    def fill() -> None:
        try:
            outcome.set_result(work(loop.run))
        except BaseException as error:  # noqa: BLE001 - raised again by `result`
            outcome.set_exception(error)

    threading.Thread(target=contextvars.copy_context().run, args=(fill,), name="raggate-run").start()
    try:
        _await(outcome)
    except (KeyboardInterrupt, asyncio.CancelledError):
        # Only the main thread is interrupted; what it waits for is asked to end, and ends as it would there.
        loop.stop()
        wait([outcome])
        raise
    return outcome.result()


def _await(outcome: Future[T]) -> None:
    """Wait for the outcome. At Ctrl-C `asyncio.run` only marks its task as cancelled, so that is looked at.

    The thread is not joined: interrupted, Python 3.11 takes it for ended.
    """
    task = asyncio.current_task()
    before = task.cancelling() if task is not None else 0
    while not wait([outcome], timeout=_LOOK_S).done:
        if task is not None and task.cancelling() > before:
            raise asyncio.CancelledError


class _StoppableLoop:
    """An event loop whose work another thread can stop."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stopped = False
        self._cancel: Callable[[], object] | None = None

    def run(self, main: Coroutine[Any, Any, T], /) -> T:
        """Run as `asyncio.run` does; KeyboardInterrupt when it was stopped."""
        try:
            return asyncio.run(self._watched(main))
        except asyncio.CancelledError:
            if self._stopped:
                raise KeyboardInterrupt from None
            raise

    def stop(self) -> None:
        """Cancel what is running, or what will be run."""
        with self._lock:
            self._stopped = True
            if self._cancel is not None:
                # Its loop may have closed by itself.
                with suppress(RuntimeError):
                    self._cancel()

    async def _watched(self, main: Coroutine[Any, Any, T]) -> T:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        with self._lock:
            if self._stopped or task is None:
                main.close()
                raise asyncio.CancelledError
            cancel = task.cancel
            self._cancel = lambda: loop.call_soon_threadsafe(cancel)
        return await main
