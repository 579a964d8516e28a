from __future__ import annotations

import asyncio
import os
import random
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from raggate_action.errors import TargetError
from raggate_action.isolation.child_environment import child_environment
from raggate_action.isolation.error_line import ErrorLines
from raggate_action.isolation.secrets import values_of_secret_names
from raggate_action.network.attempts import Backoff, Breaker
from raggate_action.network.connection_errors import retry_after_s
from raggate_action.schema.case import Case, PlacedCase
from raggate_action.schema.target import CommandTarget, FunctionTarget, HttpTarget, TargetSection
from raggate_action.schema.trace import NoTrace, Reply, TargetFailure, Trace
from raggate_action.targets.child_program import has_live_member
from raggate_action.targets.interface import Surroundings
from raggate_action.targets.pacing import ask_concurrently
from raggate_action.targets.path_choice import ChoosingApp
from raggate_action.targets.read_reply import OffSchema, read_trace
from raggate_action.targets.reply_mapping import ReplyMapping
from raggate_action.targets.target_factory import build_target

AS_IS = ReplyMapping()
NOON = datetime(2026, 6, 2, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        pytest.param(None, None, id="absent"),
        pytest.param(" 7 ", 7, id="seconds"),
        pytest.param("0", 0, id="at once"),
        pytest.param("3600", 30, id="never longer than half a minute"),
        pytest.param("Tue, 02 Jun 2026 12:00:09 GMT", 9, id="a date"),
        pytest.param("Tue, 02 Jun 2026 12:00:09 -0000", 9, id="a date without a zone"),
        pytest.param("Tue, 02 Jun 2026 11:00:00 GMT", 0, id="a date that has passed"),
        pytest.param("Wed, 03 Jun 2026 12:00:00 GMT", 30, id="a date too far off"),
        pytest.param("soon", None, id="words"),
        pytest.param("-1", None, id="a negative number"),
        pytest.param("Fri, 31 Dec 99999999999 23:59:59 GMT", None, id="a year that no clock knows"),
        pytest.param("Tue, 02 Jun 2026 12:00:09 +9999999999999999", None, id="a zone that no clock knows"),
        pytest.param("9" * 5000, 30, id="more digits than a whole number may have"),
        pytest.param("nan", None, id="no number"),
    ],
)
def test_retry_after_is_read_in_both_its_forms(header: str | None, seconds: float | None) -> None:
    headers = {} if header is None else {"retry-after": header}
    assert retry_after_s(headers, NOON, at_most_s=30) == seconds


DATES = st.from_regex(
    r"(?:[A-Z][a-z]{2}, )?\d{1,12} (?:Jan|Dec) -?\d{1,12} \d{1,9}:\d{1,9}:\d{1,9} ?(?:GMT|[+-]\d{1,20})?"
)


@given(st.text() | DATES | st.floats().map(str), st.text() | st.floats().map(str))
def test_whatever_retry_after_says_the_wait_is_bounded(header: str, milliseconds: str) -> None:
    found = retry_after_s({"retry-after": header, "retry-after-ms": milliseconds}, NOON, at_most_s=30)
    assert found is None or 0 <= found <= 30


@given(st.integers(1, 40), st.integers())
def test_backoff_doubles_up_to_ten_seconds_and_is_drawn_from_all_of_it(attempt: int, seed: int) -> None:
    waited = Backoff(random.Random(seed), 0.5).seconds(attempt)
    assert 0 <= waited <= min(10, 0.5 * 2 ** (attempt - 1))
    assert waited == Backoff(random.Random(seed), 0.5).seconds(attempt)


