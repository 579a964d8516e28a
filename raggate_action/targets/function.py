"""A RAG app behind a Python callable, run by the app's own interpreter."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from raggate_action.mapping import compile_response
from raggate_action.schema.target import FunctionTarget
from raggate_action.secret_values import Secrets
from raggate_action.targets.child_environment import child_environment
from raggate_action.targets.child_user import ChildUser
from raggate_action.targets.command import Calling
from raggate_action.targets.error_line import ErrorLines, secret_values

# Run by path, never imported: the app's interpreter has nothing of ours.
WORKER = Path(__file__).with_name("worker.py")


def function_calling(
    target: FunctionTarget,
    *,
    directory: Path,
    environment: Mapping[str, str],
    child_user: ChildUser | None = None,
    secrets: Sequence[str] = (),
) -> Calling:
    """How a suite's function is called: as a command that runs our worker; `secrets` are struck from what it says.

    Raises:
        UsageError: The response mapping cannot be used.
    """
    python = target.python or sys.executable
    return Calling(
        command=(python, str(WORKER), "function", str(directory.resolve()), target.function),
        directory=directory,
        environment=child_environment(environment, target.env, child_user),
        mapping=compile_response(target.response),
        timeout_s=target.timeout_s,
        concurrency=target.concurrency,
        greets=f"{target.function} with {python}",
        secrets=Secrets(secrets),
        lines=ErrorLines([*secrets, *secret_values(target.env)]),
        child_user=child_user,
    )
