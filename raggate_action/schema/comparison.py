"""Head run against baseline run, as plain facts. The content of `comparison.json`."""

from typing import Literal, TypeAlias

from raggate_action.schema.base import Record
from raggate_action.schema.case_run import Finding, Hallucination
from raggate_action.schema.outcome import StageName
from raggate_action.schema.run import RunGateStatus

HallucinationMove: TypeAlias = Literal["new", "fixed", "persisting"]


class GateDelta(Record):
    """A gate or slice on the baseline, beside the head's."""

    name: str
    passed: int
    scored: int


class Regression(Record):
    """A case that passed on the baseline and fails now.

    Attributes:
        stage: Where it fails first now.
        problem: The first offender.
    """

    case_id: str
    stage: StageName
    problem: str


class StageMove(Record):
    """How many cases moved from one first failed stage to another; None is passing."""

    before: StageName | None
    after: StageName | None
    cases: int


class MovedHallucination(Record):
    """A hallucination with its case and how it moved against the baseline."""

    case_id: str
    name: str | None = None
    move: HallucinationMove
    hallucination: Hallucination


class NewSuspect(Record):
    """A suspect claim that the baseline's answer to the same case did not have; `text` is the claim's."""

    case_id: str
    claim_id: str
    text: str
    finding: Finding


class NewSuspects(Record):
    """Suspects against the baseline, over the cases compared.

    Attributes:
        conflict, absent: Cases with a new conflict; cases whose new suspects are all of what no evidence holds.
        sharp: Cases with a new suspect that is certain or of a kind which right answers hardly ever have.
        protected: Cases with a new suspect in a protected slice.
        persisting: Suspects on both runs, which may be false alarms and decide nothing.
        listed: Each new one, conflicts first; and how many there are.
    """

    conflict: int = 0
    absent: int = 0
    sharp: int = 0
    protected: int = 0
    persisting: int = 0
    listed: tuple[NewSuspect, ...] = ()
    suspects: int = 0


class VersionChange(Record):
    """A pipeline version that differs: every value seen on either run."""

    key: str
    before: tuple[str, ...]
    after: tuple[str, ...]


class BaselineAmounts(Record):
    """The baseline's summary beside the head's."""

    mean_score: float | None
    p95_latency_ms: float | None
    hallucination_rate: float
    cost_usd: float | None


class NotListed(Record):
    """How many more each list of a comparison would name; 0 where it is whole."""

    changed: int = 0
    added: int = 0
    removed: int = 0
    newly_inadmissible: int = 0
    newly_unanswered: int = 0
    new_phrases: int = 0


class Comparison(Record):
    """What moved between two runs of one suite. Lists are cut to the worst 200; the counts are whole.

    Attributes:
        baseline_decided_at, baseline_git_sha, baseline_verdict: Which run it was.
        compared: Cases on both runs with the same digest.
        changed, added, removed, not_run: Case ids: digest differs; new; gone from the suite's files
            (a change of scope is no removal); on the baseline but not run now.
        gates, slices: The baseline's counts by name, over its own cases.
        statuses: How each gate and each slice stood on the baseline, by name.
        regressions, regressed: Passed then, fails now; and how many.
        fixed, now_fixed: Failed then, passes now; and how many.
        newly_inadmissible, newly_unanswered: Case ids behind two of the hard rules.
        moves: First failed stage then and now, where they differ.
        hallucinations: New, fixed, persisting, in this order; with their whole counts beside.
        new_phrases: Case ids with a must_not_contain hit the baseline did not have.
        new_suspects: What the keyless rules find that they did not find on the baseline.
        not_listed: What was cut from the lists that have no count beside them.
        versions: Pipeline versions that differ.
        baseline: Amounts of the baseline.
    """

    baseline_decided_at: str
    baseline_git_sha: str | None = None
    baseline_verdict: str
    compared: int
    changed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    not_run: int = 0
    gates: tuple[GateDelta, ...] = ()
    slices: tuple[GateDelta, ...] = ()
    statuses: dict[str, RunGateStatus] = {}
    regressions: tuple[Regression, ...] = ()
    regressed: int = 0
    fixed: tuple[str, ...] = ()
    now_fixed: int = 0
    newly_inadmissible: tuple[str, ...] = ()
    newly_unanswered: tuple[str, ...] = ()
    moves: tuple[StageMove, ...] = ()
    hallucinations: tuple[MovedHallucination, ...] = ()
    new_hallucinations: int = 0
    fixed_hallucinations: int = 0
    persisting_hallucinations: int = 0
    new_phrases: tuple[str, ...] = ()
    new_suspects: NewSuspects = NewSuspects()
    not_listed: NotListed = NotListed()
    versions: tuple[VersionChange, ...] = ()
    baseline: BaselineAmounts
