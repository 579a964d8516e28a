"""From a suite's `target:` to the target itself. The only place that names the members of the family."""

from __future__ import annotations

from collections.abc import Callable

from raggate_action.schema import target as section
from raggate_action.targets.interface import Surroundings, Target
from raggate_action.targets.mapping_probe import FirstReplies, FittedApp, UnderstoodApp
from raggate_action.targets.reply_mapping import ReplyMapping


def build_target(
    target: section.TargetSection,
    surroundings: Surroundings,
    *,
    seed: int,
    known: Callable[[str], bool],
    warm_up: bool = False,
) -> Target:
    """Make the target a suite names; nothing is started, asked or read yet.

    Args:
        target: The suite's section, `${VARS}` already read.
        surroundings: Where it is asked from.
        seed: Of the waits between attempts.
        known: Whether the suite has a case of this id.
        warm_up: A first call is made and thrown away, for times are judged; recorded traces have theirs.

    Raises:
        UsageError: The section cannot be used as written.
    """
    # Imported here, so that recorded traces never load httpx.
    match target:
        case section.HttpTarget():
            return _http(target, surroundings, seed=seed, warm_up=warm_up)
        case section.CommandTarget():
            from raggate_action.targets.command_target import CommandApp, command_calling

            command = CommandApp(command_calling(target, surroundings)._replace(warm_up=warm_up))
            return _watched(command, command.first, command.mapping, surroundings)
        case section.FunctionTarget():
            from raggate_action.targets.command_target import CommandApp
            from raggate_action.targets.function_target import function_calling

            function = CommandApp(function_calling(target, surroundings)._replace(warm_up=warm_up))
            return _watched(function, function.first, function.mapping, surroundings)
        case section.RecordedTarget():
            from raggate_action.targets.recorded_target import RecordedTraces

            traces = surroundings.directory / target.traces
            mapping = ReplyMapping(target.response, surroundings.evidence)
            recorded = RecordedTraces(
                traces, labelled=target.labelled, known=known, secrets=surroundings.secrets, mapping=mapping
            )
            return _watched(recorded, recorded.first, mapping, surroundings)


def _http(target: section.HttpTarget, surroundings: Surroundings, *, seed: int, warm_up: bool) -> Target:
    import random

    from raggate_action.targets.backoff import START_S, Pacing
    from raggate_action.targets.http_target import HttpApp

    start_s = target.ready.timeout_s if target.ready is not None else START_S
    http = HttpApp(
        target,
        pacing=Pacing(random.Random(seed), start_s=start_s),  # noqa: S311 - jitter, not a secret
        tell=surroundings.tell,
        secrets=surroundings.secrets,
        warm_up=warm_up,
        store=surroundings.evidence,
    )
    return _watched(http, http.first, http.mapping, surroundings)


def _watched(app: Target, first: FirstReplies, mapping: ReplyMapping, surroundings: Surroundings) -> Target:
    stops = surroundings.mapping == "new"
    if first.is_open and surroundings.mapping != "works":
        app = FittedApp(app, first, stops=stops)
    return UnderstoodApp(app, mapping, asks_context=surroundings.asks_context, stops=stops, tell=surroundings.tell)
