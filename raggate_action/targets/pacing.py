"""The pace at which an app is asked: lanes side by side, waits between attempts, and the clock for its answers."""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias, Union

from raggate_action.schema.case import PlacedCase
from raggate_action.schema.trace import Reply

if TYPE_CHECKING:
    from raggate_action.targets.read_reply import Unread

_LONGEST_BACKOFF_S = 10.0
_GIVE_UP_AFTER = 5
# How long an app that refuses connections may take to start, where the suite does not say.
START_S = 30.0


class Pacing:
    """Pauses and retries shared by all lanes of one target.

    Attributes:
        start_s: How long, once in a run, an app that refuses connections is waited for.
        was_reached: The app has taken a connection.
    """

    def __init__(self, draw: random.Random, *, first_backoff_s: float = 0.5, start_s: float = START_S) -> None:
        """Nothing has been asked yet.

        Args:
            draw: Of the waits between attempts.
            first_backoff_s: The longest wait after a first attempt.
            start_s: How long, once in a run, an app that refuses connections is waited for.
        """
        self.start_s = start_s
        self.was_reached = False
        self._draw = draw
        self._first_backoff_s = first_backoff_s
        self._held_until = 0.0
        self._starts_until: float | None = None
        self._unreachable_in_a_row = 0

    @property
    def gives_up(self) -> bool:
        """Whether the app looks gone: further attempts at a case would only make the user wait."""
        return self._unreachable_in_a_row >= _GIVE_UP_AFTER

    def reached(self) -> None:
        """The app took a connection."""
        self.was_reached = True
        self._unreachable_in_a_row = 0

    def unreachable(self) -> None:
        """A case failed because no connection could be made."""
        self._unreachable_in_a_row += 1

    def begins_to_wait(self) -> bool:
        """Whether the run's one wait for an app that refuses connections begins now; True once."""
        if self._starts_until is not None:
            return False
        self._starts_until = asyncio.get_running_loop().time() + self.start_s
        return True

    def waits_for_start(self) -> bool:
        """Whether that wait has begun and is not over."""
        return self._starts_until is not None and asyncio.get_running_loop().time() < self._starts_until

    def hold(self, seconds: float) -> None:
        """No lane asks for so long."""
        self._held_until = max(self._held_until, asyncio.get_running_loop().time() + seconds)

    async def wait_while_held(self) -> None:
        """Returns when asking is allowed again."""
        while (seconds := self._held_until - asyncio.get_running_loop().time()) > 0:  # noqa: ASYNC110 - it moves
            await asyncio.sleep(seconds)

    def backoff_s(self, attempt: int) -> float:
        """Seconds to wait after the failed `attempt` (from 1): exponential, full jitter."""
        return self._draw.uniform(0, min(_LONGEST_BACKOFF_S, self._first_backoff_s * 2 ** (attempt - 1)))


# Asks one case at a time; a lane is never entered twice at once.
Lane: TypeAlias = Callable[[PlacedCase], Awaitable[Union[Reply, "Unread"]]]


async def side_by_side(
    cases: Iterable[PlacedCase], lanes: Sequence[Lane]
) -> AsyncGenerator[tuple[PlacedCase, Reply | Unread], None]:
    """Ask every case once. `cases` is consumed only when a lane is free.

    Closing the iterator, or cancelling whoever waits on it, cancels what is under way and waits for its end.

    Raises:
        TargetError: From a lane; what finished at the same moment is yielded first.
    """
    source = iter(cases)
    free = deque(lanes)
    under_way: dict[asyncio.Future[Reply | Unread], tuple[PlacedCase, Lane]] = {}
    try:
        while _fill(under_way, free, source):
            done, _ = await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
            finished = [(task, *under_way.pop(task)) for task in done]
            free.extend(lane for _task, _placed, lane in finished)
            broken = [task for task in done if task.exception() is not None]
            if not broken:
                _fill(under_way, free, source)
            for task, placed, _lane in finished:
                if task not in broken:
                    yield placed, task.result()
            for task in broken:
                task.result()
    finally:
        for task in under_way:
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)


def _fill(
    under_way: dict[asyncio.Future[Reply | Unread], tuple[PlacedCase, Lane]],
    free: deque[Lane],
    source: Iterable[PlacedCase],
) -> bool:
    """Give every free lane a case while there are any; False when nothing is under way."""
    while free and (placed := next(iter(source), None)) is not None:
        lane = free.popleft()
        under_way[asyncio.ensure_future(lane(placed))] = (placed, lane)
    return bool(under_way)


def clock_s() -> float:
    """A moment to measure from."""
    return asyncio.get_running_loop().time()


def milliseconds_since(begun: float) -> float:
    """Milliseconds since a moment, to the microsecond: more digits measure nothing, and only make rows longer."""
    return round((clock_s() - begun) * 1000, 3)
