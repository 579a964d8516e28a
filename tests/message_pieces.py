"""A message to a judge read back as it reads it: pieces between lines of a token, and what stands behind the last."""

from __future__ import annotations

import re
from typing import NamedTuple

_FIRST = re.compile(r"\AThe token of this message is (\S+)\.\n")


class Message(NamedTuple):
    """What a message holds.

    Attributes:
        pieces: Name and text of each, in order.
        closing: The last line.
    """

    token: str
    pieces: list[tuple[str, str]]
    closing: str


def read_message(user: str) -> Message:
    """The message of a prompt, line by line: a piece begins and ends with a line of the token and nowhere else."""
    first = _FIRST.match(user)
    assert first is not None, user[:80]
    token = first[1]
    pieces: list[tuple[str, str]] = []
    name: str | None = None
    piece: list[str] = []
    outside: list[str] = []
    for line in user[first.end() :].split("\n"):
        opened = re.fullmatch(rf"<<<{token} (.+)>>>", line)
        if name is None and opened is not None:
            name, piece = opened[1], []
        elif name is not None and opened is not None:
            assert opened[1] == "end", f"{opened[1]} begins inside {name}"
            pieces.append((name, "\n".join(piece)))
            name = None
        else:
            (outside if name is None else piece).append(line)
    assert name is None, f"{name} does not end"
    *blank, closing = outside
    assert not any(blank), blank
    return Message(token, pieces, closing)
