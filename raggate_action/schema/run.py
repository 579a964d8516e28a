"""A run: what was evaluated, what was counted, what was decided. The content of `run.json`."""

from datetime import date
from operator import not_
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from raggate_action.schema.base import MomentText, Natural, Record, day_of
from raggate_action.schema.counts import (
    Counts,
    GateCounts,
    PipelineVersion,
    ShownSources,
    SliceResult,
    StageCount,
)
from raggate_action.schema.decision import Decision, RunGate
from raggate_action.schema.later import BaselineNote, JudgingCounts, Origin, Panel, WaivedFailure, Waiver
from raggate_action.schema.listed_cases import ListName
from raggate_action.schema.outcome import GateName, RunGateName
from raggate_action.schema.policy import Gates, Texts
from raggate_action.schema.slices import Slices
from raggate_action.schema.summary import ReleaseNames, ReleaseReport, Summary

# 5: `run.json` says which files are its own, and `suite.json` is the suite; a run of an earlier version is not read.
SCHEMA_VERSION = 5


class Policy(Record):
    """The part of the suite a decision is taken by; kept in the run so that it can be taken again.

    Attributes:
        gates, slices, waivers, texts, enforce: As in the suite.
        overruled: What whoever started the run said of enforcing instead of the suite; None where nobody did.
        citations: The suite declares that its answers cite.
        no_context: The suite says that the app reports no context: nothing is held against evidence.
        language, citation_markers: As in the suite; None in a run of an earlier version.
        target: The kind of the target that the suite names, whichever was asked; likewise.
        labelled: The suite vouches for labels inside its recorded traces.
    """

    gates: Gates = Gates()
    slices: Slices = Slices()
    waivers: tuple[Waiver, ...] = ()
    texts: Texts = "quotes"
    enforce: bool = True
    overruled: bool | None = None
    citations: bool = False
    no_context: bool = False
    language: str | None = Field(default=None, exclude_if=not_)
    citation_markers: tuple[str, ...] | None = Field(default=None, exclude_if=not_)
    target: str | None = Field(default=None, exclude_if=not_)
    labelled: bool = Field(default=False, exclude_if=not_)


class Provenance(Record):
    """What the run was made from; what must agree before two runs are compared.

    Attributes:
        raggate_version: Version of this tool.
        suite_digest: Digest of the suite file as parsed, environment values not in it.
        cases_digest: Digest over all case digests in suite order.
        evidence_digest: Digest over the store; None without a store.
        target_digest: Digest of the target's section.
        judging_digest: Digest of what cases are judged by: gates, slices, pipeline, and how answers are read.
        git_sha: Commit evaluated: as the workflow says, else the short one of the suite's folder, a `+` behind it where
            tracked files have changed since.
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
    """

    traces: str | None = None
    target_url: str | None = None
    baseline: str | None = None
    directory: str | None = None


class StoredFile(Record):
    """A file beside `run.json` as it was when the run ended.

    Attributes:
        digest: SHA-256 of its bytes, in hex.
        lines: How many lines it has.
    """

    digest: str
    lines: Natural


class _Begun(Record):
    """What a run begins with. The keys stand first in `run.json`: a large file is recognised by its beginning."""

    schema_version: Annotated[int, Field(ge=SCHEMA_VERSION, le=SCHEMA_VERSION)] = SCHEMA_VERSION
    complete: bool = True
    files: dict[str, StoredFile] = Field(default={}, exclude_if=not_)
    suite: str
    suite_file: str
    scope: str
    started_at: MomentText
    as_of: MomentText
    provenance: Provenance
    policy: Policy
    case_filter: tuple[str, ...] = ()
    by_suite: str | None = None
    suite_cases: tuple[SuiteCase, ...] = ()

    @property
    def suite_digest(self) -> str:
        """Digest of its `suite.json`; empty of a run that has not ended."""
        kept = self.files.get("suite.json")
        return kept.digest if kept is not None else ""


class StartedRun(_Begun):
    """A run that has begun: the content of `run.json` until the run is complete.

    Attributes:
        complete: Never; a finished run is a `Run`.
        files: None: they are still being written.
        suite, suite_file, scope, started_at, as_of, provenance, policy, case_filter, by_suite, taken,
        suite_cases: As in `Run`.
    """

    complete: Literal[False] = False
    taken: dict[str, str] = Field(default={}, exclude_if=not_)


