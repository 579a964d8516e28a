"""Counting a run while its rows stream by, in any order."""

from __future__ import annotations

from collections import Counter
from datetime import date
from operator import attrgetter

from raggate_action.core.counting.alone_tally import AloneTally
from raggate_action.core.counting.case_state import Knowledge, NamedCases
from raggate_action.core.counting.chunk_sources import IDS_AT_MOST, sources_shown
from raggate_action.core.counting.gate_tally import GateTally
from raggate_action.core.counting.judge_only_findings import unblocked_reason
from raggate_action.core.counting.run_totals import (
    NAMED_AT_MOST,
    Facts,
    MustRelease,
    SliceTally,
    SourceTrace,
    first_problem,
    hallucination_problem,
)
from raggate_action.core.counting.summary_amounts import AmountTally, IdTally, JudgingTally
from raggate_action.core.counting.top_n import TopN
from raggate_action.core.counting.waivers import (
    HALLUCINATION_GATES,
    ExpiredWaivers,
    MendedWaivers,
    Standing,
    StandingState,
    Waivers,
    without_waived,
)
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.change import Change
from raggate_action.schema.counts import Counts, PipelineVersion, StageCount
from raggate_action.schema.listed_cases import LISTED_AT_MOST, Listed, WaivedFailure
from raggate_action.schema.outcome import GATES, StageName, UnmeasuredReason
from raggate_action.schema.policy import Gates
from raggate_action.schema.run import Policy

FAILING_AT_MOST = 1000
STAGE_NAMED_AT_MOST = 10
# Apps that report a version per request would otherwise fill run.json with them.
VERSIONS_PER_KEY_AT_MOST = 20


