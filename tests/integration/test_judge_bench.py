"""The bench of judges' calls measures the same work on both sides."""

from __future__ import annotations

import asyncio

from bench.judge_calls import bare, ours
from tests.fake_chat.actions import says
from tests.fake_chat.server import fake_chat


def test_both_sides_make_the_same_calls_on_the_same_lanes() -> None:
    with fake_chat({"slow": says({}, after_s=0.01), "quick": says({})}) as chat:
        asyncio.run(ours(chat.base_url, 20, 4))
        first = [asked.body for asked in chat.of("slow")]
        assert 2 <= chat.peak <= 4
        asyncio.run(bare(chat.base_url, 20, 4))
        second = [asked.body for asked in chat.of("slow")][20:]
    assert chat.peak <= 4
    assert len(first) == len(second) == 20
    by_case = {body["messages"][1]["content"]: body for body in second}
    assert all(by_case[body["messages"][1]["content"]] == body for body in first)
