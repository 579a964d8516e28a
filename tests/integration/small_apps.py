"""Small RAG apps over real HTTP, as people have them: each answers in a form of its own."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

# Given method, headers (with the path among them) and the body read as JSON; returns status, content type and what is sent.
Answer = Callable[[str, dict[str, str], Any], tuple[int, str, bytes]]

DOCS = (
    "Parcels can be returned within 30 days of delivery. The return label costs 4 EUR.",
    "Refunds are paid to the same card within five working days.",
    "The shop in Bergen opens at nine on weekdays and at eleven on Sundays.",
)
_FILLERS = frozenset(
    (
        "a",
        "about",
        "and",
        "are",
        "at",
        "be",
        "can",
        "do",
        "documents",
        "i",
        "in",
        "of",
        "on",
        "say",
        "the",
        "to",
        "what",
        "will",
    )
)


def found_for(question: str) -> list[str]:
    """The documents that share most words with a question, at most two; none where they share none."""
    words = {word.strip("“”…?.,").lower() for word in question.split()} - _FILLERS
    shared = {doc: len(words & {word.strip(".").lower() for word in doc.split()}) for doc in DOCS}
    best = sorted(DOCS, key=lambda doc: -shared[doc])[:2]
    return [doc for doc in best if shared[doc]]


def answer_to(question: str) -> dict[str, Any]:
    """What most people's first RAG app returns: an answer, and the texts it was made from."""
    if question.startswith("What topics"):
        return {"answer": "I can tell you about returns and refunds.", "contexts": list(DOCS[:2])}
    docs = found_for(question)
    if not docs:
        return {"answer": "I do not know: the documents do not say.", "contexts": []}
    return {"answer": docs[0].split(". ")[0].rstrip(".") + ".", "contexts": docs}


def sent(value: Any, status: int = 200) -> tuple[int, str, bytes]:
    """A reply of JSON."""
    return status, "application/json", json.dumps(value).encode()


def asks_for(name: str) -> Answer:
    """An app that wants the question under one name, and refuses anything else as FastAPI does."""

    def answer(_method: str, _headers: dict[str, str], body: Any) -> tuple[int, str, bytes]:
        if not isinstance(body, dict) or name not in body:
            return sent({"detail": [{"type": "missing", "loc": ["body", name], "msg": "Field required"}]}, 422)
        return sent(answer_to(body[name]))

    return answer


@contextmanager
def serving(answer: Answer) -> Iterator[str]:
    """The app's address while it is served."""

    class Handler(BaseHTTPRequestHandler):
        def _reply(self) -> None:
            raw = self.rfile.read(int(self.headers.get("content-length") or 0))
            status, kind, content = answer(
                self.command, {**self.headers, "path": self.path}, json.loads(raw) if raw else None
            )
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_POST = do_GET = _reply  # noqa: N815 - names of the library

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/ask"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
