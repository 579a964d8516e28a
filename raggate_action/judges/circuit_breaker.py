"""Whether an endpoint takes a judge's calls: tried with one call alone, and given up when nothing comes of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from raggate_action.network.attempts import Breaker
from raggate_action.schema.judgement import Lost

# How long calls have to come to nothing: a short outage is waited out.
PATIENCE_S = 30.0


class CircuitBreaker:
    """Lets one call through alone until its first outcome is known, then all; none once the endpoint refuses them.

    Attributes:
        refusal: Why every further call is lost without being made; None while they are made.
        was_answered: A call was replied to, so that key, model and address are right.
    """

    def __init__(self, tell: Callable[[Lost], object], *, patience_s: float = PATIENCE_S) -> None:
        """Nothing was asked yet.

        Args:
            tell: Hears once why no further call is made.
            patience_s: How long nothing but losses is put up with.
        """
        self.refusal: Lost | None = None
        self.was_answered = False
        self._tell = tell
        self._breaker = Breaker(patience_s)
        self._known = asyncio.Event()
        self._alone = asyncio.Lock()
        self._holder: asyncio.Task[object] | None = None
        self._refused_before: Lost | None = None

    async def enter(self) -> None:
        """Wait until a call may be made, or `refusal` says why not; `leave` has to follow."""
        if self._known.is_set():
            return
        await self._alone.acquire()
        self._holder = asyncio.current_task()
        if self._known.is_set():
            self._release()

    def leave(self) -> None:
        """A call is over, or was cancelled."""
        if self._holder is not None and self._holder is asyncio.current_task():
            self._release()

    def reached(self) -> None:
        """The endpoint is there and did not refuse: others may go."""
        self._known.set()
        self._release()

    def answered(self) -> None:
        """The endpoint replied as a model does."""
        self.was_answered = True
        self._breaker.record("answered")
        self.reached()

    def refused(self, lost: Lost) -> None:
        """The endpoint will take no call at all."""
        if self.refusal is None:
            self.refusal = lost
            self._tell(lost)
        self.reached()

    def refused_perhaps(self, lost: Lost) -> None:
        """The endpoint did not take this call, perhaps none; two in a row before any was answered are all."""
        if self.was_answered:
            return
        if self._refused_before is not None:
            self.refused(lost)
        self._refused_before = lost

    def missed(self, lost: Lost, *, was_last: bool) -> None:
        """An attempt brought no reply; many calls lost in a row, for long, and no other is made.

        Args:
            lost: Why.
            was_last: The call is lost with it.
        """
        self._breaker.record("lost" if was_last else "missed")
        if was_last and self._breaker.is_open:
            given_up = f"{lost.detail}; given up after {self._breaker.lost} calls in a row"
            self.refused(Lost(code=lost.code, detail=given_up))

    def _release(self) -> None:
        if self._holder is not None:
            self._holder = None
            self._alone.release()
