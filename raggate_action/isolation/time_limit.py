"""Work that is really interrupted when its time is over, a regular expression that never ends included.

In the main thread the system's alarm does it: it is seen between two steps of Python and inside a match of `re`.
Another thread is interrupted between two steps of Python only, for no signal reaches it.
"""

from __future__ import annotations

import math
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")

# A suite's own expression on one reply or answer.
EXPRESSION_S = 5.0
# Again and again: what is raised inside a callback of C code may be swallowed there.
_AGAIN_S = 0.5


class TimeLimitError(Exception):
    """The work was not done in time, and has been given up."""


class _OutOfTime(BaseException):
    pass


class _Limit(threading.local):
    """The innermost limit of a thread.

    Attributes:
        ends: By the monotonic clock.
        armed: Its alarm may interrupt the work; None where there is no limit, and an alarm is somebody else's.
        heard: The alarm comes to us.
        before: Who heard it before; None also where nobody in Python did.
    """

    ends = math.inf
    armed: bool | None = None
    heard = False
    before: object = None


_limit = _Limit()


def _ring(number: int, frame: object) -> None:
    if _limit.armed:
        raise _OutOfTime
    if _limit.armed is None and callable(_limit.before):
        _limit.before(number, frame)


@contextmanager
def many_limits() -> Iterator[None]:
    """Hear the alarm for as long as this lasts, so that not each limit in it has to begin and end that."""
    if _limit.heard or not in_main_thread():
        yield
        return
    before = _limit.before = signal.getsignal(signal.SIGALRM)
    signal.signal(signal.SIGALRM, _ring)
    _limit.heard = True
    try:
        yield
    finally:
        _limit.heard = False
        signal.signal(signal.SIGALRM, before)


def within(seconds: float, work: Callable[[], T]) -> T:
    """Do some work, and give it up where it takes longer. Limits may stand inside one another; the nearest end counts.

    Args:
        seconds: The longest it may take; 0 or less is no time at all.
        work: It must leave nothing half done that anybody else reads.

    Raises:
        TimeLimitError: It was given up.
    """
    if seconds <= 0:
        raise TimeLimitError
    ends = time.monotonic() + seconds
    if ends >= _limit.ends:
        # The limit around this one ends it earlier, and answers for it.
        return work()
    outer, _limit.ends = _limit.ends, ends
    try:
        return (_by_alarm if in_main_thread() else _by_watchdog)(seconds, work)
    except _OutOfTime:
        if time.monotonic() >= outer:
            raise
        raise TimeLimitError from None
    finally:
        _limit.ends = outer


def in_main_thread() -> bool:
    """Whether a match of `re` can be interrupted here."""
    return threading.current_thread() is threading.main_thread()


def _by_alarm(seconds: float, work: Callable[[], T]) -> T:
    if not _limit.heard:
        with many_limits():
            return _by_alarm(seconds, work)
    began, was_armed = time.monotonic(), _limit.armed
    # An outer limit's alarm that comes now is not heard, and rings again.
    _limit.armed = False
    left, interval = signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN_S)
    try:
        try:
            _limit.armed = True
            return work()
        finally:
            _limit.armed = False
    finally:
        # Once more: the alarm may have come between the two.
        _limit.armed = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        _limit.armed = was_armed
        if left:
            # Give the alarm back to whoever had it, an outer limit or foreign code; one that is overdue rings at once.
            remaining = max(left - (time.monotonic() - began), 1e-6)
            signal.setitimer(signal.ITIMER_REAL, remaining, interval)


def _by_watchdog(seconds: float, work: Callable[[], T]) -> T:
    import ctypes

    thread = ctypes.c_ulong(threading.get_ident())
    raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc
    lock, armed, done = threading.Lock(), True, threading.Event()

    def watch() -> None:
        wait = seconds
        while not done.wait(wait):
            with lock:
                if armed:
                    raise_in(thread, ctypes.py_object(_OutOfTime))
            wait = _AGAIN_S

    def end() -> None:
        nonlocal armed
        done.set()
        with lock:
            armed = False

    try:
        threading.Thread(target=watch, daemon=True).start()
        try:
            return work()
        finally:
            end()
    finally:
        # Once more: the interruption may have come between the two. One that is on its way is no longer meant.
        end()
        raise_in(thread, None)
