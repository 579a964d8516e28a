"""The app under test as the action's container reaches it: its address, its packages, or why it cannot be asked."""

from __future__ import annotations

import os
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit, urlunsplit

from raggate_action.action.workflow_job import WorkflowJob
from raggate_action.errors import SuiteError, TargetError, UsageError
from raggate_action.isolation.child_environment import child_environment
from raggate_action.isolation.child_user import ChildUser, run_as
from raggate_action.run.decision_text_and_exit_code import say
from raggate_action.run.run_session import load
from raggate_action.schema.target import CommandTarget, FunctionTarget, HttpTarget, RecordedTarget, TargetSection
from raggate_action.suite_files import LoadedSuite, load_suite
from raggate_action.targets.interface import Target, Unavailable, no_progress
from raggate_action.targets.pacing import START_S

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1", "0.0.0.0"})  # noqa: S104 - compared with, not bound to
_CONNECT_S = 1.0
_POLL_S = 0.2
_GATEWAY_FLAG = 0x2

Answers = Callable[[str, int], bool]


class FromContainer(NamedTuple):
    """The target as it can be asked from here, and the sentence that says what was done; empty for nothing."""

    target: HttpTarget
    note: str


def gateway_of(route_table: str) -> str | None:
    """The default gateway in the text of `/proc/net/route`; None when there is none.

    Addresses stand there as hexadecimal numbers of the machine's own byte order, which is little-endian wherever
    actions run.
    """
    for line in route_table.splitlines()[1:]:
        fields = line.split()
        if len(fields) > 3 and fields[1] == "00000000" and int(fields[3], 16) & _GATEWAY_FLAG:
            return socket.inet_ntoa(int(fields[2], 16).to_bytes(4, "little"))
    return None


def from_container(
    target: HttpTarget,
    *,
    gateway: str | None,
    answers: Answers | None = None,
    tell: Callable[[str], object] = no_progress,
) -> FromContainer:
    """Find the app of a target on `localhost` from inside the action's container.

    Whichever answers first is taken: the address as written, or the gateway. Waits as long as the suite's `ready:`
    allows, else 30 s. A target elsewhere is left alone.

    Args:
        target: The suite's target.
        gateway: The bridge's gateway; None when there is none.
        answers: Whether something listens at a host and port.
        tell: Shows a line while it is waited.

    Raises:
        TargetError: Neither answers; the hint lists what to do.
    """
    parts = urlsplit(target.url)
    if parts.hostname not in _LOOPBACK:
        return FromContainer(target, "")
    listens = answers or _listens
    port = parts.port or (443 if parts.scheme == "https" else 80)
    start_s = target.ready.timeout_s if target.ready is not None else START_S
    until: float | None = None
    while True:
        if listens(parts.hostname, port):
            return FromContainer(target, "")
        if gateway is not None and listens(gateway, port):
            return _by_gateway(target, gateway, parts.hostname)
        if until is None:
            until = time.monotonic() + start_s
            tell(f"nothing answers at {parts.hostname}:{port} yet: waiting up to {start_s:g} s for the app to start")
        if time.monotonic() >= until:
            raise _nobody(parts.hostname, port, gateway, start_s)
        time.sleep(_POLL_S)


def _by_gateway(target: HttpTarget, gateway: str, host: str) -> FromContainer:
    ready = target.ready and target.ready.model_copy(update={"url": _moved(target.ready.url, gateway)})
    moved = target.model_copy(update={"url": _moved(target.url, gateway), "ready": ready})
    note = (
        f"Inside the action's container {host} is the container itself: the app was asked on the runner's host at "
        f"{gateway} instead."
    )
    return FromContainer(moved, note)


def _moved(url: str, gateway: str) -> str:
    parts = urlsplit(url)
    if parts.hostname not in _LOOPBACK:
        return url
    user = parts.netloc.rpartition("@")[0]
    place = f"{user}@" * bool(user) + gateway + (f":{parts.port}" if parts.port else "")
    return urlunsplit(SplitResult(parts.scheme, place, parts.path, parts.query, parts.fragment))


def _nobody(host: str, port: int, gateway: str | None, start_s: float) -> TargetError:
    tried = f"nothing answers at {host}:{port} inside the action's container"
    also = f", nor at {gateway}:{port}, the runner's host" if gateway is not None else ""
    return TargetError(
        f"{tried}{also}, for {start_s:g} s",
        hint=(
            "An app started by a `run:` step must listen on 0.0.0.0, not 127.0.0.1. If it needs longer to start, say "
            "what to wait for and how long: `ready: {url: http://..., timeout_s: 120}` under `target:`. A service "
            "container is asked by its name. What always works: record the traces in a `run:` step with "
            "`raggate-action record --out traces.jsonl`, and give the action `traces: traces.jsonl`."
        ),
    )


def _listens(host: str, port: int) -> bool:
    try:
        with socket.create_connection((host, port), timeout=_CONNECT_S):
            return True
    except OSError:
        return False


_ROUTES = Path("/proc/net/route")
_CONTAINER = Path("/.dockerenv")
_NO_SECRETS = (
    "This pull request is run without secrets, as those of forks and of Dependabot are, so the app was not asked: a "
    "maintainer's run is needed, or recorded traces."
)


class ReachableApp(NamedTuple):
    """The suite and its app, as they are reached from here.

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


def work_in(job: WorkflowJob) -> None:
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


def reachable_app(job: WorkflowJob) -> ReachableApp:
    """Read the suite, and see how its app can be asked from here.

    Raises:
        SuiteError: Every problem of every file.
        UsageError: What `requirements` names cannot be installed.
    """
    app = _loaded(job)
    if app.target is not None:
        return app
    section = app.loaded.suite.target
    if job.inputs.requirements is not None:
        section = in_environment(section, _environment(job))
    notes: tuple[str, ...] = ()
    if isinstance(section, HttpTarget) and _CONTAINER.exists():
        try:
            found = from_container(section, gateway=gateway_of(_routes()), tell=lambda line: say([f"raggate: {line}"]))
        except TargetError as error:
            return app._replace(target=Unavailable(error))
        section, notes = found.target, (found.note,) if found.note else ()
    suite = app.loaded.suite.model_copy(update={"target": section})
    return app._replace(loaded=app.loaded._replace(suite=suite), notes=notes)


def _loaded(job: WorkflowJob) -> ReachableApp:
    """The suite. An outsider's change gets no secrets: a target that lacks them is then no mistake of the suite."""
    inputs = job.inputs
    suite, traces = Path(inputs.suite), Path(inputs.traces) if inputs.traces is not None else None
    try:
        return ReachableApp(load(suite, traces=traces, target_url=inputs.target_url))
    except SuiteError:
        if not job.activity.fork or inputs.traces is not None:
            raise
        nobody = RecordedTarget(kind="recorded", traces=os.devnull)
        # Raises again when more than the target is wrong.
        loaded = load_suite(suite, environment=os.environ, target=nobody)
        return ReachableApp(loaded, Unavailable(_NO_SECRETS), (_NO_SECRETS,), without_secrets=True)


def _environment(job: WorkflowJob) -> Path:
    child_user = job.isolation.child_user
    home = child_user.home if child_user is not None else Path(tempfile.mkdtemp(prefix="raggate-"))
    requirements = Path(job.inputs.requirements or "").absolute()
    return app_environment(requirements, home / "environment", environment=os.environ, child_user=child_user)


def _routes() -> str:
    try:
        return _ROUTES.read_text()
    except OSError:
        return ""


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
