"""Scripted judges behind the chat API, on loopback: no model, no key, the same replies every time.

    python server.py --port 0 --port-file port

`north-mini` wants all of a claim in one sentence, `south-small` in one chunk, and its provider filters what speaks of
allergies; `east-3b` does what the texts tell it to. The four whose names end in `-pair` compare two answers
(`pair_verdicts.py`), and the provider of `south-pair` is overloaded once. Usage is told at four characters a token, and
what stood at the beginning of an earlier prompt of the same model was kept.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

from pair_verdicts import by_place, for_lists, lenient, strict
from prompt import read_material
from verdicts import Judge, by_chunk, by_sentence, obedient

_CHARACTERS_PER_TOKEN = 4
_LARGEST_BODY = 1 << 22


class Model(NamedTuple):
    """A scripted judge, and how its provider fails.

    Attributes:
        judge: Reads and replies.
        filtered: Words that the provider lets through to nobody.
        overloaded: Words of the last text shown, at the first of which the provider is overloaded, once.
    """

    judge: Judge
    filtered: tuple[str, ...] = ()
    overloaded: tuple[str, ...] = ()


class OverloadedError(Exception):
    """The provider takes nothing now."""


MODELS: Mapping[str, Model] = {
    "north-mini": Model(by_sentence),
    "south-small": Model(by_chunk, filtered=("allergy",)),
    "east-3b": Model(obedient),
    "north-pair": Model(strict),
    "south-pair": Model(lenient, overloaded=("calories",)),
    "east-pair": Model(by_place),
    "west-pair": Model(for_lists),
}


class JudgeServer(ThreadingHTTPServer):
    """The endpoint; a thread per connection."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, port: int) -> None:
        """Listen on loopback; port 0 takes a free one."""
        super().__init__(("127.0.0.1", port), _Requests)
        self._lock = threading.Lock()
        self._kept: dict[tuple[str, str], int] = {}
        self._overloaded: set[str] = set()

    def completion(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """What the model of a request says, and what that took.

        Raises:
            KeyError, ValueError: The request is none that can be judged.
            OverloadedError: The model's provider takes nothing now.
        """
        model, messages = body["model"], body["messages"]
        system, user = messages[0]["content"], messages[1]["content"]
        scripted, material = MODELS[model], read_material(user)
        stopped = any(word in text.casefold() for word in scripted.filtered for text in material.texts)
        if any(word in material.texts[-1].casefold() for word in scripted.overloaded):
            self._overload(model)
        said = "" if stopped else json.dumps(scripted.judge(material))
        prompt = sum(len(message["content"]) for message in messages) // _CHARACTERS_PER_TOKEN
        with self._lock:
            cached = self._kept.get((model, system), 0)
            self._kept[model, system] = len(system) // _CHARACTERS_PER_TOKEN
        written = len(said) // _CHARACTERS_PER_TOKEN
        message = {"role": "assistant", "content": said}
        return {
            "id": "scripted",
            "object": "chat.completion",
            "created": 0,
            "model": model,
            "choices": [{"index": 0, "message": message, "finish_reason": "content_filter" if stopped else "stop"}],
            "usage": {
                "prompt_tokens": prompt,
                "completion_tokens": written,
                "total_tokens": prompt + written,
                "prompt_tokens_details": {"cached_tokens": cached},
            },
        }

    def _overload(self, model: str) -> None:
        with self._lock:
            first = model not in self._overloaded
            self._overloaded.add(model)
        if first:
            raise OverloadedError


class _Requests(BaseHTTPRequestHandler):
    """POST /v1/chat/completions."""

    server: JudgeServer
    protocol_version = "HTTP/1.1"
    # Head and body leave in one packet: two small ones would wait for each other's acknowledgement.
    wbufsize = -1
    disable_nagle_algorithm = True
    timeout = 60

    def do_POST(self) -> None:
        """Judge one request."""
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > _LARGEST_BODY:
            self.close_connection = True
            self._send(400, _error("send a Content-Length"))
            return
        raw = self.rfile.read(int(length))
        if self.path != "/v1/chat/completions":
            self._send(404, _error(f"there is no {self.path}"))
            return
        try:
            self._send(200, self.server.completion(json.loads(raw)))
        except OverloadedError:
            self._send(503, _error("overloaded"))
        except (ValueError, KeyError, IndexError, TypeError) as problem:
            self._send(400, _error(f"this cannot be judged: {problem!r}"))

    def _send(self, status: int, content: dict[str, Any]) -> None:
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the standard library's
        """Stay quiet: a line per request would drown what matters."""


def _error(message: str) -> dict[str, Any]:
    return {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": None}}


def main() -> int:
    """Serve until SIGTERM or Ctrl-C."""
    parser = argparse.ArgumentParser(description="Scripted judges behind the chat API.")
    parser.add_argument("--port", type=int, default=8091, help="its port; 0 takes a free one (default: 8091)")
    parser.add_argument("--port-file", type=Path, help="file that receives the port once it listens")
    arguments = parser.parse_args()
    server = JudgeServer(arguments.port)
    for number in (signal.SIGTERM, signal.SIGINT):
        # shutdown() waits for the serving loop, which a handler would interrupt: hence a thread of its own.
        signal.signal(number, lambda *_: threading.Thread(target=server.shutdown).start())
    if arguments.port_file is not None:
        partial = arguments.port_file.with_name(f"{arguments.port_file.name}.partial")
        partial.write_text(f"{server.server_address[1]}\n")
        partial.replace(arguments.port_file)
    with server:
        server.serve_forever(poll_interval=0.05)
    return 0


if __name__ == "__main__":
    sys.exit(main())
