"""How often apps, judges and stores are asked, how long is waited in between, and when that is given up."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from itertools import count
from typing import Literal, NamedTuple, TypeVar

_LONGEST_BACKOFF_S = 10.0
_GIVE_UP_AFTER = 5
Answer = TypeVar("Answer")


class AttemptError(Exception):
    """An attempt that came to nothing.

    Attributes:
        again: Another one may mend it.
        retry_after_s: How long to wait before that, where whoever was asked says so.
    """

    def __init__(self, message: str, *, again: bool = False, retry_after_s: float | None = None) -> None:
        super().__init__(message)
        self.again = again
        self.retry_after_s = retry_after_s


class Backoff(NamedTuple):
    """Waits between attempts: exponential, full jitter; `first_s` is the longest after the first attempt."""

    draw: random.Random
    first_s: float = 0.5

    def seconds(self, attempt: int) -> float:
        """To wait after the failed `attempt` (from 1)."""
        return self.draw.uniform(0, min(_LONGEST_BACKOFF_S, self.first_s * 2 ** (attempt - 1)))


async def with_attempts(
    ask: Callable[[int], Awaitable[Answer]], most: int, backoff: Backoff, *, deadline_s: float | None = None
) -> Answer:
    """Ask, and again where that may mend it.

    Args:
        ask: Makes one attempt, whose number it is given, from 1.
        most: Attempts.
        backoff: Waits where no other wait is asked for.
        deadline_s: How long all of it may take.

    Raises:
        AttemptError: From the last attempt.
        TimeoutError: All of it took longer.
    """
    async with asyncio.timeout(deadline_s):
        for attempt in count(1):
            try:
                return await ask(attempt)
            except AttemptError as error:
                if not error.again or attempt >= most:
                    raise
                await asyncio.sleep(error.retry_after_s or backoff.seconds(attempt))
    raise AssertionError("the last attempt returns or raises")


class Breaker:
    """Whether whoever is asked looks gone: five calls lost in a row, and nothing but losses for `patience_s`.

    Attributes:
        lost: Calls lost in a row.
    """

    def __init__(self, patience_s: float = 0.0) -> None:
        self.lost = 0
        self._patience_s = patience_s
        self._silent_since: float | None = None

    def record(self, outcome: Literal["answered", "missed", "lost"]) -> None:
        """What an attempt came to: an answer, nothing, or nothing as the last of its call."""
        if outcome == "answered":
            self.lost, self._silent_since = 0, None
            return
        self.lost += outcome == "lost"
        if self._silent_since is None:
            self._silent_since = asyncio.get_running_loop().time()

    @property
    def is_open(self) -> bool:
        """Whether to ask no more."""
        if self.lost < _GIVE_UP_AFTER or self._silent_since is None:
            return False
        return asyncio.get_running_loop().time() - self._silent_since >= self._patience_s
