"""The kinds of tool there are: a function, an address, a server of the Model Context Protocol."""

from __future__ import annotations

import asyncio
import importlib
import json
import queue
import shlex
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit, urlunsplit

from tool import LARGEST_REPLY, TIMEOUT_S, Tool, ToolError

# The one variable of the environment that a tool is given, if it is set.
KEY = "MENU_TOOL_KEY"


def tool_from(spec: str, environment: Mapping[str, str]) -> Tool:
    """The tool that `--tool` names.

    Raises:
        ToolError: It names none, or one that is not there.
    """
    key = environment.get(KEY) or None
    if spec.startswith(("http://", "https://")):
        return HttpTool(spec, key)
    if spec.startswith("mcp:"):
        command, _, name = spec.removeprefix("mcp:").rpartition("#")
        words = shlex.split(command)
        if not words or not name:
            raise ToolError("--tool mcp:COMMAND#tool names a command and, behind #, a tool of that server")
        return McpTool(words, name, key)
    module, colon, name = spec.partition(":")
    if not colon or not module.replace(".", "_").isidentifier() or not name.isidentifier():
        raise ToolError(f"--tool {spec!r} is no http(s) URL, no module:callable and no mcp:COMMAND#tool")
    return FunctionTool(module, name)


class FunctionTool:
    """A function of a module that Python finds from here."""

    def __init__(self, module: str, name: str) -> None:
        """Import it; modules in the working directory are found as well."""
        self.name = self.version = f"{module}:{name}"
        if str(Path.cwd()) not in sys.path:
            sys.path.append(str(Path.cwd()))
        try:
            self._function: Callable[[str], object] = getattr(importlib.import_module(module), name)
        except (ImportError, AttributeError) as error:
            raise ToolError(f"--tool {self.name} is not there: {error}") from None
        except Exception as error:  # noqa: BLE001 - a module may raise what it likes
            raise ToolError(f"--tool {self.name} cannot be loaded: {type(error).__name__}: {error}") from None
        if not callable(self._function):
            raise ToolError(f"--tool {self.name} cannot be called")

    def reply(self, question: str) -> object:
        """Call it."""
        return self._function(question)


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A question goes where it was meant to go, with its key, or nowhere."""

    def redirect_request(self, *_: object, **__: object) -> None:
        return None


class HttpTool:
    """An address that takes {"question": ...}."""

    def __init__(self, url: str, key: str | None) -> None:
        """Nothing is asked yet: a tool that is down shows in the first answer."""
        parts = urlsplit(url)
        if parts.username is not None or parts.password is not None:
            raise ToolError(f"--tool has a name or password in its address: put the key into {KEY}")
        # A query may hold a key: it is sent, and shown nowhere.
        self.name = self.version = urlunsplit((parts.scheme, parts.netloc, parts.path, "", ""))
        self._url = url
        self._headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {key}"} if key else {})}
        self._opener = urllib.request.build_opener(_NoRedirects)

    def reply(self, question: str) -> object:
        """Post it, and read at most as much as a reply may have."""
        body = json.dumps({"question": question}).encode()
        request = urllib.request.Request(self._url, data=body, headers=self._headers)  # noqa: S310 - http or https
        try:
            with self._opener.open(request, timeout=TIMEOUT_S) as response:
                raw = _bounded(response)
        except urllib.error.HTTPError as error:
            with error:
                raise ToolError(f"the tool answered {error.code}") from None
        except (OSError, ValueError) as error:
            raise ToolError(f"the tool cannot be asked: {type(error).__name__}") from None
        return _parsed(raw)


def _bounded(response: Any) -> bytes:
    """The body; read in pieces, so that one without an end is left in time."""
    ends, read = time.monotonic() + TIMEOUT_S, b""
    while piece := response.read1(LARGEST_REPLY):
        read += piece
        if len(read) > LARGEST_REPLY:
            raise ToolError(f"the tool's reply is longer than {LARGEST_REPLY} bytes")
        if time.monotonic() > ends:
            raise ToolError(f"the tool did not reply within {TIMEOUT_S:g} s")
    return read


def _parsed(raw: bytes | str) -> object:
    try:
        return cast("object", json.loads(raw))
    except (ValueError, RecursionError):
        raise ToolError("the tool's reply is no JSON") from None


class McpTool:
    """A tool of a stdio MCP server, which runs as long as the app; its own loop keeps the session open."""

    def __init__(self, command: list[str], name: str, key: str | None) -> None:
        """Start the server and look for the tool.

        Of the environment the server gets what `mcp` deems harmless, and the key.
        """
        try:
            import mcp
        except ImportError:
            raise ToolError("--tool mcp: needs the package of requirements-mcp.txt") from None
        self.name, self.version = name, f"mcp:{Path(command[0]).name}#{name}"
        given = {KEY: key} if key else None
        self._client = mcp.Client(
            mcp.StdioServerParameters(command=command[0], args=command[1:], env=given),
            read_timeout_seconds=TIMEOUT_S,
        )
        self._loop = asyncio.new_event_loop()
        self._began: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        threading.Thread(target=self._run, daemon=True).start()
        if problem := self._began.get():
            raise ToolError(problem)

    def _run(self) -> None:
        with suppress(Exception):
            # What breaks the session later is told by the calls that it breaks.
            self._loop.run_until_complete(self._keep_open())

    async def _keep_open(self) -> None:
        try:
            async with asyncio.timeout(TIMEOUT_S) as opening, self._client as client:
                offered = [tool.name for tool in (await client.list_tools()).tools]
                if self.name not in offered:
                    self._began.put(f"the MCP server has no tool {self.name!r}; it has {', '.join(offered) or 'none'}")
                    return
                opening.reschedule(None)
                self._began.put(None)
                await asyncio.Event().wait()
        except BaseException as error:
            self._began.put(f"the MCP server did not start: {_innermost(error)}")
            raise

    def reply(self, question: str) -> object:
        """Call the tool: its structured content, else its text read as JSON."""
        call = asyncio.run_coroutine_threadsafe(self._client.call_tool(self.name, {"question": question}), self._loop)
        try:
            result = call.result(TIMEOUT_S)
        except Exception as error:  # noqa: BLE001 - whatever the package raises, there is no reply
            call.cancel()
            raise ToolError(f"the MCP server gave no reply: {_innermost(error)}") from None
        if result.is_error:
            raise ToolError("the MCP server says that the tool failed")
        if result.structured_content is not None:
            return cast("object", result.structured_content)
        text = "".join(part.text for part in result.content if part.type == "text")
        if len(text) > LARGEST_REPLY:
            raise ToolError(f"the tool's reply is longer than {LARGEST_REPLY} characters")
        return _parsed(text)


def _innermost(error: BaseException) -> str:
    """The class of what went wrong, out of the groups that task groups raise."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return type(error).__name__
