"""Reading stored runs for commands that compare."""

from __future__ import annotations

from raggate_action.core.baseline import BaselineIndex, index_baseline
from raggate_action.errors import UsageError
from raggate_action.run_store import RunSource, read_rows, read_run
from raggate_action.run_store.sources import files_of


def stored_baseline(source: RunSource, *, suite: str) -> BaselineIndex:
    """The baseline run in a directory, or in whatever else has its files, indexed.

    Raises:
        RunStoreError: There is no complete run; an incomplete one is never a baseline.
        UsageError: The run is of another suite; nothing could be compared.
    """
    run = read_run(source)
    if run.suite != suite:
        raise UsageError(
            f"the baseline {files_of(source).where} is a run of suite {run.suite!r}, not of {suite!r}",
            hint="Give a run of the same suite with --baseline.",
        )
    return index_baseline(run, read_rows(source))
