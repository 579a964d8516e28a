"""From counted rows to a decided run and its texts: the same road for a fresh run, `compare` and `report`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from typing import NamedTuple

from raggate_action.core.comparison.baseline_index import BaselineIndex, index_baseline, past_cases
from raggate_action.core.comparison.comparer import Comparer
from raggate_action.core.comparison.demand_changes import HeadSuite
from raggate_action.core.counting.facts import Facts
from raggate_action.core.counting.tally import Tally
from raggate_action.core.decision.decide import COMPARING_GATES, Decided, decide
from raggate_action.core.decision.release_report import release_report, summary
from raggate_action.core.gates.diagnose import case_state, first_failed_stage
from raggate_action.core.gates.twice import Twice
from raggate_action.errors import RowsError
from raggate_action.report.render import render_comment, render_summary
from raggate_action.report.reporting import Reporting
from raggate_action.schema.base import day_of
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.comparison import Comparison
from raggate_action.schema.decision import DecisionKind, RunGateStatus, Stopped
from raggate_action.schema.run import Policy, Run, RunDescription, StartedRun, SuiteCase
from raggate_action.schema.self_test import SelfTest

_BY_WEIGHT: tuple[DecisionKind, ...] = ("release", "inconclusive", "block")


def head_of(stored: Run | StartedRun) -> RunDescription:
    """What a stored run was before anything was counted; of what follows from its rows nothing is taken."""
    described = {name: value for name, value in stored if name in RunDescription.model_fields}
    counted = {
        "suite_size": len(stored.suite_cases),
        "in_scope": sum(in_scope for _id, _digest, in_scope in stored.suite_cases),
        # Listed again at the end: a hundred thousand cases are not looked through another time.
        "suite_cases": (),
    }
    return RunDescription(**{"decided_at": stored.started_at, **described, **counted})


class Count:
    """Counts a run's rows as they finish, and holds them against a baseline where there is one."""

    def __init__(
        self,
        policy: Policy,
        *,
        decided_on: date,
        baseline: BaselineIndex | None,
        twice: Twice | None = None,
    ) -> None:
        self._tally = Tally(policy, decided_on=decided_on)
        self._comparer = Comparer(baseline, policy, decided_on=decided_on) if baseline is not None else None
        self._twice = twice

    def add(self, row: CaseRun) -> None:
        """One more case."""
        self._tally.add(row)
        if self._comparer is not None:
            self._comparer.add(row)
        if self._twice is not None:
            self._twice.add(row)

    def counted(
        self, suite_cases: Iterable[SuiteCase], self_test: SelfTest | None = None
    ) -> tuple[Facts, Comparison | None]:
        """What was counted, and what moved against the baseline."""
        facts = self._tally.facts()
        if self._comparer is None:
            return facts, None
        comparison = self._comparer.comparison(suite_cases, facts)
        if self._twice is not None:
            policy = self._twice.result(self_test)
            comparison = self._twice.without_renamed(comparison).model_copy(update={"policy": policy})
        return facts, comparison


def twice_of(
    begun: RunDescription | StartedRun, baseline: BaselineIndex | None, cases: Callable[[], Iterable[SuiteCase]]
) -> Twice | None:
    """Counts a run by its baseline's demands as well; None without a baseline."""
    if baseline is None:
        return None
    day = day_of(begun.started_at)
    held, restricted = begun.held_against, begun.restricted
    return Twice(baseline, HeadSuite(begun.policy, held, begun.provenance.evidence_digest, restricted, day), cases)


def conclude(head: RunDescription, facts: Facts, comparison: Comparison | None) -> Reporting:
    """Decide, and put the run together with everything its texts are made of."""
    decided = decide(facts, policy=head.policy, comparison=comparison, self_test=head.self_test)
    if head.cancelled or not head.complete:
        decided = _stopped(decided, facts, head)
    run = Run(
        **dict(head),
        remarks=(*decided.notes, *_notes_on(facts)),
        counts=facts.counts,
        gate_counts=facts.gate_counts,
        gates=decided.gates,
        slices=decided.slices,
        stages=facts.stages,
        pipeline_versions=facts.pipeline_versions,
        summary=summary(facts),
        release_report=release_report(facts, decided, head.release_names),
        decision=decided.decision,
    )
    return Reporting(run=run, listed=facts.listed, comparison=comparison)


class RunReport(NamedTuple):
    """A decided run and what was written about it, so that nobody writes it a second time.

    Attributes:
        reporting: The run.
        texts: See `texts_of`.
    """

    reporting: Reporting
    texts: Mapping[str, str]


def report_on(reporting: Reporting) -> RunReport:
    """Write the texts of a run."""
    return RunReport(reporting, texts_of(reporting))


def texts_of(reporting: Reporting) -> Mapping[str, str]:
    """The texts of a run directory by file name."""
    texts = {"comment.md": render_comment(reporting), "summary.md": render_summary(reporting)}
    if reporting.comparison is not None:
        texts["comparison.json"] = reporting.comparison.model_dump_json(indent=2) + "\n"
    return texts


