"""One call of a judge over real HTTP: what is sent, and what every kind of answer comes to."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import JsonValue, ValidationError

from raggate_action.judges.chat_call import ChatOutcome, ChatReply, ChatRequest, LostCall
from raggate_action.schema.judgement import Usage
from raggate_action.schema.judges import Member
from tests.fake_chat.actions import (
    Action,
    Answer,
    Body,
    Drop,
    Hang,
    Reply,
    Script,
    body_cut,
    cut_short,
    error,
    filtered,
    no_choices,
    no_json,
    refuses,
    says,
    too_many,
)
from tests.fake_chat.server import fake_chat
from tests.integration.judge_calls import KEY, SCHEMA, calls, in_loop, loss_of, member, opened, request, text_of

GOOD = says({"verdict": "supported"})


def test_a_reply_comes_as_it_was_said_with_its_tokens() -> None:
    usage: JsonValue = {"prompt_tokens": 900, "completion_tokens": 40, "prompt_tokens_details": {"cached_tokens": 512}}
    with fake_chat({"m": says({"verdict": "supported"}, usage=usage)}) as chat:
        outcome = calls(member(chat))[0]
    assert outcome == ChatReply('{"verdict": "supported"}', Usage(input=900, cached=512, output=40))
    assert chat.refused == []


@pytest.mark.parametrize(
    ("usage", "read"),
    [
        (None, Usage()),
        ("many", Usage()),
        ({"prompt_tokens": -5, "completion_tokens": "7", "prompt_tokens_details": None}, Usage()),
        ({"prompt_tokens": 10, "completion_tokens": True, "prompt_tokens_details": {"cached_tokens": 99}}, Usage(input=10, cached=10)),
        ({"prompt_tokens": 10**30, "completion_tokens": 3}, Usage(output=3)),
    ],
    ids=["absent", "no object", "no counts", "more kept than asked", "beyond belief"],
)  # fmt: skip
def test_usage_that_is_wrong_or_absent_costs_no_reply(usage: Any, read: Usage) -> None:
    with fake_chat({"m": says("x", usage=usage)}) as chat:
        outcome = calls(member(chat))[0]
    assert outcome == ChatReply("x", read)


def test_the_constant_part_stands_first_and_what_was_sent_back_follows_in_order() -> None:
    earlier = (("not json", "Reply in JSON."), ("{}", "`verdict` is missing."))

    async def ask(chats: Any) -> None:
        await chats["m"].complete(ChatRequest("constant, json", "of this call", "verdict", SCHEMA, earlier))

    with fake_chat({"m": GOOD}) as chat:
        in_loop(ask, member(chat))
    [asked] = chat.asked
    assert [message["role"] for message in asked.body["messages"]] == [
        "system",
        "user",
        "assistant",
        "user",
        "assistant",
        "user",
    ]
    assert asked.prompts == [
        "constant, json",
        "of this call",
        "not json",
        "Reply in JSON.",
        "{}",
        "`verdict` is missing.",
    ]


def test_the_form_of_a_reply_is_asked_for_as_the_suite_says() -> None:
    with fake_chat({"m": GOOD}) as chat:
        for structured in ("json_schema", "json_object", "text"):
            calls(member(chat, structured=structured))
    forms = [asked.body.get("response_format") for asked in chat.asked]
    schema = {"name": "verdict", "strict": True, "schema": SCHEMA}
    assert forms == [{"type": "json_schema", "json_schema": schema}, {"type": "json_object"}, None]
    assert chat.refused == []


def test_parameters_are_sent_as_given_those_nobody_knows_too() -> None:
    parameters = {"temperature": 0, "seed": 7, "provider": {"order": ["a"], "deep": {"b": None}}, "top_k": 1}
    with fake_chat({"m": GOOD}) as chat:
        calls(member(chat, parameters=parameters))
    assert {name: chat.asked[0].body[name] for name in parameters} == parameters
    assert chat.asked[0].body.keys() == {"model", "messages", "response_format", *parameters}


@pytest.mark.parametrize("name", ["model", "messages", "response_format", "stream", "n"])
def test_a_parameter_that_every_call_writes_by_itself_is_refused(name: str) -> None:
    with pytest.raises(ValidationError, match=f"leave out `{name}`: every call writes it"):
        Member(name="m", lab="l", model="m", parameters={name: "x"})


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("localhost:11434/v1", "http://"),
        ("ftp://host/v1", "http://"),
        ("https://api.openai.com/v1/chat/completions", "leave out `/chat/completions`"),
        ("https://api.openai.com/v1/chat/completions/", "leave out `/chat/completions`"),
        ("https://user:secret@host/v1", "`api_key_env`"),
        ("https://host/v1#x", "after `#`"),
    ],
)
def test_a_base_url_that_cannot_be_one_is_refused_with_what_to_write(url: str, problem: str) -> None:
    with pytest.raises(ValidationError, match="base_url") as raised:
        Member(name="m", lab="l", model="m", base_url=url)
    assert problem in raised.value.errors()[0]["msg"]
    assert "secret" not in raised.value.errors()[0]["msg"]


@pytest.mark.parametrize("prefix", ["/v1", "/api/v1", "/openai/v1", ""])
@pytest.mark.parametrize("end", ["", "/"])
def test_the_paths_of_the_usual_endpoints_are_met(prefix: str, end: str) -> None:
    with fake_chat({"m": GOOD}, prefix=prefix) as chat:
        outcome = calls(member(chat, base_url=chat.base_url + end))[0]
    assert isinstance(outcome, ChatReply)
    assert [asked.path for asked in chat.asked] == [f"{prefix}/chat/completions"]


def test_a_query_of_the_address_is_kept() -> None:
    with fake_chat({"m": GOOD}) as chat:
        calls(member(chat, base_url=f"{chat.base_url}?api-version=preview"))
    assert [asked.path for asked in chat.asked] == ["/v1/chat/completions?api-version=preview"]


def test_the_key_is_the_one_named_and_nothing_else_of_the_environment_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    leaks = ("API_KEY", "ADMIN_KEY", "ORG_ID", "PROJECT_ID", "WEBHOOK_SECRET")
    for name in leaks:
        monkeypatch.setenv(f"OPENAI_{name}", "leaked-value")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/leaked-value")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Leak: leaked-value\nAuthorization: leaked-value")
    with fake_chat({"open": GOOD, "closed": GOOD}) as chat:
        members = [member(chat, "open"), member(chat, "closed", api_key_env="JUDGE_KEY")]
        outcomes = calls(members, environment={"JUDGE_KEY": f"{KEY}\n", "OPENAI_API_KEY": "leaked-value"})
    assert [text_of(outcome) for outcome in outcomes] == ['{"verdict": "supported"}'] * 2
    assert "authorization" not in chat.of("open")[0].headers
    assert chat.of("closed")[0].headers["authorization"] == f"Bearer {KEY}"
    assert "leaked-value" not in json.dumps([asked.headers for asked in chat.asked])
    assert not [name for asked in chat.asked for name in asked.headers if name.startswith("openai-")]


def test_a_proxy_of_the_environment_does_not_catch_calls_to_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    with fake_chat({"m": GOOD}) as chat:
        assert text_of(calls(member(chat))[0]) == '{"verdict": "supported"}'


LOST: list[tuple[str, Action, str, str]] = [
    ("cut at its length", cut_short({"verdict": "supported"}), "judge-truncated", "raise the limit of tokens"),
    ("refused", refuses("I cannot judge this."), "judge-refused", "the model refused: I cannot judge this."),
    ("filtered", filtered(), "judge-filtered", "content filter"),
    ("filtered call", error(400, "The response was filtered", code="content_filter"), "judge-filtered", "(400)"),
    ("no choices", no_choices(), "judge-empty", "no choices"),
    ("no text", says(""), "judge-empty", "no text"),
    ("blanks", says(" \n"), "judge-empty", "no text"),
    ("null", Reply(None), "judge-empty", "no text"),
    ("a tool call", Reply(None, finish_reason="tool_calls"), "judge-empty", "no text"),
    ("choices of nonsense", Reply("x", choices=["x"]), "judge-empty", "no choices"),
    ("a message of nonsense", Reply("x", choices=[{"message": 1}]), "judge-empty", "no text"),
    ("400", error(400, "you did wrong", kind="invalid_request_error"), "judge-not-accepted", "(400): you did wrong"),
    ("401", error(401, "bad key"), "judge-key", "wants a key: name it by `api_key_env` (401): bad key"),
    ("402", error(402, "pay first"), "judge-key", "no credit left (402)"),
    ("403", error(403, "not yours"), "judge-key", "may not be used for this model (403): not yours"),
    ("404", error(404, "no such model"), "judge-not-accepted", "no such model, or `base_url` is no chat API (404)"),
    ("422", Answer(422, {"detail": "no such field"}), "judge-not-accepted", "(422): no such field"),
    ("too long", error(400, "maximum context length is 8192 tokens"), "judge-not-accepted", "too long for the model"),
    ("no credit", error(429, "You exceeded your current quota", code="insufficient_quota"), "judge-key", "no credit"),
    ("elsewhere", Answer(302, b"", {"location": "http://127.0.0.1:9/v1?t=x"}), "judge-not-accepted", "`base_url` (302): http://127.0.0.1:9/v1"),
    ("Ollama's form", Answer(404, {"error": "model 'm' not found"}), "judge-not-accepted", ": model 'm' not found"),
    ("a page", Answer(404, b"<h1>Not\n found</h1>", {"content-type": "text/html"}), "judge-not-accepted", ": <h1>Not found</h1>"),
    ("an error in a 200", Answer(200, {"error": {"message": "no such", "code": 404}}), "judge-not-accepted", "(404): no such"),
]  # fmt: skip


@pytest.mark.parametrize(("action", "code", "words"), [row[1:] for row in LOST], ids=[row[0] for row in LOST])
def test_what_another_attempt_does_not_mend_is_lost_after_one(action: Action, code: str, words: str) -> None:
    with fake_chat({"m": action}) as chat:
        lost, detail = loss_of(calls(member(chat, structured="json_schema"))[0])
    assert lost == code
    assert words in detail
    assert len(chat.asked) == 1


AGAIN: list[tuple[str, Action, str, str]] = [
    ("408", error(408), "judge-timeout", "(408)"),
    ("409", error(409), "judge-server-error", "(409)"),
    ("429", too_many(), "judge-rate-limited", "no more calls for now (429): Rate limit reached"),
    ("500", error(500, "out of\nmemory"), "judge-server-error", "the endpoint failed (500): out of memory"),
    ("503", error(503), "judge-server-error", "(503)"),
    ("529", Answer(529, {"type": "error", "error": {"message": "Overloaded"}}), "judge-server-error", ": Overloaded"),
    ("hangs", Hang(), "judge-timeout", "no reply within 0.2 s"),
    ("drips", Answer(200, {"choices": []}, drip_s=0.1), "judge-timeout", "no reply within 0.2 s"),
    ("drops", Drop(), "judge-unreachable", "broken connection to http://127.0.0.1"),
    ("ends in the middle", body_cut(), "judge-unreachable", "broken connection"),
    ("no JSON", no_json(), "judge-server-error", "no JSON object"),
    ("a page", Answer(200, b"<html>Welcome</html>", {"content-type": "text/html"}), "judge-server-error", "Welcome"),
    ("broke off", Reply("so", finish_reason="error"), "judge-server-error", "broke off"),
    ("a failure in a 200", Answer(200, {"error": {"message": "busy", "code": 502}}), "judge-server-error", "(502): busy"),
]  # fmt: skip


@pytest.mark.parametrize(("action", "code", "words"), [row[1:] for row in AGAIN], ids=[row[0] for row in AGAIN])
def test_what_another_attempt_may_mend_is_attempted_again_and_lost_after_the_last(
    action: Action, code: str, words: str
) -> None:
    quick = {"timeout_s": 0.2} if code == "judge-timeout" else {}
    with fake_chat({"m": [action, GOOD], "never": action}) as chat:
        mended, never = calls([member(chat, "m", **quick), member(chat, "never", attempts=2, **quick)])
    assert text_of(mended) == '{"verdict": "supported"}'
    lost, detail = loss_of(never)
    assert (lost, chat.counts) == (code, {"m": 2, "never": 2})
    assert words in detail


# An object with the schema beside it is what llama-cpp-python holds a reply to.
FORMS = ("json_schema", "json_object and schema", "json_object", None)


def form_of(body: Body) -> str | None:
    form = body.get("response_format")
    return None if form is None else f"{form['type']} and schema" if "schema" in form else form["type"]


def takes(*forms: str | None, refusal: Action) -> Callable[[Body], Action]:
    return lambda body: GOOD if form_of(body) in forms else refusal


@pytest.mark.parametrize(
    ("refusal", "further"),
    [
        pytest.param(error(400, "response_format is not supported"), 0, id="it names the field"),
        pytest.param(error(422, "unprocessable"), 0, id="it names nothing"),
        # llama-cpp-python fails at a schema it cannot make a grammar of; a failure of its own is tried again once.
        pytest.param(error(500, "Internal Server Error"), 1, id="it fails"),
    ],
)
@pytest.mark.parametrize("place", [1, 2, 3])
def test_the_form_is_told_as_the_endpoint_takes_it_and_that_is_kept(refusal: Action, further: int, place: int) -> None:
    with fake_chat({"m": takes(FORMS[place], refusal=refusal)}) as chat:

        async def two_calls() -> list[ChatOutcome]:
            asked = member(chat)
            async with opened(asked) as chats:
                return [await chats["m"].complete(request(f"case {at}")) for at in range(2)]

        first, second = asyncio.run(two_calls())
    assert (text_of(first), text_of(second)) == ('{"verdict": "supported"}',) * 2
    assert [each.by_words for each in (first, second) if isinstance(each, ChatReply)] == [place == 3] * 2
    forms = [form_of(each.body) for each in chat.asked]
    assert forms[-2:] == [FORMS[place]] * 2, "the second call goes the way of the first at once"
    assert len(forms) == place + further + 2


def test_an_endpoint_that_takes_no_form_says_so_after_one_call_each() -> None:
    with fake_chat({"m": error(400, "temperature is not supported")}) as chat:
        lost, detail = loss_of(calls(member(chat, parameters={"temperature": 0}))[0])
    assert (lost, [form_of(each.body) for each in chat.asked]) == ("judge-not-accepted", [*FORMS])
    assert "temperature" in detail


def test_a_prompt_that_is_too_long_is_no_matter_of_form() -> None:
    with fake_chat({"m": error(400, "maximum context length is 8192 tokens")}) as chat:
        calls(member(chat))
    assert len(chat.asked) == 1


def test_nobody_listens() -> None:
    with fake_chat({}) as gone:
        pass
    lost, detail = loss_of(calls(member(gone, attempts=2))[0])
    assert lost == "judge-unreachable"
    assert detail == f"no connection to http://127.0.0.1:{gone.port}/v1: connection refused"


def test_an_endpoint_that_quotes_the_key_does_not_get_it_into_a_detail() -> None:
    quoting = f"Incorrect API key provided: {KEY}. " + "x" * 400 + KEY
    with fake_chat({"m": error(401, quoting), "page": Answer(500, f"{KEY}\x1b[31m red".encode())}) as chat:
        members = [member(chat, name, api_key_env="JUDGE_KEY", attempts=1) for name in ("m", "page")]
        outcomes = calls(members, environment={"JUDGE_KEY": KEY})
    details = [loss_of(outcome)[1] for outcome in outcomes]
    assert details[0].startswith("the endpoint refuses the key (401): Incorrect API key provided: ***. xxx")
    assert details[1] == "the endpoint failed (500): ***?[31m red"
    assert not [detail for detail in details if KEY[:8] in detail or len(detail) > 300]


@pytest.mark.parametrize(
    ("environment", "words"),
    [({}, "JUDGE_KEY is not set"), ({"JUDGE_KEY": " \n"}, "is empty"), ({"JUDGE_KEY": "sk-\u00fc\u2026abc"}, "no header can carry")],
)  # fmt: skip
def test_without_a_key_that_can_be_sent_nothing_is_asked(environment: dict[str, str], words: str) -> None:
    said: list[str] = []
    with fake_chat({"m": GOOD}) as chat:
        outcomes = calls(member(chat, api_key_env="JUDGE_KEY"), 3, environment=environment, tell=said.append)
    assert {loss_of(outcome)[0] for outcome in outcomes} == {"judge-key"}
    assert words in loss_of(outcomes[0])[1]
    assert len(said) == 1
    assert chat.connections == 0


def test_tokens_of_a_reply_that_is_lost_are_counted() -> None:
    with fake_chat({"m": cut_short("one two three four five six seven", keep=13)}) as chat:
        outcome = calls(member(chat))[0]
    assert isinstance(outcome, LostCall)
    # Six words are the prompts' own ("You judge. Reply in JSON." and "case 0"), three are left of the reply.
    assert outcome.usage == Usage(input=7, output=3)


def test_half_a_character_in_an_answer_is_no_error() -> None:
    async def ask(chats: Any) -> None:
        assert isinstance(await chats["m"].complete(request("half \ud83d of one, all of 🍋")), ChatReply)

    with fake_chat({"m": GOOD}) as chat:
        in_loop(ask, member(chat))
    assert chat.asked[0].prompts[1] == "half ? of one, all of 🍋"


def test_text_that_comes_in_parts_is_read() -> None:
    parts: list[JsonValue] = [{"type": "text", "text": '{"verdict":'}, {"type": "text", "text": ' "partial"}'}]
    script: Script = Reply("", choices=[{"message": {"role": "assistant", "content": parts}, "finish_reason": "stop"}])
    with fake_chat({"m": script}) as chat:
        assert text_of(calls(member(chat))[0]) == '{"verdict": "partial"}'


def test_nothing_of_openai_is_loaded_before_the_first_call() -> None:
    code = (
        "import random, sys\n"
        "from raggate_action.judges.endpoints import open_chats\n"
        "from raggate_action.schema.judges import Member\n"
        "import raggate_action.run.run_session, raggate_action.cli.run_command\n"
        "open_chats([Member(name='m', lab='l', model='m')], {}, draw=random.Random(1))\n"
        "sys.exit(' '.join({'openai', 'httpx2', 'httpcore2'} & set(sys.modules)) or 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env=dict(os.environ)
    )
    assert done.returncode == 0, done.stderr
