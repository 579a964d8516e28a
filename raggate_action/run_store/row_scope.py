"""The rows of a stored run, held against the cases it says it ran: nothing is shown of rows that are others."""

from __future__ import annotations

from collections.abc import Iterator

from raggate_action.errors import RowsError
from raggate_action.run_store.run_files import ROWS, RUN
from raggate_action.run_store.run_reading import read_rows
from raggate_action.run_store.stored_files import RunSource, file_label, files_of
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.run import Run, StartedRun, SuiteCase

_HINT = "The run directory was changed after raggate wrote it: make the run again."


def rows_of(source: RunSource, stored: Run | StartedRun) -> Iterator[CaseRun]:
    """The rows of a stored run: exactly the cases in scope, once each; of a run that did not end, some of them.

    Args:
        source: Where the rows are.
        stored: What `run.json` says of the run.

    Raises:
        RowsError: A row is none of a case in scope, a case has two rows or none, or `suite_cases` cannot be true.
        RunStoreError: As `read_rows`.
    """
    files = files_of(source)
    cases = stored.suite_cases
    _see_suite(stored, file_label(files, RUN))
    where = file_label(files, ROWS)
    seen = bytearray(len(cases))
    for row in read_rows(files):
        if row.position >= len(cases) or cases[row.position] != (row.case_id, row.digest, True):
            raise RowsError(f"{where}: case {row.case_id!r} is none of those the run was to run", hint=_HINT)
        if seen[row.position]:
            raise RowsError(f"{where}: case {row.case_id!r} has a second row", hint=_HINT)
        seen[row.position] = 1
        yield row
    if stored.complete and not (isinstance(stored, Run) and stored.cancelled):
        _see_whole(cases, seen, where)


def _see_suite(stored: Run | StartedRun, where: str) -> None:
    cases = stored.suite_cases
    if len({case_id for case_id, _digest, _in_scope in cases}) < len(cases):
        raise RowsError(f"{where}: suite_cases names a case twice", hint=_HINT)
    if stored.scope == "full" and not stored.case_filter and not all(in_scope for _id, _digest, in_scope in cases):
        raise RowsError(f"{where}: the scope is full, and suite_cases leaves cases out", hint=_HINT)


def _see_whole(cases: tuple[SuiteCase, ...], seen: bytearray, where: str) -> None:
    missing = [case_id for (case_id, _digest, in_scope), row in zip(cases, seen, strict=True) if in_scope and not row]
    if missing:
        in_scope = sum(in_scope for _id, _digest, in_scope in cases)
        lack = "case has" if len(missing) == 1 else "cases have"
        raise RowsError(
            f"{where}: {len(missing)} of {in_scope} {lack} no row, first {missing[0]!r}, though the run is complete",
            hint=_HINT,
        )
