"""Fetching a file from the address that the API redirects to: without our token, capped, and telling no address.

The address is signed: whoever has it may fetch the file. So no part of it enters a message.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Mapping
from tempfile import SpooledTemporaryFile
from typing import IO, Any, Final, cast
from urllib.parse import urljoin, urlsplit

import httpx

from raggate_action.network.attempts import AttemptError, Backoff, with_attempts
from raggate_action.network.bounded_reply import UnreadableBodyError
from raggate_action.network.connection_errors import why
from raggate_action.network.transport import open_client
from raggate_action.version import __version__

# The most addresses that are asked; the API's own redirect leads to the first.
STORE_HOPS: Final = 3
TIMEOUT_S: Final = 10
# For the whole file: a store that sends a byte now and then would otherwise never time out.
_DEADLINE_S = 300.0
_ATTEMPTS = 3
_KEPT_IN_MEMORY = 8 * 1024 * 1024
_GONE = frozenset({404, 410})
ASKED_AGAIN: Final = frozenset({429, 500, 502, 503, 504})
USER_AGENT: Final[Mapping[str, str]] = {"User-Agent": f"raggate-action/{__version__}"}


def open_store(address: str, largest_reply: int) -> httpx.AsyncClient:
    """A client for addresses that may be signed: the library logs each that it asks."""
    for name in ("httpx", "httpcore"):
        logging.getLogger(name).setLevel(logging.WARNING)
    return open_client(address, largest_reply)


class DownloadError(AttemptError):
    """The file was not fetched; `gone` is the status 404 or 410, else None."""

    def __init__(self, message: str, *, gone: int | None = None, **rest: Any) -> None:
        super().__init__(message, **rest)
        self.gone = gone


def download(address: str, *, max_bytes: int, plain_http: bool) -> IO[bytes]:
    """The file at `address`, in a temporary file without a name; the caller closes it.

    Args:
        address: Where the API says it is.
        max_bytes: Where reading stops.
        plain_http: Addresses without TLS are asked; only for an API that has none itself.

    Raises:
        DownloadError: It is gone, too large, cut off, or the store does not answer.
    """

    async def fetch(_attempt: int) -> IO[bytes]:
        return await _fetch(address, max_bytes, plain_http=plain_http)

    backoff = Backoff(random.SystemRandom(), first_s=1.0)
    try:
        return asyncio.run(with_attempts(fetch, _ATTEMPTS, backoff, deadline_s=_DEADLINE_S))
    except TimeoutError:
        raise DownloadError(f"it is not whole after {_DEADLINE_S:g} s") from None


async def _fetch(address: str, max_bytes: int, *, plain_http: bool) -> IO[bytes]:
    schemes = {"https", "http"} if plain_http else {"https"}
    for _ in range(STORE_HOPS):
        try:
            if urlsplit(address).scheme not in schemes:
                raise DownloadError("the store's address is not https, and was not asked")
            # A client of its own for every address: nothing travels from one host to the next.
            async with (
                open_store(address, max_bytes) as client,
                client.stream("GET", address, headers=USER_AGENT, timeout=TIMEOUT_S) as response,
            ):
                if response.is_success:
                    return await _spool(response)
                address = urljoin(address, _location(response))
        except (httpx.InvalidURL, ValueError):
            raise DownloadError("the store's address cannot be used") from None
        except httpx.HTTPError as error:
            raise DownloadError(f"the store cannot be reached: {_why(error)}", again=True) from None
    raise DownloadError(f"the store redirects more than {STORE_HOPS - 1} times")


def _location(response: httpx.Response) -> str:
    """The address that a redirect names."""
    if response.has_redirect_location:
        return response.headers["location"]
    status = response.status_code
    if status in _GONE:
        raise DownloadError(f"it has expired: the store answers {status}", gone=status)
    raise DownloadError(f"the store answers {status}", again=status in ASKED_AGAIN)


async def _spool(response: httpx.Response) -> IO[bytes]:
    file = cast("IO[bytes]", SpooledTemporaryFile(max_size=_KEPT_IN_MEMORY))  # noqa: SIM115 (the caller's to close)
    try:
        async for part in response.aiter_bytes():
            file.write(part)
        file.seek(0)
    except BaseException as error:
        file.close()
        if isinstance(error, UnreadableBodyError):
            raise DownloadError(f"it is {error}") from None
        if isinstance(error, httpx.HTTPError):
            raise DownloadError(f"it was cut off: {_why(error)}", again=True) from None
        if isinstance(error, OSError):
            raise DownloadError(f"it cannot be kept in a temporary file: {error.strerror}") from None
        raise
    return file


def _why(error: httpx.HTTPError) -> str:
    return f"nothing came for {TIMEOUT_S} s" if isinstance(error, httpx.TimeoutException) else why(error)
