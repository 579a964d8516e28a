"""What a `Retry-After` header asks for."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


def asked_wait_s(header: str | None, now: datetime) -> float | None:
    """Seconds that a `Retry-After` header asks to wait, never below zero; None when there is none that can be read."""
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
