"""How a judge is asked: one call as a value, and what can come of it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple, Protocol, TypeAlias

from pydantic import JsonValue

from raggate_action.schema.judgement import Lost, Usage


class ChatRequest(NamedTuple):
    """One call.

    Attributes:
        system: The constant part, first, so that providers keep it.
        user: The part of this call.
        schema_name: Name of the reply's form.
        schema: JSON Schema of the reply.
        earlier: Replies to the same call that were sent back, each with what we said was wrong with it, in order.
    """

    system: str
    user: str
    schema_name: str
    schema: Mapping[str, JsonValue]
    earlier: tuple[tuple[str, str], ...] = ()


class ChatReply(NamedTuple):
    """What a judge replied.

    Attributes:
        text: As it came, never empty.
        usage: What it took.
        by_words: Nothing but words of the prompt told the judge the form.
        attempts: As in `LostCall`.
        unmetered: As in `LostCall`.
    """

    text: str
    usage: Usage
    by_words: bool = False
    attempts: int = 1
    unmetered: int = 0


class Blame(Enum):
    """How far a refusal goes: this call, perhaps every call, every call until one was answered, or every call."""

    CALL = 0
    PERHAPS_ALL = 1
    ALL_AT_FIRST = 2
    ALL = 3


class LostCall(NamedTuple):
    """A call, or an attempt at one, that came to nothing.

    Attributes:
        lost: Why.
        usage: Tokens that were spent all the same.
        attempts: How often it was sent; 0 where the endpoint is known to take no call.
        unmetered: Of these, those that the endpoint took and of whose tokens nobody knows: no answer came, or none that
            is read.
        too_long: The endpoint refused the length of the prompt.
        again: Another attempt may mend it.
        refuses: Which calls the endpoint refuses; None where it took this one.
    """

    lost: Lost
    usage: Usage = Usage()
    attempts: int = 1
    unmetered: int = 0
    too_long: bool = False
    again: bool = False
    refuses: Blame | None = None


ChatOutcome: TypeAlias = ChatReply | LostCall


class Chat(Protocol):
    """An endpoint with a model."""

    async def complete(self, request: ChatRequest) -> ChatOutcome:
        """Make one call. What goes wrong is a value, never raised; it may be cancelled."""
        ...

    async def aclose(self) -> None:
        """Let go of the connections. Closing twice is closing once."""
        ...


class VisibleChunk(NamedTuple):
    """A chunk that the app's model was shown, its asker may read, and that has a text."""

    chunk_id: str
    text: str
