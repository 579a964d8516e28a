"""An environment of its own for the suite's Python function or command, with what `requirements` asks for.

The action's container has none of the app's packages, and the app must not see those of the container.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from raggate_action.errors import UsageError
from raggate_action.isolation.child_environment import child_environment
from raggate_action.isolation.child_user import ChildUser, run_as
from raggate_action.schema.target import CommandTarget, FunctionTarget, TargetSection

_INSTALL_S = 1200
_LAST_LINES = 5


def app_environment(
    requirements: Path, place: Path, *, environment: Mapping[str, str], child_user: ChildUser | None = None
) -> Path:
    """Make a virtual environment in `place` and install `requirements` there.

    Args:
        requirements: A requirements file of pip's.
        place: A folder that does not exist yet; `child_user` has to be able to make it.
        environment: Our own; pip learns what a child of ours may know, and its own settings (PIP_*).
        child_user: Whom pip runs as, for a package's build may do anything; ourselves when None.

    Returns:
        The environment's `bin` folder.

    Raises:
        UsageError: There is no such file, or pip could not install it; its last lines are told.
    """
    if not requirements.is_file():
        raise UsageError(
            f"input `requirements` names {str(requirements)!r}, which does not exist",
            hint="Write a path relative to `working-directory`.",
        )
    pips = {name: value for name, value in environment.items() if name.startswith("PIP_")}
    known = child_environment(environment, pips, child_user)
    binaries = place / "bin"
    for command in (
        [sys.executable, "-I", "-m", "venv", str(place)],
        [str(binaries / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r",
         str(requirements.resolve())],
    ):  # fmt: skip
        done = run_as(child_user)(command, capture_output=True, text=True, timeout=_INSTALL_S, env=known, check=False)
        if done.returncode != 0:
            last = " / ".join((done.stderr.strip() or done.stdout.strip()).splitlines()[-_LAST_LINES:])
            raise UsageError(
                f"the packages of {str(requirements)!r} could not be installed: {last}",
                hint="Try the same file with pip on a laptop; the container has no compiler, so wheels are needed.",
            )
    return binaries


def in_environment(target: TargetSection, binaries: Path) -> TargetSection:
    """The target run from the environment in `binaries`; what the suite itself names wins."""
    match target:
        case FunctionTarget() if target.python is None:
            return target.model_copy(update={"python": str(binaries / "python")})
        case CommandTarget():
            path = f"{binaries}:/usr/local/bin:/usr/bin:/bin"
            env = {"PATH": path, "VIRTUAL_ENV": str(binaries.parent), **target.env}
            program = binaries / target.command[0]
            # A program is looked up by our own PATH, not by the one it is given.
            command = (str(program), *target.command[1:]) if program.is_file() else target.command
            return target.model_copy(update={"env": env, "command": command})
        case _:
            return target
