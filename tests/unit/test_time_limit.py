"""Work is interrupted when its time is over: in the main thread even inside a regular expression."""

from __future__ import annotations

import re
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest

from raggate_action.isolation.time_limit import TimeLimitError, in_main_thread, many_limits, within

# An alarm that rings inside a callback of the cycle collector (hypothesis has one) is lost there, with a warning; the
# next one counts.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


def endless_match() -> object:
    """2 to the power of 60 steps, all within one call of C code."""
    return re.search(r"(a+)+$", "a" * 60 + "b")


def endless_loop() -> None:
    while True:
        pass


def swallowing_loop() -> None:
    """As a callback of C code may: the first interruption is lost."""
    with suppress(BaseException):
        endless_loop()
    endless_loop()


def in_a_thread(work: Callable[[], Any]) -> Any:
    """What the work returns, or raises, in a thread that is not the main one."""
    found: list[Any] = []

    def run() -> None:
        try:
            found.append(work())
        except Exception as error:  # noqa: BLE001
            found.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(30)
    assert not thread.is_alive()
    return found[0]


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    began = time.monotonic()
    yield
    assert time.monotonic() - began < seconds


@pytest.mark.parametrize("work", [endless_match, endless_loop, swallowing_loop])
def test_what_never_ends_is_given_up(work: Callable[[], object]) -> None:
    # A generous bound: without the limit none of them ever ends.
    with at_most(20), pytest.raises(TimeLimitError):
        within(0.1, work)
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) == signal.SIG_DFL


def test_another_thread_is_interrupted_again_where_the_first_time_was_lost() -> None:
    assert isinstance(in_a_thread(lambda: within(0.1, swallowing_loop)), TimeLimitError)
    assert in_a_thread(lambda: within(5, lambda: "done")) == "done"


def test_work_in_time_returns_what_it_returns_and_leaves_no_alarm() -> None:
    assert within(5, lambda: "done") == "done"
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    with pytest.raises(ValueError, match="its own"):
        within(5, lambda: int("its own"))
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


@pytest.mark.parametrize("seconds", [0, -1.5])
def test_no_time_is_no_work(seconds: float) -> None:
    with pytest.raises(TimeLimitError):
        within(seconds, lambda: pytest.fail("it was begun"))


def test_outside_the_main_thread_python_code_is_given_up() -> None:
    def work() -> object:
        assert not in_main_thread()
        return within(0.1, endless_loop)

    assert isinstance(in_a_thread(work), TimeLimitError)
    assert in_a_thread(lambda: within(5, lambda: "done")) == "done"
    assert in_main_thread()


def test_a_thread_goes_on_unharmed_after_its_limits() -> None:
    def work() -> int:
        for _ in range(200):
            # So short that some end in time, some do not, and some are interrupted at their very end.
            try:
                within(0.0005, lambda: sum(range(10_000)))
            except TimeLimitError:
                continue
        return sum(range(100_000))

    assert in_a_thread(work) == 4_999_950_000


def test_the_main_thread_goes_on_unharmed_after_its_limits() -> None:
    for _ in range(500):
        try:
            within(0.0005, lambda: sum(range(10_000)))
        except TimeLimitError:
            continue
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) == signal.SIG_DFL


def test_the_nearest_of_two_limits_counts() -> None:
    told: list[str] = []

    def inner(seconds: float) -> None:
        try:
            within(seconds, endless_loop)
        except TimeLimitError:
            told.append("inner")
            endless_loop()

    with at_most(20), pytest.raises(TimeLimitError):
        within(0.3, lambda: inner(0.1))
    assert told == ["inner"]
    told.clear()
    # The outer one ends first: the inner one is not to blame, and does not catch it.
    with at_most(20), pytest.raises(TimeLimitError):
        within(0.1, lambda: inner(5))
    assert told == []


def test_an_alarm_of_somebody_else_still_rings() -> None:
    rung: list[float] = []
    signal.signal(signal.SIGALRM, lambda *_: rung.append(time.monotonic()))
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        began = time.monotonic()
        assert within(5, lambda: "done") == "done"
        with pytest.raises(TimeLimitError):
            within(0.05, endless_loop)
        while not rung and time.monotonic() - began < 10:
            time.sleep(0.01)
        assert len(rung) == 1
        assert rung[0] - began >= 0.2
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


def test_among_many_limits_each_counts_and_an_alarm_of_somebody_else_still_rings() -> None:
    rung: list[float] = []
    signal.signal(signal.SIGALRM, lambda *_: rung.append(time.monotonic()))
    try:
        with many_limits():
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            assert [within(5, lambda: "done") for _ in range(3)] == ["done"] * 3
            with pytest.raises(TimeLimitError):
                within(0.05, endless_loop)
            began = time.monotonic()
            while not rung and time.monotonic() - began < 10:
                time.sleep(0.01)
        assert len(rung) == 1
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