class Tally:
    """Counts a run's rows. Keeps numbers, and the rows that reports name; no result depends on the order of rows."""

    def __init__(self, policy: Policy, *, decided_on: date, panel_advises: bool = False) -> None:
        """Start from nothing.

        Args:
            policy: What the run is judged by.
            decided_on: The day that decides which waivers hold.
            panel_advises: See `Panel.only_advises`.
        """
        self._waivers = Waivers(policy, decided_on=decided_on)
        self._expired = ExpiredWaivers(self._waivers.expired)
        self._mended = MendedWaivers(policy, decided_on=decided_on)
        self._has_waivers = bool(policy.waivers)
        self._decided_on = decided_on
        self._states: Counter[StandingState] = Counter()
        self._gates = GateTally()
        self._amounts = AmountTally()
        self._slices: dict[str, list[int]] = {}
        self._versions: Counter[tuple[str, str]] = Counter()
        self._stages: dict[StageName, TopN[str]] = {}
        self._failing: TopN[str] = TopN(FAILING_AT_MOST)
        self._flagged: TopN[Change] = TopN(NAMED_AT_MOST)
        self._lists = RowLists()
        self._must_release = MustReleaseTally()
        self._known_bad = KnownBadTally(policy.gates, panel_advises=panel_advises)
        self._sources: TopN[CaseRun] = TopN(SOURCE_TRACES_AT_MOST)
        self._protected = policy.slices.protected_names
        self._faults = 0
        self._protected_faults: TopN[str] = TopN(LISTED_AT_MOST)
        rules_tell = policy.gates.new_suspects.level != "off"
        self._known, self._named = Knowledge(rules_tell=rules_tell), NamedCases(rules_tell=rules_tell)
        self._ids = IdTally()
        self._chunk_ids: set[str] = set()
        self._judging = JudgingTally()
        self._alone = AloneTally(self._waivers.poorer)
        self._asked = self._answered = self._ran = self._hallucinating = 0
        self._asked_again = self._unconfirmed = self._unanswerable = self._citing = 0

    def add(self, row: CaseRun) -> None:
        """Count one case. A known-bad case counts among its kind alone, and for what judging it came to."""
        if row.judges or row.asks or row.answer_votes:
            self._judging.add(row)
        if row.kind == "known_bad":
            self._known_bad.add(row)
            return
        if row.alone is not None:
            self._alone.add(row)
        standing = self._waivers.standing(row)
        self._states[standing.state] += 1
        self._asked_again += bool(row.asks)
        self._unconfirmed += row.unconfirmed
        self._unanswerable += row.expect == "abstain"
        self._citing += any(map(_CITATIONS, row.claims))
        self._ids.add(row)
        if len(self._chunk_ids) < IDS_AT_MOST:
            self._chunk_ids.update(row.context)
        if self._was_run(row):
            self._ran += standing.state != "flaky"
            self._amounts.add(row)
        if row.versions:
            self._versions.update(set(row.versions))
        if standing.state == "flaky":
            self._lists.add_flaky(row)
            self._gates.add_flaky(row)
            self._add_to_slices(row, standing)
        else:
            self._add_to_bars(row, standing)
        if row.kind == "must_release":
            self._must_release.add(row, standing, self._waivers)
        self._sources.offer(0, row.position, row)

    def _add_to_bars(self, row: CaseRun, standing: Standing) -> None:
        """Everything that is held against a bar, or named."""
        if self._has_waivers:
            self._expired.see(row)
            self._mended.see(row)
        self._gates.add(row, standing)
        self._known.add(row, standing)
        if row.slices and standing.state != "waived":
            self._add_to_slices(row, standing)
        hits = standing.hallucinations or standing.flagged or standing.waived or standing.excused
        if standing.state != "passed" or hits or row.lacks or has_issues(row):
            self._add_exception(row, standing)

    def _was_run(self, row: CaseRun) -> bool:
        target = row.outcomes.get("target")
        if target is None or target.kind == "not_applicable":
            return True
        if target.kind == "unmeasured" and target.reason == "fault":
            # The app may well have answered.
            self._faults += 1
            if not self._protected.isdisjoint(row.slices):
                self._protected_faults.offer(row.weight, row.position, row.case_id)
            return False
        self._asked += 1
        self._answered += target.kind == "passed"
        return target.kind != "unmeasured"

    def _add_to_slices(self, row: CaseRun, standing: Standing) -> None:
        column = _SLICE_COLUMNS[standing.state]
        for name in row.slices:
            columns = self._slices.get(name)
            if columns is None:
                columns = self._slices[name] = [0, 0, 0, 0]
            columns[column] += 1

    def _add_exception(self, row: CaseRun, standing: Standing) -> None:
        if standing.state == "failed":
            self._failing.offer(row.weight, row.position, row.case_id)
            if standing.stage is not None:
                named = self._stages.setdefault(standing.stage, TopN(STAGE_NAMED_AT_MOST))
                named.offer(row.weight, row.position, row.case_id)
        if standing.flagged:
            phrases = [hallucination_problem(each) for each in standing.hallucinations if each.kind == "phrase"]
            flagged = Change(case_id=row.case_id, gate="forbidden_phrases", problem=next(iter(phrases), None))
            self._flagged.offer(row.weight, row.position, flagged)
        if standing.hallucinations:
            self._hallucinating += 1
            self._named.see(row, standing)
            self._named.name("hallucination_rate")
            if standing.flagged:
                self._named.name("forbidden_phrases")
        self._lists.add(row, standing)

    def facts(self) -> Facts:
        """What has been counted so far."""
        must_release = self._must_release
        return Facts(
            decided_on=self._decided_on,
            counts=self._counts(),
            asked_of_target=self._asked,
            ran=self._ran,
            gate_counts=self._gates.counts,
            offenders=self._gates.offenders,
            slices=tuple([SliceTally(name, *each) for name, each in sorted(self._slices.items()) if any(each[:3])]),
            stages=self._stage_counts(),
            pipeline_versions=self._pipeline_versions(),
            amounts=self._amounts.amounts,
            failing=self._failing.ranked,
            flagged=self._flagged.ranked,
            named=self._named.result,
            must_release=must_release.facts,
            listed=self._lists.listed(self._known_bad, self._expired)._replace(
                advised=self._judging.advice.listed.ranked
            ),
            source_traces=tuple(
                [
                    SourceTrace(row.case_id, row.position, row.context_versions)
                    for row in must_release.sources.ranked or self._sources.ranked
                ]
            ),
            idle_waivers=self._expired.idle[:LISTED_AT_MOST],
            mended_waivers=self._mended.mended[:LISTED_AT_MOST],
            unverified=self._known.unverified,
            strange_ids=self._ids.strange,
            sources=sources_shown(self._chunk_ids),
            judging=self._judging.counts,
            faults=self._faults,
            protected_faults=self._protected_faults.ranked,
            alone=self._alone.result(),
        )

    def _counts(self) -> Counts:
        states, known_bad, reasons = self._states, self._known_bad, self._known_bad.reasons
        return Counts(
            cases=sum(states.values()),
            passed=states["passed"],
            failed=states["failed"],
            unmeasured=states["unmeasured"],
            waived=states["waived"],
            known_bad=reasons.total() - reasons["trace"],
            known_bad_blocked=reasons[None] - known_bad.unblocked.offered,
            known_bad_unmeasured=known_bad.left_open.offered - reasons["no-adjudicator"],
            known_bad_no_adjudicator=reasons["no-adjudicator"],
            known_bad_to_renew=reasons["trace"],
            must_release=self._must_release.cases,
            must_release_passed=self._must_release.passed,
            hallucinating=self._hallucinating,
            flagged=self._flagged.offered,
            to_look_at=self._known.counts["to_look_at"],
            answered_by_target=self._answered,
            flaky=states["flaky"],
            asked_again=self._asked_again,
            unconfirmed=self._unconfirmed,
            verified=self._known.counts["verified"],
            refuted=self._known.counts["refuted"],
            answered=self._known.answered,
            forbidding=self._known.forbidding,
            citing=self._citing,
            unanswerable=self._unanswerable,
        )

    def _stage_counts(self) -> tuple[StageCount, ...]:
        repairs = {place.stage: place.repair for place in GATES.values()}
        order = list(repairs)
        found = sorted(self._stages.items(), key=lambda item: (-item[1].offered, order.index(item[0])))
        return tuple(
            [
                StageCount(stage=stage, cases=named.offered, repair=repairs[stage], named=named.ranked)
                for stage, named in found
            ]
        )

    def _pipeline_versions(self) -> tuple[PipelineVersion, ...]:
        by_key: dict[str, list[tuple[int, str]]] = {}
        for (key, value), cases in self._versions.items():
            by_key.setdefault(key, []).append((-cases, value))
        return tuple(
            [
                PipelineVersion(key=key, value=value, cases=-less)
                for key, values in sorted(by_key.items())
                for less, value in sorted(values)[:VERSIONS_PER_KEY_AT_MOST]
            ]
        )


