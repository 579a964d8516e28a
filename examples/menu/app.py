"""A small RAG app over a restaurant's menu: the app under test of this example.

It needs nothing but Python, listens on loopback unless told otherwise, and reports with every answer how it came
about (its trace).

    python app.py --port 8080 --mode disciplined
    curl -d '{"question": "When are you open?"}' http://127.0.0.1:8080/answer

With `--tool` it asks a tool of yours on every question before it answers (`tool.py`).
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple, cast

from answering import POLICIES, POLICY_VERSIONS, answer, policy_under
from chat_model import SYSTEM_PROMPTS, ChatModel, ChatModelError, model_from
from retrieval import CONTEXT, RERANKER_VERSION, RETRIEVER_VERSION, Entry, Index, load_menu
from tool import Directive, Tool, ToolError, directives_of
from tool_kinds import tool_from
from wording import Question, read_question

_LARGEST_BODY = 1 << 20


class App:
    """Answers questions about one menu in one mode."""

    def __init__(self, chunks: Path, mode: str, model: ChatModel | None, tool: Tool | None = None) -> None:
        """Load the menu and index it.

        Args:
            chunks: The menu, one JSON object per line.
            mode: `disciplined` or `helpful`.
            model: Writes the answers; None quotes the menu instead.
            tool: Asked on every question before the answer; None asks nobody.
        """
        menu = load_menu(chunks)
        self._index = Index(menu.entries)
        self._mode = mode
        self._model = model
        self._tool = tool
        self._versions = {
            "retriever": RETRIEVER_VERSION,
            "index": menu.version,
            "reranker": RERANKER_VERSION,
            "policy": POLICY_VERSIONS[mode],
        }
        if model is not None:
            self._versions["model"] = model.model
        if tool is not None:
            self._versions["tool"] = tool.version

    def trace(self, asked: str, case_id: str | None) -> dict[str, Any]:
        """Answer one question; everything that led to the answer is in the trace."""
        clock = _StageClock()
        question = read_question(asked)
        candidates = self._index.candidates(question)
        clock.lap("retrieve")
        reranked = self._index.rerank(question, candidates)
        context = reranked[:CONTEXT]
        clock.lap("rerank")
        try:
            directives = self._directives(asked, clock)
        except ToolError as error:
            # An answer without the directives would be another app's.
            outcome: dict[str, Any] = {"answer": {"text": ""}, "error": str(error)}
        else:
            outcome = self._answered(asked, question, context, directives)
        clock.lap("answer")
        return {
            "case_id": case_id,
            "candidates": [entry.chunk_id for entry in candidates],
            "rerank_input": [entry.chunk_id for entry in candidates],
            "reranked": [entry.chunk_id for entry in reranked],
            "context": [{"chunk_id": entry.chunk_id, "version": entry.version} for entry in context],
            "versions": self._versions,
            "latency_ms": clock.total_ms,
            "stage_latency_ms": clock.stages,
            **({"tool_calls": [{"name": self._tool.name, "arguments": {"question": asked}}]} if self._tool else {}),
            **outcome,
        }

    def _directives(self, asked: str, clock: _StageClock) -> tuple[Directive, ...]:
        if self._tool is None:
            return ()
        try:
            return directives_of(self._tool, asked)
        finally:
            clock.lap("tool")

    def _answered(
        self, asked: str, question: Question, context: tuple[Entry, ...], directives: tuple[Directive, ...]
    ) -> dict[str, Any]:
        if self._model is None:
            reply = answer(question, context, when_not_stated=policy_under(directives, self._mode))
            return {"answer": {"text": reply.text, "abstained": reply.abstained}}
        try:
            written = self._model.write(SYSTEM_PROMPTS[self._mode], asked, context, directives)
        except ChatModelError as error:
            # Quoting the menu instead would hide that the model is down.
            return {"answer": {"text": ""}, "error": str(error)}
        usage = {"input_tokens": written.input_tokens, "output_tokens": written.output_tokens}
        return {"answer": {"text": written.text}, "usage": usage}


class _StageClock:
    """Milliseconds per stage."""

    def __init__(self) -> None:
        self._began = self._lap_began = time.perf_counter()
        self.stages: dict[str, float] = {}

    def lap(self, stage: str) -> None:
        """End a stage."""
        now = time.perf_counter()
        self.stages[stage] = round((now - self._lap_began) * 1000, 3)
        self._lap_began = now

    @property
    def total_ms(self) -> float:
        """From the beginning to the last lap."""
        return round((self._lap_began - self._began) * 1000, 3)


class _Asked(NamedTuple):
    question: str
    case_id: str | None


class _BadRequestError(Exception):
    """What the client sent cannot be answered; the message says what to send."""


class MenuServer(ThreadingHTTPServer):
    """The app behind HTTP; a thread per connection."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, host: str, port: int, app: App) -> None:
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


def main() -> int:
    """Serve until SIGTERM or Ctrl-C."""
    arguments = _arguments()
    try:
        tool = tool_from(arguments.tool, os.environ) if arguments.tool is not None else None
        app = App(arguments.chunks, arguments.mode, model_from(os.environ), tool)
        server = MenuServer(arguments.host, arguments.port, app)
    except (ChatModelError, ToolError) as error:
        print(f"menu app: cannot start: {error}", file=sys.stderr)
        return 2
    except (OSError, KeyError, ValueError) as error:
        print(f"menu app: cannot start: {error!r}", file=sys.stderr)
        return 2
    for number in (signal.SIGTERM, signal.SIGINT):
        # shutdown() waits for the serving loop, which a handler would interrupt: hence a thread of its own.
        signal.signal(number, lambda *_: threading.Thread(target=server.shutdown).start())
    if arguments.port_file is not None:
        _write_port(arguments.port_file, server.server_address[1])
    print(f"menu app ({arguments.mode}) on {server.address}", flush=True)
    with server:
        server.serve_forever(poll_interval=0.05)
    return 0


def _write_port(path: Path, port: int) -> None:
    """Whole or not at all: whoever waits for the file may read it the moment it is there."""
    partial = path.with_name(f"{path.name}.partial")
    partial.write_text(f"{port}\n")
    partial.replace(path)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Answers questions about a menu, with the trace of every answer.")
    parser.add_argument("--host", default="127.0.0.1", help="0.0.0.0 for clients in containers (default: 127.0.0.1)")
    parser.add_argument("--port", type=int, default=8080, help="its port; 0 takes a free one (default: 8080)")
    parser.add_argument("--mode", choices=sorted(POLICIES), default="disciplined", help="what to do when it is silent")
    parser.add_argument("--chunks", type=Path, default=Path(__file__).with_name("menu.jsonl"), help="the menu")
    parser.add_argument("--tool", help="asked on every question: URL, module:callable or mcp:COMMAND#tool")
    parser.add_argument("--port-file", type=Path, help="file that receives the port once the app listens")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
