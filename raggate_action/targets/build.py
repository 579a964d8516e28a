"""From a suite's `target:` to the target itself. The only place that names the members of the family."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from raggate_action.schema import target as section
from raggate_action.targets.child_user import ChildUser
from raggate_action.targets.interface import Target


def build_target(
    target: section.Target,
    *,
    directory: Path,
    environment: Mapping[str, str],
    seed: int,
    known: Callable[[str], bool],
    child_user: ChildUser | None = None,
    secrets: Sequence[str] = (),
) -> Target:
    """Make the target a suite names; nothing is started, asked or read yet.

    Args:
        target: The suite's section, `${VARS}` already read.
        directory: The suite's; paths and programs are relative to it.
        environment: Our own environment, of which a child learns only what `child_environment` lets through.
        seed: Of the waits between attempts.
        known: Whether the suite has a case of this id.
        child_user: Whom programs run as; ourselves when None.
        secrets: Struck from every reply as it comes in, before anything is judged or stored.

    Raises:
        UsageError: The section cannot be used as written.
    """
    # Imported here, so that recorded traces never load httpx.
    match target:
        case section.HttpTarget():
            import random

            from raggate_action.targets.http import HttpApp
            from raggate_action.targets.pacing import Pacing

            # Jitter, not a secret.
            return HttpApp(target, pacing=Pacing(random.Random(seed)), secrets=secrets)  # noqa: S311
        case section.CommandTarget():
            from raggate_action.targets.command import CommandApp, command_calling

            return CommandApp(
                command_calling(
                    target, directory=directory, environment=environment, child_user=child_user, secrets=secrets
                )
            )
        case section.FunctionTarget():
            from raggate_action.targets.command import CommandApp
            from raggate_action.targets.function import function_calling

            return CommandApp(
                function_calling(
                    target, directory=directory, environment=environment, child_user=child_user, secrets=secrets
                )
            )
        case section.RecordedTarget():
            from raggate_action.targets.recorded import RecordedTraces

            traces = directory / target.traces
            return RecordedTraces(traces, labelled=target.labelled, known=known, secrets=secrets)