def recount(
    head: RunDescription,
    rows: Iterable[CaseRun],
    *,
    suite_cases: tuple[SuiteCase, ...],
    baseline: BaselineIndex | None = None,
    comparison: Comparison | None = None,
) -> Reporting:
    """Count and decide a stored run again, as it was decided then: whatever follows from its rows is taken from them.

    Same rows, same baseline, same bytes.

    Args:
        head: See `head_of`.
        rows: Its rows, in any order.
        suite_cases: Every case of its suite.
        baseline: What to compare with.
        comparison: The comparison stored with the run, where the baseline itself is not given.

    Raises:
        RowsError: A row says of itself what its gates do not, or the comparison speaks of more cases than there are.
    """
    twice = twice_of(head, baseline, lambda: suite_cases)
    count = Count(head.policy, decided_on=head.decided_on, baseline=baseline, twice=twice)
    for row in as_judged(rows, head.policy):
        count.add(row)
    facts, compared = count.counted(suite_cases, head.self_test)
    if comparison is not None:
        _see_fits(comparison, facts)
    reporting = conclude(head, facts, comparison or compared)
    return reporting._replace(run=reporting.run.model_copy(update={"suite_cases": suite_cases}))


def index_stored(stored: Run, rows: Iterable[CaseRun]) -> BaselineIndex:
    """A finished run as a baseline: its amounts counted from its rows, which are read once.

    Raises:
        RowsError: As `recount`.
    """
    head = head_of(stored)
    count = Count(head.policy, decided_on=head.decided_on, baseline=None)

    def counted() -> Iterator[CaseRun]:
        for row in as_judged(rows, head.policy):
            count.add(row)
            yield row

    cases = past_cases(stored.suite_cases, counted(), head.policy, decided_on=head.decided_on)
    again = conclude(head, *count.counted(stored.suite_cases)).run
    return _as_decided(index_baseline(again, cases), again, stored)


def _as_decided(index: BaselineIndex, again: Run, stored: Run) -> BaselineIndex:
    """The index with what the run's own baseline made of it, which its rows alone cannot tell.

    Only how a gate stood and what was decided are believed, no number; and no decision that is better than the rows'.
    """
    then = {gate.gate: gate.status for gate in stored.gates}
    if "newly_inadmissible" not in then:
        return index
    compared: dict[str, RunGateStatus] = {gate: status for gate, status in then.items() if gate in COMPARING_GATES}
    alone = [gate for gate in again.gates if gate.level == "block" and gate.gate not in COMPARING_GATES]
    found: DecisionKind = "release"
    if any(gate.status == "failed" for gate in alone):
        # Inconclusive all the same where the app answered nothing.
        found = again.decision.kind
    elif any(gate.status == "unmeasured" for gate in alone) or not again.counts.cases:
        found = "inconclusive"
    worse = max(found, stored.decision.kind, key=_BY_WEIGHT.index)
    return index._replace(statuses={**index.statuses, **compared}, decision=worse)


def as_judged(rows: Iterable[CaseRun], policy: Policy) -> Iterator[CaseRun]:
    """The rows of a stored run, each held against its own gates under the levels of the run.

    Raises:
        RowsError: A row says of itself what its gates do not.
    """
    for row in rows:
        stage = first_failed_stage(row.outcomes, policy.gates)
        if row.first_failed_stage != stage or row.state != case_state(row.outcomes, stage, policy.gates):
            raise RowsError(
                f"the row of case {row.case_id!r} says {row.state}, which does not follow from its gates",
                hint="The run directory was changed after raggate wrote it: make the run again.",
            )
        yield row


def _see_fits(comparison: Comparison, facts: Facts) -> None:
    counts = facts.counts
    if comparison.compared > counts.cases or comparison.regressed > counts.failed:
        raise RowsError(
            "comparison.json speaks of more cases than the run has rows of",
            hint="Give the baseline by --baseline to have it compared again, or make the run again.",
        )


def _stopped(decided: Decided, facts: Facts, head: RunDescription) -> Decided:
    """What follows when a run did not end: the cases that are missing might have decided otherwise, so nothing does."""
    decision = decided.decision
    finished = facts.counts.cases + facts.counts.known_bad
    why = Stopped(cancelled=head.cancelled, finished=finished, in_scope=head.in_scope)
    # That a part would have been released says nothing about the whole; what would have blocked it does.
    found = () if decision.kind == "release" else decision.reasons
    stopped = decision.model_copy(update={"kind": "inconclusive", "reasons": (why, *found)})
    return decided._replace(decision=stopped)


def _notes_on(facts: Facts) -> tuple[str, ...]:
    if "citation_support" not in facts.gate_counts and facts.counts.answered_by_target:
        return ("No answer cited anything and the suite does not declare citations: citation support was not checked.",)
    return ()
