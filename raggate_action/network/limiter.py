"""How hard somebody may be asked: slots that get fewer on refusal, and a pause for all of them."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager


class Limiter:
    """The slots of one app or endpoint: at most `bound` calls under way, fewer after it said that these were too many.

    Each refusal for haste halves the slots; each full round of replies gives one back.
    """

    def __init__(self, bound: int, *, at_first: int | None = None) -> None:
        """All slots are free; `at_first`: there are only so many until `open` is called."""
        self._bound = bound
        self._slots = float(at_first or bound)
        self._under_way = 0
        self._paused_until = 0.0
        self._narrowed_at = float("-inf")
        self._waiting: deque[asyncio.Future[None]] = deque()

    @property
    def slots(self) -> int:
        """Calls that may be under way at once now, at least one."""
        return int(self._slots)

    @asynccontextmanager
    async def slot(self, *, first: bool = False) -> AsyncGenerator[float, None]:
        """A slot for the length of the block; gives the moment it was entered, for `narrow`.

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
        """A call that entered then was one too many. Those sent before the slots were last narrowed say it again."""
        if entered > self._narrowed_at:
            self._slots = max(1.0, self._slots / 2)
            self._narrowed_at = asyncio.get_running_loop().time()

    def open(self) -> None:
        """All slots may be entered."""
        self._slots = float(self._bound)
        self._wake()

    def widen(self) -> None:
        """A call was replied to."""
        self._slots = min(float(self._bound), self._slots + 1 / self._slots)
        self._wake()

    def pause(self, seconds: float) -> None:
        """No slot is entered for so long."""
        until = asyncio.get_running_loop().time() + seconds
        if until > self._paused_until:
            self._paused_until = until
            asyncio.get_running_loop().call_at(until, self._wake)

    @property
    def _is_open(self) -> bool:
        return self._under_way < self.slots and asyncio.get_running_loop().time() >= self._paused_until

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
                # The slot was given, and the call ended in the same moment.
                self._under_way -= 1
                self._wake()
            raise

    def _wake(self) -> None:
        while self._waiting and self._is_open:
            turn = self._waiting.popleft()
            if not turn.done():
                self._under_way += 1
                turn.set_result(None)
