from __future__ import annotations

import asyncio
import codecs
import random
import socket
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from raggate_action.core.gates.case_row import evaluate_reply
from raggate_action.errors import TargetError, UsageError
from raggate_action.network.attempts import Backoff
from raggate_action.schema.case import PlacedCase
from raggate_action.schema.target import HttpTarget
from raggate_action.schema.trace import Answered
from raggate_action.targets.http_target import HttpApp
from tests.builders import make_rules
from tests.integration.asking import answer, ask_all, error, latency_ms, numbered, placed
from tests.integration.servers import scripted_app


def http_app(
    url: str,
    *,
    first_backoff_s: float = 0.01,
    start_s: float = 0.3,
    tell: Callable[[str], object] = str,
    **settings: Any,
) -> HttpApp:
    target = HttpTarget.model_validate({"kind": "http", "url": url, **settings})
    return HttpApp(target, backoff=Backoff(random.Random(7), first_backoff_s), start_s=start_s, tell=tell)


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


def test_every_case_is_asked_once_and_answered() -> None:
    with scripted_app() as app:
        replies = ask_all(http_app(app.url), numbered(30))
    assert {case_id: answer(reply) for case_id, reply in replies.items()} == {
        f"q{n}": f"Answer to What is q{n}?" for n in range(30)
    }
    assert set(app.counts.values()) == {1}


@pytest.mark.parametrize(
    ("behaviour", "line"),
    [
        pytest.param("400", "400 Bad Request: <h1>it went wrong</h1>", id="400"),
        pytest.param("500", "500 Internal Server Error: <h1>it went wrong</h1>", id="500"),
        pytest.param("503", "503 Service Unavailable: <h1>it went wrong</h1>", id="503 to the end"),
        pytest.param("slow", "no answer within 0.4 s", id="slow"),
        pytest.param("drips", "no answer within 0.4 s", id="a drip is not an answer"),
        pytest.param("bad json", "reply is not JSON at line 1 column 12: expected value", id="bad JSON"),
        pytest.param(
            "off schema",
            "reply is off schema: context[0]: write a chunk id or {chunk_id, version, text}, found 1.5",
            id="off schema",
        ),
        pytest.param("says error", "index is empty", id="the app reports its own error"),
        pytest.param("redirects", "302 Found: redirects are not followed", id="a redirect"),
        pytest.param("drops", "closed the connection before its answer was whole", id="a dropped connection"),
    ],
)
def test_what_befalls_a_case_is_its_reply_and_the_run_goes_on(behaviour: str, line: str) -> None:
    with scripted_app({"bad": behaviour}) as app:
        replies = ask_all(http_app(app.url, timeout_s=0.4, attempts=2), placed("q1", "bad", "q2"))
    assert line in error(replies["bad"])
    assert answer(replies["q1"])
    assert answer(replies["q2"])


@pytest.mark.parametrize(
    ("behaviour", "requests"),
    [
        pytest.param("400", 1, id="a 400 is not asked again"),
        pytest.param("500", 3, id="a 500 is asked again"),
        pytest.param("bad json", 1, id="an unusable answer is not asked again"),
        pytest.param("slow", 1, id="an answer that did not come is not asked again"),
        pytest.param("503", 3, id="a 503 is asked again"),
        pytest.param("drops", 3, id="a lost connection is asked again"),
    ],
)
def test_what_is_asked_again(behaviour: str, requests: int) -> None:
    with scripted_app({"q": behaviour}) as app:
        error(ask_all(http_app(app.url, timeout_s=0.3, attempts=3), placed("q"))["q"])
    assert app.counts["q"] == requests


@pytest.mark.parametrize(("retry_on", "requests"), [((), 1), ((503,), 1), ((500,), 2)], ids=str)
def test_the_suite_says_which_statuses_are_asked_again(retry_on: tuple[int, ...], requests: int) -> None:
    with scripted_app({"q": "500"}) as app:
        error(ask_all(http_app(app.url, attempts=2, retry_on=retry_on), placed("q"))["q"])
    assert app.counts["q"] == requests


@pytest.mark.parametrize("behaviour", ["503 then good", "drops then good"])
def test_a_second_attempt_that_works_is_the_answer(behaviour: str) -> None:
    with scripted_app({"q": behaviour}) as app:
        assert answer(ask_all(http_app(app.url), placed("q"))["q"])
    assert app.counts["q"] == 2


def test_retry_after_holds_back_every_lane() -> None:
    # q0 is refused at once; the others take 0.3 s, so what comes after them has to wait for the rest of the second.
    script = {"q0": "429 then good", **{f"q{n}": "slow" for n in range(1, 4)}}
    with scripted_app(script, slow_s=0.3, retry_after="1") as app:
        replies = ask_all(http_app(app.url, concurrency=4), numbered(8))
    assert all(isinstance(reply, Answered) for reply in replies.values())
    refused, again = app.times("q0")
    assert again - refused >= 1.0
    assert all(app.times(f"q{n}")[0] - refused >= 1.0 for n in range(4, 8))


