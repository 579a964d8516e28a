"""What every target is: cases in, one reply per case out, in whatever order they finish."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable
from typing import Protocol

from raggate_action.schema.case import PlacedCase
from raggate_action.schema.trace import Reply

# Recorded replies never wait. They are read, and their rows are written, in batches of this size. That is an eighth
# faster than one case at a time, because each step's code stays in the processor's cache; a much larger batch would
# not fit there.
TOGETHER = 16


class Target(Protocol):
    """The RAG app under test, behind one of its ways of being asked."""

    def replies(self, cases: Iterable[PlacedCase]) -> AsyncGenerator[tuple[PlacedCase, Reply], None]:
        """Ask every case once and yield each with its reply as it finishes.

        `cases` is consumed lazily, so memory stays bounded by what is under way. What goes wrong with one case is
        its reply, never an exception.

        Raises:
            TargetError: The app cannot be asked at all (never ready, the program does not start).
        """
        ...
