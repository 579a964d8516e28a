"""Why no connection came about, in words: read where it happened, at the socket."""

from __future__ import annotations

import errno
import socket
import ssl
from collections.abc import Iterator

_PLAINLY = {
    errno.ECONNREFUSED: "connection refused",
    errno.ECONNRESET: "connection reset",
    errno.EPIPE: "connection closed",
    errno.EHOSTUNREACH: "no route to the host",
    errno.ENETUNREACH: "no route to the network",
}


def why(error: BaseException) -> str:
    """The reason nearest to the socket: a library's own message often says only that it failed."""
    for reason in _reasons(error):
        if isinstance(reason, socket.gaierror):
            return "the host name is not known"
        if isinstance(reason, OSError) and reason.errno in _PLAINLY:
            return _PLAINLY[reason.errno]
        if isinstance(reason, ssl.SSLError):
            return str(reason)
    return str(error) or type(error).__name__


def is_refused(error: BaseException) -> bool:
    """Whether the host is there and nothing listens at the port: the app has not started yet, or is no more."""
    return any(isinstance(reason, OSError) and reason.errno == errno.ECONNREFUSED for reason in _reasons(error))


def _reasons(error: BaseException) -> Iterator[BaseException]:
    """The error and what it came from; a name with several addresses has one of each, and the first is reported."""
    reason: BaseException | None = error
    while reason is not None:
        yield reason
        below = reason.__cause__ or reason.__context__
        reason = reason.exceptions[0] if isinstance(reason, BaseExceptionGroup) else below