def test_who_loses_five_calls_in_a_row_looks_gone_until_one_is_answered() -> None:
    async def opened(patience_s: float) -> list[bool]:
        breaker, found = Breaker(patience_s), []
        for outcome in ("lost", "lost", "missed", "lost", "lost", "missed", "lost", "answered"):
            breaker.record(outcome)
            found.append(breaker.is_open)
        return found

    assert asyncio.run(opened(0)) == [False] * 6 + [True, False]
    assert asyncio.run(opened(60)) == [False] * 8


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param("a\n  b\tc", "a b c", id="one line"),
        pytest.param("Bearer abcdef was refused", "Bearer *** was refused", id="a secret"),
        pytest.param("abcdef-and-more", "***", id="the longer of two secrets"),
        pytest.param("x" * 600, "x" * 500, id="cut"),
        pytest.param("bell\x07 and \u202e turn", "bell? and ? turn", id="unprintable"),
        pytest.param("x" * 498 + "abcdef", "x" * 498 + "**", id="a secret at the cut"),
    ],
)
def test_an_error_line_is_short_plain_and_without_secrets(text: str, line: str) -> None:
    assert ErrorLines(["abcdef", "abcdef-and-more", "it", ""]).line(text) == line


def test_secrets_are_known_by_their_names() -> None:
    named = {"API_KEY": "a", "MODE": "b", "db_password": "c", "X-Auth-Token": "d", "URL": "e"}
    assert values_of_secret_names(named) == ["a", "c", "d"]


def test_a_child_learns_what_it_needs_and_what_the_suite_adds() -> None:
    ours = {
        "PATH": "/bin",
        "HOME": "/h",
        "LC_ALL": "C",
        "PYTHONHOME": "/p",
        "GITHUB_TOKEN": "t",
        "LCX": "x",
        "TZ": "UTC",
    }
    assert child_environment(ours, {"TZ": "CET", "MODE": "m"}) == {
        "PATH": "/bin",
        "HOME": "/h",
        "LC_ALL": "C",
        "TZ": "CET",
        "MODE": "m",
    }


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        pytest.param(
            '{"context": [1.5]}', "context[0]: write a chunk id or {chunk_id, version, text}, found 1.5", id="chunk"
        ),
        pytest.param('{"context": 4}', "context: write a list, found 4", id="no list"),
        pytest.param(
            '{"context": [{"chunk_id": 1, "version": 2}]}',
            "context[0].version: write text, found 2",
            id="chunk's field",
        ),
        pytest.param('{"answer": null}', "answer: write text or {text, abstained, claims}, found null", id="answer"),
        pytest.param('{"answer": {"text": 3}}', "answer.text: write text, found 3", id="answer's field"),
        pytest.param(
            '{"answer": {"claims": [{"text": "x", "citations": []}]}}',
            "answer.claims[0].citations: unknown field; did you mean citation_ids?",
            id="claim's field",
        ),
        pytest.param(
            '{"anwser": "x"}',
            "reply-shape: nothing in it is an answer; write where it stands under `target:`, as in `response: {answer: output.text}`; "
            "the reply is {anwser: string}",
            id="a slip",
        ),
        pytest.param(
            '{"said": "x"}',
            "reply-shape: its answer is not clear: `said`; write which is meant under `target:`, as in "
            "`response: {answer: said}`",
            id="own format",
        ),
        pytest.param('{"tool_calls": [{}]}', "tool_calls[0].name: is missing", id="missing"),
        pytest.param('{"versions": [["a"]]}', "versions[0][1]: is missing", id="half a pair"),
        pytest.param('{"versions": {"a": 3}}', "versions.a: write text, found 3", id="a version that is a number"),
        pytest.param(
            '{"versions": 3}', "versions: write pairs [[name, version], ...] or {name: version}, found 3", id="versions"
        ),
        pytest.param('{"latency_ms": -1}', "latency_ms: write a number of 0 or more, found -1", id="negative"),
        pytest.param(
            '{"usage": {"input_tokens": 1.5}}', "usage.input_tokens: write a whole number, found 1.5", id="int"
        ),
        pytest.param("7", "write one JSON object, found a number", id="no object"),
        pytest.param(
            '{"case_id": 1, "latency_ms": "x", "error": 2, "usage": 3, "context": 4}',
            'case_id: write text, found 1; context: write a list, found 4; latency_ms: write a number, found "x"'
            "; and 2 more",
            id="at most three",
        ),
    ],
)
def test_off_schema_is_said_in_plain_words(raw: str, problem: str) -> None:
    assert read_trace(raw.encode(), AS_IS) == OffSchema(f"off schema: {problem}")


