"""The log of a step: everything written to it is neutralised, and only our own commands get through."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from raggate_action.github.workflow_commands import neutralised


class RunnerLog(io.TextIOBase):
    """A stream in front of stdout or stderr, line by line; a reader that went away never stops a run."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._line = ""

    def write(self, text: str) -> int:
        """Pass on whole lines, neutralised; the rest waits for its end, so that no command is written in pieces."""
        *lines, self._line = (self._line + text).split("\n")
        if lines:
            self._pass_on("".join([f"{neutralised(line)}\n" for line in lines]))
        return len(text)

    def command(self, line: str) -> None:
        """Pass on a workflow command of ours, on a line of its own."""
        self.end_line()
        self._pass_on(f"{line}\n")

    def end_line(self) -> None:
        """Pass on what waits for its end."""
        if self._line:
            line, self._line = self._line, ""
            self._pass_on(f"{neutralised(line)}\n")

    def flush(self) -> None:
        """Nothing waits but an unfinished line, which is not passed on early."""

    def writable(self) -> bool:
        """Yes."""
        return True

    def _pass_on(self, text: str) -> None:
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):
            pass  # verdict first: a closed log decides nothing


@contextmanager
def runner_log() -> Iterator[RunnerLog]:
    """Put stdout and stderr behind neutralising streams while the block runs; yields stdout's."""
    before = sys.stdout, sys.stderr
    out, err = RunnerLog(before[0]), RunnerLog(before[1])
    sys.stdout, sys.stderr = out, err
    try:
        yield out
    finally:
        out.end_line()
        err.end_line()
        sys.stdout, sys.stderr = before
