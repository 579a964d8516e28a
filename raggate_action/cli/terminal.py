"""The terminal: blocks of lines in columns, a typed answer."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import NamedTuple

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


def at_the_terminal(question: str) -> str:
    """What is typed in answer to a question; empty where the input has ended."""
    sys.stderr.write(f"{question}: ")
    sys.stderr.flush()
    return sys.stdin.readline().strip()
