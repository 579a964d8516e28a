"""Runs of a suite and of parts of it, counted and decided as the command does, without a file."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from raggate_action.core.comparison.baseline_index import BaselineIndex
from raggate_action.report.report_input import Reporting
from raggate_action.run.count_and_decide import index_stored, recount
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.run import Policy, Run, RunDescription
from tests.stored_runs import MORNING, make_started


def run_of(
    rows: Sequence[CaseRun],
    policy: Policy | None = None,
    *,
    baseline: BaselineIndex | None = None,
    only: Collection[str] | None = None,
    made: dict[str, Any] | None = None,
    **fields: Any,
) -> Reporting:
    """The decided run of a suite whose cases have these rows; `only` are the ids in scope, `made` its provenance."""
    cases = tuple([(row.case_id, row.digest, only is None or row.case_id in only) for row in rows])
    ran = [row for row in rows if only is None or row.case_id in only]
    started = make_started(policy=policy or Policy(), provenance=made, scope="full" if only is None else "pr")
    given = {**dict(started), "complete": True, "decided_at": MORNING, "suite_size": len(rows), "in_scope": len(ran)}
    head = RunDescription(**{**given, **fields, "suite_cases": cases})
    return recount(head, lambda: ran, baseline=baseline)


def indexed(reporting: Reporting, rows: Sequence[CaseRun]) -> BaselineIndex:
    """A run as a baseline, as it comes back from its files; its rows are those it ran."""
    stored = Run.model_validate_json(reporting.run.model_dump_json())
    ran = {case_id for case_id, _digest, in_scope in stored.suite_cases if in_scope}
    kept = [row for row in rows if row.case_id in ran]
    return index_stored(stored, kept)._replace(rows=lambda: iter(kept))
