"""One question to a live app, for its reply as it is: before anything is known of how the reply is to be read."""

from __future__ import annotations

import random
from contextlib import aclosing
from typing import TYPE_CHECKING, NamedTuple

from pydantic import JsonValue

from raggate_action.schema.case import Case, PlacedCase
from raggate_action.schema.target import CommandTarget, FunctionTarget, HttpTarget
from raggate_action.schema.trace import TargetFailure
from raggate_action.targets.interface import Surroundings
from raggate_action.targets.mapping_probe import FirstReplies

if TYPE_CHECKING:
    from raggate_action.targets.command_target import CommandApp
    from raggate_action.targets.http_target import HttpApp

# Finds something in every reply, so that each is shown to whoever listens.
_WHOLE = {"answer": "@"}
_START_S = 3.0


class Heard(NamedTuple):
    """What came of asking once.

    Attributes:
        reply: The reply as JSON, secrets struck; None where there is none that can be read.
        latency_ms: Time to the reply or the failure; None where it was not taken.
        failure: Why there is no reply; None where there is one.
    """

    reply: JsonValue
    latency_ms: float | None
    failure: TargetFailure | None


class _Listener(FirstReplies):
    """Hears every reply as it is; decides nothing."""

    def __init__(self) -> None:
        super().__init__(None)
        self.heard: list[JsonValue] = []

    def see(self, case: Case, reply: JsonValue) -> None:  # noqa: ARG002 - whatever was asked
        """Keep the reply."""
        self.heard.append(reply)


async def ask_once(
    target: HttpTarget | CommandTarget | FunctionTarget, placed: PlacedCase, surroundings: Surroundings
) -> Heard:
    """Ask one question. An app that refuses connections is waited for only as long as a person would.

    Args:
        target: Its section, `${VARS}` already read; how it maps replies is left aside.
        placed: The question.
        surroundings: Where it is asked from.

    Raises:
        TargetError: A program or function cannot be started at all.
        UsageError: The section cannot be used as written.
    """
    app = _app(target.model_copy(update={"response": _WHOLE, "concurrency": 1}), surroundings)
    app.first = listener = _Listener()
    async with aclosing(app.replies([placed])) as replies:
        async for _placed, reply in replies:
            failure = reply if isinstance(reply, TargetFailure) else None
            latency_ms = getattr(reply, "latency_ms", None)
            if listener.heard:
                return Heard(listener.heard[-1], latency_ms, None)
            return Heard(None, latency_ms, failure or TargetFailure("there was no reply"))
    return Heard(None, None, TargetFailure("there was no reply"))


def _app(target: HttpTarget | CommandTarget | FunctionTarget, surroundings: Surroundings) -> HttpApp | CommandApp:
    match target:
        case HttpTarget():
            from raggate_action.targets.backoff import Pacing
            from raggate_action.targets.http_target import HttpApp

            pacing = Pacing(random.Random(0), start_s=_START_S)  # noqa: S311 - jitter, not a secret
            return HttpApp(target, pacing=pacing, tell=surroundings.tell, secrets=surroundings.secrets)
        case FunctionTarget():
            from raggate_action.targets.command_target import CommandApp
            from raggate_action.targets.function_target import function_calling

            return CommandApp(function_calling(target, surroundings))
        case CommandTarget():
            from raggate_action.targets.command_target import CommandApp, command_calling

            return CommandApp(command_calling(target, surroundings))
