"""Where finished cases go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from raggate_action.core.gates.row import Evaluated
from raggate_action.pipeline.conclude import Count
from raggate_action.pipeline.progress import Progress
from raggate_action.pipeline.self_test import SelfTesting
from raggate_action.run_store import RunDirectory


class Sink(NamedTuple):
    """Everything that wants to know of a finished case.

    Attributes:
        directory: Journals it.
        counting: Counts it.
        progress: Shows that it is done.
        finished: Marks positions done before a resume.
        testing: May make mutants of it.
    """

    directory: RunDirectory
    counting: Count
    progress: Progress
    finished: bytearray
    testing: SelfTesting

    def take(self, cases: Sequence[Evaluated], *, durable: bool) -> None:
        """Take in what has finished; for `durable` see `RunDirectory.append`."""
        for done in cases:
            self.directory.append(done.row, done.trace, durable=durable, withheld=done.withheld)
        for done in cases:
            self.counting.add(done.row)
            self.testing.offer(done)
            self.progress.advance(done.row)
