"""The app behind HTTP: GET /healthz and POST /answer, on the standard library's server."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple, Protocol, cast

_LARGEST_BODY = 1 << 20


class Answering(Protocol):
    """Whoever answers."""

    def trace(self, asked: str, case_id: str | None) -> dict[str, Any]:
        """Answer one question; everything that led to the answer is in the trace."""


class _Asked(NamedTuple):
    question: str
    case_id: str | None


class _BadRequestError(Exception):
    """What the client sent cannot be answered; the message says what to send."""


class MenuServer(ThreadingHTTPServer):
    """The app behind HTTP; a thread per connection."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, host: str, port: int, app: Answering) -> None:
        """Listen on an address of this machine; port 0 takes a free one."""
        super().__init__((host, port), _Requests)
        self.app = app

    @property
    def address(self) -> str:
        """Where it listens, as a URL."""
        host, port = self.server_address[:2]
        return f"http://{host!s}:{port}"


class _Requests(BaseHTTPRequestHandler):
    """GET /healthz and POST /answer."""

    protocol_version = "HTTP/1.1"
    # Head and body leave in one packet: two small ones would wait for each other's acknowledgement.
    wbufsize = -1
    disable_nagle_algorithm = True
    # A client that goes silent in the middle of a request does not hold its thread for ever.
    timeout = 60

    def do_GET(self) -> None:
        """Say whether the app is up."""
        if self.path == "/healthz":
            self._send(200, {"status": "ok"})
        else:
            self._send(404, {"error": f"there is no {self.path}: GET /healthz or POST /answer"})

    def do_POST(self) -> None:
        """Answer a question with its trace."""
        try:
            body = self._body()
            if self.path != "/answer":
                self._send(404, {"error": f"there is no {self.path}: POST /answer"})
                return
            asked = _read(body)
        except _BadRequestError as error:
            self._send(400, {"error": str(error)})
            return
        self._send(200, cast("MenuServer", self.server).app.trace(asked.question, asked.case_id))

    def _body(self) -> bytes:
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > _LARGEST_BODY:
            # The body is left unread, so the connection cannot be used again.
            self.close_connection = True
            raise _BadRequestError(f"send a Content-Length of at most {_LARGEST_BODY} bytes")
        return self.rfile.read(int(length))

    def _send(self, status: int, content: dict[str, Any]) -> None:
        body = json.dumps(content, ensure_ascii=False).encode(errors="replace")
        self.send_response(status)
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the standard library's
        """Stay quiet: a line per request would drown what matters."""


def _read(body: bytes) -> _Asked:
    try:
        sent = json.loads(body)
    except (ValueError, RecursionError):
        raise _BadRequestError('the body is no JSON: send {"question": "..."}') from None
    question = sent.get("question") if isinstance(sent, dict) else None
    if not isinstance(question, str) or not question.strip():
        raise _BadRequestError('there is no question: send {"question": "..."}')
    case_id = sent.get("case_id")
    if case_id is not None and not isinstance(case_id, str):
        raise _BadRequestError("case_id has to be a string")
    return _Asked(question, case_id)
