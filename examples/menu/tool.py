"""The app's tool slot: one tool that is asked on every question, before the answer, and what it may reply.

    --tool http://127.0.0.1:9000/directives    POST {"question": "..."}
    --tool my_module:my_function               called with the question
    --tool "mcp:COMMAND --WITH ARGS#tool"      a stdio MCP server and a tool of it (requirements-mcp.txt)

Each replies with directives, in order; none is a reply as well:

    {"directives": [{"amplify": "what to do more of"}, {"suppress": "what to refrain from"}]}

They are data: one line of plain text each, of a kind. A tool that fails, hangs or replies with something else has
failed, and so has the answer: without its directives the app would be another one. `tool_kinds.py` asks each kind.
"""

from __future__ import annotations

import queue
import threading
import unicodedata
from collections.abc import Mapping
from typing import NamedTuple, Protocol

TIMEOUT_S = 20.0
LARGEST_REPLY = 64 * 1024
MOST_DIRECTIVES = 16
LONGEST_DIRECTIVE = 500
KINDS = ("amplify", "suppress")


class Directive(NamedTuple):
    """What the tool wants of the answer.

    Attributes:
        kind: `amplify` or `suppress`.
        text: What, in one line of plain text.
    """

    kind: str
    text: str


class ToolError(Exception):
    """The tool gave no directives; the message is one line for people, without a word of the tool's own."""


class Tool(Protocol):
    """Asked with a question, replies with whatever it replies; `name` stands in traces, `version` beside versions."""

    name: str
    version: str

    def reply(self, question: str) -> object:
        """What the tool says, not yet read.

        Raises:
            ToolError: It said nothing that can be read.
        """


def directives_of(tool: Tool, question: str, timeout_s: float = TIMEOUT_S) -> tuple[Directive, ...]:
    """Ask a tool, and read what it replies.

    Raises:
        ToolError: It failed, took too long, or replied with something else than directives.
    """
    done: queue.SimpleQueue[tuple[object, BaseException | None]] = queue.SimpleQueue()

    def ask() -> None:
        try:
            done.put((tool.reply(question), None))
        except BaseException as error:  # noqa: BLE001 - a tool may raise what it likes, SystemExit too
            done.put((None, error))

    # A thread of its own: nothing else ends a call that hangs in somebody's code, or drips a byte a second.
    threading.Thread(target=ask, daemon=True).start()
    try:
        reply, error = done.get(timeout=timeout_s)
    except queue.Empty:
        raise ToolError(f"the tool did not reply within {timeout_s:g} s") from None
    if isinstance(error, ToolError):
        raise error
    if error is not None:
        raise ToolError(f"the tool raised {type(error).__name__}") from None
    return read_directives(reply)


def read_directives(reply: object) -> tuple[Directive, ...]:
    """The directives of a reply, each cleaned to one line.

    Raises:
        ToolError: It is no list of directives, or there are more or longer ones than can be meant.
    """
    listed = reply.get("directives") if isinstance(reply, Mapping) else None
    if not isinstance(listed, list | tuple):
        raise ToolError('the tool\'s reply has no list of directives: {"directives": [{"amplify": "..."}]}')
    if len(listed) > MOST_DIRECTIVES:
        raise ToolError(f"the tool's reply has {len(listed)} directives; at most {MOST_DIRECTIVES} are read")
    return tuple(_directive(number, item) for number, item in enumerate(listed, 1))


def _directive(number: int, item: object) -> Directive:
    if not isinstance(item, Mapping) or len(item) != 1 or next(iter(item)) not in KINDS:
        raise ToolError(f"directive {number} of the tool is no {' or '.join(KINDS)} alone")
    ((kind, text),) = item.items()
    cleaned = _one_line(text) if isinstance(text, str) else ""
    if not cleaned:
        raise ToolError(f"directive {number} of the tool has no text")
    if len(cleaned) > LONGEST_DIRECTIVE:
        raise ToolError(f"directive {number} of the tool is longer than {LONGEST_DIRECTIVE} characters")
    return Directive(kind, cleaned)


def _one_line(text: str) -> str:
    """Without control, format and half characters: nothing in it can end a line or turn its direction."""
    spaced = "".join(" " if char.isspace() else char for char in text)
    return " ".join("".join(char for char in spaced if not unicodedata.category(char).startswith("C")).split())
