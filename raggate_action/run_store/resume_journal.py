"""The journal: rows and traces in the order cases finish, cut clean after a kill, put in suite order at the end."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from raggate_action.errors import RunStoreError
from raggate_action.run_store.run_files import (
    BUFFER_BYTES,
    ROWS,
    TRACES,
    open_new,
    open_or_create,
    partial_name,
    remove,
    store_errors,
    take_place,
    write_partial,
    write_whole,
)
from raggate_action.schema.json_lines import first_keys


class _Line(NamedTuple):
    """One whole line: its length in bytes with the line end, its case, the case's position (0 for a trace)."""

    length: int
    case_id: str
    position: int


class Journal:
    """`cases.jsonl` and `traces.jsonl` while they grow.

    The trace of a case is written before its row, so a row never stands without its trace; a trace without its row
    is what a kill left behind, and is cut off. Memory: 24 bytes a case.
    """

    def __init__(self, directory: Path, *, rows: int, traces: int) -> None:
        """Take over two open files; `create` and `resume` are the ways in."""
        self._directory = directory
        self._rows = rows
        self._traces = traces
        self._positions = array("q")
        self._row_lengths = array("q")
        self._trace_lengths = array("q")
        self._waiting_rows: list[bytes] = []
        self._waiting_traces: list[bytes] = []
        self._waiting_bytes = 0

    @classmethod
    def create(cls, directory: Path) -> Journal:
        """Start a journal where there is none."""
        traces = open_new(directory / TRACES)
        return cls(directory, rows=open_new(directory / ROWS), traces=traces)

    @classmethod
    def resume(cls, directory: Path) -> Journal:
        """Go on where a run stopped: a last partial line and traces without a row are cut off.

        Raises:
            RunStoreError: A line before the last was not written by us.
        """
        _end_ordering(directory)
        traces = open_or_create(directory / TRACES)
        rows = open_or_create(directory / ROWS)
        journal = cls(directory, rows=rows, traces=traces)
        try:
            journal._recover()
        except RunStoreError:
            journal.close()
            raise
        return journal

    def __len__(self) -> int:
        return len(self._positions)

    def add(self, position: int, row: bytes, trace: bytes, *, durable: bool) -> None:
        """Journal one case.

        Args:
            position: The case's place in the suite's order.
            row: Its line of `cases.jsonl`.
            trace: Its line of `traces.jsonl`; empty when it left no trace.
            durable: It outlives a kill once this returns; otherwise it may wait for others in a buffer.

        Raises:
            RunStoreError: It cannot be written, or an earlier one could not.
        """
        if self._rows < 0:
            raise RunStoreError(
                f"{self._directory}: the journal is closed", hint="Go on with this run by `run --resume`."
            )
        self._positions.append(position)
        self._row_lengths.append(len(row))
        self._trace_lengths.append(len(trace))
        self._waiting_rows.append(row)
        self._waiting_traces.append(trace)
        self._waiting_bytes += len(row) + len(trace)
        if durable or self._waiting_bytes >= BUFFER_BYTES:
            self.flush()

    def flush(self) -> None:
        """Hand everything that waits to the system, traces first."""
        rows, traces = b"".join(self._waiting_rows), b"".join(self._waiting_traces)
        self._waiting_rows.clear()
        self._waiting_traces.clear()
        self._waiting_bytes = 0
        try:
            for name, file, content in ((TRACES, self._traces, traces), (ROWS, self._rows, rows)):
                if content:
                    with store_errors(self._directory / name):
                        write_whole(file, content)
        except RunStoreError:
            # Half a line may stand there now: nothing may be appended to it before a resume has cut it off.
            self._release()
            raise

    def finish(self) -> None:
        """Leave both files whole, in suite order and safe on disk, and let go of them."""
        self.flush()
        if any(before > after for before, after in pairwise(self._positions)):
            order = array("q", sorted(range(len(self)), key=self._positions.__getitem__))
            write_partial(self._directory, TRACES, _in_order(self._traces, self._trace_lengths, order))
            write_partial(self._directory, ROWS, _in_order(self._rows, self._row_lengths, order))
            take_place(self._directory, TRACES)
            take_place(self._directory, ROWS)
        else:
            with store_errors(self._directory):
                os.fsync(self._traces)
                os.fsync(self._rows)
        self.close()

    def close(self) -> None:
        """Let go of both files; what waits is written first. Closing twice is closing once."""
        if self._rows >= 0:
            self.flush()
            self._release()

    def _release(self) -> None:
        rows, traces = self._rows, self._traces
        self._rows = self._traces = -1
        os.close(rows)
        os.close(traces)

    def _recover(self) -> None:
        """Pair the lines of both files and cut what a kill left unfinished."""
        traces = _whole_lines(self._traces, self._directory / TRACES, positioned=False)
        trace = next(traces, None)
        for row in _whole_lines(self._rows, self._directory / ROWS, positioned=True):
            trace_length = 0
            if trace is not None and trace.case_id == row.case_id:
                trace_length = trace.length
                trace = next(traces, None)
            self._positions.append(row.position)
            self._row_lengths.append(row.length)
            self._trace_lengths.append(trace_length)
        if len(set(self._positions)) < len(self):
            raise RunStoreError(f"{self._directory / ROWS} holds a case twice", hint="Run again without --resume.")
        with store_errors(self._directory):
            os.ftruncate(self._rows, sum(self._row_lengths))
            os.ftruncate(self._traces, sum(self._trace_lengths))


def _end_ordering(directory: Path) -> None:
    """End what `Journal.finish` was killed in, so that rows and traces stand in one order again.

    Both new files are whole before the first takes its place, and the traces go first: where only the new rows are
    left, the new traces stand already.
    """
    rows, traces = (directory / partial_name(name) for name in (ROWS, TRACES))
    if os.path.lexists(rows) and not os.path.lexists(traces):
        take_place(directory, ROWS)
    remove(rows)
    remove(traces)


def _whole_lines(file: int, path: Path, *, positioned: bool) -> Iterator[_Line]:
    """Every line that has its end; the last one may lack it, and is left out."""
    # The descriptor stays open: it is appended to afterwards.
    with open(file, "rb", buffering=BUFFER_BYTES, closefd=False) as stream:
        for number, line in enumerate(stream, start=1):
            if not line.endswith(b"\n"):
                return
            # We write them first: finding where a line belongs needs no full parse.
            first = first_keys(line)
            if first is None or (positioned and first.position is None):
                raise RunStoreError(
                    f"{path}:{number}: this line was not written by raggate",
                    hint="The run directory is damaged: run again without --resume.",
                )
            yield _Line(len(line), first.case_id, first.position or 0)


def _in_order(file: int, lengths: array[int], order: array[int]) -> Iterator[bytes]:
    """The lines of `file` in the order given, each read where it stands."""
    offsets = array("q")
    end = 0
    for length in lengths:
        offsets.append(end)
        end += length
    for index in order:
        yield os.pread(file, lengths[index], offsets[index])
