"""What a GitHub, or a proxy in its place, answers without end or out of all proportion: left, and told in one line."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

import pytest

from raggate_action.github.api import GitHubApi
from raggate_action.github.pygithub_client import WaitLimits
from tests.integration.peak_memory import LIMIT_MB, measured
from tests.integration.test_compressed_replies import bomb

MIB = 1024 * 1024
BOUNDS = WaitLimits(timeout_s=5, tries_again=0, patience_s=0, hanging_s=20)


class Answered(NamedTuple):
    """What the server says to everything; a body that repeats has no end."""

    body: bytes
    status: int = 200
    packing: str = ""
    repeats: bool = False


@contextmanager
def saying(answer: Answered) -> Iterator[tuple[str, list[dict[str, str]]]]:
    """An API, and the headers of what it was asked."""
    asked: list[dict[str, str]] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            asked.append({name.lower(): value for name, value in self.headers.items()})
            self.send_response(answer.status)
            self.send_header("Content-Type", "application/json")
            if answer.packing:
                self.send_header("Content-Encoding", answer.packing)
            if not answer.repeats:
                self.send_header("Content-Length", str(len(answer.body)))
            self.end_headers()
            with suppress(OSError):
                self.wfile.write(answer.body)
                while answer.repeats:
                    self.wfile.write(answer.body)
            self.close_connection = answer.repeats

        def log_message(self, *_: object) -> None:
            """Nothing is logged."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", asked
        server.shutdown()


_ASK = """
from raggate_action.github.api import GitHubApi
from raggate_action.github.pygithub_client import GitHubFault, WaitLimits
bounds = WaitLimits(timeout_s=5, tries_again=int(sys.argv[2]), patience_s=10, hanging_s=20)
with GitHubApi(api_url=sys.argv[1], token=None, repository="acme/menu", bounds=bounds) as api:
    try:
        print("took", len(str(api.ask("GET", ""))))
    except GitHubFault as fault:
        print(fault.message)
"""
_TOLD = "no usable answer from GitHub (GET /repos/acme/menu): it is "
FLOODS = {
    "a gzip of 2 GiB": (Answered(bomb(2048 * MIB), packing="gzip"), f"{_TOLD}larger than 32 MiB"),
    "a refusal of 2 GiB": (Answered(bomb(2048 * MIB), 403, "gzip"), "403 refused (GET /repos/acme/menu)"),
    "gzip in gzip": (Answered(gzip.compress(gzip.compress(b"{}")), packing="gzip, gzip"), f"{_TOLD}packed as 'gzip, g"),
    "no end": (Answered(b" " * 65536, repeats=True), f"{_TOLD}larger than 32 MiB"),
    "a failure without end": (Answered(b" " * 65536, 500, repeats=True), f"{_TOLD}larger than 32 MiB"),
    "four million lists": (Answered(b"[" + b"[]," * 4_000_000 + b"[]]"), f"{_TOLD}more than is read: it holds more"),
    "a million levels": (Answered(b"[" * 400_000 + b"]" * 400_000), f"{_TOLD}more than is read: it nests"),
}


# What is asked again is a failure, and a refusal that may be one for haste.
@pytest.mark.parametrize(
    ("name", "tries_again"),
    [*[(name, 0) for name in FLOODS], ("a refusal of 2 GiB", 1), ("a failure without end", 1)],
)
def test_no_answer_takes_more_than_512_mb(name: str, tries_again: int) -> None:
    answer, words = FLOODS[name]
    with saying(answer) as (address, _asked):
        (message,), peak = measured(_ASK, address, str(tries_again))
    assert message.startswith(words)
    assert peak < LIMIT_MB, f"{peak} MB"


def test_an_answer_in_gzip_is_read_and_gzip_is_what_is_asked_for() -> None:
    listed = {"total_count": 1, "items": ["ü" * 1000]}
    with (
        saying(Answered(gzip.compress(json.dumps(listed, ensure_ascii=False).encode()), packing="gzip")) as (
            url,
            asked,
        ),
        GitHubApi(
            api_url=url,
            token="t",  # noqa: S106
            repository="acme/menu",
            bounds=BOUNDS,
        ) as api,
    ):
        assert api.ask("GET", "")["items"] == listed["items"]
    assert (asked[0]["accept-encoding"], asked[0]["authorization"]) == ("gzip", "token t")