class RunDescription(_Begun):
    """What a run is before anything is counted: what it began with, and how it came about and ended.

    Attributes:
        schema_version: Version of this format.
        complete: False while rows are still being written, and after a kill.
        files: The files that are read back, by name; another file of such a name is refused.
        suite: Name of the suite.
        suite_file: The suite file as given on the command line; repeats the run from a laptop. Empty where there was
            none: a program held the suite in memory.
        scope: Which scope ran.
        invocation: What else the command line said.
        taken: Trace field -> where the app's replies have it (JMESPath), chosen by the first three; empty where replies
            are traces or of a known form, or the suite says where.
        started_at, decided_at: Moments, ISO 8601 UTC; the day of the start decides which waivers hold.
        as_of: The moment currency was judged at, unless a case names its own.
        notes: What a reader has to know of how it was made, one sentence each.
        release_names: What the release report names and no row holds.
        suite_size, in_scope: Cases of the suite, and how many of them were to be run.
        origin: The workflow run it was made in; None on a laptop.
        baseline: How its baseline was found; None where nobody looked for one.
        cancelled: It was stopped before its end; what follows is of the cases that had finished.
        case_filter: Case ids named on the command line, of a run that is never a baseline; empty is the scope.
        by_suite: Digest of the `suite.json` of its baseline, by which its answers were evaluated as well where it is
            another than its own; None without one.
        suite_cases: Every case of the suite: id, digest, whether it was in scope.
        panel: The judges it was judged with; None where the suite has none.
    """

    decided_at: MomentText
    suite_size: Natural
    in_scope: Natural
    notes: tuple[str, ...] = ()
    release_names: ReleaseNames = ReleaseNames()
    origin: Origin | None = None
    baseline: BaselineNote | None = None
    cancelled: bool = False
    invocation: Invocation = Invocation()
    taken: dict[str, str] = {}
    panel: Panel | None = Field(default=None, exclude_if=not_)

    @property
    def decided_on(self) -> date:
        """The day that decides which waivers hold: the run's first, which no midnight and no resuming changes."""
        return day_of(self.started_at)

    @property
    def of_fork(self) -> bool:
        """Whether a fork's change was run, or one that was run as if it were; nobody has checked what it says."""
        return self.origin is not None and self.origin.fork


class Run(RunDescription):
    """A run as stored: its description, and what follows from its rows. Whoever shows it counts nothing.

    Attributes:
        remarks: What its rows leave open, one sentence each.
        failed_for: Cases that fail no gate of their own and that gates on the run name which block: these.
        counts, gate_counts, gates, slices, stages, pipeline_versions, sources: What was counted.
        judging: What judging came to, calls about pairs of answers among it; None without a judge.
        summary, release_report, decision: What follows.
        listed: The cases that texts name, by the lists of `Listed`, in their order.
        waived, expired: As in `Listed`.
    """

    remarks: tuple[str, ...] = ()
    counts: Counts
    failed_for: dict[str, tuple[RunGateName, ...]] = Field(default={}, exclude_if=not_)
    gate_counts: dict[GateName, GateCounts]
    gates: tuple[RunGate, ...]
    slices: tuple[SliceResult, ...]
    stages: tuple[StageCount, ...]
    pipeline_versions: tuple[PipelineVersion, ...]
    summary: Summary
    release_report: ReleaseReport
    decision: Decision
    judging: JudgingCounts | None = Field(default=None, exclude_if=not_)
    sources: ShownSources | None = Field(default=None, exclude_if=not_)
    listed: dict[ListName, tuple[str, ...]] = Field(default={}, exclude_if=not_)
    waived: tuple[WaivedFailure, ...] = Field(default=(), exclude_if=not_)
    expired: tuple[Waiver, ...] = Field(default=(), exclude_if=not_)

    @property
    def named_gates(self) -> tuple[RunGate, ...]:
        """The gates for which it was decided so, the most important first."""
        named = [reason for reason in self.decision.reasons if isinstance(reason, str)]
        return tuple(
            sorted([gate for gate in self.gates if gate.gate in named], key=lambda gate: named.index(gate.gate))
        )

    @property
    def judge_names(self) -> tuple[str, ...]:
        """Who was asked: the panel, in order."""
        return tuple([each.name for each in self.panel.members]) if self.panel is not None else ()

    @property
    def unmeasured(self) -> int:
        """Cases that went unmeasured, and those taken out of the suite that nobody answers for: both are not known."""
        removed = [gate.measured.removed for gate in self.gates if gate.measured is not None]
        return self.counts.unmeasured + sum(removed)
