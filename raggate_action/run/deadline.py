"""When a run has to end, and the replies of a target until then."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from raggate_action.schema.case import PlacedCase
from raggate_action.schema.trace import Reply


def ends_after(deadline_s: float | None) -> float | None:
    """The deadline by the loop's clock, from now on; None is without end."""
    return None if deadline_s is None else asyncio.get_running_loop().time() + deadline_s


async def replies_until(
    replies: AsyncIterator[tuple[PlacedCase, Reply]], ends: float
) -> AsyncIterator[tuple[PlacedCase, Reply]]:
    """The replies until the deadline, then TimeoutError. Checked also between replies that never wait."""
    clock = asyncio.get_running_loop().time
    while clock() < ends:
        try:
            async with asyncio.timeout_at(ends):
                reply = await anext(replies)
        except StopAsyncIteration:
            return
        yield reply
    raise TimeoutError
