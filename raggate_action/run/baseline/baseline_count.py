"""A run counted beside its baseline."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from raggate_action.core.comparison.baseline_index import BaselineIndex
from raggate_action.run.row_counting import Count, Known
from raggate_action.run.run_plan import Plan
from raggate_action.run_store import RunDirectory
from raggate_action.schema.base import day_of

if TYPE_CHECKING:
    from raggate_action.run.judging.run_panel import RunPanel


def counting(
    plan: Plan,
    directory: RunDirectory,
    panel: RunPanel | None,
    baseline: BaselineIndex | None,
    renamed: Mapping[str, str],
) -> Count:
    """Counts the rows of a run, which are kept in its directory, from nothing."""
    request, started = plan.request, directory.started
    record = panel.record if panel is not None else None
    known = Known(is_chosen=bool(request.case_ids), panel=record)
    return Count(
        plan.policy,
        decided_on=day_of(started.started_at),
        baseline=baseline,
        known=known,
        renamed=renamed,
        rows=directory.rows,
    )
