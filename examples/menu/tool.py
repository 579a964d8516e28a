"""The app's tool slot: one tool that is asked on every question, before the answer, and what it may reply.

    --tool http://127.0.0.1:9000/directives    POST {"question": "..."}
    --tool my_module:my_function               called with the question

Each replies with directives, in order; none is a reply as well:

    {"directives": [{"amplify": "what to do more of"}, {"suppress": "what to refrain from"}]}

They are data: one line of plain text each, of a kind. A tool that fails, hangs or replies with something else has
failed, and so has the answer: without its directives the app would be another one.
"""

from __future__ import annotations

import importlib
import json
import queue
import sys
import threading
import unicodedata
import urllib.request
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit, urlunsplit

TIMEOUT_S = 20.0
LARGEST_REPLY = 64 * 1024
MOST_DIRECTIVES = 16
LONGEST_DIRECTIVE = 500
KINDS = ("amplify", "suppress")
# The one variable of the environment that a tool is given, if it is set.
KEY = "MENU_TOOL_KEY"


class Directive(NamedTuple):
    """What the tool wants of the answer, in one line of plain text; `kind` is `amplify` or `suppress`."""

    kind: str
    text: str


class ToolError(Exception):
    """The tool gave no directives; the message is one line for people, without a word of the tool's own."""


class Tool(NamedTuple):
    """Replies to a question; its name stands in traces, and among the versions."""

    name: str
    reply: Callable[[str], object]


def tool_from(spec: str, environment: Mapping[str, str]) -> Tool:
    """The tool that `--tool` names.

    Raises:
        ToolError: It names none, or one that is not there.
    """
    if spec.startswith(("http://", "https://")):
        return _address(spec, environment.get(KEY))
    module, _, name = spec.partition(":")
    if str(Path.cwd()) not in sys.path:
        sys.path.append(str(Path.cwd()))
    try:
        return Tool(spec, getattr(importlib.import_module(module), name))
    except Exception as error:  # noqa: BLE001 - a module may raise what it likes
        raise ToolError(f"--tool {spec!r} is no http(s) URL and no module:callable: {error}") from None


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A question goes where it was meant to go, with its key, or nowhere."""

    def redirect_request(self, *_: object, **__: object) -> None:
        return None


def _address(url: str, key: str | None) -> Tool:
    """An address that takes {"question": ...}; nothing is asked yet."""
    opener = urllib.request.build_opener(_NoRedirects)
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {key}"} if key else {})}

    def reply(question: str) -> Any:
        body = json.dumps({"question": question}).encode()
        request = urllib.request.Request(url, data=body, headers=headers)  # noqa: S310 - http or https
        with opener.open(request, timeout=TIMEOUT_S) as response:
            return json.loads(response.read(LARGEST_REPLY))

    # A query may hold a key: it is sent, and shown nowhere.
    return Tool(urlunsplit((*urlsplit(url)[:3], "", "")), reply)


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
    if error is not None:
        raise ToolError(f"the tool raised {type(error).__name__}") from None
    return read_directives(reply)


def read_directives(reply: object) -> tuple[Directive, ...]:
    """The directives of a reply, each cleaned to one line.

    Raises:
        ToolError: It is no list of directives, or there are more or longer ones than can be meant.
    """
    listed = reply.get("directives") if isinstance(reply, Mapping) else None
    if not isinstance(listed, list | tuple) or len(listed) > MOST_DIRECTIVES:
        raise ToolError(f"the tool's reply has no list of at most {MOST_DIRECTIVES} directives")
    return tuple(_directive(number, item) for number, item in enumerate(listed, 1))


def _directive(number: int, item: object) -> Directive:
    if not isinstance(item, Mapping) or len(item) != 1 or next(iter(item)) not in KINDS:
        raise ToolError(f"directive {number} of the tool is no {' or '.join(KINDS)} alone")
    ((kind, text),) = item.items()
    cleaned = _one_line(text) if isinstance(text, str) else ""
    if not 0 < len(cleaned) <= LONGEST_DIRECTIVE:
        raise ToolError(f"directive {number} of the tool is no text of at most {LONGEST_DIRECTIVE} characters")
    return Directive(kind, cleaned)


def _one_line(text: str) -> str:
    """Without control, format and half characters: nothing in it can end a line or turn its direction."""
    spaced = "".join(" " if char.isspace() else char for char in text)
    return " ".join("".join(char for char in spaced if not unicodedata.category(char).startswith("C")).split())
