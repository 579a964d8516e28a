"""A run: what was evaluated, what was counted, what was decided. The content of `run.json`."""

from datetime import date
from typing import Annotated, Literal, Self, TypeAlias

from pydantic import Field, model_validator

from raggate_action.schema.base import MomentText, Natural, Record, day_of, see_part
from raggate_action.schema.decision import Decision, RunGate, RunGateStatus, UnmeasuredCount
from raggate_action.schema.origin import BaselineNote, Origin
from raggate_action.schema.outcome import GateName, StageName
from raggate_action.schema.permissions import HeldAgainst, RestrictedChunks
from raggate_action.schema.policy import Gates, Slices, Texts, Waiver
from raggate_action.schema.self_test import SelfTest
from raggate_action.schema.summary import ReleaseNames, ReleaseReport, Summary

# 2: reasons, bars and what was measured are records; a run of version 1 has sentences there, and is not read.
SCHEMA_VERSION = 2


class Policy(Record):
    """The part of the suite a decision is taken by; kept in the run so that it can be taken again.

    Attributes:
        gates, slices, waivers, texts, enforce: As in the suite.
        overruled: What whoever started the run said of enforcing instead of the suite; None where nobody did.
        citations: The suite declares that its answers cite.
    """

    gates: Gates = Gates()
    slices: Slices = Slices()
    waivers: tuple[Waiver, ...] = ()
    texts: Texts = "quotes"
    enforce: bool = True
    overruled: bool | None = None
    citations: bool = False


# How citations count: as each row says; not where an answer gives them of its own accord; or an answer without any
# fails where the baseline's had one.
CitationsCount: TypeAlias = Literal["as-judged", "not-held", "stopped"]


class Citing(Record):
    """Whether the app's answers cite, and what follows for the gate on citations.

    Attributes:
        answers, citing: Answers of this run that could cite, and those that do.
        app_cites: At least half did on the full run: this one, or for a part of the suite the run that its baseline
            tells of.
        baseline_cites: The same of the baseline; None without one.
        counted: How citations count in this run.
        astray: Cases whose citations lead elsewhere and do not count; and the heaviest of them by name.
    """

    answers: Natural = 0
    citing: Natural = 0
    app_cites: bool = False
    baseline_cites: bool | None = None
    counted: CitationsCount = "as-judged"
    astray: Natural = 0
    named: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _is_counted(self) -> Self:
        see_part(self.citing, self.answers)
        return self

    overruled: bool | None = None


class Counts(Record):
    """Cases of a run, counted once each. Known-bad cases stand apart and are in none of the others.

    Attributes:
        cases: Ordinary cases in scope: passed + failed + unmeasured + waived + flaky.
        waived: Failed cases whose every failure is waived; in neither count.
        known_bad, known_bad_blocked: Known-bad cases, and those blocked at the stage they name.
        must_release, must_release_passed: Cases that must be released, and those that passed.
        hallucinating: Cases with a hallucination.
        flagged: Cases with a must_not_contain hit.
        suspect: Cases with a claim that the keyless rules find fault with; no hallucinations.
        answered_by_target: Cases for which the target gave a usable answer.
        flaky: Cases that failed once and passed when asked again; in neither count.
        asked_again: Cases that the app was asked again about, flaky or not.
        unconfirmed: Cases of which the first answer counts though they were to be asked again.
        verified: Passed cases of which every claim is supported by a label, a quotation or a judge, or that declined
            as asked.
        refuted: Passed cases with a hallucination, where the gate that finds it only warns or is off.
        answered: Cases with an answer, or with a decline where one is asked for.
        forbidding: Cases whose answer was searched for phrases that must not be in it.
    """

    cases: Natural = 0
    passed: Natural = 0
    failed: Natural = 0
    unmeasured: Natural = 0
    waived: Natural = 0
    known_bad: Natural = 0
    known_bad_blocked: Natural = 0
    must_release: Natural = 0
    must_release_passed: Natural = 0
    hallucinating: Natural = 0
    flagged: Natural = 0
    suspect: Natural = 0
    answered_by_target: Natural = 0
    flaky: Natural = 0
    asked_again: Natural = 0
    unconfirmed: Natural = 0
    verified: Natural = 0
    refuted: Natural = 0
    answered: Natural = 0
    forbidding: Natural = 0


class GateCounts(Record):
    """One case gate over the run.

    Attributes:
        passed, failed, waived: Cases scored; waived failures are in neither of the first two.
        unmeasured: Cases asked but unmeasured for a reason the budget counts.
        no_adjudicator: Cases that rules alone cannot judge; the budget does not count them.
        hits, total: Sum of the counts inside the cases, for gates that count.
    """

    passed: Natural = 0
    failed: Natural = 0
    waived: Natural = 0
    unmeasured: Natural = 0
    no_adjudicator: Natural = 0
    hits: Natural = 0
    total: Natural = 0


class SliceResult(Record):
    """A slice: cases that share a field's value.

    Attributes:
        name: `field=value`.
        passed, scored: Cases.
        unmeasured: Cases of the slice that could not be scored.
        protected: Judged at any size, must pass whole.
        status: `insufficient` is shown as watch.
        carried: How many of those scored were not run: the baseline's outcome counts.
    """

    name: str
    passed: Natural
    scored: Natural
    unmeasured: Natural = 0
    protected: bool = False
    status: RunGateStatus
    carried: Natural = 0

    @model_validator(mode="after")
    def _is_counted(self) -> Self:
        see_part(self.passed, self.scored)
        return self


class StageCount(Record):
    """How many cases failed first at a stage, and the heaviest of them by name."""

    stage: StageName
    cases: Natural
    repair: str
    named: tuple[str, ...] = ()