def test_a_long_text_in_the_wrong_place_is_not_quoted() -> None:
    # It may be a chunk that its reader is not permitted to see.
    read = read_trace(b'{"latency_ms": "the salary of the chief is 3 M"}', AS_IS)
    assert read == OffSchema("off schema: latency_ms: write a number, found a longer text")


def test_a_reply_wrong_in_ninety_thousand_places_is_counted_not_listed() -> None:
    read = read_trace(f'{{"context": [{",".join(["1.5"] * 90_000)}]}}'.encode(), AS_IS)
    assert read == OffSchema("off schema: 180000 places do not fit the trace format")  # two per union


@pytest.mark.parametrize("response", [{}, {"answer": "answer"}], ids=["as is", "mapped"])
def test_what_an_app_says_about_its_failure_wins_over_its_format(response: dict[str, str]) -> None:
    mapping = ReplyMapping(response)
    assert read_trace(b'{"error": "no index"}', mapping) == Trace(error="no index")
    assert read_trace(b'{"answer": 3, "error": "no index"}', mapping) == Trace(error="no index")


@given(st.binary(max_size=60))
def test_no_bytes_are_an_exception(raw: bytes) -> None:
    assert isinstance(read_trace(raw, AS_IS), OffSchema | Trace)
    assert isinstance(read_trace(raw, ReplyMapping({"answer": "a", "context": "length(b)"})), OffSchema | Trace)


def cases(count: int) -> Iterator[PlacedCase]:
    for number in range(count):
        yield PlacedCase(Case(case_id=f"q{number}", question="?"), number, "digest", "cases.yaml", 1)


def test_an_app_that_cannot_be_asked_stops_all_lanes_but_loses_no_answer() -> None:
    ended: list[str] = []

    async def lane(placed: PlacedCase) -> Reply:
        if placed.case.case_id == "q1":
            raise TargetError("gone", hint="start it")
        if placed.case.case_id == "q2":
            try:
                await asyncio.sleep(60)
            finally:
                ended.append("q2")
        return TargetFailure(error="x")

    async def run() -> list[str]:
        replies = ask_concurrently(cases(5), [lane] * 3)
        first, _reply = await anext(replies)
        with pytest.raises(TargetError, match="gone"):
            await anext(replies)
        return [first.case.case_id]

    assert asyncio.run(run()) == ["q0"]
    assert ended == ["q2"]


@given(st.integers(0, 12), st.integers(1, 5), st.integers())
def test_every_case_is_asked_once_and_no_lane_is_entered_twice(count: int, lanes: int, seed: int) -> None:
    draw = random.Random(seed)
    busy: set[int] = set()

    def make(number: int) -> Any:
        async def lane(placed: PlacedCase) -> Reply:
            assert number not in busy
            busy.add(number)
            for _ in range(draw.randrange(3)):
                await asyncio.sleep(0)
            busy.discard(number)
            return NoTrace(reason="cut", detail=placed.case.case_id)

        return lane

    async def run() -> list[str]:
        pairs = [pair async for pair in ask_concurrently(cases(count), [make(number) for number in range(lanes)])]
        assert all(isinstance(reply, NoTrace) and reply.detail == placed.case.case_id for placed, reply in pairs)
        return [placed.case.case_id for placed, _reply in pairs]

    assert sorted(asyncio.run(run())) == sorted(f"q{number}" for number in range(count))


def test_our_own_group_has_a_live_member() -> None:
    assert has_live_member(os.getpgid(0))


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="the system does not list its processes")
def test_a_group_nobody_is_in_has_none() -> None:
    assert not has_live_member(2**22 + 1)  # above every process number


@pytest.mark.parametrize(
    ("section", "kind"),
    [
        pytest.param(HttpTarget(kind="http", url="http://localhost:1/"), "HttpApp", id="http"),
        pytest.param(CommandTarget(kind="command", command=(sys.executable,)), "CommandApp", id="command"),
        pytest.param(FunctionTarget(kind="function", function="app:ask"), "CommandApp", id="function"),
    ],
)
def test_a_suites_target_becomes_its_member_of_the_family(section: TargetSection, kind: str, tmp_path: Path) -> None:
    target = build_target(section, Surroundings(tmp_path, {}), seed=1, known=bool)
    assert isinstance(target, ChoosingApp)
    assert type(target.app).__name__ == kind
