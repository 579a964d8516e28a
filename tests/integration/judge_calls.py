"""What tests of calls have in common: a member at the fake endpoint, and many calls at once."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from pydantic import JsonValue

from raggate_action.judges.chat_call import Chat, ChatOutcome, ChatReply, ChatRequest, LostCall
from raggate_action.judges.endpoints import close_chats, open_chats
from raggate_action.schema.judgement import LostCode
from raggate_action.schema.judges import Member
from tests.fake_chat.actions import Action, Body, says
from tests.fake_chat.server import FakeChat

KEY = "sk-test-0123456789"
SCHEMA: dict[str, JsonValue] = {
    "type": "object",
    "properties": {"verdict": {"type": "string"}},
    "required": ["verdict"],
    "additionalProperties": False,
}


class NoWait(random.Random):
    """Draws the least wait there is."""

    def uniform(self, a: float, b: float) -> float:
        return min(a, b)


def member(chat: FakeChat, model: str = "m", **fields: Any) -> Member:
    return Member(**{"name": model, "lab": "lab", "model": model, "base_url": chat.base_url, **fields})


def request(user: str = "judge this") -> ChatRequest:
    return ChatRequest("You judge. Reply in JSON.", user, "verdict", SCHEMA)


@asynccontextmanager
async def opened(*members: Member, **given: Any) -> AsyncIterator[dict[str, Chat]]:
    chats = open_chats(members, given.pop("environment", {}), **{"draw": NoWait(), **given})
    try:
        yield chats
    finally:
        await close_chats(chats)


def calls(members: Member | list[Member], count: int = 1, **given: Any) -> list[ChatOutcome]:
    """So many calls of every member side by side, in order."""
    listed = members if isinstance(members, list) else [members]

    async def all_of() -> list[ChatOutcome]:
        async with opened(*listed, **given) as chats:
            asked = [chats[each.name].complete(request(f"case {at}")) for each in listed for at in range(count)]
            return list(await asyncio.gather(*asked))

    return asyncio.run(all_of())


def in_loop(work: Callable[[Mapping[str, Chat]], Awaitable[None]], *members: Member, **given: Any) -> None:
    """Do `work` with open chats."""

    async def run() -> None:
        async with opened(*members, **given) as chats:
            await work(chats)

    asyncio.run(run())


def waits_for(most: int, chat_of: Callable[[], FakeChat]) -> Callable[[Body], Awaitable[Action]]:
    """A judge whose first call is answered at once, and further ones when `most` are under way, or three seconds later."""

    async def script(body: Body) -> Action:
        chat = chat_of()
        for _ in range(600):
            if chat.counts[body["model"]] == 1 or chat.peak >= most:
                break
            await asyncio.sleep(0.005)
        return says({"verdict": "supported"})

    return script


def text_of(outcome: ChatOutcome) -> str:
    assert isinstance(outcome, ChatReply), outcome
    return outcome.text


def loss_of(outcome: ChatOutcome) -> tuple[LostCode, str]:
    assert isinstance(outcome, LostCall), outcome
    return outcome.lost.code, outcome.lost.detail
