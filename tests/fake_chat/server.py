"""Models behind a chat API on a loopback port, scripted by model name, which remember how they were asked."""

from __future__ import annotations

import asyncio
import inspect
import json
import re
import threading
import time
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from http import HTTPStatus
from typing import Any, NamedTuple

from raggate_action.judging_jobs.pair_job import UNPLANTED
from tests.fake_chat.actions import Action, Answer, Body, Counted, Drop, Endless, Hang, Reply, Script
from tests.fake_chat.checks import Refusal, read_body

_LARGEST_HEAD = 64 * 1024
_PATHS = ("/chat/completions",)


class Asked:
    """One request.

    Attributes:
        at, done_at: Seconds of a monotonic clock: when it was read, when its answer was sent (None until then).
        model, body, headers, path: As they came; header names in lower case.
        at_once: Requests under way as it came, itself among them.
        status: Of the answer; 0 without one.
    """

    def __init__(self, path: str, headers: dict[str, str], body: Body, at_once: int) -> None:
        self.at = time.monotonic()
        self.done_at: float | None = None
        self.path = path
        self.headers = headers
        self.body = body
        self.model = str(body.get("model"))
        self.at_once = at_once
        self.status = 0

    @property
    def prompts(self) -> list[str]:
        """What each message says, in order."""
        return [message["content"] for message in self.body["messages"]]

    @property
    def system(self) -> str:
        """The first message."""
        return self.prompts[0]


class _Request(NamedTuple):
    method: str
    path: str
    headers: dict[str, str]
    raw: bytes


