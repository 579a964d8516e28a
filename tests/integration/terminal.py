"""A command at a terminal of its own: what it shows is waited for, keys are pressed one at a time."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import Self

# A command's start on a machine that is busy; what it takes longer is a fault.
_LONGEST_S = 60.0
# The terminal becomes the command's own, so that Ctrl-C reaches it.
_AT_ITS_TERMINAL = (
    "import os, sys; os.login_tty(0); os.execv(sys.executable, [sys.executable, '-m', 'raggate_action', *sys.argv[1:]])"
)
_CONTROLS = re.compile(r"\x1b\[[0-9;]*m|\r")


class Terminal:
    """`raggate-action` with input and output at a pseudo-terminal; it ends with the `with` at the latest.

    Attributes:
        shown: All that it has shown so far, as it came.
    """

    def __init__(
        self, *arguments: str | Path, cwd: Path, columns: int = 80, lines: int = 40, **environment: str
    ) -> None:
        self.shown = ""
        self._seen = 0
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        env = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "COLUMNS", "LINES", "CI"}}
        self._process = subprocess.Popen(
            [sys.executable, "-c", _AT_ITS_TERMINAL, *map(str, arguments)],
            cwd=cwd,
            # Nobody's name: who works at this machine is no part of a test.
            env={**env, "TERM": "xterm", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", **environment},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
        )
        os.close(theirs)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._ours)

    def press(self, keys: str, then: str = "> ") -> str:
        """Press something, and return what is shown up to `then`, without colours."""
        os.write(self._ours, keys.encode())
        return self.until(then)

    def until(self, text: str) -> str:
        """Wait for a text and return what was shown since the last wait, without colours."""
        ends = time.monotonic() + _LONGEST_S
        while text not in self.shown[self._seen :]:
            if not self._read(ends):
                raise AssertionError(f"{text!r} did not come; shown was:\n{self.shown[self._seen :]}")
        return self._new(self.shown.index(text, self._seen) + len(text))

    def ended(self) -> tuple[int, str]:
        """Wait for its end: the exit code, and what was shown since the last wait."""
        ends = time.monotonic() + _LONGEST_S
        while self._read(ends):
            pass
        try:
            code = self._process.wait(timeout=max(0.1, ends - time.monotonic()))
        except subprocess.TimeoutExpired:
            raise AssertionError(f"it did not end; shown was:\n{self.shown[self._seen :]}") from None
        return code, self._new(len(self.shown))

    def _new(self, upto: int) -> str:
        new, self._seen = self.shown[self._seen : upto], upto
        return _CONTROLS.sub("", new)

    def _read(self, ends: float) -> bool:
        """Read a little; False where nothing comes any more."""
        if not select.select([self._ours], [], [], max(0.0, ends - time.monotonic()))[0]:
            return False
        try:
            content = os.read(self._ours, 65536)
        except OSError:
            return False
        self.shown += content.decode(errors="replace")
        return bool(content)
