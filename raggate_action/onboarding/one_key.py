"""Keys of a terminal, one at a time: no Enter where the terminal allows that, else a line each."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Mapping

# Typed at once that is more than a key: an arrow, or something pasted.
_MOST = 1024


class Keys:
    """What a person types. Between two keys the terminal is as it was found."""

    def __init__(self) -> None:
        self._input = sys.stdin.fileno()

    def key(self) -> str | None:
        """The next key; empty for one that is none of ours (an arrow, a paste), None where the input has ended."""
        try:
            import termios
            import tty
        except ImportError:
            return self._of_line()
        try:
            before = termios.tcgetattr(self._input)
        except termios.error:
            return self._of_line()
        try:
            tty.setcbreak(self._input, termios.TCSADRAIN)
            typed = os.read(self._input, _MOST)
        except OSError:
            return None
        finally:
            termios.tcsetattr(self._input, termios.TCSADRAIN, before)
        if typed in {b"", b"\x04"}:
            return None
        return typed.decode() if len(typed) == 1 and typed.isascii() else ""

    def forget(self) -> None:
        """Drop what was typed so far: before a claim is to be seen, nothing is said of it."""
        with contextlib.suppress(ImportError, OSError):
            import termios

            with contextlib.suppress(termios.error):
                termios.tcflush(self._input, termios.TCIFLUSH)

    def line(self, question: str) -> str:
        """A line of text; empty where nothing is typed."""
        sys.stdout.write(f"{question}: ")
        sys.stdout.flush()
        return self._typed().strip()

    def _of_line(self) -> str | None:
        typed = self._typed()
        return typed.strip()[:1] if typed else None

    def _typed(self) -> str:
        # A terminal may send bytes of another encoding.
        return sys.stdin.buffer.readline().decode(errors="replace")


def shows_colour(environment: Mapping[str, str]) -> bool:
    """Whether bold and underlined text reaches whoever reads, and is wanted."""
    return sys.stdout.isatty() and not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"
