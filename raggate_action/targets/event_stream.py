"""A reply that streams: server-sent events or JSON lines. The only door to httpx-sse."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Literal, NamedTuple, TypeAlias

import httpx
from httpx_sse import EventSource
from pydantic_core import to_json

from raggate_action.network.connection_errors import why
from raggate_action.replies.streamed_reply import StreamedReply
from raggate_action.targets.pacing import clock_s

StreamKind: TypeAlias = Literal["events", "lines"]
_LINES = frozenset(
    {
        "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines",
        "application/json-lines", "application/stream+json",
    }
)  # fmt: skip


class StreamBreakError(Exception):
    """The connection broke after a first piece of the answer had come; the message says why."""


class Streamed(NamedTuple):
    """A reply put together.

    Attributes:
        raw: It, as JSON.
        first_text_at: When the first piece of its answer came, by `clock_s`; None of one that came at once.
    """

    raw: bytes
    first_text_at: float | None = None


def stream_kind(response: httpx.Response) -> StreamKind | None:
    """How a reply streams; None of one that comes at once."""
    media_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type == "text/event-stream":
        return "events"
    return "lines" if media_type in _LINES else None


async def read_stream(response: httpx.Response, kind: StreamKind) -> Streamed:
    """A streamed reply to its end.

    Raises:
        UnreadableBodyError: It cannot be unpacked, or is larger.
        BrokenStreamError: It ended before its answer did, or is beyond the bounds of a reply.
        StreamBreakError: The connection broke after its first piece.
        httpx.HTTPError: It broke before.
    """
    reply, first_text_at = StreamedReply(), None
    try:
        async with aclosing(_events(response, kind)) as events:
            async for name, data in events:
                reply.add(data, name)
                if first_text_at is None and reply.has_text:
                    first_text_at = clock_s()
    except httpx.HTTPError as error:
        if first_text_at is None:
            raise
        raise StreamBreakError(why(error)) from None
    return Streamed(to_json(reply.whole()), first_text_at)


async def _events(response: httpx.Response, kind: StreamKind) -> AsyncGenerator[tuple[str, str], None]:
    """The events of a stream, each with its name; a line has none."""
    if kind == "events":
        async for event in EventSource(response).aiter_sse():
            yield event.event, event.data
        return
    begun: list[bytes] = []
    async for part in response.aiter_bytes():
        first, *others = part.split(b"\n")
        begun.append(first)
        for line in others:
            yield "", b"".join(begun).decode(errors="replace")
            begun = [line]
    yield "", b"".join(begun).decode(errors="replace")
