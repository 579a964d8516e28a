"""The app behind HTTP: GET /healthz and POST /answer, on the standard library's server."""

from __future__ import annotations

import json
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast

_LARGEST_BODY = 1 << 20


class MenuServer(ThreadingHTTPServer):
    """The app behind HTTP; a thread per connection."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, host: str, port: int, trace: Callable[[str, str | None], dict[str, Any]]) -> None:
        """Listen on an address of this machine; port 0 takes a free one."""
        super().__init__((host, port), _Requests)
        self.trace = trace


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
        self._send(*((200, {"status": "ok"}) if self.path == "/healthz" else (404, {"error": "GET /healthz"})))

    def do_POST(self) -> None:
        """Answer a question with its trace."""
        try:
            length = int(self.headers.get("Content-Length") or 0)
            sent = json.loads(self.rfile.read(min(length, _LARGEST_BODY)))
            question, case_id = sent["question"], sent.get("case_id")
        except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
            question = case_id = None
        if self.path != "/answer" or not isinstance(question, str) or not isinstance(case_id, str | None):
            # Part of a body may be left unread, so the connection cannot be used again.
            self.close_connection = True
            self._send(400, {"error": 'POST /answer with {"question": "...", "case_id": "..."}'})
        else:
            self._send(200, cast("MenuServer", self.server).trace(question, case_id))

    def _send(self, status: int, content: dict[str, Any]) -> None:
        body = json.dumps(content, ensure_ascii=False).encode(errors="replace")
        self.send_response(status)
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        if self.close_connection:
            # Else a client sends its next request on a connection that is about to close.
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the standard library's
        """Stay quiet: a line per request would drown what matters."""