_SLICE_COLUMNS: dict[StandingState, int] = {"passed": 0, "failed": 1, "unmeasured": 2, "flaky": 3}


SOURCE_TRACES_AT_MOST = 20
_CITATIONS, _FINDINGS = attrgetter("citations"), attrgetter("findings")


def has_issues(row: CaseRun) -> bool:
    """Whether anything was found about the row, whatever its gates say of it."""
    return bool(row.issues) or any(map(_FINDINGS, row.claims))


class KnownBadTally:
    """Known-bad cases: each has to fail first at the stage its author names.

    Attributes:
        reasons: How many there are of each reason that leaves open whether it does; None for those that are decided.
        unblocked: Those that do not.
        left_open: Those of which only judges could tell, and none that counts was heard.
    """

    def __init__(self, gates: Gates, *, panel_advises: bool) -> None:
        self.reasons: Counter[UnmeasuredReason | None] = Counter()
        self.unblocked: TopN[CaseRun] = TopN(LISTED_AT_MOST)
        self.left_open: TopN[CaseRun] = TopN(LISTED_AT_MOST)
        self._gates, self._panel_advises = gates, panel_advises

    def add(self, row: CaseRun) -> None:
        """Count one known-bad case."""
        why = unblocked_reason(row, self._gates, panel_advises=self._panel_advises)
        self.reasons[why] += 1
        if why != "trace" and not row.blocked_as_named:
            (self.unblocked if why is None else self.left_open).offer(row.weight, row.position, row)


