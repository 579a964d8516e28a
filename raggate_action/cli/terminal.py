"""The terminal: blocks of lines in columns, single keys, a typed answer."""

from __future__ import annotations

import contextlib
import os
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from types import TracebackType
from typing import Any, NamedTuple, Self

# Narrower columns break most lines of JSON.
_NARROWEST = 44
_GAP = "  "


class TitledLines(NamedTuple):
    """Lines under a title; the lines hold nothing a terminal would obey."""

    title: str
    lines: tuple[str, ...]


def laid_out(blocks: Iterable[TitledLines], width: int) -> Iterator[str]:
    """The blocks as lines of at most `width` columns each, as many blocks in a row as fit."""
    left = list(blocks)
    in_a_row = max(1, min(len(left), (width + len(_GAP)) // (_NARROWEST + len(_GAP))))
    while left:
        row, left = left[:in_a_row], left[in_a_row:]
        each = (width - len(_GAP) * (len(row) - 1)) // len(row)
        columns = [[block.title, "-" * each, *_folded(block.lines, each)] for block in row]
        for cells in zip_longest(*columns, fillvalue=""):
            yield _GAP.join(cell + " " * (each - _width(cell)) for cell in cells).rstrip()
        if left:
            yield ""


def _folded(lines: Iterable[str], width: int) -> Iterator[str]:
    """Lines broken at the width, between words where there are some; what goes on keeps its indent."""
    for line in lines:
        rest = line
        indent = " " * min(len(line) - len(line.lstrip()) + 2, width // 3)
        while _width(rest) > width:
            end = _fitting(rest, width)
            space = rest.rfind(" ", len(indent) + 1, end)
            end = space if space > end // 2 else end
            yield rest[:end].rstrip()
            rest = indent + rest[end:].lstrip()
        yield rest


def _fitting(text: str, width: int) -> int:
    """How many characters fit into so many columns; at least one."""
    taken = 0
    for place, character in enumerate(text):
        taken += _columns(character)
        if taken > width:
            return max(place, 1)
    return len(text)


def _width(text: str) -> int:
    return len(text) if text.isascii() else sum(map(_columns, text))


def _columns(character: str) -> int:
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


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
        """Drop earlier key presses: they cannot be about a claim that was not shown yet."""
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
    """Whether the terminal shows bold and underlined text, and the user wants it."""
    return sys.stdout.isatty() and not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"


def at_the_terminal(question: str) -> str:
    """What is typed in answer to a question; empty where the input has ended."""
    sys.stderr.write(f"{question}: ")
    sys.stderr.flush()
    return sys.stdin.readline().strip()
