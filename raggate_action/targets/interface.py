"""What every target is: cases in, one reply per case out, in whatever order they finish."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable
from typing import Protocol

from raggate_action.schema.case import PlacedCase
from raggate_action.schema.trace import Reply

# Where nothing is waited for, so many cases are read, then judged, then written: an eighth quicker than each by
# itself, for the processor keeps one step's code at hand. Many more would not fit its cache.
TOGETHER = 16


class Target(Protocol):
    """The RAG app under test, behind one of its ways of being asked."""

    def replies(self, cases: Iterable[PlacedCase]) -> AsyncGenerator[tuple[PlacedCase, Reply], None]:
        """Ask every case once and yield each with its reply as it finishes.

        `cases` is consumed lazily, so memory stays bounded by what is under way. What befalls one case is
        its reply, never an exception.

        Raises:
            TargetError: The app cannot be asked at all (never ready, the program does not start).
        """
        ...
