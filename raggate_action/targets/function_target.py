"""A RAG app behind a Python callable, run by the app's own interpreter."""

from __future__ import annotations

import sys
from pathlib import Path

from raggate_action.isolation.child_environment import child_environment
from raggate_action.isolation.error_line import ErrorLines
from raggate_action.isolation.secrets import Secrets, values_of_secret_names
from raggate_action.schema.target import FunctionTarget
from raggate_action.targets.command_target import Calling
from raggate_action.targets.interface import Surroundings
from raggate_action.targets.reply_mapping import ReplyMapping

# Run by path, never imported: the app's interpreter has nothing of ours.
WORKER = Path(__file__).with_name("function_worker.py")


def function_calling(target: FunctionTarget, surroundings: Surroundings) -> Calling:
    """How a suite's function is called: as a command that runs our worker.

    Raises:
        UsageError: The response mapping cannot be used.
    """
    python = target.python or sys.executable
    return Calling(
        command=(python, str(WORKER), "function", str(surroundings.directory.resolve()), target.function),
        directory=surroundings.directory,
        environment=child_environment(surroundings.environment, target.env, surroundings.child_user),
        mapping=ReplyMapping(target.response, surroundings.evidence),
        timeout_s=target.timeout_s,
        concurrency=target.concurrency,
        greets=f"{target.function} with {python}",
        secrets=Secrets(surroundings.secrets),
        lines=ErrorLines([*surroundings.secrets, *values_of_secret_names(target.env)]),
        child_user=surroundings.child_user,
    )
