"""What stands beside a case of a stored run: the chunks it was answered from, and the baseline's answer."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from raggate_action.errors import RunStoreError
from raggate_action.run.run_session import restricted_text
from raggate_action.run.stored_runs import suite_beside
from raggate_action.run_store import read_comparison, read_rows, read_traces
from raggate_action.schema.case import Case
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.run import Run, StartedRun
from raggate_action.suite_files import LoadedSuite


class CaseContext(NamedTuple):
    """What a case's row does not hold.

    Attributes:
        chunks: Texts of its context by chunk id, as far as they are at hand and its asker may read them.
        before: The baseline's answer; None where no baseline is known, or it kept none.
    """

    chunks: Mapping[str, str] = {}
    before: str | None = None


NOTHING_BESIDE = CaseContext()


def case_context_of(row: CaseRun, stored: Run | StartedRun, directory: Path) -> CaseContext:
    """Look for what the run directory, its suite and its baseline still hold; what is not there is left out."""
    if stored.policy.texts == "ids":
        return NOTHING_BESIDE
    loaded = suite_beside(stored, directory)
    before = _before(row, stored, directory)
    if before is not None and loaded is not None:
        repeated = restricted_text(loaded).repeated_in((before,), _case(row, loaded))
        before = f"(withheld: it repeats {', '.join(repeated)})" if repeated else before
    return CaseContext(_chunks(row, loaded, directory), before)


def _chunks(row: CaseRun, loaded: LoadedSuite | None, directory: Path) -> dict[str, str]:
    """From the store where it is what it was, else as the trace kept them, which only `texts: full` does."""
    store = loaded.evidence if loaded is not None else None
    if loaded is not None and store is not None:
        case = _case(row, loaded)
        principals = frozenset(case.principals if case is not None else ())
        known = [store.get(chunk_id) for chunk_id in row.context]
        return {chunk.chunk_id: chunk.text for chunk in known if chunk is not None and chunk.permitted_for(principals)}
    try:
        traces = [each.trace for each in read_traces(directory) if each.case_id == row.case_id]
    except RunStoreError:
        return {}
    return {chunk.chunk_id: chunk.text for trace in traces for chunk in trace.context_chunks if chunk.text is not None}


def _case(row: CaseRun, loaded: LoadedSuite) -> Case | None:
    """The case as the suite has it today; None where it is another by now, so that nobody in particular asks."""
    wanted = (row.case_id, row.digest)
    return next((each.case for each in loaded.cases if (each.case.case_id, each.digest) == wanted), None)


def _before(row: CaseRun, stored: Run | StartedRun, directory: Path) -> str | None:
    try:
        comparison = read_comparison(directory)
        if comparison is not None and row.case_id in comparison.answers:
            return comparison.answers[row.case_id]
        if not isinstance(stored, Run) or stored.invocation.baseline is None or stored.invocation.directory is None:
            return None
        baseline = directory / stored.invocation.directory / stored.invocation.baseline
        rows = read_rows(baseline)
        return next((each.answer for each in rows if (each.case_id, each.digest) == (row.case_id, row.digest)), None)
    except RunStoreError:
        return None
