"""The files of a run and of a comparison: their names, and how one is opened or replaced without following a link."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from raggate_action.errors import RunStoreError

RUN: Final = "run.json"
SUITE: Final = "suite.json"
ROWS: Final = "cases.jsonl"
TRACES: Final = "traces.jsonl"
COMPARISON: Final = "comparison.json"
JUDGEMENTS: Final = "judgements.jsonl"
BASELINE: Final = "baseline.jsonl"
BY_BASELINE: Final = "by_baseline.jsonl"
HISTORY: Final = "history.jsonl"
REPORT: Final = "report.html"
PUBLICATION: Final = "publication.json"
COMMENT: Final = "comment.md"
SUMMARY: Final = "summary.md"
JUNIT: Final = "junit.xml"
SARIF: Final = "findings.sarif"

# Everything a run leaves; replacing a run removes these names and no others.
KNOWN_FILES: tuple[str, ...] = (
    RUN, SUITE, ROWS, TRACES, JUDGEMENTS, BASELINE, BY_BASELINE, HISTORY, COMMENT, SUMMARY, COMPARISON, "findings.md",
    "judge_rows.csv", REPORT, JUNIT, SARIF, PUBLICATION,
)  # fmt: skip

# What is read back of a run: `run.json` says which files these were.
TIED_FILES: tuple[str, ...] = (SUITE, ROWS, TRACES, JUDGEMENTS, BASELINE, BY_BASELINE, HISTORY, COMPARISON)

AB: Final = "ab.json"
CONTROL_TRACES: Final = "control.jsonl"
TREATMENT_TRACES: Final = "treatment.jsonl"
# The same of a comparison of two arms.
AB_FILES: tuple[str, ...] = (
    AB, "judge_rows.csv", "findings.md", SUMMARY, REPORT, JUDGEMENTS, CONTROL_TRACES,
    TREATMENT_TRACES,
)  # fmt: skip

# The umask takes from it what its owner does not want others to have.
FILE_MODE = 0o666
# One system call for many lines: the number of calls, not the disk, is what costs time here.
BUFFER_BYTES = 256 * 1024

_HINTS = {
    errno.ENOSPC: "The disk is full: free some space and go on with --resume.",
    errno.EDQUOT: "The disk quota is used up: free some space and go on with --resume.",
    errno.EACCES: "Check who owns the directory, or choose another one with --out.",
    errno.EPERM: "Check who owns the directory, or choose another one with --out.",
    errno.EROFS: "The file system is read-only: choose another directory with --out.",
    errno.ENOTDIR: "A file stands where a directory is needed: name a directory.",
    errno.EEXIST: "A file stands where a directory is needed: name a directory.",
    errno.ENOENT: "The run directory is not whole: make the run again.",
    errno.EISDIR: "A directory stands where a file is needed: remove it, or choose another directory with --out.",
}


_FILE_STANDS = frozenset({errno.EEXIST, errno.ENOTDIR})


@contextlib.contextmanager
def store_errors(path: Path | str) -> Iterator[None]:
    """Turn an error of the operating system into one that names `path` and the next step."""
    try:
        yield
    except OSError as error:
        hint = _HINTS.get(error.errno or 0, "Check the directory given with --out.")
        raise RunStoreError(f"{path}: {error.strerror or error}", hint=hint) from error


def make_directory(path: Path) -> None:
    """Make a directory and those above it; nothing happens when it is there.

    Raises:
        RunStoreError: It cannot be made.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        stands = Path(error.filename) if error.filename else path
        above = f" ({stands})" if stands != path else ""
        why = "a file stands there" if error.errno in _FILE_STANDS else error.strerror
        hint = _HINTS.get(error.errno or 0) if error.errno not in {*_FILE_STANDS, errno.ENOENT} else None
        raise RunStoreError(
            f"the run directory {path} cannot be made: {why}{above}", hint=hint or "Name another directory with --out."
        ) from error


def partial_name(name: str) -> str:
    """Where a file is written before it takes its place."""
    return f".{name}.partial"


def open_new(path: Path, mode: int = FILE_MODE) -> int:
    """Create `path` for writing; whatever stands there, a link included, must be gone before."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with store_errors(path):
        return os.open(path, flags, mode)


def remove(path: Path) -> None:
    """Remove a file or a link, never what it points to; nothing happens when it is not there."""
    with store_errors(path):
        path.unlink(missing_ok=True)


def replace_whole(directory: Path, name: str, pieces: Iterable[bytes]) -> None:
    """Write a file so that a reader finds the old content or the new, after a power cut too.

    A link of that name is replaced, not followed.

    Raises:
        RunStoreError: It cannot be written; the old content stands.
    """
    partial = directory / partial_name(name)
    remove(partial)
    file = open_new(partial)
    try:
        with store_errors(directory / name), open(file, "wb", buffering=BUFFER_BYTES) as stream:  # noqa: PTH123
            stream.writelines(pieces)
            stream.flush()
            os.fsync(file)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    with store_errors(directory / name):
        partial.replace(directory / name)


def settle(directory: Path) -> None:
    """Make the renames in `directory` outlast a power cut, where the file system offers that."""
    with contextlib.suppress(OSError):
        file = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(file)
        finally:
            os.close(file)


@contextlib.contextmanager
def only_writer(directory: Path) -> Iterator[None]:
    """Keep other processes from writing into a run directory, which is there.

    The system holds the lock for the open directory itself and ends it with the process, however that ends: there is
    no file that a killed run could leave behind.

    Raises:
        RunStoreError: Another process is writing, or the directory cannot be opened.
    """
    with store_errors(directory):
        file = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        # Some network file systems have no such locks: no other error keeps the run from starting.
        if error.errno in (errno.EACCES, errno.EAGAIN):
            os.close(file)
            raise RunStoreError(
                f"another process is writing its run into {directory}",
                hint="Wait until it has finished, or choose another directory with --out.",
            ) from error
    try:
        yield
    finally:
        os.close(file)
