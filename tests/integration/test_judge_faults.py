"""Everything that can be wrong with a judge's reply: none of it becomes a vote, and none of it takes a machine down."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Mapping
from typing import Any, Final

import pytest

from tests.claims_prompts import examined, make_task, reply_of
from tests.fake_chat.actions import (
    Action,
    Answer,
    Drop,
    Endless,
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
    says_fenced,
    too_many,
)
from tests.fake_chat.server import completion, fake_chat
from tests.integration.peak_memory import LIMIT_MB, measured
from tests.integration.test_claims_judge import judged
from tests.integration.test_compressed_replies import bomb

MIB: Final = 1024 * 1024
TASK = make_task("The fee is 20 EUR.")
VOTE = examined(1, "supported", 1)
GOOD = reply_of(VOTE)
TEXT = json.dumps(GOOD)
BODY: Any = completion(says(GOOD), {"model": "m", "messages": []})


def whole(**changed: Any) -> Answer:
    """The completion of a good reply with other fields at its top."""
    return Answer(200, {**BODY, **changed})


def choice(**changed: Any) -> Answer:
    """The same with another choice."""
    return whole(choices=[{**BODY["choices"][0], **changed}])


def message(content: Any) -> Answer:
    """The same with another message."""
    return choice(message={"role": "assistant", "content": content})


def vote(**changed: Any) -> Reply:
    """A judge that says one thing of its vote otherwise; what is None is left out."""
    return says(reply_of({key: value for key, value in {**VOTE, **changed}.items() if value is not _LEFT_OUT}))


def raw(text: str) -> Answer:
    return Answer(200, text.encode())


_LEFT_OUT: Final = object()
PACKED = {"content-encoding": "gzip"}
RAW = json.dumps(BODY).encode()

# An answer that is no chat completion with one finished text.
OF_HTTP: dict[str, Action] = {
    "nothing": raw(""),
    "blanks": raw("  \r\n "),
    "a page": raw("<html><body>Bad gateway</body></html>"),
    "plain words": raw("supported"),
    "null": raw("null"),
    "a boolean": raw("true"),
    "a number": raw("1"),
    "a text": raw(json.dumps(TEXT)),
    "the verdict itself, without a completion around it": raw(TEXT),
    "a list": Answer(200, [BODY]),
    "cut JSON": no_json(),
    "a connection that ends in the body": body_cut(),
    "bytes that are no UTF-8": Answer(200, RAW.replace(b"supported", b"supported\xff")),
    "no choices": Answer(200, {key: value for key, value in BODY.items() if key != "choices"}),
    "choices null": whole(choices=None),
    "choices as a mapping": whole(choices={"0": BODY["choices"][0]}),
    "an empty list of choices": no_choices(),
    "a choice that is null": whole(choices=[None]),
    "a choice that is a text": whole(choices=[TEXT]),
    "no message": whole(choices=[{"index": 0, "finish_reason": "stop"}]),
    "a message that is null": choice(message=None),
    "a message that is a text": choice(message=TEXT),
    "content null": message(None),
    "content as a mapping": message(GOOD),
    "content in parts that are no text": message([{"type": "image", "data": "AAAA"}, TEXT, 7]),
    "no text": message(""),
    "blank text": message(" \n\t"),
    "a refusal": refuses(),
    "a refusal beside the verdict": choice(message={"role": "assistant", "content": TEXT, "refusal": "I cannot."}),
    "cut at its length": cut_short(GOOD),
    "whole, and said to be cut at its length": Reply(TEXT, finish_reason="length"),
    "filtered": filtered(),
    "filtered, with the verdict": filtered(TEXT),
    "broken off by the model": choice(finish_reason="error"),
    "an error at 200": Answer(200, {"error": {"message": "overloaded"}}),
    "an error at 200, and choices null": Answer(200, {"error": "overloaded", "choices": None}),
    "a key twice": Answer(200, b'{"choices": [], ' + RAW[1:]),
    "a key twice deep inside": Answer(200, RAW.replace(b'"role":', b'"content": "", "role":', 1)),
    "said to be gzip": Answer(200, RAW, PACKED),
    "gzip without its end": Answer(200, gzip.compress(RAW)[:-9], PACKED),
    "gzip in gzip": Answer(200, gzip.compress(gzip.compress(RAW)), {"content-encoding": "gzip, gzip"}),
    "deflate": Answer(200, zlib.compress(RAW), {"content-encoding": "deflate"}),
    "a packing nobody knows": Answer(200, RAW, {"content-encoding": "br"}),
    "larger than is read": whole(padding="x" * (9 * MIB)),
    "more values than are read": whole(logprobs=[0] * 200_000),
    "nested deeper than is read": Answer(200, b'{"x": ' + b"[" * 50_000 + b"]" * 50_000 + b", " + RAW[1:]),
    "a connection that is closed": Drop(),
    "silence": Hang(),
    "a byte now and then": Answer(200, RAW, drip_s=0.05),
    **{f"status {status}": error(status) for status in (400, 401, 402, 403, 404, 405, 408, 409, 410, 413, 422, 425)},
    **{f"status {status}": error(status) for status in (500, 502, 503, 504, 529)},
    "status 429": too_many(),
    "status 429 for ten minutes": too_many(retry_after="600"),
    "status 204": Answer(204),
    "status 302, with the verdict": Answer(302, BODY, {"location": "http://127.0.0.1:1/"}),
    "status 500, with the verdict": Answer(500, BODY),
}
# A completion whose text is not the form that was asked for.
OF_TEXT: dict[str, Action] = {
    "prose": says("The claim is supported."),
    "prose around it": says(f"Here is my verdict: {TEXT} Hope it helps!"),
    "a fence where a form was sent": says_fenced(GOOD),
    "two objects": says(TEXT + TEXT),
    "a list of it": says([GOOD]),
    "itself as a text": says(json.dumps(TEXT)),
    "another form": says({"score": 5, "reasoning": "good"}),
    "an empty object": says({}),
    "a comma too many": says(TEXT[:-1] + ",}"),
    "single quotes": says(str(GOOD)),
    "NaN in it": says(TEXT[:-1] + ', "score": NaN}'),
    "the verdict twice": says(TEXT.replace('"verdict": "supported"', '"verdict": "unsupported", "verdict": "supported"')),
    "claims twice": says('{"claims": [], ' + TEXT[1:]),
    "claims null": says({**GOOD, "claims": None}),
    "claims as a mapping": says({**GOOD, "claims": {"1": VOTE}}),
    "a claim that is a text": says({**GOOD, "claims": ["supported"]}),
    "a claim nobody asked about": vote(claim=7),
    "claim 0": vote(claim=0),
    "a claim below 0": vote(claim=-1),
    "half a claim": vote(claim=1.5),
    "a claim by a boolean": vote(claim=True),
    "a claim by a text": vote(claim="one"),
    "a claim as large as can be": vote(claim=10**400),
    "a claim twice, and differing": says(reply_of(VOTE, {**VOTE, "verdict": "unsupported"})),
    "no claim number": vote(claim=_LEFT_OUT),
    "no verdict": vote(verdict=_LEFT_OUT),
    "verdict null": vote(verdict=None),
    "a verdict nobody knows": vote(verdict="mostly supported"),
    "a verdict in capitals": vote(verdict="SUPPORTED"),
    "two verdicts in a list": vote(verdict=["supported"]),
    "more than is read inside": says({**GOOD, "claims": [VOTE] * 30_000}),
    "deeper than is read inside": says('{"claims": ' + "[" * 50_000 + "]" * 50_000 + "}"),
    "a text longer than a prompt": says("x" * 2_000_000),
}  # fmt: skip
FAULTS = {**{f"answer: {name}": each for name, each in OF_HTTP.items()}, **{f"text: {name}": each for name, each in OF_TEXT.items()}}  # fmt: skip


def said_by(script: Script, **fields: Any) -> Any:
    with fake_chat({"m": script}) as chat:
        (judgement,) = judged(chat, TASK, **{"attempts": 1, "timeout_s": 10, **fields})
    return judgement


@pytest.mark.parametrize("name", FAULTS)
def test_no_fault_of_a_reply_becomes_a_vote(name: str) -> None:
    slow = {"answer: silence", "answer: a byte now and then"}
    judgement = said_by(FAULTS[name], timeout_s=0.3 if name in slow else 10)
    assert (judgement.votes, judgement.points) == ((), ())
    # What was not asked, or cannot be, is left out alone, and the claim named with the reason.
    assert (judgement.lost is not None and judgement.lost.detail) or [each.claim_id for each in judgement.dropped] == [
        "c1"
    ]


def test_there_are_as_many_faults_as_were_tried_before() -> None:
    assert len(FAULTS) >= 67


@pytest.mark.parametrize(
    "action",
    [
        pytest.param(says(GOOD), id="as it should be"),
        pytest.param(Answer(200, b"\xef\xbb\xbf" + RAW), id="a byte order mark before the answer"),
        pytest.param(says("\ufeff" + TEXT), id="a byte order mark before the text"),
        pytest.param(Answer(200, gzip.compress(RAW), PACKED), id="gzip"),
        pytest.param(message([{"type": "text", "text": TEXT[:20]}, {"type": "text", "text": TEXT[20:]}]), id="in parts"),
        pytest.param(vote(note="[" * 500), id="brackets in a note"),
        pytest.param(says(reply_of(VOTE, VOTE)), id="a claim twice, to the same end"),
        pytest.param(says({**GOOD, "score": 1}), id="a key more"),
        pytest.param(whole(usage={"prompt_tokens": 5, "completion_tokens": 5, "claims": 7}), id="a key elsewhere"),
    ],
)  # fmt: skip
def test_what_looks_like_a_fault_and_is_none_is_a_vote(action: Action) -> None:
    judgement = said_by(action)
    assert judgement.lost is None
    assert [(each.claim_id, each.verdict) for each in judgement.votes] == [("c1", "supported")]


_ASK = """
import asyncio, time
from raggate_action.judges.judge_exchange import Judge, JudgingSubject
from raggate_action.judging_jobs.claims_job import CLAIMS
from tests.integration.judge_calls import opened
from raggate_action.schema.judges import Member
from tests.claims_prompts import make_task

