"""Whom a program of the suite runs as in the action's container, and what is kept from it.

The programs of a suite come with the pull request. As root they could read our memory and the runner's files and
drive the runner's Docker; as a user of their own they cannot. SECURITY.md says what is left.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from raggate_action.isolation.own_process import is_root_action

if TYPE_CHECKING:
    import subprocess

# Owns nothing on a runner's machine; the number is what images without a root user commonly take.
_UID = 65532
_OTHERS = 0o077
# Files through which a program could speak to the runner in the action's name.
_FILE_COMMANDS = ("GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_STATE", "GITHUB_STEP_SUMMARY")
_DOCKER_SOCKET = Path("/var/run/docker.sock")


class ChildUser(NamedTuple):
    """Whom a program runs as: a number without a name, without groups and without rights.

    Attributes:
        home: A directory of its own, its HOME and TMPDIR.
        uid: Its user.
        gid: Its only group.
    """

    home: Path
    uid: int = _UID
    gid: int = _UID


class Isolation(NamedTuple):
    """How programs of the suite are held apart from us.

    Attributes:
        child_user: Whom they run as; ourselves when None.
        warnings: What could not be kept from them, or they from it; one sentence each.
    """

    child_user: ChildUser | None = None
    warnings: tuple[str, ...] = ()


def run_as(child_user: ChildUser | None) -> Callable[..., subprocess.CompletedProcess[str]]:
    """`subprocess.run` for programs of `child_user`; for our own user when None."""
    import subprocess

    if child_user is None:
        return subprocess.run
    return partial(subprocess.run, user=child_user.uid, group=child_user.gid, extra_groups=())


@contextmanager
def isolated_children(environment: Mapping[str, str]) -> Iterator[Isolation]:
    """Hold programs started inside this context apart from us, if we are the action's container.

    The runner's own directories (file commands, its temporary files, its HOME) are closed to others meanwhile, and
    opened again as they were.

    Args:
        environment: The job's, whole.
    """
    if not is_root_action(environment):
        yield Isolation()
        return
    import tempfile

    with tempfile.TemporaryDirectory(prefix="raggate-home-", ignore_cleanup_errors=True) as directory:
        child_user = ChildUser(Path(directory))
        os.chown(directory, child_user.uid, child_user.gid)
        workspace = Path(environment.get("GITHUB_WORKSPACE") or os.curdir)
        with _closed(_directories_of_the_runner(environment), but_for=(workspace, child_user.home)) as left_open:
            yield Isolation(child_user, (*left_open, *_open_docker(), *_unreadable(workspace)))


def _directories_of_the_runner(environment: Mapping[str, str]) -> Iterator[Path]:
    files = [Path(environment[name]).parent for name in _FILE_COMMANDS if environment.get(name)]
    directories = [Path(environment[name]) for name in ("RUNNER_TEMP", "HOME") if environment.get(name)]
    yield from dict.fromkeys((*files, *directories))


@contextmanager
def _closed(directories: Iterator[Path], *, but_for: Sequence[Path]) -> Iterator[list[str]]:
    """Close directories to others; yields a sentence for each that is still open.

    Args:
        directories: May be missing.
        but_for: What others have to reach, so that nothing above it may be closed.
    """
    left_open = []
    closed: list[tuple[Path, int]] = []
    reachable = [path.resolve() for path in but_for]
    try:
        for directory in directories:
            mode = _mode(directory)
            if not mode & _OTHERS:
                continue
            is_shared = mode & stat.S_ISVTX or any(path.is_relative_to(directory.resolve()) for path in reachable)
            if is_shared or not _close(directory, mode):
                left_open.append(f"The app's programs can look into {directory}, which the runner uses too.")
            else:
                closed.append((directory, mode))
        yield left_open
    finally:
        for directory, mode in closed:
            directory.chmod(mode)


def _close(directory: Path, mode: int) -> bool:
    try:
        directory.chmod(mode & ~_OTHERS)
    except OSError:
        return False
    # Some mounted file systems take the order and do nothing.
    return not _mode(directory) & _OTHERS


def _mode(path: Path) -> int:
    """Permission bits; 0 when it is not there."""
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except OSError:
        return 0


def _open_docker() -> Iterator[str]:
    if _mode(_DOCKER_SOCKET) & stat.S_IWOTH:
        yield f"{_DOCKER_SOCKET} is open to everyone on this runner: the app's programs can drive its Docker."


def _unreadable(workspace: Path) -> Iterator[str]:
    if not _mode(workspace) & stat.S_IXOTH:
        yield (
            f"The app's programs run as user {_UID} and cannot enter {workspace}; "
            "let others read the checkout in a step before (`chmod -R o+rX .`)."
        )
