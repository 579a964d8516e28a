"""A run counted by what its baseline demanded as well, so that a weaker suite releases nothing of itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from raggate_action.core.comparison.baseline_index import BaselineIndex
from raggate_action.run.row_counting import Count, Known
from raggate_action.schema.base import day_of
from raggate_action.schema.run import RunDescription, StartedRun, SuiteCase

if TYPE_CHECKING:
    from raggate_action.core.gates.second_policy import SecondPolicy


def twice_of(
    begun: RunDescription | StartedRun,
    baseline: BaselineIndex | None,
    cases: Callable[[], Iterable[SuiteCase]],
    known: Known,
) -> SecondPolicy | None:
    """Counts a run by its baseline's demands as well; None without a baseline."""
    if baseline is None:
        return None
    from raggate_action.core.comparison.demand_changes import HeadSuite
    from raggate_action.core.gates.second_policy import SecondPolicy

    head = HeadSuite(
        begun.policy,
        begun.held_against,
        begun.provenance.evidence_digest,
        begun.restricted,
        day_of(begun.started_at),
        known.panel,
        begun.provenance.checks,
    )
    beside = _by_its_policy(known, baseline)
    day = head.decided_on
    twice = SecondPolicy(
        baseline, head, cases, lambda policy: Count(policy, decided_on=day, baseline=baseline, known=beside)
    )
    if isinstance(begun, RunDescription):
        twice.add_answers(begun.removed)
    return twice


def _by_its_policy(known: Known, baseline: BaselineIndex) -> Known:
    """The same, as the baseline's policy judges: what was judged by that policy stands in where a part is run."""
    if known.judged_by is None or baseline.judged_by is None:
        return known
    return known._replace(judged_by=known.judged_by._replace(policy=baseline.judged_by.policy))
