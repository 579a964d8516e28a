"""Keys of a terminal, one at a time: no Enter where the terminal allows that, else a line each."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

# Bytes taken at once, so that no end of an arrow or of a paste is a key of its own.
_MOST = 1024
_END = frozenset({b"", b"\x04"})


class Keys:
    """What a person types; inside `with` no pressed key is shown, behind it the terminal is as it was."""

    def __init__(self) -> None:
        self._input = sys.stdin.fileno()
        # The terminal's settings; None where it has none, so that every key takes an Enter.
        self._before: list[Any] | None = None

    def __enter__(self) -> Self:
        with contextlib.suppress(ImportError):
            import termios

            with contextlib.suppress(termios.error):
                self._before = termios.tcgetattr(self._input)
                self._take_keys()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._take_lines()

    def key(self) -> str | None:
        """What is pressed: several characters at once are an arrow, or a paste. None where the input has ended."""
        if self._before is None:
            typed = self._line()
            return typed.strip()[:1] if typed else None
        # Once more: whoever stopped us in between may have changed it.
        self._take_keys()
        try:
            pressed = os.read(self._input, _MOST)
        except OSError:
            return None
        if pressed in _END:
            return None
        return pressed.decode(errors="replace")

    def forget(self) -> None:
        """Drop what was typed so far: before a claim is to be seen, nothing is said of it."""
        if self._before is not None:
            import termios

            termios.tcflush(self._input, termios.TCIFLUSH)

    def line(self, question: str) -> str:
        """A line of text; empty where nothing is typed."""
        sys.stdout.write(f"{question}: ")
        sys.stdout.flush()
        self._take_lines()
        try:
            return self._line().strip()
        finally:
            self._take_keys()

    def _take_keys(self) -> None:
        if self._before is not None:
            import termios
            import tty

            tty.setcbreak(self._input, termios.TCSADRAIN)

    def _take_lines(self) -> None:
        if self._before is not None:
            import termios

            termios.tcsetattr(self._input, termios.TCSADRAIN, self._before)

    def _line(self) -> str:
        # A terminal may send bytes of another encoding.
        return sys.stdin.buffer.readline().decode(errors="replace")


def shows_colour(environment: Mapping[str, str]) -> bool:
    """Whether bold and underlined text reaches whoever reads, and is wanted."""
    return sys.stdout.isatty() and not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"
