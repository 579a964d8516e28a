"""How long GitHub is waited for: what it asks for, and an end to it where it hangs.

A time limit on a socket only limits the wait for the next byte. It does not stop a slow name server or an answer that
comes byte by byte, and it begins again with each try of each request. So all requests of a step share one budget of
time, and none outlives it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final, Generic, TypeVar

LONGEST_WAIT_S: Final = 60
Answer = TypeVar("Answer")


class Patience:
    """The waiting time left in all, and the part of it that the API asked for."""

    def __init__(self, seconds: float, wait: Callable[[float], None]) -> None:
        self.waited = 0.0
        self._left = seconds
        self._wait = wait

    def wait(self, seconds: float, *, by_api: bool = True) -> bool:
        """Wait so long; False, and no waiting, when that is more than is left.

        Args:
            seconds: How long.
            by_api: The API answered, and wants it. A pause of ours after no answer is part of its hanging.
        """
        if seconds > min(self._left, LONGEST_WAIT_S):
            return False
        if seconds > 0:
            self._left -= seconds
            self.waited += seconds if by_api else 0
            self._wait(seconds)
        return True


class HangError(TimeoutError):
    """The time is used up; the last request may still be carried out."""


class HangTime:
    """Seconds that requests may still take in all, what the API itself asks to wait not counted."""

    def __init__(self, seconds: float) -> None:
        self._seconds = self._left = seconds

    def spend(self, seconds: float) -> bool:
        """So much has been taken; False when nothing is left."""
        self._left -= max(0.0, seconds)
        return self._left > 0

    def run(self, act: Callable[[], Answer], *, waited: Callable[[], float]) -> Answer:
        """Do `act` in what is left of the time.

        Args:
            act: A request; it is left alone when the time is over.
            waited: Seconds waited so far because the API asked for it.

        Raises:
            HangError: There was no time left, or not enough.
        """
        begun, before = time.monotonic(), waited()

        def spent() -> float:
            return time.monotonic() - begun - (waited() - before)

        job = _Job(act)
        if self._left > 0:
            job.start()
            while job.is_alive() and (left := self._left - spent()) > 0:
                job.join(left)
        over = self._left <= 0 or job.is_alive()
        self.spend(spent())
        if over:
            raise HangError(f"its answers took longer than {self._seconds:g} s in all")
        return job.answer()


class _Job(threading.Thread, Generic[Answer]):
    """A request on a thread of its own, which nothing waits for at the end."""

    def __init__(self, act: Callable[[], Answer]) -> None:
        super().__init__(daemon=True)
        self._act = act
        self._answers: list[Answer] = []
        self._error: BaseException | None = None

    def run(self) -> None:
        try:
            self._answers.append(self._act())
        except BaseException as error:  # noqa: BLE001 - raised again where the answer is asked for
            self._error = error

    def answer(self) -> Answer:
        if self._error is not None:
            raise self._error
        return self._answers[0]
