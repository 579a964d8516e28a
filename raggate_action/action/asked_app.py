"""Which app is asked from inside the action's container, and what is done where it cannot be."""

from __future__ import annotations

import os
import tempfile
from argparse import Namespace
from pathlib import Path
from typing import NamedTuple

from raggate_action.action.job import Job
from raggate_action.action.localhost import from_container, gateway_of
from raggate_action.action.requirements import app_environment, in_environment
from raggate_action.errors import SuiteError, TargetError, UsageError
from raggate_action.pipeline.decision_lines import say
from raggate_action.pipeline.session import load
from raggate_action.schema.target import HttpTarget, RecordedTarget, TargetSection
from raggate_action.suite_files import LoadedSuite, load_suite
from raggate_action.targets.interface import Target
from raggate_action.targets.unavailable import Unavailable

_ROUTES = Path("/proc/net/route")
_CONTAINER = Path("/.dockerenv")
_NO_SECRETS = (
    "This pull request is run without secrets, as those of forks and of Dependabot are, so the app was not asked: a "
    "maintainer's run is needed, or recorded traces."
)


class Asked(NamedTuple):
    """What is asked.

    Attributes:
        loaded: The suite, its target as it is asked from here.
        target: Asked instead of the suite's; None asks the suite's.
        notes: What was done, one sentence each.
        without_secrets: The app cannot be asked: it needs secrets, which the change of an outsider does not get.
    """

    loaded: LoadedSuite
    target: Target | None = None
    notes: tuple[str, ...] = ()
    without_secrets: bool = False


def work_in(job: Job) -> None:
    """Make the working directory ours.

    Raises:
        UsageError: There is no such folder.
    """
    folder = job.context.workspace / job.inputs.working_directory
    try:
        os.chdir(folder)
    except OSError as error:
        raise UsageError(
            f"input `working-directory` is {job.inputs.working_directory!r}: {error.strerror or error}",
            hint="Check the repository out before this step (actions/checkout), and write a folder of it.",
        ) from None


def asked_app(job: Job) -> Asked:
    """Read the suite, and see how its app can be asked from here.

    Raises:
        SuiteError: Every problem of every file.
        UsageError: What `requirements` names cannot be installed.
    """
    asked = _loaded(job)
    if asked.target is not None:
        return asked
    section = asked.loaded.suite.target
    if job.inputs.requirements is not None:
        section = in_environment(section, _environment(job))
    notes: tuple[str, ...] = ()
    if isinstance(section, HttpTarget) and _CONTAINER.exists():
        try:
            found = from_container(section, gateway=gateway_of(_routes()), tell=_say)
        except TargetError as error:
            return asked._replace(target=Unavailable(error))
        section, notes = found.target, (found.note,) if found.note else ()
    return asked._replace(loaded=_with_target(asked.loaded, section), notes=notes)


def _loaded(job: Job) -> Asked:
    """The suite. A stranger's change gets no secrets: what the target misses then is no mistake of the suite."""
    inputs = job.inputs
    given = Namespace(
        suite=Path(inputs.suite),
        traces=Path(inputs.traces) if inputs.traces is not None else None,
        target_url=inputs.target_url,
    )
    try:
        return Asked(load(given))
    except SuiteError:
        if not job.activity.fork or inputs.traces is not None:
            raise
        nobody = RecordedTarget(kind="recorded", traces=os.devnull)
        # Raises again when more than the target is wrong.
        loaded = load_suite(given.suite, environment=os.environ, target=nobody)
        return Asked(loaded, Unavailable(_NO_SECRETS), (_NO_SECRETS,), without_secrets=True)


def _environment(job: Job) -> Path:
    child_user = job.isolation.child_user
    home = child_user.home if child_user is not None else Path(tempfile.mkdtemp(prefix="raggate-"))
    requirements = Path(job.inputs.requirements or "").absolute()
    return app_environment(requirements, home / "environment", environment=os.environ, child_user=child_user)


def _with_target(loaded: LoadedSuite, section: TargetSection) -> LoadedSuite:
    return loaded._replace(suite=loaded.suite.model_copy(update={"target": section}))


def _say(line: str) -> None:
    say([f"raggate: {line}"])


def _routes() -> str:
    try:
        return _ROUTES.read_text()
    except OSError:
        return ""
