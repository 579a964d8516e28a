"""What was counted over a run: everything a decision is taken from, and nothing that grows with the run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import date
from typing import NamedTuple

from raggate_action.schema.case_run import CaseRun, Hallucination
from raggate_action.schema.change import Change
from raggate_action.schema.counts import Counts, GateCounts, PipelineVersion, ShownSources, StageCount
from raggate_action.schema.decision import Cause, Measured
from raggate_action.schema.later import JudgingCounts, NamedCase, Waiver
from raggate_action.schema.listed_cases import Listed
from raggate_action.schema.outcome import Failed, GateName, Outcome, Problem, Unmeasured
from raggate_action.schema.summary import Summary
from raggate_action.strings.visible_text import cut

# Offenders named beside a gate, a stage or a reason.
NAMED_AT_MOST = 3
# Characters of a problem beside its case.
PROBLEM_LENGTH = 200


def shortened(problem: Problem) -> Problem:
    """A problem as it stands beside its case."""
    if len(problem.detail) <= PROBLEM_LENGTH:
        return problem
    return Problem(code=problem.code, detail=cut(problem.detail, PROBLEM_LENGTH))


def first_problem(outcome: Outcome | None) -> Problem | None:
    """The first thing that a gate finds, or why it could not be measured; None of one that has neither."""
    if isinstance(outcome, Failed):
        return shortened(outcome.problems[0])
    return (
        shortened(Problem(code=f"unmeasured-{outcome.reason}", detail=outcome.detail))
        if isinstance(outcome, Unmeasured)
        else None
    )


def hallucination_problem(found: Hallucination) -> Problem:
    """A falsehood as a problem: its kind and its words."""
    return Problem(code=found.kind, detail=cut(found.text, PROBLEM_LENGTH))


class AnswersAlone(NamedTuple):
    """Answers that are poor by themselves; counted in a run without a baseline alone.

    Attributes:
        measured: How many there are.
        waived: Cases that somebody answers for.
        named: The first of every answer that several cases have, then the heaviest that are cut.
    """

    measured: Measured
    waived: int
    named: tuple[Change, ...]


class Facts(NamedTuple):
    """A run, counted.

    Attributes:
        decided_on: The day waivers were judged on.
        counts: Cases, once each.
        asked_of_target: Ordinary cases that needed the target.
        ran: Ordinary cases with a trace or an error of the target; what was cut or has no trace was not run, and a
            flaky one is on neither side of a bar.
        gate_counts: Per gate on cases; only gates that at least one case asked.
        offenders: The heaviest cases that failed each; where it scored none, those it could not measure.
        slices: Their cases by how they stand, by name; waived ones are in no slice.
        stages: First failed stages, most cases first, then in order of diagnosis.
        pipeline_versions: By key, then most cases first.
        summary: Scores, latency, cost, tools, failing cases.
        flagged: The heaviest cases with a must_not_contain hit.
        named: The cases that gates on the run name without a baseline and that none of their own fails.
        must_release: The must-release cases by how they stand.
        unreleased: The heaviest of them that failed.
        listed: Rows shown by name.
        source_rows: Must-release cases, else the first ordinary ones, in suite order, at most 20.
        idle_waivers: Waivers past their date of which nothing fails in this run.
        mended_waivers: Waivers that hold although what they cover does not fail any more.
        unverified: The heaviest answered cases that are not verified.
        strange_ids: The store knows no id of any trace; None where it knows one, or where one trace alone names any.
        judging: What judging the cases run came to; None where nobody was asked.
        sources: Where the chunks come from that its cases showed; None where no id tells.
        faults: Cases that a fault of raggate kept from being judged, and those of them that are in a protected slice.
        alone: Answers that are poor by themselves.
        is_partial: Cases of the suite were left out.
        silent_before: The baseline had no answer to the cases run either, and the rest of the suite has some.
    """

    decided_on: date
    counts: Counts
    asked_of_target: int
    ran: int
    gate_counts: dict[GateName, GateCounts]
    offenders: dict[GateName, tuple[Change, ...]]
    slices: Mapping[str, Counter[str]]
    stages: tuple[StageCount, ...]
    pipeline_versions: tuple[PipelineVersion, ...]
    summary: Summary
    flagged: tuple[Change, ...]
    named: tuple[NamedCase, ...]
    must_release: Counter[str]
    unreleased: tuple[Change, ...]
    listed: Listed
    source_rows: tuple[CaseRun, ...]
    idle_waivers: tuple[Waiver, ...]
    mended_waivers: tuple[Waiver, ...]
    unverified: tuple[Change, ...]
    strange_ids: Cause | None
    judging: JudgingCounts | None
    sources: ShownSources | None
    faults: int
    protected_faults: tuple[str, ...]
    alone: AnswersAlone
    is_partial: bool = False
    silent_before: bool = False

    @property
    def app_is_silent(self) -> bool:
        """Whether the app was asked and answered no case at all."""
        return self.asked_of_target > 0 and not self.counts.answered_by_target and not self.silent_before

    @property
    def has_no_answer(self) -> bool:
        """Whether there is no answer to judge: a silent app, and no case that brings its own trace."""
        return self.app_is_silent and self.counts.cases == self.asked_of_target
