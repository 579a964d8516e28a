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
from pathlib import Path
from typing import Any

from answering import POLICIES, POLICY_VERSIONS, answer, policy_under
from chat_model import SYSTEM_PROMPTS, ChatModel, ChatModelError, model_from
from retrieval import CONTEXT, RERANKER_VERSION, RETRIEVER_VERSION, Entry, Index, load_menu
from serving import MenuServer
from tool import Directive, Tool, ToolError, directives_of, tool_from
from wording import Question, read_question


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
            self._versions["tool"] = tool.name

    def trace(self, asked: str, case_id: str | None) -> dict[str, Any]:
        """Answer one question; everything that led to the answer is in the trace."""
        clock = _StageClock()
        question = read_question(asked)
        candidates = self._index.candidates(question)
        clock.lap("retrieve")
        reranked = self._index.rerank(question, candidates)
        context = reranked[:CONTEXT]
        clock.lap("rerank")
        directives: tuple[Directive, ...] = ()
        try:
            if self._tool is not None:
                directives = directives_of(self._tool, asked)
                clock.lap("tool")
            outcome = self._answered(asked, question, context, directives)
        except (ChatModelError, ToolError) as error:
            # Quoting the menu instead would hide that the model is down, or be the answer of an app without the tool.
            outcome = {"answer": {"text": ""}, "error": str(error)}
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

    def _answered(
        self, asked: str, question: Question, context: tuple[Entry, ...], directives: tuple[Directive, ...]
    ) -> dict[str, Any]:
        if self._model is None:
            reply = answer(question, context, when_not_stated=policy_under(directives, self._mode))
            return {"answer": {"text": reply.text, "abstained": reply.abstained}}
        written = self._model.write(SYSTEM_PROMPTS[self._mode], asked, context, directives)
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


def main() -> int:
    """Serve until SIGTERM or Ctrl-C."""
    arguments = _arguments()
    try:
        tool = tool_from(arguments.tool, os.environ) if arguments.tool is not None else None
        app = App(arguments.chunks, arguments.mode, model_from(os.environ), tool)
        server = MenuServer(arguments.host, arguments.port, app.trace)
    except (ChatModelError, ToolError, OSError, KeyError, ValueError) as error:
        print(f"menu app: cannot start: {error!r}", file=sys.stderr)
        return 2
    for number in (signal.SIGTERM, signal.SIGINT):
        # shutdown() waits for the serving loop, which a handler would interrupt: hence a thread of its own.
        signal.signal(number, lambda *_: threading.Thread(target=server.shutdown).start())
    if arguments.port_file is not None:
        # Whole or not at all: whoever waits for the file may read it the moment it is there.
        partial = arguments.port_file.with_name(f"{arguments.port_file.name}.partial")
        partial.write_text(f"{server.server_port}\n")
        partial.replace(arguments.port_file)
    print(f"menu app ({arguments.mode}) on http://{arguments.host}:{server.server_port}", flush=True)
    with server:
        server.serve_forever(poll_interval=0.05)
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Answers questions about a menu, with the trace of every answer.")
    parser.add_argument("--host", default="127.0.0.1", help="0.0.0.0 for clients in containers (default: 127.0.0.1)")
    parser.add_argument("--port", type=int, default=8080, help="its port; 0 takes a free one (default: 8080)")
    parser.add_argument("--mode", choices=sorted(POLICIES), default="disciplined", help="what to do when it is silent")
    parser.add_argument("--chunks", type=Path, default=Path(__file__).with_name("menu.jsonl"), help="the menu")
    parser.add_argument("--tool", help="asked on every question: URL or module:callable")
    parser.add_argument("--port-file", type=Path, help="file that receives the port once the app listens")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
