"""Asks cases side by side: as many under way as there are lanes, in the order given, yielded as they finish."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
from typing import TypeAlias

from raggate_action.schema.case import PlacedCase
from raggate_action.schema.trace import Reply

# Asks one case at a time; a lane is never entered twice at once.
Lane: TypeAlias = Callable[[PlacedCase], Awaitable[Reply]]


async def side_by_side(
    cases: Iterable[PlacedCase], lanes: Sequence[Lane]
) -> AsyncGenerator[tuple[PlacedCase, Reply], None]:
    """Ask every case once. `cases` is consumed only when a lane is free.

    Closing the iterator, or cancelling whoever waits on it, cancels what is under way and waits for its end.

    Raises:
        TargetError: From a lane; what finished at the same moment is yielded first.
    """
    source = iter(cases)
    free = deque(lanes)
    under_way: dict[asyncio.Future[Reply], tuple[PlacedCase, Lane]] = {}
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
    under_way: dict[asyncio.Future[Reply], tuple[PlacedCase, Lane]],
    free: deque[Lane],
    source: Iterable[PlacedCase],
) -> bool:
    """Give every free lane a case while there are any; False when nothing is under way."""
    while free and (placed := next(iter(source), None)) is not None:
        lane = free.popleft()
        under_way[asyncio.ensure_future(lane(placed))] = (placed, lane)
    return bool(under_way)
