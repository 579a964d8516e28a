"""Reading stored runs for commands that compare."""

from __future__ import annotations

from pathlib import Path

from raggate_action.core.baseline import BaselineIndex, index_baseline
from raggate_action.run_store import read_rows, read_run


def stored_baseline(path: Path) -> BaselineIndex:
    """The baseline run in `path`, indexed.

    Raises:
        RunStoreError: There is no complete run; an incomplete one is never a baseline.
    """
    return index_baseline(read_run(path), read_rows(path))
