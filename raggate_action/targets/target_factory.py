"""From a suite's `target:` to the target itself, or to one reply of it before anything is known of its form.

The only place that names the members of the family.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from pydantic import JsonValue

from raggate_action.schema.case import PlacedCase
from raggate_action.schema.target import CommandTarget, FunctionTarget, HttpTarget, RecordedTarget, TargetSection
from raggate_action.schema.trace import NoTrace, TargetFailure
from raggate_action.targets.interface import Surroundings, Target
from raggate_action.targets.path_choice import Asked, ChoosingApp
from raggate_action.targets.reply_mapping import ReplyMapping

if TYPE_CHECKING:
    from raggate_action.targets.http_target import HttpApp
    from raggate_action.targets.process_targets import CommandApp

LiveTarget: TypeAlias = HttpTarget | CommandTarget | FunctionTarget


def build_target(
    target: TargetSection,
    surroundings: Surroundings,
    *,
    seed: int,
    known: Callable[[str], bool],
    questions: Callable[[], Iterable[tuple[str, str]]] = lambda: (),
    warm_up: bool = False,
) -> Target:
    """Make the target a suite names; nothing is started, called or read yet.

    Args:
        target: The suite's section, `${VARS}` already read.
        surroundings: Where it is asked from.
        seed: Of the waits between attempts.
        known: Whether the suite has a case of this id.
        questions: Id and question of every case.
        warm_up: A first call is made and thrown away, for times are judged; recorded traces have theirs.

    Raises:
        UsageError: The section cannot be used as written.
    """
    if isinstance(target, RecordedTarget):
        from raggate_action.targets.recorded_target import RecordedTraces

        traces = surroundings.directory / target.traces
        mapping = ReplyMapping(target.response, surroundings.evidence)
        app: Asked = RecordedTraces(
            traces,
            labelled=target.labelled,
            known=known,
            questions=questions,
            secrets=surroundings.secrets,
            mapping=mapping,
        )
    else:
        app = _live_app(target, surroundings, seed=seed, warm_up=warm_up)
    return ChoosingApp(app, asks_context=surroundings.asks_context, tell=surroundings.tell)


def _live_app(
    target: LiveTarget,
    surroundings: Surroundings,
    *,
    seed: int,
    start_s: float | None = None,
    warm_up: bool = False,
    mapping: ReplyMapping | None = None,
) -> HttpApp | CommandApp:
    mapping = mapping or ReplyMapping(target.response, surroundings.evidence)
    # Imported here, so that recorded traces never load httpx.
    match target:
        case HttpTarget():
            import random

            from raggate_action.network.attempts import Backoff
            from raggate_action.targets.http_target import HttpApp
            from raggate_action.targets.pacing import START_S

            return HttpApp(
                target,
                backoff=Backoff(random.Random(seed)),  # noqa: S311 - jitter, not a secret
                tell=surroundings.tell,
                start_s=start_s or (target.ready.timeout_s if target.ready is not None else START_S),
                secrets=surroundings.secrets,
                warm_up=warm_up,
                mapping=mapping,
            )
        case CommandTarget() | FunctionTarget():
            from raggate_action.targets.process_targets import CommandApp, calling_of

            return CommandApp(calling_of(target, surroundings, mapping, warm_up=warm_up))


# Finds something in every reply, so that each is shown to whoever listens.
_WHOLE = {"answer": "@"}
_START_S = 3.0


class Attempt(NamedTuple):
    """The result of one question.

    Attributes:
        reply: The reply as JSON, secrets struck; None where there is none that can be read.
        latency_ms: Time to the reply or the failure; None where it was not taken.
        failure: Why there is no reply; None where there is one.
    """

    reply: JsonValue
    latency_ms: float | None
    failure: TargetFailure | None


class _Listener(ReplyMapping):
    """Keeps every reply as it is, and reads none."""

    def __init__(self) -> None:
        super().__init__(_WHOLE)
        self.heard: list[JsonValue] = []

    def trace_json(self, reply: JsonValue, *, may_wait: bool = False) -> dict[str, Any]:
        """Keep the reply."""
        if isinstance(reply, dict) and reply.keys() == {"error"} and isinstance(reply["error"], str):
            return dict(reply)
        found = super().trace_json(reply, may_wait=may_wait)
        if "error" not in found:
            self.heard.append(reply)
        return found


async def ask_once(target: LiveTarget, placed: PlacedCase, surroundings: Surroundings) -> Attempt:
    """Ask one question. An app that refuses connections is waited for only as long as a person would.

    Args:
        target: Its section, `${VARS}` already read; how it maps replies is left aside.
        placed: The question.
        surroundings: Where it is asked from.

    Raises:
        TargetError: A program or function cannot be started at all.
        UsageError: The section cannot be used as written.
    """
    once = target.model_copy(update={"response": _WHOLE, "concurrency": 1})
    listener = _Listener()
    app = _live_app(once, surroundings, seed=0, start_s=_START_S, mapping=listener)
    async with aclosing(app.replies([placed])) as replies:
        async for _placed, reply in replies:
            failure = reply if isinstance(reply, TargetFailure) else None
            latency_ms = getattr(reply, "latency_ms", None)
            if listener.heard:
                return Attempt(listener.heard[-1], latency_ms, None)
            return Attempt(None, latency_ms, failure or TargetFailure("there was no reply"))
    return Attempt(None, None, TargetFailure("there was no reply"))


async def answers_by_the_line(target: CommandTarget, placed: PlacedCase, surroundings: Surroundings) -> bool:
    """Whether one process of a program answers two lines, each with a line of JSON.

    Args:
        target: Its section, `${VARS}` already read; its `response` reads them, its `timeout_s` bounds each.
        placed: The question.
        surroundings: Where it is asked from.
    """
    app = _live_app(target, surroundings, seed=0)
    async with aclosing(app.replies([placed, placed])) as replies:
        return not any([isinstance(reply, TargetFailure | NoTrace) async for _placed, reply in replies])
