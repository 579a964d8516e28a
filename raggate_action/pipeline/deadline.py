"""Replies of a target until the deadline."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from raggate_action.schema.case import PlacedCase
from raggate_action.schema.trace import Reply


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
