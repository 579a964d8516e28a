"""A small RAG app over a restaurant's menu: the app under test of this example.

It needs nothing but Python, listens on loopback unless told otherwise, and reports with every answer how it came
about (its trace).

    python app.py --port 8080 --mode disciplined
    curl -d '{"question": "When are you open?"}' http://127.0.0.1:8080/answer

With `--tool` it asks a tool of yours on every question before it answers (`tool.py`).
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from answering import POLICIES, POLICY_VERSIONS, answer, policy_under
from chat_model import SYSTEM_PROMPTS, ChatModel, ChatModelError, model_from
from embedding import EmbeddingError, embedding_from
from retrieval import CONTEXT, RERANKER_VERSION, Entry, Index, Menu, RetrievalError, load_menu
from serving import MenuServer
from tool import Directive, Tool, ToolError, directives_of
from tool_kinds import tool_from
from wording import Question, read_question


class App:
    """Answers questions about one menu in one mode."""

    def __init__(
        self,
        chunks: Path,
        mode: str,
        model: ChatModel | None,
        tool: Tool | None = None,
        index: Callable[[Menu], Index] | None = None,
    ) -> None:
        """Load the menu and index it.

        Args:
            chunks: The menu, one JSON object per line.
            mode: `disciplined` or `helpful`.
            model: Writes the answers; None quotes the menu instead.
            tool: Asked on every question before the answer; None asks nobody.
            index: Makes the index of a menu, or finds it elsewhere; None makes a full-text index.
        """
        menu = load_menu(chunks)
        self._index = index(menu) if index is not None else Index(menu.entries)
        self._mode = mode
        self._model = model
        self._tool = tool
        self._versions = {
            "retriever": self._index.retriever,
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
        candidates: tuple[Entry, ...] = ()
        fault: Exception | None = None
        try:
            candidates = self._index.candidates(question)
        except RetrievalError as error:
            fault = error
        clock.lap("retrieve")
        reranked = self._index.rerank(question, candidates)
        context = reranked[:CONTEXT]
        clock.lap("rerank")
        try:
            directives = self._directives(asked, clock)
        except ToolError as error:
            # An answer without the directives would be another app's.
            fault = fault or error
            directives = ()
        outcome = _failed(fault) if fault is not None else self._answered(asked, question, context, directives)
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
            return _failed(error)
        usage = {"input_tokens": written.input_tokens, "output_tokens": written.output_tokens}
        return {"answer": {"text": written.text}, "usage": usage}


def _failed(fault: Exception) -> dict[str, Any]:
    return {"answer": {"text": ""}, "error": str(fault)}


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


def main() -> int:
    """Serve until SIGTERM or Ctrl-C."""
    arguments = _arguments()
    try:
        tool = tool_from(arguments.tool, os.environ) if arguments.tool is not None else None
        index = _qdrant(arguments.index) if arguments.index is not None else None
        app = App(arguments.chunks, arguments.mode, model_from(os.environ), tool, index)
        server = MenuServer(arguments.host, arguments.port, app)
    except (ChatModelError, EmbeddingError, RetrievalError, ToolError) as error:
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


def _qdrant(spec: str) -> Callable[[Menu], Index]:
    """The index at `qdrant:PLACE`, where `load_qdrant.py` has put the menu."""
    kind, _, place = spec.partition(":")
    if kind != "qdrant" or not place:
        raise RetrievalError(f"--index {spec!r} is no qdrant:FOLDER and no qdrant:ADDRESS")
    try:
        from qdrant_index import QdrantIndex, opened
    except ImportError:
        raise RetrievalError("--index qdrant: needs the package of requirements-qdrant.txt") from None
    client, embedding = opened(place, os.environ), embedding_from(os.environ)
    return lambda menu: QdrantIndex(menu, client, embedding)


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
    parser.add_argument("--index", help="qdrant:PLACE; without it a full-text index of its own")
    parser.add_argument("--tool", help="asked on every question: URL, module:callable or mcp:COMMAND#tool")
    parser.add_argument("--port-file", type=Path, help="file that receives the port once the app listens")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
