"""What a custom check says of an answer."""

from __future__ import annotations

from typing import NamedTuple


class CheckIssues(NamedTuple):
    """What a custom check said: its issues, or why it could not say anything."""

    issues: tuple[str, ...] = ()
    error: str | None = None