class FakeChat:
    """The endpoint. Everything that is remembered may be read while it serves.

    Attributes:
        asked: Every request that was taken, in the order of coming, but for those with a planted pair.
        planted: Those: judges of pairs are shown them behind the pairs of a comparison.
        refused: Every one that the API itself refuses: wrong form, unknown path, wrong key, unknown model.
        under_way: Requests under way now, by model.
        peak: The largest number of them at once; `peaks` the same by model.
        connections: How many connections were opened.
        faults: Exceptions of scripts; the end of the block raises the first.
    """

    def __init__(self, script: Mapping[str, Script], *, keys: Collection[str] | None, prefix: str) -> None:
        self.script = dict(script)
        self.asked: list[Asked] = []
        self.planted: list[Asked] = []
        self.refused: list[tuple[_Request, Refusal]] = []
        self.peak = 0
        self.peaks: Counter[str] = Counter()
        self.connections = 0
        self.faults: list[BaseException] = []
        self._keys = None if keys is None else {f"Bearer {key}" for key in keys}
        self._prefix = prefix
        self.under_way: Counter[str] = Counter()
        self._turns: Counter[str] = Counter()
        self._open: set[asyncio.Task[None]] = set()
        self._loop = asyncio.new_event_loop()
        self._stopped = asyncio.Event()
        self._ready = threading.Event()
        self.port = 0

    @property
    def base_url(self) -> str:
        """As a suite names it."""
        return f"http://127.0.0.1:{self.port}{self._prefix}"

    @property
    def counts(self) -> Counter[str]:
        """Requests per model."""
        return Counter(asked.model for asked in self.asked)

    def of(self, model: str) -> list[Asked]:
        """The requests of one model, in the order of coming."""
        return [asked for asked in self.asked if asked.model == model]

    def serve(self) -> None:
        """Serve until `stop`; runs in a thread of its own."""
        self._loop.run_until_complete(self._serve())
        self._loop.close()

    def wait_until_ready(self) -> None:
        """Returns once the port is known."""
        assert self._ready.wait(30), "the fake chat did not start"

    def stop(self) -> None:
        """Close every connection and end."""
        self._loop.call_soon_threadsafe(self._stopped.set)

    async def _serve(self) -> None:
        server = await asyncio.start_server(self._connected, "127.0.0.1", 0, limit=_LARGEST_HEAD, backlog=512)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stopped.wait()
        server.close()
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        self.connections += 1
        try:
            while (request := await _read(reader)) is not None and await self._answer(request, reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        except Exception as fault:  # noqa: BLE001 - told by the end of the block
            self.faults.append(fault)
        finally:
            self._open.discard(task)
            writer.close()
            with suppress(ConnectionError, asyncio.CancelledError):
                await writer.wait_closed()

    async def _answer(self, request: _Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; gives whether the connection stays."""
        body = self._taken(request)
        if isinstance(body, Refusal):
            self.refused.append((request, body))
            return await _send(writer, Answer(body.status, body.body))
        model = body["model"]
        self.under_way[model] += 1
        at_once = self.under_way.total()
        self.peak = max(self.peak, at_once)
        self.peaks[model] = max(self.peaks[model], self.under_way[model])
        asked = Asked(request.path, request.headers, body, at_once)
        is_planted = any(UNPLANTED[0].task.question in each["content"] for each in body["messages"])
        (self.planted if is_planted else self.asked).append(asked)
        try:
            return await self._act(await self._action(model, body), asked, reader, writer)
        finally:
            self.under_way[model] -= 1
            asked.done_at = time.monotonic()

    def _taken(self, request: _Request) -> Body | Refusal:
        # As a proxy is asked: with the whole address.
        path = re.sub(r"^http://[^/]+", "", request.path.partition("?")[0])
        if path not in [self._prefix + path for path in _PATHS]:
            return Refusal(404, f"Unknown request URL: {request.method} {request.path}.", "unknown_url")
        if request.method != "POST":
            return Refusal(404 if request.method == "GET" else 405, f"Not allowed to {request.method} here.")
        if self._keys is not None and request.headers.get("authorization") not in self._keys:
            return Refusal(401, "Incorrect API key provided.", "invalid_api_key")
        body = read_body(request.headers, request.raw)
        if not isinstance(body, Refusal) and body["model"] not in self.script:
            return Refusal(404, f"The model `{body['model']}` does not exist.", "model_not_found")
        return body

    async def _action(self, model: str, body: Body) -> Action:
        script, turn = self.script[model], self._turns[model]
        self._turns[model] += 1
        if isinstance(script, Action):
            return script
        if isinstance(script, list):
            return script[min(turn, len(script) - 1)]
        try:
            made = script(body)
            return await made if inspect.isawaitable(made) else made
        except Exception as fault:  # noqa: BLE001 - told by the end of the block
            self.faults.append(fault)
            return Answer(500, {"error": {"message": f"the script failed: {fault!r}"}})

    async def _act(
        self, action: Action, asked: Asked, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        if isinstance(action, Drop):
            return False
        if isinstance(action, Endless):
            asked.status = action.status
            return await _send_on(writer, action)
        assert isinstance(action, Reply | Answer | Hang), action
        wait_s = None if isinstance(action, Hang) else action.after_s
        if wait_s != 0 and await _is_left(reader, wait_s):
            return False
        if isinstance(action, Reply):
            action = Answer(200, completion(action, asked.body))
        assert isinstance(action, Answer), "whoever hangs waits until it is left"
        asked.status = action.status
        return await _send(writer, action)


@contextmanager
def fake_chat(
    script: Mapping[str, Script], *, keys: Collection[str] | None = None, prefix: str = "/v1"
) -> Iterator[FakeChat]:
    """Models behind a chat API on a free loopback port until the end of the block.

    Args:
        script: What each model does; another model is a 404. It may be changed meanwhile: `chat.script[...] = ...`.
        keys: Those that are taken, others being a 401; None takes any and none.
        prefix: What stands before `/chat/completions`.
    """
    chat = FakeChat(script, keys=keys, prefix=prefix)
    thread = threading.Thread(target=chat.serve, daemon=True)
    thread.start()
    chat.wait_until_ready()
    try:
        yield chat
    finally:
        chat.stop()
        thread.join(30)
    if chat.faults:
        raise chat.faults[0]


def completion(reply: Reply, body: Body) -> dict[str, Any]:
    """The body of a reply, as the API writes it."""
    message = {"role": "assistant", "content": reply.text, "refusal": reply.refusal}
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": reply.finish_reason}
    made = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_780_000_000,
        "model": body["model"],
        "choices": [choice] if reply.choices is None else reply.choices,
    }
    if reply.usage is None:
        return made
    return {**made, "usage": counted(reply, body) if isinstance(reply.usage, Counted) else reply.usage}


def counted(reply: Reply, body: Body) -> dict[str, Any]:
    """Usage by words: of every message, and of the reply; nothing was kept."""
    prompt = sum(len(message["content"].split()) for message in body["messages"])
    said = len((reply.text or reply.refusal or "").split())
    return {
        "prompt_tokens": prompt,
        "completion_tokens": said,
        "total_tokens": prompt + said,
        "prompt_tokens_details": {"cached_tokens": 0},
    }


async def _read(reader: asyncio.StreamReader) -> _Request | None:
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head[:-4].decode("latin-1").split("\r\n")
    method, path, _version = first.split(" ")
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    raw = await reader.readexactly(int(headers.get("content-length", 0)))
    return _Request(method, path, headers, raw)


async def _is_left(reader: asyncio.StreamReader, wait_s: float | None) -> bool:
    """Wait so long, None without end; gives whether the client closed meanwhile."""
    with suppress(TimeoutError):
        async with asyncio.timeout(wait_s):
            # A client that waits for an answer sends nothing on this connection.
            await reader.read(1)
            return True
    return False


def _phrase(status: int) -> str:
    """Some endpoints answer with a status of their own: 529."""
    return HTTPStatus(status).phrase if status in set(HTTPStatus) else "Unheard Of"


async def _send_on(writer: asyncio.StreamWriter, answer: Endless) -> bool:
    """Send until the client leaves, which ends the connection."""
    headers = {"content-type": "application/json", **answer.headers, "connection": "close"}
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    writer.write(f"HTTP/1.1 {answer.status} {_phrase(answer.status)}\r\n{lines}\r\n".encode("latin-1"))
    while True:
        writer.write(answer.part)
        await writer.drain()


async def _send(writer: asyncio.StreamWriter, answer: Answer) -> bool:
    """Send an answer; gives whether the connection stays."""
    content = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
    headers = {"content-type": "application/json", **answer.headers, "content-length": str(len(content))}
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    writer.write(f"HTTP/1.1 {answer.status} {_phrase(answer.status)}\r\n{lines}\r\n".encode("latin-1"))
    sent = content[: int(len(content) * answer.share)]
    for at in range(len(sent)) if answer.drip_s else ():
        writer.write(sent[at : at + 1])
        await writer.drain()
        await asyncio.sleep(answer.drip_s)
    if not answer.drip_s:
        writer.write(sent)
    await writer.drain()
    return answer.share >= 1
