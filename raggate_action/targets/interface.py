"""The interface of a target: cases in, one reply per case out, in the order they finish; and its surroundings."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple, Protocol

from raggate_action.errors import TargetError
from raggate_action.isolation.child_user import ChildUser
from raggate_action.schema.case import PlacedCase
from raggate_action.schema.evidence import EvidenceStore
from raggate_action.schema.trace import NoTrace, Reply


def no_progress(_line: str) -> None:
    """Show no progress."""


class Surroundings(NamedTuple):
    """Where a target is asked from.

    Attributes:
        directory: The suite's; paths and programs are relative to it.
        environment: Our own environment, of which a child learns only what `child_environment` lets through.
        child_user: Whom programs run as; ourselves when None.
        secrets: Struck from every reply as it comes in, before anything is judged or stored.
        tell: Shows a line while the run goes on.
        evidence: The evidence store, by which replies are read; None without one.
        asks_context: The suite wants every answer to come with its context.
    """

    directory: Path
    environment: Mapping[str, str]
    child_user: ChildUser | None = None
    secrets: tuple[str, ...] = ()
    tell: Callable[[str], object] = no_progress
    evidence: EvidenceStore | None = None
    asks_context: bool = False


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


class Unavailable:
    """A target that is never asked. Implements `Target`.

    An app that does not answer (`TargetError`) fails every case with that one message; one that must not be asked
    here, through no fault of its own (a sentence), leaves every case unmeasured.
    """

    def __init__(self, why: TargetError | str) -> None:
        self._why = why

    async def replies(self, cases: Iterable[PlacedCase]) -> AsyncGenerator[tuple[PlacedCase, Reply], None]:
        """Raise the error, or yield each case with the sentence. See `Target.replies`."""
        for placed in cases:
            if isinstance(self._why, TargetError):
                raise self._why
            yield placed, NoTrace(reason="trace", detail=self._why)
