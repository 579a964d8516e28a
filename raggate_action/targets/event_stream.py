"""A reply that streams: server-sent events or JSON lines. The only door to httpx-sse."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Literal, NamedTuple, TypeAlias

import httpx
from httpx_sse import EventSource
from pydantic_core import to_json

from raggate_action.network.bounded_reply import BodyReader
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
        first_text_at: When the first piece of its answer came, by `clock_s`; None where no piece was one.
    """

    raw: bytes
    first_text_at: float | None


def stream_kind(response: httpx.Response) -> StreamKind | None:
    """How a reply streams; None of one that comes at once."""
    media_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type == "text/event-stream":
        return "events"
    return "lines" if media_type in _LINES else None


async def read_stream(response: httpx.Response, kind: StreamKind, limit: int) -> Streamed:
    """A streamed reply to its end, of at most `limit` bytes once unpacked.

    Raises:
        UnreadableBodyError: It cannot be unpacked, or is larger.
        BrokenStreamError: It ended before its answer did, or is beyond the bounds of a reply.
        StreamBreakError: The connection broke after its first piece.
        httpx.HTTPError: It broke before.
    """
    reply, first_text_at = StreamedReply(), None
    unpacked = httpx.Response(
        response.status_code,
        headers={"content-type": response.headers.get("content-type", "")},
        stream=_Unpacked(response, BodyReader(response.headers.get("content-encoding", ""), limit)),
    )
    try:
        async with aclosing(_events(unpacked, kind)) as events:
            async for name, data in events:
                reply.add(data, name)
                if first_text_at is None and reply.has_text:
                    first_text_at = clock_s()
    except httpx.HTTPError as error:
        if first_text_at is None:
            raise
        raise StreamBreakError(why(error)) from None
    return Streamed(to_json(reply.whole()), first_text_at)


class _Unpacked(httpx.AsyncByteStream):
    """A body, unpacked within its bounds."""

    def __init__(self, response: httpx.Response, reader: BodyReader) -> None:
        self._response, self._reader = response, reader

    async def __aiter__(self) -> AsyncGenerator[bytes, None]:
        # Raw: the library would unpack everything at once.
        async for part in self._response.aiter_raw():
            yield self._reader.add(part)
        self._reader.end()


async def _events(response: httpx.Response, kind: StreamKind) -> AsyncGenerator[tuple[str, str], None]:
    """The events of a stream, each with its name; a line has none."""
    if kind == "events":
        async for event in EventSource(response).aiter_sse():
            yield event.event, event.data
        return
    begun: list[bytes] = []
    async for part in response.aiter_raw():
        first, *others = part.split(b"\n")
        begun.append(first)
        for line in others:
            yield "", b"".join(begun).decode(errors="replace")
            begun = [line]
    yield "", b"".join(begun).decode(errors="replace")
