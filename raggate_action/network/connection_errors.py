"""Why a connection failed, and how long a reply asks to wait before the next request."""

from __future__ import annotations

import errno
import socket
import ssl
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.message import Message
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
    for reason in reasons(error):
        if isinstance(reason, socket.gaierror):
            return "the host name is not known"
        if isinstance(reason, OSError) and reason.errno in _PLAINLY:
            return _PLAINLY[reason.errno]
        if isinstance(reason, ssl.SSLError):
            return str(reason)
    return str(error) or type(error).__name__


def is_refused(error: BaseException) -> bool:
    """Whether the host exists and nothing listens at the port: the app has not started, or has ended."""
    return any(isinstance(reason, OSError) and reason.errno == errno.ECONNREFUSED for reason in reasons(error))


def reasons(error: BaseException) -> Iterator[BaseException]:
    """The error and what it came from; a name with several addresses has one of each, and the first is reported."""
    reason: BaseException | None = error
    while reason is not None:
        yield reason
        below = reason.__cause__ or reason.__context__
        reason = reason.exceptions[0] if isinstance(reason, BaseExceptionGroup) else below


def retry_after_s(headers: Mapping[str, str] | Message, now: datetime, *, at_most_s: float = 86_400) -> float | None:
    """Seconds that a reply asks to wait before the next request, from 0 to `at_most_s`; None if it does not say.

    Args:
        headers: Of the reply. `retry-after-ms` goes before `retry-after`, which may be a date.
        now: To compare a date with.
        at_most_s: The result for any longer wait.
    """
    text = headers.get("retry-after", "").strip()
    for number, unit in ((headers.get("retry-after-ms", ""), 0.001), (text, 1.0)):
        try:
            seconds = float(number) * unit
        except ValueError:
            continue
        if seconds >= 0:  # not so: below zero, or no number
            return min(seconds, at_most_s)
    try:
        moment = parsedate_to_datetime(text)
        # A date without a zone is UTC: HTTP knows no other.
        seconds = (moment.replace(tzinfo=moment.tzinfo or UTC) - now).total_seconds()
    except (ValueError, OverflowError):
        # The library checks neither the year nor the zone.
        return None
    return min(max(seconds, 0.0), at_most_s)