class MustReleaseTally:
    """Cases that must be released; they are counted as ordinary ones as well.

    Attributes:
        cases, passed: How many there are, and how many of them passed.
        sources: The first of them, in suite order.
    """

    def __init__(self) -> None:
        self.cases = self.passed = self._waived = self._unmeasured = self._flaky = 0
        self._worst: TopN[Change] = TopN(NAMED_AT_MOST)
        self.sources: TopN[CaseRun] = TopN(SOURCE_TRACES_AT_MOST)

    def add(self, row: CaseRun, standing: Standing, waivers: Waivers) -> None:
        """Count one case that must be released."""
        self.cases += 1
        self.passed += standing.state == "passed"
        self._waived += standing.state == "waived"
        self._unmeasured += standing.state == "unmeasured"
        self._flaky += standing.state == "flaky"
        if standing.state == "failed":
            _gate, problem = waivers.first_failure(row, standing)
            failed = Change(case_id=row.case_id, gate="must_release", problem=problem)
            self._worst.offer(row.weight, row.position, failed)
        self.sources.offer(0, row.position, row)

    @property
    def facts(self) -> MustRelease:
        """Those that have not passed."""
        return MustRelease(self._waived, self._unmeasured, self._worst.ranked, self._flaky)


class RowLists:
    """The rows that reports name."""

    def __init__(self) -> None:
        self._failing: TopN[CaseRun] = TopN(LISTED_AT_MOST)
        self._unmeasured: TopN[CaseRun] = TopN(LISTED_AT_MOST)
        self._hallucinating: TopN[CaseRun] = TopN(LISTED_AT_MOST)
        self._with_issues: TopN[CaseRun] = TopN(LISTED_AT_MOST)
        self._waived: TopN[WaivedFailure] = TopN(LISTED_AT_MOST)
        self._flaky: TopN[CaseRun] = TopN(LISTED_AT_MOST)

    def add_flaky(self, row: CaseRun) -> None:
        """Take in a flaky case."""
        self._flaky.offer(row.weight, row.position, row)

    def add(self, row: CaseRun, standing: Standing) -> None:
        """Take in any other case, in every list that it belongs to."""
        effective = without_waived(row, standing)
        if standing.state == "failed":
            self._failing.offer(row.weight, row.position, effective)
        elif standing.state == "unmeasured":
            self._unmeasured.offer(row.weight, row.position, effective)
        elif has_issues(row):
            self._with_issues.offer(row.weight, row.position, effective)
        if standing.hallucinations:
            self._hallucinating.offer(row.weight, row.position, effective)
        for gate, waiver in standing.waived.items():
            outcome = row.outcomes[gate]
            if outcome.kind == "failed":
                failure = WaivedFailure(case_id=row.case_id, gate=gate, problem=first_problem(outcome), waiver=waiver)
                self._waived.offer(row.weight, row.position, failure)
        for hallucination, waiver in standing.excused:
            problem, gate = hallucination_problem(hallucination), HALLUCINATION_GATES[hallucination.kind]
            failure = WaivedFailure(case_id=row.case_id, gate=gate, problem=problem, waiver=waiver)
            self._waived.offer(row.weight, row.position, failure)

    def listed(self, known_bad: KnownBadTally, expired: ExpiredWaivers) -> Listed:
        """The heaviest of each list."""
        return Listed(
            failing=self._failing.ranked,
            unmeasured=self._unmeasured.ranked,
            unblocked=known_bad.unblocked.ranked,
            left_to_judges=known_bad.left_open.ranked,
            hallucinating=self._hallucinating.ranked,
            with_issues=self._with_issues.ranked,
            waived=self._waived.ranked,
            expired=expired.missed[:LISTED_AT_MOST],
            flaky=self._flaky.ranked,
        )
