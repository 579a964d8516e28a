"""How hard an endpoint may be asked: lanes that narrow on refusal, a pause for all of them, waits between attempts."""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

# Who asks for a longer pause is not waited for in this run.
LONGEST_PAUSE_S = 120.0
_LONGEST_BACKOFF_S = 10.0
FIRST_BACKOFF_S = 0.5


class RateLimit:
    """The lanes of one endpoint: at most `bound` calls under way, fewer after it said that these were too many.

    Each refusal for haste halves the lanes; each full round of replies gives one back.
    """

    def __init__(self, bound: int, draw: random.Random, *, first_backoff_s: float = FIRST_BACKOFF_S) -> None:
        """All lanes are free.

        Args:
            bound: Calls under way at once, never more.
            draw: Of the waits between attempts.
            first_backoff_s: The longest wait after a first attempt.
        """
        self._bound = bound
        self._draw = draw
        self._first_backoff_s = first_backoff_s
        self._lanes = float(bound)
        self._under_way = 0
        self._held_until = 0.0
        self._narrowed_at = float("-inf")
        self._waiting: deque[asyncio.Future[None]] = deque()

    @property
    def lanes(self) -> int:
        """Calls that may be under way at once now, at least one."""
        return int(self._lanes)

    @asynccontextmanager
    async def lane(self, *, first: bool = False) -> AsyncGenerator[float, None]:
        """A lane for the length of the block; gives the moment it was entered, for `narrow`.

        Args:
            first: Before those that wait already: a call that was begun is brought to its end.
        """
        await self._enter(first=first)
        try:
            yield asyncio.get_running_loop().time()
        finally:
            self._under_way -= 1
            self._wake()

    def narrow(self, entered: float) -> None:
        """A call that entered then was one too many. Those sent before the lanes were last narrowed say it again."""
        if entered > self._narrowed_at:
            self._lanes = max(1.0, self._lanes / 2)
            self._narrowed_at = asyncio.get_running_loop().time()

    def widen(self) -> None:
        """A call was replied to."""
        self._lanes = min(float(self._bound), self._lanes + 1 / self._lanes)
        self._wake()

    def hold(self, seconds: float) -> None:
        """No lane is entered for so long."""
        until = asyncio.get_running_loop().time() + seconds
        if until > self._held_until:
            self._held_until = until
            asyncio.get_running_loop().call_at(until, self._wake)

    def backoff_s(self, attempt: int) -> float:
        """Seconds to wait after the failed `attempt` (from 1): exponential, full jitter."""
        return self._draw.uniform(0, min(_LONGEST_BACKOFF_S, self._first_backoff_s * 2 ** (attempt - 1)))

    @property
    def _is_open(self) -> bool:
        return self._under_way < self.lanes and asyncio.get_running_loop().time() >= self._held_until

    async def _enter(self, *, first: bool) -> None:
        if self._is_open and (first or not self._waiting):
            self._under_way += 1
            return
        turn = asyncio.get_running_loop().create_future()
        if first:
            self._waiting.appendleft(turn)
        else:
            self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                # The lane was given, and the call ended in the same moment.
                self._under_way -= 1
                self._wake()
            raise

    def _wake(self) -> None:
        while self._waiting and self._is_open:
            turn = self._waiting.popleft()
            if not turn.done():
                self._under_way += 1
                turn.set_result(None)