async def main():
    asked = Member(name="m", lab="lab", model="m", base_url=sys.argv[1], attempts=1, timeout_s=20)
    async with opened(asked) as chats:
        judge = Judge(asked, chats["m"], CLAIMS)
        begun = time.monotonic()
        found = await judge.judge(make_task(), JudgingSubject("case", "q"), calls_left=2)
        print(len(found.votes), found.lost.detail if found.lost is not None else found.dropped[0].reason)
        print(time.monotonic() - begun)

asyncio.run(main())
"""
# 300,000 claims are some thirty megabytes; one is a hundred bytes.
FLOODS: Mapping[str, tuple[Callable[[], Action], str]] = {
    "a gzip of 2 GiB": (lambda: Answer(200, bomb(2048 * MIB), PACKED), "larger than 8 MiB"),
    "a gzip of 2 GiB as an error page": (lambda: Answer(500, bomb(2048 * MIB), PACKED), "the endpoint failed (500)"),
    "no end": (lambda: Endless(b"x" * 65536), "larger than 8 MiB"),
    "no end, as an error page": (lambda: Endless(b"x" * 65536, status=500), "the endpoint failed (500)"),
    "no end, in gzip": (lambda: Endless(bomb(MIB)[10:], headers=PACKED), "not the gzip"),
    "300,000 claims": (lambda: says({**GOOD, "claims": [VOTE] * 300_000}), "larger than 8 MiB"),
    "30,000 claims": (lambda: says({**GOOD, "claims": [VOTE] * 30_000}), "more than 100,000 values"),
    "90,000 small values of another kind": (
        lambda: says({**GOOD, "claims": [1] * 90_000}),
        "nothing was said of claim 1",
    ),
    "four million lists": (lambda: Answer(200, b"[" + b"[]," * 2_700_000 + b"[]]"), "more than 100,000 values"),
    "four million levels": (lambda: Answer(200, b"[" * 4_000_000 + b"]" * 4_000_000), "more than 100,000 values"),
}


@pytest.mark.parametrize("name", FLOODS)
def test_no_flood_takes_more_than_512_mb(name: str) -> None:
    make, words = FLOODS[name]
    with fake_chat({"m": make()}) as chat:
        (found, seconds), peak = measured(_ASK, chat.base_url)
    votes, detail = found.split(" ", 1)
    assert votes == "0"
    assert words in detail
    assert float(seconds) < 15
    assert peak < LIMIT_MB, f"{peak} MB"
