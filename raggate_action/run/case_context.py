"""What stands beside a case of a stored run: the chunks it was answered from."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from raggate_action.errors import RunStoreError
from raggate_action.run.stored_runs import suite_beside
from raggate_action.run_store import read_traces
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.run import Run, StartedRun


def chunks_of(row: CaseRun, stored: Run | StartedRun, directory: Path) -> Mapping[str, str]:
    """Texts of a case's context by chunk id, as far as they are at hand and its asker may read them.

    From the store where it is what it was, else as the trace kept them, which only `texts: full` does.
    """
    if stored.policy.texts == "ids":
        return {}
    loaded = suite_beside(stored, directory)
    store = loaded.evidence if loaded is not None else None
    if loaded is not None and store is not None:
        # A case that is another by now has no principals: nobody in particular asks.
        wanted = (row.case_id, row.digest)
        cases = (each.case for each in loaded.cases if (each.case.case_id, each.digest) == wanted)
        principals = frozenset(next((case.principals for case in cases), ()))
        known = [store.get(chunk_id) for chunk_id in row.context]
        return {chunk.chunk_id: chunk.text for chunk in known if chunk is not None and chunk.permitted_for(principals)}
    try:
        traces = [each.trace for each in read_traces(directory) if each.case_id == row.case_id]
    except RunStoreError:
        return {}
    return {chunk.chunk_id: chunk.text for trace in traces for chunk in trace.context_chunks if chunk.text is not None}
