"""A RAG app over real HTTP whose behaviour is scripted per case, and which remembers how it was asked."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit

# What a case can be scripted to meet; `X then good` holds for its first request only.
BEHAVIOURS = (
    "good",
    "slow",  # answers after `slow_s`
    "drips",  # a byte now and then, never done
    "400",
    "401 echo",  # quotes the request's headers and query in its error page
    "500",
    "503",
    "429",
    "503 then good",
    "429 then good",
    "drops then good",
    "drops",  # closes the connection without an answer
    "redirects",
    "bad json",
    "off schema",
    "endless",  # writes until nobody listens; `sent` counts the bytes
    "endless error page",
    "says error",
    "says error then good",
    "slow then good",
    "labels itself",
    "sets a cookie",
    "says",  # answers with what `replies` has for the case, packed as `packing` says
    "fails saying",  # the same as an error page
    "says slowly",  # the same, forty bytes at a time
)
ENDLESS = 200 * 1024 * 1024


class Asked(NamedTuple):
    """One request as the app saw it; `at` is seconds of a monotonic clock."""

    case_id: str
    at: float
    method: str
    path: str
    headers: dict[str, str]
    body: Any


class ScriptedApp:
    """The app. `asked` holds every request but those for readiness; `most_at_once` the largest number under way."""

    def __init__(self, script: Mapping[str, str], *, default: str, slow_s: float, retry_after: str, port: int) -> None:
        unknown = {*script.values(), default} - set(BEHAVIOURS)
        assert not unknown, f"no such behaviour: {unknown}"
        self.script = dict(script)
        self.default = default
        self.slow_s = slow_s
        self.retry_after = retry_after
        self.ready = True
        self.replies: dict[str, bytes] = {}
        self.packing: dict[str, str] = {}
        # What is said waits here, until so many requests are under way.
        self.gate: threading.Barrier | None = None
        self.asked: list[Asked] = []
        self.readiness: list[Asked] = []
        self.most_at_once = 0
        self.sent = 0
        self._at_once = 0
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", port), type("Handler", (_Handler,), {"app": self}))
        self._server.daemon_threads = True
        self._server.block_on_close = False

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/answer"

    @property
    def counts(self) -> Counter[str]:
        """Requests per case id."""
        return Counter(asked.case_id for asked in self.asked)

    def times(self, case_id: str) -> list[float]:
        """When each request for a case came."""
        return [asked.at for asked in self.asked if asked.case_id == case_id]

    def behaviour(self, asked: Asked) -> str:
        """What this request meets."""
        with self._lock:
            first = self.counts[asked.case_id] == 0
            self.asked.append(asked)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        scripted = self.script.get(asked.case_id, self.default)
        now, _, later = scripted.partition(" then ")
        return now if first or not later else later

    def leave(self) -> None:
        """A request is over."""
        with self._lock:
            self._at_once -= 1

    def serve(self) -> None:
        self._server.serve_forever(poll_interval=0.01)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def scripted_app(
    script: Mapping[str, str] | None = None,
    *,
    default: str = "good",
    slow_s: float = 5.0,
    retry_after: str = "1",
    port: int = 0,
) -> Iterator[ScriptedApp]:
    """The app on a loopback port, a free one unless it is given, until the end of the block."""
    app = ScriptedApp(script or {}, default=default, slow_s=slow_s, retry_after=retry_after, port=port)
    thread = threading.Thread(target=app.serve, daemon=True)
    thread.start()
    try:
        yield app
    finally:
        app.close()
        thread.join()


def good_trace(case_id: str, question: str = "") -> dict[str, Any]:
    """What the app answers when nothing is scripted."""
    return {"case_id": case_id, "answer": f"Answer to {question}", "candidates": ["c1", "c2"], "context": ["c1"]}


class _Handler(BaseHTTPRequestHandler):
    """Answers one connection as the app's script says."""

    protocol_version = "HTTP/1.1"
    # Headers and body are two writes; on a kept connection the second would wait for the first's receipt.
    disable_nagle_algorithm = True
    app: ScriptedApp

    def do_GET(self) -> None:
        self._answer(dict(parse_qsl(urlsplit(self.path).query)))

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self._answer(json.loads(raw))

    def do_PUT(self) -> None:
        self.do_POST()

    def _answer(self, body: Any) -> None:
        fields = body if isinstance(body, dict) else {}
        case_id = str(fields.get("case_id") or fields.get("id"))
        headers = {name.lower(): value for name, value in self.headers.items()}
        asked = Asked(case_id, time.monotonic(), self.command, self.path, headers, body)
        if self.path.startswith("/health"):
            self.app.readiness.append(asked)
            self._send(200 if self.app.ready else 503, b"{}")
            return
        try:
            self._behave(self.app.behaviour(asked), asked)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
        finally:
            self.app.leave()

    def _behave(self, behaviour: str, asked: Asked) -> None:
        fields = asked.body if isinstance(asked.body, dict) else {}
        good = json.dumps(good_trace(asked.case_id, str(fields.get("question", "")))).encode()
        match behaviour:
            case "good":
                self._send(200, good)
            case "slow":
                time.sleep(self.app.slow_s)
                self._send(200, good)
            case "drips":
                self.send_response(200)
                self.send_header("Content-Length", "1000")
                self.end_headers()
                for _ in range(1000):
                    self.wfile.write(b" ")
                    self.wfile.flush()
                    time.sleep(0.05)
            case "drops":
                self.close_connection = True
            case "401 echo":
                credentials = [asked.headers.get(name, "") for name in ("authorization", "x-api-key")]
                self._send(401, f"refused: {asked.path} {credentials}".encode())
            case "429":
                self._send(429, b"slow down", {"Retry-After": self.app.retry_after} if self.app.retry_after else {})
            case "400" | "500" | "503":
                self._send(int(behaviour), b"<h1>it\n  went   wrong</h1>")
            case _:
                self._answer_oddly(behaviour, asked, good)

    def _answer_oddly(self, behaviour: str, asked: Asked, good: bytes) -> None:
        match behaviour:
            case "redirects":
                self._send(302, b"", {"Location": f"{self.app.url}?token=hidden-token"})
            case "bad json":
                self._send(200, b'{"answer": oops}')
            case "off schema":
                self._send(200, b'{"answer": "x", "context": [1.5]}')
            case "endless" | "endless error page":
                self._send_endlessly(200 if behaviour == "endless" else 500)
            case "says error":
                self._send(200, b'{"error": "index is\\n empty"}')
            case "labels itself":
                claim = {"text": "x", "support_phrases": ["x"], "answer_point": "p"}
                self._send(200, json.dumps({"answer": {"text": "x", "claims": [claim]}}).encode())
            case "says" | "fails saying" | "says slowly":
                if self.app.gate is not None:
                    self.app.gate.wait(60)
                packing = self.app.packing.get(asked.case_id)
                headers = {"Content-Encoding": packing} if packing else {}
                body, status = self.app.replies[asked.case_id], 500 if behaviour == "fails saying" else 200
                self._send(status, body, headers, slowly=behaviour == "says slowly")
            case "sets a cookie":
                self._send(200, good, {"Set-Cookie": f"session={asked.case_id}; Path=/"})

    def _send_endlessly(self, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(ENDLESS))
        self.end_headers()
        while self.app.sent < ENDLESS:
            self.app.sent += self.wfile.write(b"x" * 65536)

    def _send(
        self, status: int, body: bytes, headers: Mapping[str, str] | None = None, *, slowly: bool = False
    ) -> None:
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        for at in range(0, len(body), 40 if slowly else len(body) or 1):
            self.wfile.write(body[at : at + 40] if slowly else body)
            if slowly:
                self.wfile.flush()
                time.sleep(0.01)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
        """Be quiet."""
