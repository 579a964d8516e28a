"""Many calls of judges over real HTTP: how many at once, when again, what the first call tells, and when they end."""

from __future__ import annotations

import asyncio
import gc
import random
import sys
import warnings
from typing import Any

import pytest

from raggate_action.judges.chat_call import ChatReply, LostCall
from raggate_action.network.limiter import Limiter
from tests.fake_chat.actions import Action, Body, Drop, Hang, Script, error, http_date, says, too_many
from tests.fake_chat.server import fake_chat
from tests.integration.judge_calls import KEY, calls, in_loop, loss_of, member, request, text_of, waits_for

GOOD = says({"verdict": "supported"})
SLOW = says({"verdict": "supported"}, after_s=0.05)


def test_no_more_calls_are_under_way_than_the_suite_says_and_connections_are_kept() -> None:
    with fake_chat({"m": waits_for(6, lambda: chat)}) as chat:
        outcomes = calls(member(chat, concurrency=6), 40)
    assert all(isinstance(outcome, ChatReply) for outcome in outcomes)
    assert chat.peak == 6
    assert chat.connections <= 6


def test_judges_of_one_endpoint_and_key_share_its_lanes() -> None:
    with fake_chat({"small": waits_for(5, lambda: chat), "large": waits_for(5, lambda: chat)}) as chat:
        calls([member(chat, "small", concurrency=2), member(chat, "large", concurrency=5)], 20)
    assert (chat.peak, chat.connections) == (5, 5)
    assert chat.peaks["small"] <= 2


def test_another_key_has_lanes_of_its_own() -> None:
    with fake_chat({"m": waits_for(8, lambda: chat), "other": waits_for(8, lambda: chat)}) as chat:
        other = member(chat, "other", concurrency=3, api_key_env="OTHER")
        calls([member(chat, "m", concurrency=5), other], 20, environment={"OTHER": KEY})
    assert (chat.peak, chat.peaks["m"], chat.peaks["other"]) == (8, 5, 3)


def test_the_first_call_is_made_alone() -> None:
    with fake_chat({"m": waits_for(8, lambda: chat)}) as chat:
        calls(member(chat, concurrency=8), 9)
    first, second = chat.asked[:2]
    assert first.done_at is not None
    assert second.at >= first.done_at
    assert [asked.at_once for asked in chat.asked[:2]] == [1, 1]
    assert chat.peak == 8


REFUSALS: list[tuple[str, Action, str]] = [
    ("401", error(401, "Incorrect API key provided."), "judge-key"),
    ("403", error(403, "no access to the model"), "judge-key"),
    ("404", error(404, "The model `m` does not exist", code="model_not_found"), "judge-not-accepted"),
    ("400 about a parameter", error(400, "Unsupported value: 'temperature' of this model"), "judge-not-accepted"),
    ("no credit", error(429, "check your plan", code="insufficient_quota"), "judge-key"),
]


@pytest.mark.parametrize(("action", "code"), [row[1:] for row in REFUSALS], ids=[row[0] for row in REFUSALS])
def test_what_refuses_every_call_is_said_once_before_the_others_are_spent(action: Action, code: str) -> None:
    said: list[str] = []
    with fake_chat({"m": action}) as chat:
        asked = member(chat, concurrency=8, parameters={"temperature": 0}, api_key_env="K", structured="json_schema")
        outcomes = calls(asked, 30, tell=said.append, environment={"K": KEY})
    assert len(chat.asked) == 1
    assert len({loss_of(outcome) for outcome in outcomes}) == 1
    assert loss_of(outcomes[0])[0] == code
    assert said == [f"judge m is asked no more: {loss_of(outcomes[0])[1]}"]


def test_one_judge_that_is_refused_does_not_stop_another_of_the_endpoint() -> None:
    with fake_chat({"m": GOOD}) as chat:
        outcomes = calls([member(chat, "m"), member(chat, "unknown")], 5)
    assert [isinstance(outcome, ChatReply) for outcome in outcomes] == [True] * 5 + [False] * 5
    assert len(chat.refused) == 1


def test_a_call_that_the_endpoint_does_not_take_costs_only_itself_once_another_was_answered() -> None:
    def takes_all_but_one(body: Body) -> Action:
        return error(400, "m: bad request") if body["messages"][1]["content"] == "case 3" else GOOD

    with fake_chat({"m": takes_all_but_one}) as chat:
        outcomes = calls(member(chat), 6)
    assert [type(outcome) for outcome in outcomes].count(LostCall) == 1
    assert loss_of(outcomes[3])[0] == "judge-not-accepted"
    assert len(chat.asked) == 6


