"""The judges of a panel, ready to be asked: those of one endpoint and key share client and limit."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from functools import partial

from raggate_action.judges.chat_call import Chat
from raggate_action.judges.circuit_breaker import PATIENCE_S, CircuitBreaker
from raggate_action.judges.retrying_client import Endpoint, JudgeChat
from raggate_action.network.attempts import Backoff
from raggate_action.network.limiter import Limiter
from raggate_action.schema.judgement import Lost
from raggate_action.schema.judges import Member


def open_chats(
    members: Iterable[Member],
    environment: Mapping[str, str],
    *,
    draw: random.Random,
    tell: Callable[[str], object] = lambda _line: None,
    first_backoff_s: float = 0.5,
    patience_s: float = PATIENCE_S,
) -> dict[str, Chat]:
    """A chat per judge, by name. Nothing is sent and nothing of the client is loaded before the first call.

    Judges of one base url and key share connections and slots: at most as many calls are under way there as the
    largest `concurrency` among them says, and of each judge no more than its own.

    Args:
        members: The judges.
        environment: Where keys are, by the names that judges give; nothing else of it is read.
        draw: Of the waits between attempts.
        tell: Hears, once per judge, why no further call of it is made.
        first_backoff_s: The longest wait after a first attempt.
        patience_s: How long nothing but lost calls is put up with before a judge is given up.
    """
    # Without the line's end that pasted keys have.
    listed = [(member, environment.get(member.api_key_env or "", "").strip() or None) for member in members]
    places = [(member.base_url.rstrip("/"), key) for member, key in listed]
    bounds = {
        place: max(member.concurrency for (member, _), other in zip(listed, places, strict=True) if other == place)
        for place in places
    }
    backoff = Backoff(draw, first_backoff_s)
    endpoints = {place: Endpoint(*place, Limiter(bound)) for place, bound in bounds.items()}
    chats: dict[str, Chat] = {}
    for (member, key), place in zip(listed, places, strict=True):
        breaker = CircuitBreaker(partial(_tell_refusal, member.name, tell), patience_s=patience_s)
        if problem := _key_problem(member, key):
            breaker.refused(Lost(code="judge-key", detail=problem))
        chats[member.name] = JudgeChat(member, endpoints[place], breaker, backoff)
    return chats


async def close_chats(chats: Mapping[str, Chat]) -> None:
    """Close every chat."""
    for chat in chats.values():
        await chat.aclose()


def _tell_refusal(name: str, tell: Callable[[str], object], lost: Lost) -> None:
    tell(f"judge {name} is asked no more: {lost.detail}")


def _key_problem(member: Member, key: str | None) -> str | None:
    if member.api_key_env is None:
        return None
    if key is None:
        return f"no key: the environment variable {member.api_key_env} is not set, or is empty"
    if not (key.isascii() and key.isprintable()):
        return f"the key in the environment variable {member.api_key_env} holds characters that no header can carry"
    return None
