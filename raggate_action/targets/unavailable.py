"""An app that is known, before any case, to be out of reach."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable

from raggate_action.errors import TargetError
from raggate_action.schema.case import PlacedCase
from raggate_action.schema.trace import NoTrace, Reply


class Unavailable:
    """A target that is never asked. Implements `Target`.

    An app that does not answer (`TargetError`) fails every case with that one message; one that must not be asked
    here, through no fault of its own (a sentence), leaves every case unmeasured.
    """

    def __init__(self, why: TargetError | str) -> None:
        self._why = why

    async def replies(self, cases: Iterable[PlacedCase]) -> AsyncGenerator[tuple[PlacedCase, Reply], None]:
        """Ask nothing: raise the error, or yield each case with the sentence; otherwise as `Target.replies`."""
        for placed in cases:
            if isinstance(self._why, TargetError):
                raise self._why
            yield placed, NoTrace(reason="trace", detail=self._why)
