"""The log of a step: everything written to it is neutralised, and only our own commands get through."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Iterator
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
        """True: only to be written to, as `print` asks of a stream."""
        return True

    def _pass_on(self, text: str) -> None:
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):
            pass  # verdict first: a closed log decides nothing


@contextmanager
def runner_log(*, content: bool = False) -> Iterator[None]:
    """Put stderr, and stdout too unless it carries content, behind neutralising streams while the block runs."""
    before = sys.stdout, sys.stderr
    streams = [RunnerLog(sys.stderr)] if content else [RunnerLog(sys.stderr), RunnerLog(sys.stdout)]
    sys.stderr, sys.stdout = streams[0], sys.stdout if content else streams[1]
    try:
        yield
    finally:
        for stream in streams:
            stream.end_line()
        sys.stdout, sys.stderr = before


def send_commands(lines: Iterable[str]) -> None:
    """Give the runner commands of ours; outside a workflow nobody would read them, and nothing is written."""
    if isinstance(sys.stdout, RunnerLog):
        for line in lines:
            sys.stdout.command(line)
