"""Where finished cases go."""

from __future__ import annotations

from raggate_action.core.gates.row import Evaluated
from raggate_action.pipeline.count import Count
from raggate_action.pipeline.progress import Progress
from raggate_action.pipeline.self_test import SelfTesting
from raggate_action.run_store import RunDirectory
from raggate_action.targets.interface import TOGETHER


class Sink:
    """Everything that wants to know of a finished case: it is journalled, counted, shown, and may be made a mutant of.

    Attributes:
        directory: Journals it.
        finished: Marks positions done before a resume.
        progress: Shows that it is done.
    """

    def __init__(
        self, directory: RunDirectory, counting: Count, progress: Progress, testing: SelfTesting, *, finished: bytearray
    ) -> None:
        self.directory = directory
        self.finished = finished
        self.progress = progress
        self._counting = counting
        self._testing = testing
        self._together: list[Evaluated] = []

    @property
    def judged_otherwise(self) -> int:
        """See `Count.judged_otherwise`."""
        return self._counting.judged_otherwise

    def take(self, done: Evaluated, *, durable: bool) -> None:
        """Take in a case; for `durable` see `RunDirectory.append`. Others may be taken in together with it later."""
        self._together.append(done._replace(row=self._counting.known(done.row)))
        if durable or len(self._together) >= TOGETHER:
            self.flush(durable=durable)

    def flush(self, *, durable: bool) -> None:
        """Take in what is left over."""
        cases, self._together = self._together, []
        for done in cases:
            self.directory.append(done.row, done.trace, durable=durable, withheld=done.withheld, others=done.others)
        for done in cases:
            self._counting.add(done.row)
            self._testing.offer(done)
            self.progress.advance(done.row)
