"""Why a connection failed, and how long a `Retry-After` header asks to wait."""

from __future__ import annotations

import errno
import socket
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

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
    """Whether the host exists and nothing listens at the port: the app has not started, or has ended."""
    return any(isinstance(reason, OSError) and reason.errno == errno.ECONNREFUSED for reason in _reasons(error))


def _reasons(error: BaseException) -> Iterator[BaseException]:
    """The error and what it came from; a name with several addresses has one of each, and the first is reported."""
    reason: BaseException | None = error
    while reason is not None:
        yield reason
        below = reason.__cause__ or reason.__context__
        reason = reason.exceptions[0] if isinstance(reason, BaseExceptionGroup) else below


def retry_after_s(header: str | None, now: datetime) -> float | None:
    """Seconds that a `Retry-After` header asks to wait, never below zero; None without a readable header."""
    if header is None:
        return None
    text = header.strip()
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    # A date without a zone is UTC: HTTP knows no other.
    return max((moment.replace(tzinfo=moment.tzinfo or UTC) - now).total_seconds(), 0.0)
