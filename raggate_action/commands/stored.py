"""Reading stored runs for commands that compare."""

from __future__ import annotations

from pathlib import Path

from raggate_action.core.baseline import BaselineIndex, index_baseline
from raggate_action.errors import UsageError
from raggate_action.run_store import read_rows, read_run


def stored_baseline(path: Path, *, suite: str) -> BaselineIndex:
    """The baseline run in `path`, indexed.

    Raises:
        RunStoreError: There is no complete run; an incomplete one is never a baseline.
        UsageError: The run is of another suite; nothing could be compared.
    """
    run = read_run(path)
    if run.suite != suite:
        raise UsageError(
            f"the baseline {path} is a run of suite {run.suite!r}, not of {suite!r}",
            hint="Give a run of the same suite with --baseline.",
        )
    return index_baseline(run, read_rows(path))