@pytest.mark.parametrize(
    ("first", "asked"),
    [
        (error(400, "maximum context length is 10 tokens"), 4),
        (error(400, "cannot do that"), 4),
        (error(400, "flagged", code="content_filter"), 4),
    ],
    ids=["too long", "unclear", "filtered"],
)
def test_a_first_call_that_is_refused_for_itself_does_not_refuse_the_others(first: Action, asked: int) -> None:
    with fake_chat({"m": [first, GOOD]}) as chat:
        outcomes = calls(member(chat, structured="json_schema"), 4)
    assert [isinstance(outcome, ChatReply) for outcome in outcomes] == [False, True, True, True]
    assert len(chat.asked) == asked


def test_two_unclear_refusals_in_a_row_before_any_reply_are_all() -> None:
    with fake_chat({"m": error(400, "cannot do that")}) as chat:
        outcomes = calls(member(chat, structured="json_schema"), 20)
    assert {loss_of(outcome)[0] for outcome in outcomes} == {"judge-not-accepted"}
    assert len(chat.asked) == 2
    assert chat.peak == 1


def test_a_key_that_is_withdrawn_meanwhile_ends_the_calls() -> None:
    with fake_chat({"m": [GOOD, GOOD, GOOD, error(401, "revoked")]}) as chat:
        outcomes = calls(member(chat, concurrency=1), 20)
    assert [isinstance(outcome, ChatReply) for outcome in outcomes] == [True] * 3 + [False] * 17
    assert len(chat.asked) == 4


PAUSES = {
    "seconds": {"retry_after": "1"},
    "tenths": {"retry_after": "0.3"},
    "milliseconds": {"retry_after_ms": "300", "retry_after": "9"},
}


@pytest.mark.parametrize("headers", PAUSES.values(), ids=PAUSES)
def test_every_lane_waits_as_long_as_the_endpoint_asks(headers: dict[str, str]) -> None:
    asked_s = 1.0 if headers == PAUSES["seconds"] else 0.3
    with fake_chat({"m": [GOOD, too_many(**headers), SLOW]}) as chat:
        outcomes = calls(member(chat, concurrency=1), 4)
    assert all(isinstance(outcome, ChatReply) for outcome in outcomes)
    refused = chat.asked[1]
    assert refused.done_at is not None
    assert [asked.status for asked in chat.asked] == [200, 429, 200, 200, 200]
    assert chat.asked[2].at - refused.done_at >= asked_s - 0.01  # the two clocks are read a little apart
    assert chat.asked[2].prompts[1] == refused.prompts[1], "what was begun is brought to its end first"


def test_a_pause_asked_for_as_a_date_is_kept() -> None:
    def busy_once(_body: Body) -> Action:
        return too_many(retry_after=http_date(1.999)) if len(chat.asked) == 2 else GOOD

    with fake_chat({"m": busy_once}) as chat:
        outcomes = calls(member(chat, concurrency=1), 4)
    assert all(isinstance(outcome, ChatReply) for outcome in outcomes)
    assert [asked.status for asked in chat.asked] == [200, 429, 200, 200, 200]
    # Dates have whole seconds: of 1.999 at least 0.999 are left.
    assert chat.asked[2].at - chat.asked[1].at >= 0.99


