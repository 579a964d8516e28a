"""Rows kept by name while a run is counted: those a reader is shown, those that must not and those that must pass."""

from __future__ import annotations

from operator import attrgetter

from raggate_action.core.counting.judge_only_findings import unblocked_reason
from raggate_action.core.counting.run_totals import NAMED_AT_MOST, PROBLEM_LENGTH, MustRelease, problem_text
from raggate_action.core.counting.top_n import TopN
from raggate_action.core.counting.waivers import HALLUCINATION_GATES, ExpiredWaivers, Standing, Waivers, without_waived
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.decision import FailedCase
from raggate_action.schema.listed_cases import LISTED_AT_MOST, Listed, WaivedFailure
from raggate_action.schema.policy import Gates
from raggate_action.strings.visible_text import cut

SOURCE_TRACES_AT_MOST = 20
_FINDINGS = attrgetter("findings")


def has_issues(row: CaseRun) -> bool:
    """Whether anything was found about the row, whatever its gates say of it."""
    return bool(row.issues) or any(map(_FINDINGS, row.claims))


class KnownBadTally:
    """Known-bad cases: each has to fail first at the stage its author names.

    Attributes:
        cases: How many there are.
        unblocked: Those that do not.
        left_open: Those of which only judges could tell, and none that counts was heard.
        unadjudicated: Of the latter, those that nobody could be asked about.
    """

    def __init__(self, gates: Gates, *, panel_unheard: bool) -> None:
        self.cases = self.unadjudicated = 0
        self.unblocked: TopN[CaseRun] = TopN(LISTED_AT_MOST)
        self.left_open: TopN[CaseRun] = TopN(LISTED_AT_MOST)
        self._gates, self._panel_unheard = gates, panel_unheard

    def add(self, row: CaseRun) -> None:
        """Count one known-bad case."""
        self.cases += 1
        if row.blocked_as_named:
            return
        why = unblocked_reason(row, self._gates, panel_unheard=self._panel_unheard)
        self.unadjudicated += why == "no-adjudicator"
        (self.unblocked if why is None else self.left_open).offer(row.weight, row.position, row)


class MustReleaseTally:
    """Cases that must be released; they are counted as ordinary ones as well.

    Attributes:
        cases, passed: How many there are, and how many of them passed.
        sources: The first of them, in suite order.
    """

    def __init__(self) -> None:
        self.cases = self.passed = self._waived = self._unmeasured = self._flaky = 0
        self._worst: TopN[FailedCase] = TopN(NAMED_AT_MOST)
        self.sources: TopN[CaseRun] = TopN(SOURCE_TRACES_AT_MOST)

    def add(self, row: CaseRun, standing: Standing, waivers: Waivers) -> None:
        """Count one case that must be released."""
        self.cases += 1
        self.passed += standing.state == "passed"
        self._waived += standing.state == "waived"
        self._unmeasured += standing.state == "unmeasured"
        self._flaky += standing.state == "flaky"
        if standing.state == "failed":
            problem = waivers.first_problem(row, standing)
            self._worst.offer(row.weight, row.position, FailedCase(case_id=row.case_id, problem=problem))
        self.sources.offer(0, row.position, row)

    @property
    def facts(self) -> MustRelease:
        """Those that have not passed."""
        return MustRelease(self._waived, self._unmeasured, self._worst.ranked, self._flaky)


class RowLists:
    """The rows shown by name."""

    def __init__(self) -> None:
        self._failing: TopN[CaseRun] = TopN(LISTED_AT_MOST)
        self._unmeasured: TopN[CaseRun] = TopN(LISTED_AT_MOST)
        self._hallucinating: TopN[CaseRun] = TopN(LISTED_AT_MOST)
        self._with_issues: TopN[CaseRun] = TopN(LISTED_AT_MOST)
        self._waived: TopN[WaivedFailure] = TopN(LISTED_AT_MOST)
        self._flaky: TopN[CaseRun] = TopN(LISTED_AT_MOST)
        self._lacking: TopN[CaseRun] = TopN(LISTED_AT_MOST)

    def add_flaky(self, row: CaseRun) -> None:
        """Take in a flaky case."""
        self._flaky.offer(row.weight, row.position, row)

    def add(self, row: CaseRun, standing: Standing) -> None:
        """Take in any other case, wherever it is to be shown."""
        effective = without_waived(row, standing)
        if standing.state == "failed":
            self._failing.offer(row.weight, row.position, effective)
        elif standing.state == "unmeasured":
            self._unmeasured.offer(row.weight, row.position, effective)
        elif has_issues(row):
            self._with_issues.offer(row.weight, row.position, effective)
        if row.lacks:
            self._lacking.offer(row.weight, row.position, row)
        if standing.hallucinations:
            self._hallucinating.offer(row.weight, row.position, effective)
        for gate, waiver in standing.waived.items():
            outcome = row.outcomes[gate]
            if outcome.kind == "failed":
                failure = WaivedFailure(case_id=row.case_id, gate=gate, problem=problem_text(outcome), waiver=waiver)
                self._waived.offer(row.weight, row.position, failure)
        for hallucination, waiver in standing.excused:
            said, gate = cut(hallucination.text, PROBLEM_LENGTH), HALLUCINATION_GATES[hallucination.kind]
            failure = WaivedFailure(case_id=row.case_id, gate=gate, problem=said, waiver=waiver)
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
            lacking=self._lacking.ranked,
        )
