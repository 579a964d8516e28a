"""A run counted by what its baseline demanded as well, so that a weaker suite releases nothing of itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from raggate_action.core.comparison.baseline_index import BaselineIndex
from raggate_action.core.comparison.case_changes import demands_of_suite
from raggate_action.run.row_counting import Count, Known
from raggate_action.schema.base import day_of
from raggate_action.schema.run import Policy, RunDescription, StartedRun, SuiteCase

if TYPE_CHECKING:
    from raggate_action.core.gates.second_policy import SecondPolicy


def second_policy_of(
    begun: RunDescription | StartedRun,
    baseline: BaselineIndex | None,
    cases: Callable[[], Iterable[SuiteCase]],
    known: Known,
) -> SecondPolicy | None:
    """Counts a run by its baseline's demands as well; None without a baseline, which then loads nothing of it."""
    if baseline is None:
        return None
    from raggate_action.core.gates.second_policy import SecondPolicy

    day = day_of(begun.started_at)
    head = demands_of_suite(begun, known.panel)
    if known.judged_by is not None and baseline.judged_by is not None:
        # What the baseline's policy judged stands in where a part of the suite is run.
        known = known._replace(judged_by=known.judged_by._replace(policy=baseline.judged_by.policy))

    def counting(policy: Policy) -> Count:
        return Count(policy, decided_on=day, baseline=baseline, known=known)

    second = SecondPolicy(baseline, head, cases, counting, held_against=begun.held_against, decided_on=day)
    if isinstance(begun, RunDescription):
        second.add_answers(begun.removed)
    return second
