"""An app asked about many cases at once, and the clock for its answers."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias, Union

from raggate_action.schema.case import PlacedCase
from raggate_action.schema.trace import Reply

if TYPE_CHECKING:
    from raggate_action.targets.read_reply import Unread

# How long an app that refuses connections may take to start, where the suite does not say.
START_S: Final = 30.0

# Asks about one case at a time, never about two at once.
Worker: TypeAlias = Callable[[PlacedCase], Awaitable[Union[Reply, "Unread"]]]


async def ask_concurrently(
    cases: Iterable[PlacedCase], workers: Sequence[Worker]
) -> AsyncGenerator[tuple[PlacedCase, Reply | Unread], None]:
    """Ask every case once. `cases` is consumed only when a worker is free.

    Closing the iterator, or cancelling whoever waits on it, cancels what is under way and waits for its end.

    Raises:
        TargetError: From a worker; what finished at the same moment is yielded first.
    """
    source = iter(cases)
    free = deque(workers)
    under_way: dict[asyncio.Future[Reply | Unread], tuple[PlacedCase, Worker]] = {}
    try:
        while _fill(under_way, free, source):
            done, _ = await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
            finished = [(task, *under_way.pop(task)) for task in done]
            free.extend(worker for _task, _placed, worker in finished)
            broken = [task for task in done if task.exception() is not None]
            if not broken:
                _fill(under_way, free, source)
            for task, placed, _worker in finished:
                if task not in broken:
                    yield placed, task.result()
            for task in broken:
                task.result()
    finally:
        for task in under_way:
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)


def _fill(
    under_way: dict[asyncio.Future[Reply | Unread], tuple[PlacedCase, Worker]],
    free: deque[Worker],
    source: Iterable[PlacedCase],
) -> bool:
    """Give every free worker a case while there are any; False when nothing is under way."""
    while free and (placed := next(iter(source), None)) is not None:
        worker = free.popleft()
        under_way[asyncio.ensure_future(worker(placed))] = (placed, worker)
    return bool(under_way)


def clock_s() -> float:
    """A moment to measure from."""
    return asyncio.get_running_loop().time()


def milliseconds_since(begun: float) -> float:
    """Milliseconds since a moment, to the microsecond: more digits measure nothing, and only make rows longer."""
    return round((clock_s() - begun) * 1000, 3)
