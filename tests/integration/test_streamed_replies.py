"""Apps that stream their answers over real HTTP: in time or not, whole or broken off, endless or packed."""

from __future__ import annotations

import gzip
import json
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

import pytest

from raggate_action.schema.trace import Answered, Reply, Trace
from tests.integration.asking import answer, ask_all, error, placed
from tests.integration.test_targets_http import http_app

SSE = "text/event-stream; charset=utf-8"
TEXT = "The fee is 20 EUR."
CONTEXT = [{"id": "fees", "text": "The fee for every order is 20 EUR."}]


class Sent(NamedTuple):
    """How an app answers.

    Attributes:
        pieces: Sent one by one.
        kind: The content type.
        wait_s: Before each piece.
        breaks: The connection ends behind the last piece without an end of the reply.
        repeats: The last piece is sent again and again until nobody listens.
        headers: Further ones.
    """

    pieces: Sequence[bytes]
    kind: str = SSE
    wait_s: float = 0.0
    breaks: bool = False
    repeats: bool = False
    headers: tuple[tuple[str, str], ...] = ()


@contextmanager
def streaming(*sent: Sent) -> Iterator[tuple[str, list[bytes]]]:
    """An app that answers one request after another, the last way for all further ones; and what it was asked."""
    asked: list[bytes] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            asked.append(self.rfile.read(int(self.headers["Content-Length"])))
            this = sent[min(len(asked), len(sent)) - 1]
            self.send_response(200)
            for name, value in (("Content-Type", this.kind), ("Transfer-Encoding", "chunked"), *this.headers):
                self.send_header(name, value)
            self.end_headers()
            with suppress(OSError):
                for piece in this.pieces:
                    time.sleep(this.wait_s)
                    self.chunk(piece)
                while this.repeats:
                    self.chunk(this.pieces[-1])
                if this.breaks:
                    self.close_connection = True
                else:
                    self.wfile.write(b"0\r\n\r\n")

        def chunk(self, piece: bytes) -> None:
            self.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
            self.wfile.flush()

        def log_message(self, *_: object) -> None:
            """Nothing is logged."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/ask", asked
        server.shutdown()


def events(*data: Any, done: bool = True) -> list[bytes]:
    written = [each if isinstance(each, str) else json.dumps(each) for each in data]
    return [f"data: {each}\n\n".encode() for each in [*written, *(["[DONE]"] if done else [])]]


def chat(*, whole: bool = True) -> list[bytes]:
    pieces = [{"choices": [{"index": 0, "delta": {"content": each}}]} for each in ("The fee", " is", " 20 EUR.")]
    end = [{"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}], "contexts": CONTEXT}] if whole else []
    return events(*pieces, *end, done=whole)


def tokens() -> list[bytes]:
    return events("The fee", " is 20 EUR.", {"sources": CONTEXT})


def asked_once(*sent: Sent, **target: Any) -> tuple[Reply, int]:
    """The reply, and how often the app was asked."""
    with streaming(*sent) as (url, asked):
        reply = ask_all(http_app(url, **target), placed("q"))["q"]
        return reply, len(asked)


def trace_of(reply: Reply) -> Trace:
    assert isinstance(reply, Answered), reply
    return reply.trace


def chunk_ids(trace: Trace) -> list[str]:
    return [each if isinstance(each, str) else each.chunk_id for each in trace.context or ()]


LINES = [
    f"{json.dumps(each)}\n".encode()
    for each in ({"response": "The fee is"}, {"response": " 20 EUR."}, {"documents": CONTEXT, "done": True})
]


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(Sent(chat()), id="chunks of a chat"),
        pytest.param(Sent(tokens()), id="plain tokens and sources at the end"),
        pytest.param(Sent([bytes([each]) for each in b"".join(tokens())]), id="a byte at a time"),
        pytest.param(Sent([b"".join(tokens()).replace(b"\n", b"\r\n")]), id="lines that end as on Windows"),
        pytest.param(Sent([gzip.compress(b"".join(tokens()))], headers=(("Content-Encoding", "gzip"),)), id="in gzip"),
        pytest.param(Sent(LINES, "application/x-ndjson"), id="JSON lines"),
        pytest.param(Sent([b"".join(LINES)[:-1]], "application/jsonl"), id="JSON lines without a last line's end"),
    ],
)  # fmt: skip
def test_a_stream_is_read_as_the_reply_it_comes_to(sent: Sent) -> None:
    reply, times = asked_once(sent)
    assert (answer(reply), times) == (TEXT, 1)
    trace = trace_of(reply)
    assert chunk_ids(trace) == ["fees"]
    assert "first_token" in trace.stage_latency_ms


def test_a_mapping_names_places_of_the_whole() -> None:
    response = {"answer": "choices[0].message.content", "context": "contexts"}
    reply, _ = asked_once(Sent(chat()), response=response)
    assert (answer(reply), chunk_ids(trace_of(reply))) == (TEXT, ["fees"])


def test_the_first_token_is_a_latency_of_its_own() -> None:
    reply, _ = asked_once(Sent(chat(), wait_s=0.1))
    assert isinstance(reply, Answered)
    first = reply.trace.stage_latency_ms["first_token"]
    assert reply.latency_ms is not None
    # Behind one wait of five: the whole takes four more.
    assert 90 < first < reply.latency_ms - 300


def test_a_reply_at_once_has_no_first_token() -> None:
    whole = json.dumps({"answer": TEXT}).encode()
    reply, _ = asked_once(Sent([whole], "application/json"))
    assert (answer(reply), trace_of(reply).stage_latency_ms) == (TEXT, {})


@pytest.mark.parametrize(
    ("sent", "line"),
    [
        pytest.param(Sent(chat(whole=False), breaks=True), "broke off its answer after the first piece", id="broken off"),
        pytest.param(Sent(chat(whole=False)), "reply is cut short: the stream ended before its answer did", id="ended"),
        pytest.param(Sent([*tokens()[:1], *events({"error": "no index"})]), "no index", id="an error in the middle"),
    ],
)  # fmt: skip
def test_what_broke_after_its_first_piece_has_failed_and_is_not_asked_again(sent: Sent, line: str) -> None:
    reply, times = asked_once(sent, Sent(chat()), attempts=3)
    assert line in error(reply)
    assert times == 1


def test_what_broke_before_its_first_piece_is_asked_again() -> None:
    reply, times = asked_once(Sent([b": keep alive\n\n"], breaks=True), Sent(chat()), attempts=3)
    assert (answer(reply), times) == (TEXT, 2)


def test_one_time_limit_holds_for_the_whole_stream() -> None:
    began = time.monotonic()
    reply, times = asked_once(Sent([*tokens()[:1], b": still there\n\n"], wait_s=0.05, repeats=True), timeout_s=0.5)
    assert time.monotonic() - began < 5
    assert times == 1
    assert error(reply) in {
        "no answer within 0.5 s",
        "reply is larger than 8 MiB; answer with less, or raise `target: max_reply_mib`",
    }


@pytest.mark.parametrize(
    ("sent", "line"),
    [
        pytest.param(Sent([b"data: " + b"x" * 65536], repeats=True), "larger than 1 MiB", id="a line without end"),
        pytest.param(Sent(events("x" * 1000), repeats=True), "larger than 1 MiB", id="events without end"),
        pytest.param(Sent([b": wait\n\n" * 8192], repeats=True), "larger than 1 MiB", id="comments without end"),
        pytest.param(Sent([gzip.compress(bytes(64 * 1024 * 1024))], headers=(("Content-Encoding", "gzip"),)), "larger than 1 MiB", id="a bomb"),
        pytest.param(Sent(tokens(), headers=(("Content-Encoding", "gzip, gzip"),)), "packed as 'gzip, gzip'", id="packed twice"),
        pytest.param(Sent([b"data: x\n\n" * 110_000]), "more than 100,000 events", id="more events than are read"),
    ],
)  # fmt: skip
def test_a_stream_beyond_its_bounds_is_left(sent: Sent, line: str) -> None:
    reply, times = asked_once(sent, max_reply_mib=1, timeout_s=20)
    assert line in error(reply)
    assert times == 1