class PipelineVersion(Record):
    """A pipeline version key with a value seen in the run, and in how many cases."""

    key: str
    value: str
    cases: Natural


class Provenance(Record):
    """What the run was made from; what must agree before two runs are compared.

    Attributes:
        raggate_version: Version of this tool.
        suite_digest: Digest of the suite file as parsed, environment values not in it.
        cases_digest: Digest over all case digests in suite order.
        evidence_digest: Digest over the store; None without a store.
        target_digest: Digest of the target's section.
        judging_digest: Digest of what cases are judged by: gates, slices, pipeline, and how answers are read.
        git_sha: Commit evaluated, when the environment says.
    """

    raggate_version: str
    suite_digest: str
    cases_digest: str
    evidence_digest: str | None
    target_digest: str
    judging_digest: str = ""
    git_sha: str | None = None


SuiteCase: TypeAlias = tuple[str, str, bool]


# Stands for an address with a user, a password or a query, which no file may hold: a variable of the reader's shell.
WITHHELD_URL = "$TARGET_URL"


class Invocation(Record):
    """What a command line said beside suite and scope, as far as it decides how a case comes out.

    Attributes:
        traces: Recorded traces judged instead of asking the app, as given.
        target_url: Address asked instead of the suite's; `WITHHELD_URL` for one that may not be shown.
        baseline: Run directory compared with, as given; None where it is not there any more.
        directory: Working directory, seen from the run directory; None where that does not lie within it.
        cites: Whether the app cites, as the run of the whole suite found; None finds it out.
    """

    traces: str | None = None
    target_url: str | None = None
    baseline: str | None = None
    directory: str | None = None
    cites: bool | None = None


class _Begun(Record):
    """What a run begins with. The keys stand first in `run.json`: a large file is recognised by its beginning."""

    schema_version: Annotated[int, Field(ge=SCHEMA_VERSION, le=SCHEMA_VERSION)] = SCHEMA_VERSION
    complete: bool = True
    suite: str
    suite_file: str
    scope: str
    started_at: MomentText
    as_of: MomentText
    provenance: Provenance
    policy: Policy
    case_filter: tuple[str, ...] = ()
    restricted: tuple[RestrictedChunks, ...] | None = None
    held_against: HeldAgainst | None = None
    suite_cases: tuple[SuiteCase, ...] = ()


class StartedRun(_Begun):
    """A run that has begun: the content of `run.json` until the run is complete.

    Attributes:
        complete: Never; a finished run is a `Run`.
        suite, suite_file, scope, started_at, as_of, provenance, policy, case_filter, restricted, held_against,
        suite_cases: As in `Run`.
    """

    complete: Literal[False] = False


class RunDescription(_Begun):
    """What a run is before anything is counted: what it began with, and how it came about and ended.

    Attributes:
        schema_version: Version of this format.
        complete: False while rows are still being written, and after a kill.
        suite: Name of the suite.
        suite_file: The suite file as given on the command line; repeats the run from a laptop.
        scope: Which scope ran.
        invocation: What else the command line said.
        started_at, decided_at: Moments, ISO 8601 UTC; the day of the start decides which waivers hold.
        as_of: The moment currency was judged at, unless a case names its own.
        notes: What a reader has to know of how it was made, one sentence each.
        release_names: What the release report names and no row holds.
        suite_size, in_scope: Cases of the suite, and how many of them were to be run.
        origin: The workflow run it was made in; None on a laptop.
        baseline: How its baseline was found; None where nobody looked for one.
        cancelled: It was stopped before its end; what follows is of the cases that had finished.
        self_test: What became of faults put into passing traces; None when it was not run.
        case_filter: Case ids named on the command line, of a run that is never a baseline; empty is the scope.
        restricted: Chunks of the evidence store that not everybody may be shown; None without a store, where there are
            too many to be kept, and in a run of an earlier version.
        held_against: The baseline whose demands its answers were judged by as well; None without one.
        suite_cases: Every case of the suite: id, digest, whether it was in scope.
    """

    decided_at: MomentText
    suite_size: Natural
    in_scope: Natural
    notes: tuple[str, ...] = ()
    release_names: ReleaseNames = ReleaseNames()
    origin: Origin | None = None
    baseline: BaselineNote | None = None
    cancelled: bool = False
    self_test: SelfTest | None = None
    invocation: Invocation = Invocation()

    @property
    def decided_on(self) -> date:
        """The day that decides which waivers hold: the run's first, which no midnight and no resuming changes."""
        return day_of(self.started_at)


class Run(RunDescription):
    """A run as stored: its description, and what follows from its rows.

    The latter stands here for people and programs that read the file. Whoever shows a stored run counts and decides
    again: from the rows and from the description.

    Attributes:
        remarks: What its rows leave open, one sentence each.
        counts, gate_counts, gates, slices, stages, pipeline_versions, citing: What was counted.
        summary, release_report, decision: What follows.
    """

    remarks: tuple[str, ...] = ()
    counts: Counts
    gate_counts: dict[GateName, GateCounts]
    gates: tuple[RunGate, ...]
    slices: tuple[SliceResult, ...]
    stages: tuple[StageCount, ...]
    pipeline_versions: tuple[PipelineVersion, ...]
    summary: Summary
    release_report: ReleaseReport
    decision: Decision
    citing: Citing = Citing()

    @property
    def unmeasured(self) -> int:
        """Cases that went unmeasured, and those taken out of the suite that nobody answers for: both are not known."""
        removed = [gate.measured.removed for gate in self.gates if isinstance(gate.measured, UnmeasuredCount)]
        return self.counts.unmeasured + sum(removed)