def test_a_retry_after_of_a_year_that_no_clock_knows_is_none() -> None:
    with scripted_app({"q": "429 then good"}, retry_after="Fri, 31 Dec 99999999999 23:59:59 GMT") as app:
        assert answer(ask_all(http_app(app.url), placed("q"))["q"])
    assert app.counts["q"] == 2


def test_latency_is_that_of_the_attempt_that_worked_and_until_the_error_otherwise() -> None:
    with scripted_app({"good": "429 then good", "late": "slow"}, retry_after="1") as app:
        replies = ask_all(http_app(app.url, timeout_s=0.5, concurrency=1), placed("good", "late"))
    assert latency_ms(replies["good"]) < 1000  # the second of waiting is not the app's
    assert 500 <= latency_ms(replies["late"]) < 5000


def test_a_latency_has_no_digits_that_measure_nothing() -> None:
    with scripted_app({}) as app:
        measured = [latency_ms(reply) for reply in ask_all(http_app(app.url), numbered(12)).values()]
    assert measured == [round(each, 3) for each in measured]


def test_no_more_than_the_concurrency_is_under_way_and_cases_are_taken_lazily() -> None:
    taken: list[str] = []

    def cases() -> Iterator[PlacedCase]:
        for case in numbered(12):
            taken.append(case.case.case_id)
            yield case

    async def first_two(app: HttpApp) -> int:
        replies = app.replies(cases())
        await anext(replies)
        await anext(replies)
        seen = len(taken)
        await replies.aclose()
        return seen

    with scripted_app(default="slow", slow_s=0.05) as app:
        ask_all(http_app(app.url, concurrency=3), numbered(12))
        assert app.most_at_once == 3
        assert asyncio.run(first_two(http_app(app.url, concurrency=3))) <= 3 + 3


def test_heavier_first_is_the_order_given() -> None:
    with scripted_app() as app:
        ask_all(http_app(app.url, concurrency=1), placed("z", "a", "m"))
    assert [asked.case_id for asked in app.asked] == ["z", "a", "m"]


def test_an_app_that_is_gone_is_not_waited_for_case_by_case() -> None:
    url = f"http://127.0.0.1:{free_port()}/answer"
    started = time.monotonic()
    # Unhelped: 60 cases, 9 backoffs each of 0.25 s and more on average, one lane: minutes.
    target = http_app(url, concurrency=1, attempts=4, first_backoff_s=0.05)
    replies = ask_all(target, numbered(60))
    assert time.monotonic() - started < 20
    assert len(replies) == 60
    for case_id in ("q0", "q59"):
        assert error(replies[case_id]).startswith(
            f"cannot connect to {url}: connection refused, for 0.3 s. Start the app"
        )
        assert "`ready: {url: http://..., timeout_s: 120}`" in error(replies[case_id])


def test_an_app_that_is_still_starting_is_waited_for_once_and_that_is_said() -> None:
    port = free_port()
    told: list[str] = []
    url = f"http://127.0.0.1:{port}/answer"
    begun = time.monotonic()

    def start_late() -> None:
        time.sleep(0.7)
        with scripted_app(port=port):
            done.wait(10)

    done = threading.Event()
    starting = threading.Thread(target=start_late)
    starting.start()
    try:
        # A single attempt for each case: waiting for the start is none of them.
        replies = ask_all(http_app(url, attempts=1, concurrency=3, start_s=10, tell=told.append), numbered(20))
    finally:
        done.set()
        starting.join()
    assert {answer(reply)[:6] for reply in replies.values()} == {"Answer"}
    assert 0.7 <= time.monotonic() - begun < 9
    assert max(latency_ms(reply) for reply in replies.values()) < 700, "waiting is not the app's time"
    assert told == [f"{url} refuses connections: waiting up to 10 s for the app to start"]


def test_an_app_that_went_away_is_not_told_to_be_started() -> None:
    # Closing the connection leaves none to go on with.
    with scripted_app({"q0": "drops"}) as app:
        target = http_app(app.url, concurrency=1, attempts=1)

        def cases() -> Iterator[PlacedCase]:
            first, second = numbered(2)
            yield first
            app.close()
            yield second

        replies = ask_all(target, cases())
    assert "closed the connection" in error(replies["q0"])
    assert error(replies["q1"]) == f"cannot connect to {app.url}: connection refused"


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_a_name_with_several_addresses_is_refused_like_one(host: str) -> None:
    told: list[str] = []
    url = f"http://{host}:{free_port()}/answer"
    line = error(ask_all(http_app(url, attempts=1, tell=told.append), placed("q"))["q"])
    assert f"cannot connect to {url}: connection refused, for 0.3 s." in line
    assert len(told) == 1


