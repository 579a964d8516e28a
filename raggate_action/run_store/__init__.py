"""The run directory: written while cases finish, readable after a kill, resumed, and read back strictly.

May import `schema`, `json_lines`, `replies` and `errors` only: what a row means is not known here.
"""

from __future__ import annotations

from raggate_action.run_store.case_lines import stored_trace_line
from raggate_action.run_store.judgements import tied_judgements, usable_judgements
from raggate_action.run_store.run_directory import AbDirectory, RunDirectory
from raggate_action.run_store.run_files import BASELINE, HISTORY
from raggate_action.run_store.run_reading import (
    StoredTrace,
    read_baseline_answers,
    read_by_baseline,
    read_comparison,
    read_history,
    read_main_answers,
    read_publication,
    read_rows,
    read_run,
    read_started,
    read_stored,
    read_suite,
    read_trace_lines,
    read_traces,
    rows_named,
    rows_of,
    stored_cases,
    with_traces,
)
from raggate_action.run_store.stored_files import DirectoryFiles, RunFiles, RunSource
from raggate_action.run_store.work_file import WorkFile

__all__ = [
    "BASELINE",
    "HISTORY",
    "AbDirectory",
    "DirectoryFiles",
    "RunDirectory",
    "RunFiles",
    "RunSource",
    "StoredTrace",
    "WorkFile",
    "read_baseline_answers",
    "read_by_baseline",
    "read_comparison",
    "read_history",
    "read_main_answers",
    "read_publication",
    "read_rows",
    "read_run",
    "read_started",
    "read_stored",
    "read_suite",
    "read_trace_lines",
    "read_traces",
    "rows_named",
    "rows_of",
    "stored_cases",
    "stored_trace_line",
    "tied_judgements",
    "usable_judgements",
    "with_traces",
]
