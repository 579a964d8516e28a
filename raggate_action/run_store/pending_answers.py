"""Answers that are not rows yet: each written down as it comes, and its verdicts as they come, until the run ends.

So a run that is killed between the steps asks nobody again. The file is begun by the first answer that waits, is hidden
(an upload of the run directory leaves it out) and its owner's alone, for it holds answers whole, chunk texts included;
it is removed when the run is complete. An answer that holds what its asker may not read never waits: its row is final.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal, NamedTuple

from raggate_action.run_store.indexed_jsonl import Place, PlacedLines
from raggate_action.run_store.run_files import (
    partial_name,
    remove,
)
from raggate_action.schema.base import Natural, Record
from raggate_action.schema.trace import Answered, NoTrace, Reply, TargetFailure, Trace
from raggate_action.schema.verdicts import Verdicts

WAITING = partial_name("waiting.jsonl")
_OWNERS_ALONE = 0o600


class _Line(Record):
    """One line: a reply, or the verdicts on one. `reply` is the target's failure or why there is no trace.

    `position` is the case's, `ask` counts how often it had been asked before; `labelled` and `latency_ms` belong to the
    trace.
    """

    position: Natural
    ask: Natural = 0
    trace: Trace | None = None
    latency_ms: float | None = None
    labelled: bool = False
    error: str | None = None
    no_trace: tuple[Literal["trace", "cut", "fault"], str] | None = None
    verdicts: Verdicts | None = None


class _Answer(NamedTuple):
    """Which answer a line is of: of which case, and of which time it was asked, from 0."""

    position: int
    ask: int


class WaitingCases:
    """Replies and verdicts of cases that are not rows yet, on disk; in memory are only the places of their lines.

    A line is with the system once it is added, so it outlives a kill of this process.
    """

    def __init__(self, path: Path | None) -> None:
        """Nothing waits yet, and no file is made.

        Args:
            path: Where the file will be; None is a nameless one, of which nothing stays.
        """
        self._path = path
        self._lines = PlacedLines(path, _Line, owners_alone=True)
        self._replies: dict[_Answer, Place] = {}
        self._verdicts: dict[_Answer, Place] = {}

    @classmethod
    def create(cls, directory: Path) -> WaitingCases:
        """For a new run; what an earlier one left is removed."""
        remove(directory / WAITING)
        return cls(directory / WAITING)

    @classmethod
    def resume(cls, directory: Path) -> WaitingCases:
        """Go on with what waited when a run stopped; a last partial line is cut off.

        Raises:
            RunStoreError: A line before the last was not written by us.
        """
        waiting = cls(directory / WAITING)
        for line, place in waiting._lines.recovered():
            places = waiting._replies if line.verdicts is None else waiting._verdicts
            places[_Answer(line.position, line.ask)] = place
        return waiting

    def __len__(self) -> int:
        return len(self._replies)

    def __contains__(self, position: int) -> bool:
        return self.has(position, 0)

    def has(self, position: int, ask: int) -> bool:
        """Whether a case waits with the answer to an ask, the first being 0."""
        return _Answer(position, ask) in self._replies

    def positions(self) -> tuple[int, ...]:
        """The cases that wait, in suite order."""
        return tuple(sorted(answer.position for answer in self._replies if not answer.ask))

    def add_reply(self, position: int, reply: Reply, ask: int = 0) -> None:
        """A case has been asked, and its row has to wait.

        Raises:
            RunStoreError: It cannot be written.
        """
        self._replies[_Answer(position, ask)] = self._lines.add(_line_of(position, ask, reply))

    def add_verdicts(self, position: int, verdicts: Verdicts, ask: int = 0) -> None:
        """The verdicts on an answer that waits have come.

        Raises:
            RunStoreError: They cannot be written.
        """
        line = _Line(position=position, ask=ask, verdicts=verdicts)
        self._verdicts[_Answer(position, ask)] = self._lines.add(line)

    def reply(self, position: int, ask: int = 0) -> Reply:
        """What the target gave for a case that waits."""
        line = self._lines.read(self._replies[_Answer(position, ask)])
        if line.trace is not None:
            return Answered(line.trace, line.latency_ms, line.labelled)
        if line.no_trace is not None:
            return NoTrace(*line.no_trace)
        return TargetFailure(line.error or "", line.latency_ms)

    def verdicts(self, position: int, ask: int = 0) -> Verdicts | None:
        """The verdicts on an answer that waits; None while there are none."""
        place = self._verdicts.get(_Answer(position, ask))
        return None if place is None else self._lines.read(place).verdicts

    def forget(self, position: int) -> None:
        """A case has its row and waits no more; nothing happens where it did not."""
        ask = 0
        while self._replies.pop(answer := _Answer(position, ask), None) is not None:
            self._verdicts.pop(answer, None)
            ask += 1

    def finish(self) -> None:
        """Every case has its row: remove the file."""
        self.close()
        if self._path is not None:
            remove(self._path)

    def close(self) -> None:
        """Let go of the file, which stays. Closing twice is closing once."""
        self._lines.close()


def _line_of(position: int, ask: int, reply: Reply) -> _Line:
    match reply:
        case Answered(trace, latency_ms, labelled):
            return _Line(position=position, ask=ask, trace=trace, latency_ms=latency_ms, labelled=labelled)
        case TargetFailure(error, latency_ms):
            return _Line(position=position, ask=ask, error=error, latency_ms=latency_ms)
        case NoTrace(reason, detail):
            return _Line(position=position, ask=ask, no_trace=(reason, detail))
