"""How apps, judges and stores are asked over HTTP: nothing of a reply beyond its bounds is taken."""

from __future__ import annotations

import ssl
from collections.abc import AsyncGenerator
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Final, cast
from urllib.parse import urlsplit

import httpx

from raggate_action.network.addresses import is_loopback
from raggate_action.network.bounded_reply import ACCEPTED, BodyReader, TooLargeBodyError, UnreadableBodyError

LONGEST_CONNECT_S: Final = 10.0
# An error page is read this far, to be quoted far shorter.
_LARGEST_ERROR_PAGE = 64 * 1024


class _BoundedBody(httpx.AsyncByteStream):
    """A reply's body, unpacked within its bounds; of an error page what can be read of its first part."""

    def __init__(self, response: httpx.Response, largest: int) -> None:
        self._body = cast("httpx.AsyncByteStream", response.stream)
        self._is_reply = response.is_success
        self._largest = largest if self._is_reply else _LARGEST_ERROR_PAGE
        # Taken away, so that the library does not unpack it a second time: that it does at once.
        self._packed = response.headers.pop("content-encoding", "")

    async def __aiter__(self) -> AsyncGenerator[bytes, None]:
        try:
            reader = BodyReader(self._packed, self._largest)
            async for part in self._body:
                yield reader.add(part)
            reader.end()
        except UnreadableBodyError as error:
            if self._is_reply:
                raise
            if isinstance(error, TooLargeBodyError):
                yield error.part

    async def aclose(self) -> None:
        await self._body.aclose()


def open_client(
    url: str, largest_reply: int, *, connections: int | None = None, connect_s: float = LONGEST_CONNECT_S
) -> httpx.AsyncClient:
    """A client for the host of a url. Reading a reply raises `UnreadableBodyError` where it is beyond its bounds.

    Whoever sends sets the time limit around all of an attempt: with one for each read, single bytes have no end.

    Args:
        url: That can be asked.
        largest_reply: In bytes, unpacked.
        connections: The most at once.
        connect_s: How long a connection may take.
    """
    parts = urlsplit(url)
    near = is_loopback(parts.hostname or "")

    async def bound(response: httpx.Response) -> None:
        # A hook is called before a byte of the body is read.
        response.stream = _BoundedBody(response, largest_reply)

    return httpx.AsyncClient(
        # A plain connection needs no certificates; loading them is most of a short run's start.
        verify=parts.scheme == "https" or ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
        # A proxy from the environment must not catch requests to this machine.
        trust_env=not near,
        follow_redirects=False,
        headers={"Accept-Encoding": ACCEPTED},
        # Requests are independent: a session cookie of one must not reach the next.
        cookies=CookieJar(policy=DefaultCookiePolicy(allowed_domains=[])),
        limits=httpx.Limits(max_connections=connections, max_keepalive_connections=connections),
        timeout=httpx.Timeout(None, connect=connect_s),
        event_hooks={"response": [bound]},
    )
