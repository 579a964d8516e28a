"""The two servers of the fake: the API, and the host of the blobs."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.fake_github.answers import Answer
from tests.fake_github.checks import Raw

_LARGEST_REQUEST = 8 * 1024 * 1024


class Reply:
    """What is sent: an answer, as a whole (`share` 1) or in part, or nothing at all (None)."""

    def __init__(self, answer: Answer | None, *, share: float = 1.0) -> None:
        self.answer = answer
        self.share = share


class Server:
    """An HTTP server in a thread of its own; `serve` makes a reply of each request."""

    def __init__(self, bind: str, serve: Callable[[Raw], Reply]) -> None:
        self._server = _Listener((bind, 0), type("Handler", (_Handler,), {"serve": staticmethod(serve)}))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Headers and body are two writes; on a kept connection the second would wait for the first's receipt.
    disable_nagle_algorithm = True
    # A client that has gone silent is given up.
    timeout = 60
    serve: Callable[[Raw], Reply]

    def _serve(self) -> None:
        length = min(int(self.headers.get("Content-Length") or 0), _LARGEST_REQUEST)
        headers = {name.lower(): value for name, value in self.headers.items()}
        reply = self.serve(Raw(self.command, self.path, headers, self.rfile.read(length)))
        if reply.answer is None:
            self.close_connection = True
            return
        try:
            self._send(reply.answer, reply.share)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = _serve  # noqa: N815 - http.server looks them up

    def _send(self, answer: Answer, share: float) -> None:
        match answer.body:
            case None:
                content = b""
            case bytes():
                content = answer.body
            case str():
                content = answer.body.encode()
            case _:
                content = json.dumps(answer.body).encode()
        headers = {"Content-Type": "application/json; charset=utf-8", **answer.headers}
        self.send_response(answer.status)
        for name, value in headers.items():
            self.send_header(name, value)
        if answer.status != 204:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content[: int(len(content) * share)])
        if share < 1:
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
        """Be quiet."""