def test_what_is_waited_for_by_name_is_said_once_too() -> None:
    told: list[str] = []
    url = f"http://127.0.0.1:{free_port()}"
    with pytest.raises(TargetError, match=r"was not ready within 0\.5 s; last seen: connection refused"):
        ask_all(
            http_app(f"{url}/answer", ready={"url": f"{url}/health", "timeout_s": 0.5}, tell=told.append), placed("q")
        )
    assert told == [f"waiting up to 0.5 s for {url}/health: connection refused"]


@pytest.mark.parametrize("response", [{}, {"answer": "answer"}], ids=["our own format", "mapped"])
def test_a_reply_that_begins_with_a_byte_order_mark_is_read(response: dict[str, str]) -> None:
    with scripted_app(default="says") as app:
        app.replies["q"] = codecs.BOM_UTF8 + b'{"answer": "Yes."}'
        # SecondPolicy is no mark of the encoding any more, but a character that JSON does not begin with.
        app.replies["twice"] = codecs.BOM_UTF8 * 2 + b'{"answer": "Yes."}'
        replies = ask_all(http_app(app.url, response=response), placed("q", "twice"))
    assert answer(replies["q"]) == "Yes."
    assert "not JSON" in error(replies["twice"])


def test_request_and_response_are_mapped() -> None:
    settings: dict[str, Any] = {
        "request": {"method": "PUT", "body": {"id": "{{case_id}}", "q": "{{question}}", "m": "{{messages}}"}},
        "response": {"answer": "answer", "context": "candidates[:1]"},
        "headers": {"Authorization": "Bearer abcdef", "Content-Type": "application/json; charset=utf-8"},
    }
    with scripted_app() as app:
        reply = ask_all(http_app(app.url, **settings), placed("q1"))["q1"]
    asked = app.asked[0]
    assert asked.method == "PUT"
    turn = {"role": "user", "content": "What is q1?"}
    assert asked.body == {"id": "q1", "q": "What is q1?", "m": [turn]}
    assert asked.headers["authorization"] == "Bearer abcdef"
    assert asked.headers["content-type"] == "application/json; charset=utf-8"
    assert isinstance(reply, Answered)
    assert reply.trace.ids("context") == ("c1",)
    assert reply.trace.case_id is None  # only what is mapped is read


def test_a_get_request_sends_its_body_as_query() -> None:
    with scripted_app() as app:
        settings = {"method": "GET", "body": {"id": "{{case_id}}", "q": "{{question}}", "n": 3}}
        ask_all(http_app(f"{app.url}?key=k", request=settings), placed("ä&b"))
    assert app.asked[0].body == {"key": "k", "id": "ä&b", "q": "What is ä&b?", "n": "3"}


def test_labels_of_a_live_app_are_not_kept() -> None:
    with scripted_app(default="labels itself") as app:
        [case] = placed("q")
        reply = ask_all(http_app(app.url), [case])["q"]
    assert isinstance(reply, Answered)
    assert not reply.labelled
    done = evaluate_reply(case, reply, make_rules(), custom=None, finished_at="2026-06-02T12:00:00Z")
    assert done.trace is not None
    assert done.trace.reply.claims is not None
    assert [(claim.support_phrases, claim.answer_point) for claim in done.trace.reply.claims] == [((), None)]


@pytest.mark.parametrize(
    ("behaviour", "words", "mib"),
    [("endless", "reply is larger than 8 MiB", 8), ("endless error page", "500 Internal Server Error: xxx", 0)],
)
def test_an_endless_reply_is_not_read_to_its_end(behaviour: str, words: str, mib: int) -> None:
    with scripted_app(default=behaviour) as app:
        line = error(ask_all(http_app(app.url), placed("q"))["q"])
    assert words in line
    assert len(line) < 300
    assert app.sent < (mib + 16) * 1024 * 1024  # what lies in the buffers between us


def test_no_secret_reaches_an_error_line() -> None:
    headers = {"Authorization": "Bearer header-secret", "X-Api-Key": "other-secret"}
    with scripted_app(default="401 echo") as app:
        with_headers = error(ask_all(http_app(app.url, headers=headers), placed("q"))["q"])
        url = app.url.replace("http://", "http://reader:pass-word@") + "?key=query-secret&b=%2Fescaped"
        with_url = error(ask_all(http_app(url), placed("q"))["q"])
    # The app did see them, and its page quotes them.
    assert app.asked[0].headers["authorization"] == "Bearer header-secret"
    assert app.asked[1].headers["authorization"] == "Basic cmVhZGVyOnBhc3Mtd29yZA=="
    assert app.asked[1].path.endswith("?key=query-secret&b=%2Fescaped")
    for line in (with_headers, with_url):
        assert line.startswith("401 Unauthorized: refused:")
        for secret in ("header-secret", "other-secret", "query-secret", "cmVhZGVy", "escaped"):
            assert secret not in line


