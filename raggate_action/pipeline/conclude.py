"""From counted rows to a decided run and its texts: the same road for a fresh run, `compare` and `report`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import NamedTuple

from raggate_action.core.comparison.baseline import BaselineIndex
from raggate_action.core.comparison.compare import Comparer
from raggate_action.core.counting.facts import Facts
from raggate_action.core.counting.tally import Tally
from raggate_action.core.decision.decide import Decided, decide
from raggate_action.core.decision.release_report import release_report, summary
from raggate_action.report.render import render_comment, render_summary
from raggate_action.report.reporting import Reporting
from raggate_action.schema.base import parse_moment
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.comparison import Comparison
from raggate_action.schema.origin import BaselineNote, Origin
from raggate_action.schema.run import Policy, Provenance, Run, SuiteCase
from raggate_action.schema.self_test import SelfTest


class RunHead(NamedTuple):
    """What a run is before anything is counted.

    Attributes:
        suite, suite_file, scope, started_at, as_of, provenance, policy: As in `Run`.
        decided_at: The moment of the decision, ISO 8601 UTC; its day decides which waivers hold.
        service_version: The app's version as the suite names it; None takes it from the traces.
        agent_version: As the environment names it, asked last.
        notes: What a reader has to know, one sentence each.
        suite_size, in_scope, origin, baseline, cancelled, self_test, case_filter: As in `Run`.
        required_versions: Versions of the sources that the release report's cases require; None without a store.
    """

    suite: str
    suite_file: str
    scope: str
    started_at: str
    as_of: str
    provenance: Provenance
    policy: Policy
    decided_at: str
    service_version: str | None
    agent_version: str | None
    notes: tuple[str, ...]
    suite_size: int
    in_scope: int
    origin: Origin | None = None
    baseline: BaselineNote | None = None
    cancelled: bool = False
    self_test: SelfTest | None = None
    case_filter: tuple[str, ...] = ()
    required_versions: tuple[str, ...] | None = None

    @property
    def decided_on(self) -> date:
        """The day of the decision."""
        return parse_moment(self.decided_at).date()


class Count:
    """Counts a run's rows as they finish, and holds them against a baseline where there is one."""

    def __init__(self, policy: Policy, *, decided_on: date, baseline: BaselineIndex | None) -> None:
        self._tally = Tally(policy, decided_on=decided_on)
        self._comparer = Comparer(baseline, policy, decided_on=decided_on) if baseline is not None else None

    def add(self, row: CaseRun) -> None:
        """One more case."""
        self._tally.add(row)
        if self._comparer is not None:
            self._comparer.add(row)

    def counted(self, suite_cases: Iterable[SuiteCase]) -> tuple[Facts, Comparison | None]:
        """What was counted, and what moved against the baseline."""
        facts = self._tally.facts()
        return facts, self._comparer.comparison(suite_cases, facts) if self._comparer is not None else None


def conclude(head: RunHead, facts: Facts, comparison: Comparison | None) -> Reporting:
    """Decide, and put the run together with everything its texts are made of."""
    decided = decide(facts, policy=head.policy, comparison=comparison, self_test=head.self_test)
    if head.cancelled:
        decided = _cancelled(decided, facts, in_scope=head.in_scope)
    report = release_report(
        facts,
        decided,
        service_version=head.service_version,
        agent_version=head.agent_version,
        required_policy_versions=head.required_versions,
    )
    run = Run(
        suite=head.suite,
        suite_file=head.suite_file,
        scope=head.scope,
        started_at=head.started_at,
        decided_at=head.decided_at,
        as_of=head.as_of,
        provenance=head.provenance,
        policy=head.policy,
        notes=(*head.notes, *decided.notes, *_notes_on(facts)),
        counts=facts.counts,
        gate_counts=facts.gate_counts,
        gates=decided.gates,
        slices=decided.slices,
        stages=facts.stages,
        pipeline_versions=facts.pipeline_versions,
        summary=summary(facts),
        release_report=report,
        decision=decided.decision,
        suite_size=head.suite_size,
        in_scope=head.in_scope,
        origin=head.origin,
        baseline=head.baseline,
        cancelled=head.cancelled,
        self_test=head.self_test,
        case_filter=head.case_filter,
    )
    return Reporting(run=run, listed=facts.listed, comparison=comparison)


def texts_of(reporting: Reporting) -> Mapping[str, str]:
    """The texts of a run directory by file name."""
    texts = {"comment.md": render_comment(reporting), "summary.md": render_summary(reporting)}
    if reporting.comparison is not None:
        texts["comparison.json"] = reporting.comparison.model_dump_json(indent=2) + "\n"
    return texts


def recount(run: Run, rows: Iterable[CaseRun], *, baseline: BaselineIndex | None) -> Reporting:
    """Count and decide a stored run again, as it was decided then, against this baseline.

    Same rows, same baseline, same bytes: the day of the decision is the stored one.
    """
    decided_on = parse_moment(run.decided_at).date()
    count = Count(run.policy, decided_on=decided_on, baseline=baseline)
    for row in rows:
        count.add(row)
    facts, comparison = count.counted(run.suite_cases)
    decided = decide(facts, policy=run.policy, comparison=comparison, self_test=run.self_test)
    if run.cancelled:
        decided = _cancelled(decided, facts, in_scope=run.in_scope)
    again = run.model_copy(update={"gates": decided.gates, "slices": decided.slices, "decision": decided.decision})
    return Reporting(run=again, listed=facts.listed, comparison=comparison)


def _cancelled(decided: Decided, facts: Facts, *, in_scope: int) -> Decided:
    """What follows when a run was stopped: the cases that are missing might have decided otherwise, so nothing does."""
    decision = decided.decision
    finished = facts.counts.cases + facts.counts.known_bad
    why = f"cancelled: {finished} of {in_scope} cases had finished"
    # What released a part says nothing of the whole; what would have blocked it is worth reading.
    found = () if decision.verdict == "release" else decision.reasons
    stopped = decision.model_copy(update={"verdict": "inconclusive", "reasons": (why, *found)})
    return decided._replace(decision=stopped)


def _notes_on(facts: Facts) -> tuple[str, ...]:
    if "citation_support" not in facts.gate_counts and facts.counts.answered_by_target:
        return ("No answer cited anything and the suite does not declare citations: citation support was not checked.",)
    return ()
