"""The last run, which `explain`, `report`, `accept` and `judges label` take if no run directory is named."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from raggate_action.errors import UsageError
from raggate_action.report.escape import log_line
from raggate_action.run_store import read_run
from raggate_action.run_store.run_file import read_header
from raggate_action.run_store.run_files import RUN
from raggate_action.suite_files.problems import path_text

_FINISH = "finish it by the same `raggate-action run` with --resume"


def named_or_last(directory: Path | None, *, command: str, apart_from: Path | None = None) -> Path:
    """The run directory that was named, else the last run's; standard error then names it.

    Args:
        directory: The one that was named.
        command: The command, for the hint.
        apart_from: A run directory to pass over: the baseline.

    Raises:
        UsageError: No finished run is in this folder.
        RunStoreError: None is but the baseline, and that one cannot be read or is not finished.
    """
    if directory is not None:
        return directory
    unfinished: list[Path] = []
    for each in run_directories():
        header = read_header(each)
        if header is None or (apart_from is not None and each.resolve() == apart_from.resolve()):
            continue
        if header.complete:
            sys.stderr.write(f"raggate: the last run: {log_line(f'{path_text(each)} (suite {header.suite})')}\n")
            for newer in _newer_unfinished_runs(each):
                name = log_line(path_text(newer))
                sys.stderr.write(f"raggate: {name} is newer, but not finished; if it was stopped: {_FINISH}\n")
            return each
        unfinished.append(each)
    if unfinished:
        name = path_text(unfinished[0])
        named = f"name it: `raggate-action {command} {name}`"
        raise UsageError(
            f"the run in {name} is not finished, and there is no other here",
            hint=f"{_FINISH[:1].upper()}{_FINISH[1:]}, or {named}.",
        )
    if apart_from is not None:
        read_run(apart_from)
    exception = f" beside the baseline {path_text(apart_from)}" if apart_from is not None else ""
    raise UsageError(
        f"there is no run in this folder{exception}",
        hint=f"Make one by `raggate-action run`, or name its directory: `raggate-action {command} DIRECTORY`.",
    )


def _newer_unfinished_runs(last: Path) -> Iterator[Path]:
    """The runs that were written to after the last one was finished, and are not finished themselves."""
    finished = (last / RUN).stat().st_mtime_ns
    for each in run_directories():
        if max(file.lstat().st_mtime_ns for file in each.iterdir()) > finished:
            header = read_header(each)
            if header is not None and not header.complete:
                yield each


def run_directories() -> list[Path]:
    """The folders in this folder that contain a run, newest first."""
    files = [(path.stat().st_mtime_ns, path.parent) for path in Path().glob(f"*/{RUN}") if path.is_file()]
    return [directory for _written, directory in sorted(files, reverse=True)]
