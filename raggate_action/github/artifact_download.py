"""Fetching a file from the address that the API redirects to: without our token, capped, and telling no address.

The address is signed: whoever has it may fetch the file. So no part of it enters a message. The standard library is
used because PyGithub cannot do this: it reads a whole body into memory and refuses the hosts of the store.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from http.client import HTTPException, HTTPResponse
from tempfile import SpooledTemporaryFile
from typing import IO, Final, cast
from urllib.error import HTTPError, URLError
from urllib.parse import urljoin, urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, Request, build_opener

from raggate_action.network.bounded_reply import (
    BodyReader,
    TooLargeBodyError,
    UnreadableBodyError,
    parts_of,
)
from raggate_action.version import __version__

# The most addresses that are asked; the API's own redirect leads to the first.
STORE_HOPS: Final = 3
TIMEOUT_S: Final = 10
# For the whole file: a store that sends a byte now and then would otherwise never time out.
_DEADLINE_S = 300.0
_CHUNK_BYTES = 64 * 1024
_KEPT_IN_MEMORY = 8 * 1024 * 1024
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_GONE = frozenset({404, 410})
_ASKED_AGAIN = frozenset({429, 500, 502, 503, 504})
_BACKOFF_S = (1.0, 3.0)
_MIB = 1024 * 1024


class DownloadError(Exception):
    """The file was not fetched; `gone` is the status 404 or 410, else None."""

    def __init__(self, message: str, *, gone: int | None = None) -> None:
        super().__init__(message)
        self.gone = gone


class _PassingError(DownloadError):
    """A fault that another try may not meet."""


class NoRedirects(HTTPRedirectHandler):
    """Leaves redirects to us, so that each address is looked at before it is asked."""

    def redirect_request(self, *_: object) -> None:
        """Follow no redirect."""


def download(address: str, *, max_bytes: int, plain_http: bool, wait: Callable[[float], bool]) -> IO[bytes]:
    """The file at `address`, in a temporary file without a name; the caller closes it.

    Args:
        address: Where the API says it is.
        max_bytes: Where reading stops.
        plain_http: Addresses without TLS are asked; only for an API that has none itself.
        wait: Waits before another try; False says that no more waiting is left.

    Raises:
        DownloadError: It is gone, too large, cut off, or the store does not answer.
    """
    opener = build_opener(NoRedirects)
    for pause in (*_BACKOFF_S, None):
        try:
            with _answer(opener, address, plain_http=plain_http) as answer:
                return _spool(answer, max_bytes)
        except _PassingError:
            if pause is None or not wait(pause):
                raise
    raise AssertionError("the last try returns or raises")


def _answer(opener: OpenerDirector, address: str, *, plain_http: bool) -> HTTPResponse:
    schemes = {"https", "http"} if plain_http else {"https"}
    for _ in range(STORE_HOPS):
        try:
            if urlsplit(address).scheme not in schemes:
                raise DownloadError("the store's address is not https, and was not asked")
            # A request of its own for every address: no header travels from one host to the next.
            request = Request(address, headers={"User-Agent": f"raggate-action/{__version__}"})  # noqa: S310 (checked)
            return cast("HTTPResponse", opener.open(request, timeout=TIMEOUT_S))
        except HTTPError as error:
            with error:
                address = urljoin(address, _location(error))
        except ValueError:
            raise DownloadError("the store's address cannot be used") from None
        except (OSError, HTTPException) as error:
            raise _PassingError(f"the store cannot be reached: {_why(error)}") from None
    raise DownloadError(f"the store redirects more than {STORE_HOPS - 1} times")


def _location(error: HTTPError) -> str:
    """The address that a redirect names."""
    location = error.headers.get("Location")
    if error.code in _REDIRECTS and location:
        return location
    if error.code in _GONE:
        raise DownloadError(f"it has expired: the store answers {error.code}", gone=error.code)
    kind = _PassingError if error.code in _ASKED_AGAIN else DownloadError
    raise kind(f"the store answers {error.code}")


def _spool(answer: HTTPResponse, max_bytes: int) -> IO[bytes]:
    if answer.length is not None and answer.length > max_bytes:
        raise DownloadError(_too_large(max_bytes))
    file = SpooledTemporaryFile(max_size=_KEPT_IN_MEMORY)  # noqa: SIM115 (the caller's to close)
    try:
        _copy(answer, cast("IO[bytes]", file), max_bytes)
    except BaseException:
        file.close()
        raise
    file.seek(0)
    return cast("IO[bytes]", file)


def _copy(answer: HTTPResponse, file: IO[bytes], max_bytes: int) -> None:
    announced, size = answer.length, 0

    def received() -> Iterator[bytes]:
        nonlocal size
        while part := _part(answer):
            size += len(part)
            yield part

    try:
        reader = BodyReader(answer.headers.get("Content-Encoding", ""), max_bytes, seconds=_DEADLINE_S)
        for part in parts_of(received(), reader):
            file.write(part)
    except TooLargeBodyError:
        raise DownloadError(_too_large(max_bytes)) from None
    except UnreadableBodyError as error:
        raise DownloadError(f"it is {error}") from None
    except OSError as error:
        raise DownloadError(f"it cannot be kept in a temporary file: {error.strerror}") from None
    if announced is not None and size != announced:
        raise _PassingError(f"it was cut off after {size} of {announced} bytes")


def _part(answer: HTTPResponse) -> bytes:
    """The bytes received so far: waiting for a full chunk could take longer than the deadline allows."""
    try:
        return answer.read1(_CHUNK_BYTES)
    except (OSError, HTTPException) as error:
        raise _PassingError(f"it was cut off: {_why(error)}") from None


def _too_large(max_bytes: int) -> str:
    return f"it is larger than {max_bytes // _MIB} MiB"


def _why(error: Exception) -> str:
    """The reason without any address."""
    reason = error.reason if isinstance(error, URLError) else error
    if isinstance(reason, TimeoutError):
        return f"nothing came for {TIMEOUT_S} s"
    return (reason.strerror if isinstance(reason, OSError) else None) or type(reason).__name__
