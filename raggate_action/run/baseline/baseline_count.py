"""A run counted beside its baseline, and once more where its judges have judged answers of the baseline again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from raggate_action.core.comparison.baseline_index import BaselineIndex, PastAnswers
from raggate_action.run.baseline.baseline_policy_count import second_policy_of
from raggate_action.run.row_counting import Count, Known
from raggate_action.run.row_sink import Sink
from raggate_action.run.run_plan import Plan
from raggate_action.run.run_session import lanes_of
from raggate_action.run_store import BASELINE, RunDirectory
from raggate_action.schema.base import day_of
from raggate_action.schema.json_lines import json_line

if TYPE_CHECKING:
    from raggate_action.run.judging.run_panel import RunPanel


def counting(plan: Plan, directory: RunDirectory, panel: RunPanel | None, baseline: BaselineIndex | None) -> Count:
    """Counts the rows of a run, which are kept in its directory, from nothing."""
    request, started = plan.request, directory.started
    record = panel.record if panel is not None else None
    known = Known.of(started.provenance, record, is_chosen=bool(request.case_ids))
    return Count(
        plan.policy,
        decided_on=day_of(started.started_at),
        baseline=baseline,
        known=known,
        twice=lambda: second_policy_of(started, baseline, plan.suite_cases, known),
        rows=directory.rows,
    )


async def judged_again(plan: Plan, sink: Sink, panel: RunPanel | None, ends: float | None) -> PastAnswers:
    """What a run's judges make of the baseline's answers that others judged, or none.

    Args:
        plan: The run.
        sink: It has taken all its cases in.
        panel: Its judges.
        ends: Its deadline by the loop's clock; None is without end.

    Raises:
        RunStoreError: A judgement cannot be written down, or the baseline cannot be read.
    """
    baseline = plan.request.baseline
    judges = panel.past_source() if panel is not None and sink.judged_otherwise else None
    if panel is None or judges is None or baseline is None:
        return PastAnswers()
    from raggate_action.run.baseline.baseline_rejudging import BaselineAnswers

    lanes = lanes_of(plan.loaded, judged=True)
    answers = BaselineAnswers(baseline, plan.loaded, judges, lanes=lanes, tell=sink.progress.tell)
    again = await answers.judged(sink.directory.rows(), ends)
    panel.note_again()
    return again


def recounted(plan: Plan, directory: RunDirectory, panel: RunPanel | None, again: PastAnswers) -> Count | None:
    """The run counted beside the baseline as its own judges have judged that; None where they judged nothing of it."""
    baseline = plan.request.baseline
    if baseline is None or baseline.with_again is None or not (again.rows or again.left):
        return None
    count = counting(plan, directory, panel, baseline.with_again(again))
    for row in directory.rows():
        count.add(row)
    return count


def kept_answers(again: PastAnswers, baseline: BaselineIndex | None) -> Mapping[str, str]:
    """The file that a run keeps of them, by name, so that the comparison can be made again from files alone."""
    if baseline is None or baseline.rows is None or not (again.rows or again.left):
        return {}
    return {BASELINE: "".join([json_line(each).decode() for each in again.kept(baseline.rows())])}
