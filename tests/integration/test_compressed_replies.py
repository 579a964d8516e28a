"""Small replies that unpack to large ones, over real HTTP and in a process that may not take more than 512 MB."""

from __future__ import annotations

import gzip
import json
import resource
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.integration.asking import answer, ask_all, error, placed
from tests.integration.servers import ScriptedApp, good_trace, scripted_app
from tests.integration.test_targets_http import http_app
from tests.thorough import THOROUGH

MIB = 1024 * 1024
LIMIT = 512 * 1_000_000
PLAIN = json.dumps(good_trace("q", "tea")).encode()


@cache
def bomb(size: int) -> bytes:
    """A gzip of `size` zeros, a thousandth of it long. Its end is left out, for nobody should get there."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    # Flushed fully, a block says the same wherever it stands.
    block = packer.compress(bytes(MIB)) + packer.flush(zlib.Z_FULL_FLUSH)
    return gzip.compress(b"")[:10] + block * (size // MIB)


def twice() -> bytes:
    """A gzip of half a GiB, in a gzip."""
    return gzip.compress(bomb(512 * MIB))


def json_of(element: str) -> bytes:
    """A trace of just under eight MiB that is nothing but one small value again and again."""
    number = (8 * MIB - 100) // (len(element) + 1)
    return f'{{"answer": "x", "candidates": [{",".join([element] * number)}]}}'.encode()


# What eight apps of one mind answer, at once: how it is made, how it is packed and what is said of it.
HOSTILE: dict[str, tuple[Callable[[], bytes], str, str]] = {
    "gzip of 2 GiB": (lambda: bomb(2048 * MIB), "gzip", "reply is larger than 8 MiB"),
    "gzip in gzip": (twice, "gzip, gzip", "reply is packed as 'gzip, gzip'"),
    "gzip in gzip, said once": (twice, "gzip", "reply is not JSON"),
    "lists in a list": (
        lambda: gzip.compress(json_of("[]")),
        "gzip",
        "reply is off schema: it holds more than 100,000 values",
    ),
    "mappings in a list": (
        lambda: gzip.compress(json_of("{}")),
        "gzip",
        "reply is off schema: it holds more than 100,000",
    ),
    "numbers in a list": (lambda: json_of("1"), "", "reply is off schema: it holds more than 100,000 values"),
}


def serve(app: ScriptedApp, body: bytes, packing: str, case_ids: list[str]) -> None:
    for case_id in case_ids:
        app.replies[case_id] = body
        if packing:
            app.packing[case_id] = packing


def write_suite(folder: Path, url: str, case_ids: list[str], **target: Any) -> None:
    suite = {
        "suite": "s",
        "cases": ["cases.jsonl"],
        "target": {"kind": "http", "url": url, "concurrency": 8, **target},
    }
    folder.joinpath("raggate.json").write_text(json.dumps(suite))
    lines = [json.dumps({"case_id": case_id, "question": "What?"}) for case_id in case_ids]
    folder.joinpath("cases.jsonl").write_text("\n".join(lines))


# What never becomes JSON is mapped by nothing: that is seen in `make test ALL=1`.
UNPACKED = [name for name in HOSTILE if THOROUGH or ("in gzip" not in name and "of 2 GiB" not in name)]


@pytest.mark.parametrize(
    ("name", "mapped"),
    [
        *(pytest.param(name, False, id=f"{name}, as is") for name in HOSTILE),
        *(pytest.param(name, True, id=f"{name}, mapped") for name in UNPACKED),
    ],
)
def test_eight_hostile_replies_at_once_stay_under_512_mb(tmp_path: Path, name: str, *, mapped: bool) -> None:
    make, packing, words = HOSTILE[name]
    body = make()
    case_ids = [f"q{number}" for number in range(8)]
    with scripted_app(default="says") as app:
        serve(app, body, packing, case_ids)
        app.gate = threading.Barrier(8)
        target = {"response": {"answer": "answer", "candidates": "candidates"}} if mapped else {}
        write_suite(tmp_path, app.url, case_ids, timeout_s=60, **target)
        done = subprocess.run(
            [sys.executable, "-m", "raggate_action", "run", "raggate.json", "--out", "run"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT)),
        )
        assert app.most_at_once == 8
    assert done.returncode == 3, done.stderr
    rows = [json.loads(line) for line in (tmp_path / "run/cases.jsonl").read_text().splitlines()]
    expected = words.replace("it holds", "as mapped by `response:`, it holds") if mapped else words
    assert {row["case_id"]: row["first_failed_stage"] for row in rows} == dict.fromkeys(case_ids, "target")
    assert all(row["error"].startswith(expected) for row in rows), rows[0]["error"]


def test_the_limit_of_the_process_would_have_been_felt() -> None:
    """Without a bound the same bytes need more than the process of the test above may have."""
    done = subprocess.run(
        [sys.executable, "-c", "import gzip, sys; print(len(gzip.decompress(sys.stdin.buffer.read())))"],
        input=HOSTILE["gzip of 2 GiB"][0](),
        capture_output=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT)),
    )
    assert b"MemoryError" in done.stderr


def test_an_honest_reply_in_gzip_is_read_and_gzip_is_what_is_asked_for() -> None:
    with scripted_app(default="says") as app:
        serve(app, gzip.compress(PLAIN), "gzip", ["q"])
        assert answer(ask_all(http_app(app.url), placed("q"))["q"]) == "Answer to tea"
    assert app.asked[0].headers["accept-encoding"] == "gzip"


def test_a_header_of_the_suite_decides_what_is_asked_for() -> None:
    with scripted_app(default="says") as app:
        serve(app, PLAIN, "", ["q"])
        assert answer(ask_all(http_app(app.url, headers={"Accept-Encoding": "identity"}), placed("q"))["q"])
    assert app.asked[0].headers["accept-encoding"] == "identity"


@pytest.mark.parametrize(("mib", "fits"), [(1, False), (2, True)])
def test_the_suite_sets_how_large_a_reply_may_be(mib: int, *, fits: bool) -> None:
    large = json.dumps({**good_trace("q"), "context": [{"chunk_id": "c1", "text": "x" * (MIB + MIB // 2)}]}).encode()
    with scripted_app(default="says") as app:
        serve(app, gzip.compress(large), "gzip", ["q"])
        reply = ask_all(http_app(app.url, max_reply_mib=mib), placed("q"))["q"]
    if fits:
        assert answer(reply) == "Answer to "
    else:
        assert error(reply) == "reply is larger than 1 MiB; answer with less, or raise `target: max_reply_mib`"


@pytest.mark.parametrize(
    ("body", "packing", "line"),
    [
        pytest.param(b"it went wrong", "gzip, gzip", "500 Internal Server Error", id="packed twice"),
        pytest.param(gzip.compress(b"it went wrong"), "gzip", "500 Internal Server Error: it went wrong", id="gzip"),
        pytest.param(gzip.compress(b"no" + bytes(MIB)), "gzip", "500 Internal Server Error: no", id="a bomb"),
    ],
)
def test_an_error_page_is_quoted_as_far_as_it_can_be_read(body: bytes, packing: str, line: str) -> None:
    with scripted_app(default="fails saying") as app:
        serve(app, body, packing, ["q"])
        assert error(ask_all(http_app(app.url), placed("q"))["q"]).startswith(line)


def test_the_time_limit_holds_against_a_bomb_that_drips() -> None:
    dripping = bomb(256 * MIB)
    with scripted_app(default="says slowly") as app:
        serve(app, dripping, "gzip", ["q"])
        began = time.monotonic()
        line = error(ask_all(http_app(app.url, timeout_s=0.5, max_reply_mib=256), placed("q"))["q"])
        assert time.monotonic() - began < 10
    # 50 pieces of 40 bytes at most in the time: two thousand bytes, some two MiB of 256.
    assert line == "no answer within 0.5 s"