def test_no_secret_reaches_the_error_of_an_app_that_is_gone() -> None:
    url = f"http://reader:pass-word@127.0.0.1:{free_port()}/answer?key=query-secret"
    settings: dict[str, Any] = {"ready": {"url": url, "timeout_s": 0.2}}
    line = error(ask_all(http_app(url, attempts=1), placed("q"))["q"])
    with pytest.raises(TargetError) as caught:
        ask_all(http_app(url, **settings), placed("q"))
    for text in (line, str(caught.value), caught.value.hint):
        assert "pass" not in text
        assert "secret" not in text
        assert "@" not in text  # not even struck out


def test_a_proxy_does_not_catch_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{free_port()}")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    with scripted_app() as app:
        assert answer(ask_all(http_app(app.url), placed("q"))["q"])
        assert answer(ask_all(http_app(app.url.replace("127.0.0.1", "localhost")), placed("q"))["q"])


def test_a_proxy_is_used_for_other_hosts(monkeypatch: pytest.MonkeyPatch) -> None:
    with scripted_app() as proxy:
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.port}")
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        assert answer(ask_all(http_app("http://rag-app.invalid/answer"), placed("q"))["q"])
    assert proxy.asked[0].headers["host"] == "rag-app.invalid"


def test_cases_share_no_cookies() -> None:
    with scripted_app(default="sets a cookie") as app:
        ask_all(http_app(app.url, concurrency=1), numbered(3))
    assert not [asked for asked in app.asked if "cookie" in asked.headers]


def test_the_first_case_waits_until_the_app_is_ready() -> None:
    with scripted_app() as app:
        app.ready = False
        threading.Timer(0.5, lambda: setattr(app, "ready", True)).start()
        ready = {"url": f"http://127.0.0.1:{app.port}/health", "timeout_s": 5}
        started = time.monotonic()
        assert answer(ask_all(http_app(app.url, ready=ready), placed("q"))["q"])
    assert app.asked[0].at - started >= 0.5
    assert len(app.readiness) >= 2


def test_an_app_that_never_becomes_ready_is_an_error_that_says_what_was_seen() -> None:
    with scripted_app() as app:
        app.ready = False
        ready = {"url": f"http://127.0.0.1:{app.port}/health", "timeout_s": 0.5}
        with pytest.raises(TargetError, match=r"not ready within 0.5 s; last seen: 503 Service Unavailable"):
            ask_all(http_app(app.url, ready=ready), placed("q"))
        assert ask_all(http_app(app.url, ready=ready), []) == {}  # nothing to ask, nothing to wait for


def test_a_token_goes_to_the_readiness_of_the_same_app_only() -> None:
    with scripted_app() as app, scripted_app() as other:
        for port in (app.port, other.port):
            ready = {"url": f"http://127.0.0.1:{port}/health"}
            ask_all(http_app(app.url, headers={"Authorization": "Bearer abcdef"}, ready=ready), placed("q"))
    assert "authorization" in app.readiness[0].headers
    assert "authorization" not in other.readiness[0].headers


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        pytest.param({"url": "localhost:8080"}, "url: is not an address", id="an address without a scheme"),
        pytest.param({"url": "http://[::1"}, "url: is not an address", id="half an address"),
        pytest.param({"url": f"http://ä{'b' * 70}-secret.test/"}, "url: is not an address", id="a name too long"),
        pytest.param({"headers": {"A B": "x"}}, "'A B' cannot be sent", id="a header name with a space"),
        pytest.param({"headers": {"A": "x\ny-secret"}}, "'A' cannot be sent", id="a header value of two lines"),
        pytest.param({"request": {"body": {"q": "{{qestion}}"}}}, "{{qestion}}", id="an unknown placeholder"),
        pytest.param({"request": {"method": "GET", "body": [1]}}, "must be an object", id="a GET of a list"),
        pytest.param({"response": {"answer": "a["}}, "column 3", id="a bad mapping"),
    ],
)
def test_settings_that_cannot_work_are_refused_before_any_call(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError) as caught:
        http_app(**{"url": "http://localhost:1/", **settings})
    assert words in str(caught.value)
    assert "-secret" not in str(caught.value) + caught.value.hint


def test_leaving_early_ends_what_is_under_way() -> None:
    async def leave(target: HttpApp) -> None:
        async with asyncio.timeout(0.2):
            async for _ in target.replies(numbered(4)):
                pass

    with scripted_app(default="slow", slow_s=5.0) as app:
        started = time.monotonic()
        with pytest.raises(TimeoutError):
            asyncio.run(leave(http_app(app.url, concurrency=4)))
        assert time.monotonic() - started < 4.5
