"""Counting a run while its rows stream by, in any order."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import date
from operator import attrgetter
from typing import Any

from raggate_action.core.counting.alone_tally import AloneTally
from raggate_action.core.counting.case_state import NamedCases, is_answered, known_as, open_claim
from raggate_action.core.counting.chunk_sources import IDS_AT_MOST, sources_shown
from raggate_action.core.counting.gate_tally import GateTally
from raggate_action.core.counting.judge_only_findings import unblocked_reason
from raggate_action.core.counting.run_totals import (
    NAMED_AT_MOST,
    Facts,
    first_problem,
    hallucination_problem,
)
from raggate_action.core.counting.summary_amounts import AmountTally, IdTally, JudgingTally
from raggate_action.core.counting.top_n import TopN
from raggate_action.core.counting.waivers import (
    HALLUCINATION_GATES,
    Standing,
    Waivers,
    WaiverUse,
    without_waived,
)
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.change import Change
from raggate_action.schema.counts import Counts, PipelineVersion, StageCount
from raggate_action.schema.listed_cases import LISTED_AT_MOST, Listed
from raggate_action.schema.outcome import GATES, Problem, StageName
from raggate_action.schema.run import Policy

FAILING_AT_MOST = 1000
STAGE_NAMED_AT_MOST = 10
# Apps that report a version per request would otherwise fill run.json with them.
VERSIONS_PER_KEY_AT_MOST = 20
SOURCE_TRACES_AT_MOST = 20
_CITATIONS, _FINDINGS = attrgetter("citations"), attrgetter("findings")


def has_issues(row: CaseRun) -> bool:
    """Whether anything was found about the row, whatever its gates say of it."""
    return bool(row.issues) or any(map(_FINDINGS, row.claims))


class Tally:
    """Counts a run's rows. Keeps numbers, and the rows that reports name; no result depends on the order of rows."""

    def __init__(self, policy: Policy, *, decided_on: date, panel_advises: bool = False) -> None:
        """Start from nothing.

        Args:
            policy: What the run is judged by.
            decided_on: The day that decides which waivers hold.
            panel_advises: See `Panel.only_advises`.
        """
        self._policy, self._decided_on, self._panel_advises = policy, decided_on, panel_advises
        self._waivers = Waivers(policy, decided_on=decided_on)
        self._waiver_use = WaiverUse(self._waivers, policy)
        # By the names that `Counts` and `Listed` have for them.
        self._counts: Counter[str] = Counter()
        self._lists: defaultdict[str, TopN[Any]] = defaultdict(lambda: TopN(LISTED_AT_MOST))
        self._gates = GateTally()
        self._amounts = AmountTally()
        self._slices: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._versions: Counter[tuple[str, str]] = Counter()
        self._stages: defaultdict[StageName, TopN[str]] = defaultdict(lambda: TopN(STAGE_NAMED_AT_MOST))
        self._failing: TopN[str] = TopN(FAILING_AT_MOST)
        self._flagged: TopN[Change] = TopN(NAMED_AT_MOST)
        self._must_release: Counter[str] = Counter()
        self._unreleased: TopN[Change] = TopN(NAMED_AT_MOST)
        self._sources: TopN[CaseRun] = TopN(SOURCE_TRACES_AT_MOST)
        self._must_release_sources: TopN[CaseRun] = TopN(SOURCE_TRACES_AT_MOST)
        self._protected = policy.slices.protected_names
        self._protected_faults: TopN[str] = TopN(LISTED_AT_MOST)
        self._rules_tell = policy.gates.new_suspects.level != "off"
        self._named = NamedCases(rules_tell=self._rules_tell)
        self._unverified: TopN[CaseRun] = TopN(NAMED_AT_MOST)
        self._ids = IdTally()
        self._chunk_ids: set[str] = set()
        self._judging = JudgingTally()
        self._alone = AloneTally(self._waivers.poorer)
        self._asked = self._ran = self._faults = 0

    def add(self, row: CaseRun) -> None:
        """Count one case. A known-bad case counts among its kind alone, and for what judging it came to."""
        if row.judges or row.asks or row.answer_votes:
            self._judging.add(row)
        if row.kind == "known_bad":
            self._add_known_bad(row)
            return
        if row.alone is not None:
            self._alone.add(row)
        counts, standing = self._counts, self._waivers.standing(row)
        counts["cases"] += 1
        counts[standing.state] += 1
        counts["asked_again"] += bool(row.asks)
        counts["unconfirmed"] += row.unconfirmed
        counts["unanswerable"] += row.expect == "abstain"
        counts["citing"] += any(map(_CITATIONS, row.claims))
        self._ids.add(row)
        if len(self._chunk_ids) < IDS_AT_MOST:
            self._chunk_ids.update(row.context)
        if self._was_run(row):
            self._ran += standing.state != "flaky"
            self._amounts.add(row)
        if row.versions:
            self._versions.update(set(row.versions))
        if standing.state == "flaky":
            self._lists["flaky"].offer(row.weight, row.position, row)
            self._gates.add_flaky(row)
        else:
            self._add_to_bars(row, standing)
        if standing.state != "waived":
            for name in row.slices:
                self._slices[name][standing.state] += 1
        if row.kind == "must_release":
            self._must_release[standing.state] += 1
            self._must_release_sources.offer(0, row.position, row)
            if standing.state == "failed":
                _gate, problem = self._waivers.first_failure(row, standing)
                failed = Change(case_id=row.case_id, gate="must_release", problem=problem)
                self._unreleased.offer(row.weight, row.position, failed)
        self._sources.offer(0, row.position, row)

    def _add_known_bad(self, row: CaseRun) -> None:
        """It has to fail first at the stage its author names."""
        why = unblocked_reason(row, self._policy.gates, panel_advises=self._panel_advises)
        if why == "trace":
            self._counts["known_bad_to_renew"] += 1
            return
        self._counts["known_bad"] += 1
        if row.blocked_as_named:
            self._counts["known_bad_blocked"] += 1
        elif why is None:
            self._lists["unblocked"].offer(row.weight, row.position, row)
        else:
            self._counts["known_bad_no_adjudicator" if why == "no-adjudicator" else "known_bad_unmeasured"] += 1
            self._lists["left_to_judges"].offer(row.weight, row.position, row)

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
        self._counts["answered_by_target"] += target.kind == "passed"
        return target.kind != "unmeasured"

    def _add_to_bars(self, row: CaseRun, standing: Standing) -> None:
        """Everything that is held against a bar, or named."""
        if self._policy.waivers:
            self._waiver_use.add(row)
        self._gates.add(row, standing)
        self._counts["forbidding"] += row.forbids
        if is_answered(row):
            self._counts["answered"] += 1
            known = known_as(row, standing, rules_tell=self._rules_tell)
            if known is not None:
                self._counts[known] += 1
            if known != "verified":
                self._unverified.offer(row.weight, row.position, row)
        hits = standing.hallucinations or standing.flagged or standing.waived or standing.excused
        if standing.state != "passed" or hits or row.lacks or has_issues(row):
            self._add_exception(row, standing)

    def _add_exception(self, row: CaseRun, standing: Standing) -> None:
        """What reports name, in every list that it belongs to."""
        effective = without_waived(row, standing)
        if standing.state == "failed":
            self._lists["failing"].offer(row.weight, row.position, effective)
            self._failing.offer(row.weight, row.position, row.case_id)
            if standing.stage is not None:
                self._stages[standing.stage].offer(row.weight, row.position, row.case_id)
        elif standing.state == "unmeasured":
            self._lists["unmeasured"].offer(row.weight, row.position, effective)
        elif has_issues(row):
            self._lists["with_issues"].offer(row.weight, row.position, effective)
        if standing.flagged:
            self._counts["flagged"] += 1
            phrases = [hallucination_problem(each) for each in standing.hallucinations if each.kind == "phrase"]
            flagged = Change(case_id=row.case_id, gate="forbidden_phrases", problem=next(iter(phrases), None))
            self._flagged.offer(row.weight, row.position, flagged)
        if standing.hallucinations:
            self._counts["hallucinating"] += 1
            self._lists["hallucinating"].offer(row.weight, row.position, effective)
            self._named.see(row, standing)
            self._named.name("hallucination_rate")
            if standing.flagged:
                self._named.name("forbidden_phrases")
        waived = [
            (gate, first_problem(row.outcomes[gate]), waiver)
            for gate, waiver in standing.waived.items()
            if row.outcomes[gate].kind == "failed"
        ]
        waived += [(HALLUCINATION_GATES[h.kind], hallucination_problem(h), waiver) for h, waiver in standing.excused]
        for gate, problem, waiver in waived:
            from raggate_action.schema.waived import WaivedFailure

            failure = WaivedFailure(case_id=row.case_id, gate=gate, problem=problem, waiver=waiver)
            self._lists["waived"].offer(row.weight, row.position, failure)

    def facts(self) -> Facts:
        """What has been counted so far."""
        must_release = self._must_release
        counts = Counts(**self._counts, must_release=must_release.total(), must_release_passed=must_release["passed"])
        order = list(GATES.values())
        stages = sorted(self._stages.items(), key=lambda item: (-item[1].offered, order.index(item[0])))
        open_claims = [(row.case_id, open_claim(row)) for row in self._unverified.ranked]
        return Facts(
            decided_on=self._decided_on,
            counts=counts,
            asked_of_target=self._asked,
            ran=self._ran,
            gate_counts=self._gates.counts,
            offenders=self._gates.offenders,
            slices={name: Counter(each) for name, each in sorted(self._slices.items()) if each.total() > each["flaky"]},
            stages=tuple([StageCount(stage=stage, cases=named.offered, named=named.ranked) for stage, named in stages]),
            pipeline_versions=tuple(self._pipeline_versions()),
            summary=self._amounts.summary(counts, ran=self._ran, failing=self._failing.ranked),
            flagged=self._flagged.ranked,
            named=self._named.result,
            must_release=Counter(must_release),
            unreleased=self._unreleased.ranked,
            listed=Listed(
                **{name: found.ranked for name, found in self._lists.items()},
                expired=self._waiver_use.missed[:LISTED_AT_MOST],
                advised=self._judging.advice.listed.ranked,
            ),
            source_rows=self._must_release_sources.ranked or self._sources.ranked,
            idle_waivers=self._waiver_use.idle[:LISTED_AT_MOST],
            mended_waivers=self._waiver_use.mended[:LISTED_AT_MOST],
            unverified=tuple(
                [
                    Change(
                        case_id=case_id,
                        gate="verified",
                        problem=Problem(code="unverified-claim", detail=claim) if claim else None,
                    )
                    for case_id, claim in open_claims
                ]
            ),
            strange_ids=self._ids.strange,
            sources=sources_shown(self._chunk_ids),
            judging=self._judging.counts,
            faults=self._faults,
            protected_faults=self._protected_faults.ranked,
            alone=self._alone.result(counts.cases),
        )

    def _pipeline_versions(self) -> Iterator[PipelineVersion]:
        of_key: Counter[str] = Counter()
        for (key, value), cases in sorted(self._versions.items(), key=lambda item: (item[0][0], -item[1], item[0][1])):
            of_key[key] += 1
            if of_key[key] <= VERSIONS_PER_KEY_AT_MOST:
                yield PipelineVersion(key=key, value=value, cases=cases)
