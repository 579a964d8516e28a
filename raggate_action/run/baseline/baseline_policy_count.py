"""A run counted by what its baseline demanded as well, so that a weaker suite releases nothing of itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from raggate_action.core.comparison.baseline_index import BaselineIndex
from raggate_action.core.comparison.case_changes import demands_of_suite
from raggate_action.core.comparison.same_judges import JudgedBy
from raggate_action.run.row_counting import Count, Known
from raggate_action.schema.base import day_of
from raggate_action.schema.run import Policy, RunDescription, StartedRun, SuiteCase

if TYPE_CHECKING:
    from raggate_action.core.gates.second_policy import SecondPolicy


def second_policy_of(
    begun: RunDescription | StartedRun,
    baseline: BaselineIndex | None,
    suite_cases: Callable[[], Iterable[SuiteCase]],
    known: Known,
) -> SecondPolicy | None:
    """Counts a run by its baseline's demands as well; None without a baseline, which then loads nothing of it."""
    if baseline is None:
        return None
    from raggate_action.core.gates.second_policy import SecondPolicy

    baseline = against = baseline.own or baseline
    by, before = JudgedBy.of(begun.provenance, known.panel), baseline.judged_by
    if (by.version, by.judges) != (before.version, before.judges):
        # Its answers are evaluated again by the head's suite alone.
        cases = {case_id: past._replace(then=None) for case_id, past in baseline.cases.items()}
        against = baseline._replace(cases=cases, left=dict.fromkeys(cases, "not-asked"))
    day = day_of(begun.started_at)
    head = demands_of_suite(begun, known.panel)

    def counting(policy: Policy) -> Count:
        return Count(policy, decided_on=day, baseline=against, known=known)

    second = SecondPolicy(baseline, head, suite_cases, counting, held_against=begun.held_against, decided_on=day)
    if isinstance(begun, RunDescription):
        second.add_answers(begun.removed)
    return second
