"""The fake chat API answers as scripted, remembers, and refuses what a real one refuses."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Mapping
from typing import Any

import pytest

from tests.fake_chat.actions import (
    Drop,
    Hang,
    body_cut,
    cut_short,
    error,
    filtered,
    judges,
    no_choices,
    no_json,
    refuses,
    says,
    says_fenced,
    too_many,
)
from tests.fake_chat.server import FakeChat, fake_chat

GOOD: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "one two"}]}
STRICT = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": False}


def post(
    chat: FakeChat, body: Any, *, path: str = "/v1/chat/completions", headers: Mapping[str, str] | None = None
) -> tuple[int, dict[str, str], Any]:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    connection = http.client.HTTPConnection("127.0.0.1", chat.port, timeout=10)
    try:
        connection.request("POST", path, raw, {"Content-Type": "application/json", **(headers or {})})
        response = connection.getresponse()
        return response.status, dict(response.getheaders()), json.loads(response.read())
    finally:
        connection.close()


def form(schema: Mapping[str, Any]) -> dict[str, Any]:
    shape = {"name": "verdicts", "strict": True, "schema": schema}
    return {**GOOD, "response_format": {"type": "json_schema", "json_schema": shape}}


def test_a_script_says_what_each_request_meets() -> None:
    script = [too_many(retry_after="2"), error(503), says_fenced({"a": 1}), says("plain")]
    with fake_chat({"m": script, "echo": judges(lambda body: {"of": body["messages"][-1]["content"]})}) as chat:
        first, second, third, fourth, fifth = (post(chat, GOOD) for _ in range(5))
        echo = post(chat, {**GOOD, "model": "echo"})
    assert (first[0], first[1]["retry-after"], first[2]["error"]["code"]) == (429, "2", "rate_limit_exceeded")
    assert second[0] == 503
    assert third[2]["choices"][0]["message"]["content"].endswith('```json\n{\n  "a": 1\n}\n```\n')
    assert [each[2]["choices"][0]["message"]["content"] for each in (fourth, fifth)] == ["plain", "plain"]
    assert json.loads(echo[2]["choices"][0]["message"]["content"]) == {"of": "one two"}
    assert echo[2]["usage"]["prompt_tokens"] == 2
    assert chat.counts == {"m": 5, "echo": 1}
    assert [asked.status for asked in chat.of("m")] == [429, 503, 200, 200, 200]
    assert chat.refused == []


@pytest.mark.parametrize(
    ("action", "found"),
    [
        (cut_short({"verdicts": ["supported"]}), ["length", '{"verdicts": ["suppo', None]),
        (refuses("no"), ["stop", None, "no"]),
        (filtered(), ["content_filter", "", None]),
    ],
    ids=["length", "refusal", "filter"],
)
def test_replies_that_hold_no_verdict(action: Any, found: list[Any]) -> None:
    with fake_chat({"m": action}) as chat:
        _, _, body = post(chat, GOOD)
    choice = body["choices"][0]
    assert [choice["finish_reason"], choice["message"]["content"], choice["message"]["refusal"]] == found


def test_bodies_and_connections_that_break() -> None:
    with fake_chat({"m": [no_choices(), no_json(), body_cut(), Drop()]}) as chat:
        assert post(chat, GOOD)[2]["choices"] == []
        for broken in (json.JSONDecodeError, http.client.IncompleteRead, http.client.RemoteDisconnected):
            with pytest.raises(broken):
                post(chat, GOOD)


def test_usage_is_what_the_script_gives() -> None:
    with fake_chat({"m": [says("x", usage=None), says("x", usage={"prompt_tokens": "many"})]}) as chat:
        assert "usage" not in post(chat, GOOD)[2]
        assert post(chat, GOOD)[2]["usage"] == {"prompt_tokens": "many"}


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        (b"no json", 400, "could not parse"),
        ([1], 400, "must be an object"),
        ({"messages": GOOD["messages"]}, 400, "model"),
        ({"model": "m"}, 400, "messages"),
        ({"model": "m", "messages": [{"role": "judge", "content": "x"}]}, 400, "role"),
        ({"model": "m", "messages": [{"role": "user", "content": ""}]}, 400, "content"),
        ({**GOOD, "stream": True}, 400, "stream"),
        ({**GOOD, "response_format": {"type": "json_object"}}, 400, "the word 'json'"),
        ({**GOOD, "response_format": {"type": "xml"}}, 400, "response_format"),
        (form({**STRICT, "additionalProperties": True}), 400, "additionalProperties"),
        (form({**STRICT, "required": []}), 400, "every key"),
        (form({**STRICT, "properties": {"a": {"type": "array", "items": {"oneOf": []}}}}), 400, "oneOf"),
        ({**GOOD, "model": "other"}, 404, "does not exist"),
    ],
)
def test_a_request_that_a_real_endpoint_refuses_is_refused(body: Any, status: int, message: str) -> None:
    with fake_chat({"m": says("x")}) as chat:
        answered, _, said = post(chat, body)
    assert answered == status
    assert message in said["error"]["message"]
    assert len(chat.refused) == 1
    assert chat.asked == []


def test_keys_paths_and_forms_that_are_taken() -> None:
    with fake_chat({"m": says("x")}, keys=["good"], prefix="/openai/v1") as chat:
        path = "/openai/v1/chat/completions"
        assert post(chat, GOOD, path=path)[0] == 401
        assert post(chat, GOOD, path=path, headers={"Authorization": "Bearer bad"})[0] == 401
        assert post(chat, GOOD, path="/v1/chat/completions")[0] == 404
        assert post(chat, form(STRICT), path=path, headers={"Authorization": "Bearer good"})[0] == 200


def test_a_script_that_fails_ends_the_block() -> None:
    def broken(_body: Any) -> Any:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), fake_chat({"m": broken}) as chat:
        assert post(chat, GOOD)[0] == 500


def test_forty_at_once_are_counted_and_one_that_hangs_holds_nobody_up() -> None:
    with fake_chat({"m": says("x", after_s=0.3), "hung": Hang()}) as chat:
        hung = http.client.HTTPConnection("127.0.0.1", chat.port, timeout=10)
        body = json.dumps({**GOOD, "model": "hung"})
        hung.request("POST", "/v1/chat/completions", body, {"Content-Type": "application/json"})
        threads = [threading.Thread(target=post, args=(chat, GOOD)) for _ in range(40)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        hung.close()
    assert chat.counts == {"m": 40, "hung": 1}
    assert 2 <= chat.peaks["m"] <= 40
    assert chat.peaks["m"] <= chat.peak <= chat.peaks["m"] + 1
    assert chat.connections == 41
    assert all(asked.done_at is not None for asked in chat.asked)