def test_an_overloaded_endpoint_gets_fewer_calls_at_once_until_it_replies_again() -> None:
    most = 3

    def takes_three(_body: Body) -> Action:
        return SLOW if chat.under_way.total() <= most else too_many(retry_after_ms="20")

    with fake_chat({"m": takes_three}) as chat:
        outcomes = calls(member(chat, concurrency=16, attempts=8), 36)
    assert all(isinstance(outcome, ChatReply) for outcome in outcomes)
    late = [asked.at_once for asked in chat.asked[len(chat.asked) // 2 :]]
    assert max(late) <= 8, "half of the lanes at most, once the endpoint had refused"
    assert chat.peak <= 16


def test_who_asks_for_a_longer_pause_than_a_run_can_make_is_asked_no_more() -> None:
    with fake_chat({"m": [GOOD, too_many(retry_after="3600")]}) as chat:
        outcomes = calls(member(chat, concurrency=1), 5)
    assert [isinstance(outcome, ChatReply) for outcome in outcomes] == [True] + [False] * 4
    assert "asks to be left alone for 3600 s" in loss_of(outcomes[4])[1]
    assert len(chat.asked) == 2


def test_waits_between_attempts_are_drawn_from_all_of_a_doubling_span() -> None:
    asked: list[tuple[float, float]] = []

    class Drawn(random.Random):
        def uniform(self, a: float, b: float) -> float:
            asked.append((a, b))
            return 0.05

    with fake_chat({"m": [error(500), error(502), Drop(), GOOD]}) as chat:
        outcomes = calls(member(chat), 1, draw=Drawn(), first_backoff_s=0.25)
    assert text_of(outcomes[0]) == '{"verdict": "supported"}'
    assert asked == [(0, 0.25), (0, 0.5), (0, 1.0)]
    gaps = [later.at - earlier.at for earlier, later in zip(chat.asked, chat.asked[1:], strict=False)]
    assert min(gaps) >= 0.045


def test_an_endpoint_that_never_replies_is_given_up() -> None:
    said: list[str] = []
    with fake_chat({"m": error(500, "down")}) as chat:
        outcomes = calls(member(chat, attempts=2, concurrency=1), 40, patience_s=0, tell=said.append)
    assert {loss_of(outcome)[0] for outcome in outcomes} == {"judge-server-error"}
    assert 10 <= len(chat.asked) <= 11, "five calls of two attempts, and the first attempt of one that had begun"
    assert said == ["judge m is asked no more: the endpoint failed (500): down; given up after 5 calls in a row"]


def test_an_endpoint_that_only_hangs_is_given_up_with_the_first_calls_that_end() -> None:
    with fake_chat({"m": Hang()}) as chat:
        outcomes = calls(member(chat, attempts=3, concurrency=8, timeout_s=0.1), 200, patience_s=0.1)
    assert {loss_of(outcome)[0] for outcome in outcomes} == {"judge-timeout"}
    # About eight calls of three attempts; two hundred would be six hundred attempts.
    assert 0 < len(chat.asked) <= 150


def test_a_short_outage_gives_nobody_up() -> None:
    with fake_chat({"m": [error(500)] * 12 + [GOOD]}) as chat:
        outcomes = calls(member(chat, attempts=2, concurrency=1), 10)
    assert [isinstance(outcome, ChatReply) for outcome in outcomes] == [False] * 6 + [True] * 4
    assert len(chat.asked) == 16


def test_one_call_that_hangs_holds_up_no_other() -> None:
    def one_hangs(body: Body) -> Action:
        return Hang() if body["messages"][1]["content"] == "case 2" else GOOD

    with fake_chat({"m": one_hangs}) as chat:
        outcomes = calls(member(chat, timeout_s=0.2, attempts=2, concurrency=2), 12)
    assert [at for at, outcome in enumerate(outcomes) if isinstance(outcome, LostCall)] == [2]
    assert loss_of(outcomes[2]) == ("judge-timeout", "no reply within 0.2 s")
    assert len(chat.asked) == 13


SCRIPTS: dict[str, Script] = {
    "first call": Hang(),
    "in the lanes": [GOOD, Hang()],
    "between attempts": [GOOD, error(500)],
    "held": [GOOD, too_many(retry_after="60")],
}


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_cancelled_calls_leave_nothing_behind(script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    unraised: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", unraised.append)

    async def cancel(chats: Any) -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _loop, context: unraised.append(context))
        tasks = [asyncio.create_task(chats["m"].complete(request(f"case {at}"))) for at in range(12)]
        async with asyncio.timeout(10):
            while len(chat.asked) < (2 if isinstance(script, list) else 1):  # noqa: ASYNC110 - the server is in another thread
                await asyncio.sleep(0.01)
        await asyncio.sleep(0.02)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert any(task.cancelled() for task in tasks)
        # The lanes are free again.
        chat.script["m"] = GOOD
        if script is not SCRIPTS["held"]:
            assert isinstance(await chats["m"].complete(request("after")), ChatReply)

    with warnings.catch_warnings(), fake_chat({"m": script}) as chat:
        warnings.simplefilter("error")
        in_loop(cancel, member(chat, concurrency=3), draw=random.Random(1), first_backoff_s=5)
    gc.collect()
    assert unraised == []


def test_closing_twice_is_closing_once_and_the_others_can_still_be_asked() -> None:
    async def close(chats: Any) -> None:
        assert isinstance(await chats["small"].complete(request()), ChatReply)
        await chats["small"].aclose()
        await chats["small"].aclose()
        assert isinstance(await chats["large"].complete(request()), ChatReply)

    with fake_chat({"small": GOOD, "large": GOOD}) as chat:
        in_loop(close, member(chat, "small"), member(chat, "large"))
    assert chat.connections == 2


def test_a_lane_given_to_a_call_that_ends_in_the_same_moment_is_not_lost() -> None:
    async def run() -> None:
        limit = Limiter(1)
        entered = asyncio.Event()

        async def enter() -> None:
            async with limit.slot():
                entered.set()

        async with limit.slot():
            waiting = asyncio.create_task(enter())
            await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        assert waiting.cancelled()
        assert not entered.is_set()
        async with asyncio.timeout(5), limit.slot():
            pass

    asyncio.run(run())


def test_lanes_are_halved_once_for_calls_sent_together_and_come_back_one_by_one() -> None:
    async def run() -> None:
        limit = Limiter(8)
        now = asyncio.get_running_loop().time()
        for _ in range(8):
            limit.narrow(now)
        assert limit.slots == 4
        for _ in range(4):
            await asyncio.sleep(0.001)
            limit.narrow(asyncio.get_running_loop().time())
        assert limit.slots == 1
        limit.widen()
        assert limit.slots == 2
        for _ in range(100):
            limit.widen()
        assert limit.slots == 8

    asyncio.run(run())
