"""Head run against baseline run, as plain facts. The content of `comparison.json`."""

from collections import Counter
from operator import not_
from typing import Literal, Self, TypeAlias

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from raggate_action.schema.base import Amount, MomentText, Natural, Percent, Record, Total, UnitScore, see_part
from raggate_action.schema.change import DEMANDS_ON_AN_ANSWER, Change, ChangeCount, Move
from raggate_action.schema.counts import KnownAs
from raggate_action.schema.decision import DecisionKind, RunGateStatus
from raggate_action.schema.main_answers import PoorerAnswers
from raggate_action.schema.outcome import GATES, RunGateName
from raggate_action.schema.partial_scope import PartialScope
from raggate_action.schema.suite_comparison import SuiteComparison


class NamedCase(Record):
    """A case that gates on the run name and none of its own fails: where one of them blocks, it is counted as failed.

    Attributes:
        state, known_as: The counts that it is in by its own gates.
        gates: The gates on the run.
    """

    case_id: str
    state: Literal["passed", "unmeasured", "waived", "flaky"]
    known_as: KnownAs | None = None
    gates: tuple[RunGateName, ...] = ()


class GateDelta(Record):
    """A gate or slice on the baseline, beside the head's.

    Attributes:
        passed, scored: Cases on the baseline; of two different suites, those of both.
        now_passed, now_scored: The same cases now; None where they are all that the head's gate has.
    """

    name: str
    passed: Natural
    scored: Natural
    now_passed: Natural | None = None
    now_scored: Natural | None = None

    @model_validator(mode="after")
    def _is_counted(self) -> Self:
        see_part(self.passed, self.scored)
        see_part(self.now_passed, self.now_scored)
        return self


class VersionChange(Record):
    """A pipeline version that differs: every value seen on either run."""

    key: str
    before: tuple[str, ...]
    after: tuple[str, ...]


def _is_none(amount: object) -> bool:  # 0 is an amount
    return amount is None


class BaselineAmounts(Record):
    """The baseline's summary beside the head's; of a comparison made before medians were kept, without one."""

    mean_score: UnitScore | None
    p50_latency_ms: Amount | None = Field(default=None, exclude_if=_is_none)
    p95_latency_ms: Amount | None
    hallucination_rate: Percent
    cost_usd: Total | None


class SharedTotals(Record):
    """Sums over the cases compared, exact, from which means and rates of both runs follow.

    Attributes:
        scored: Cases with a score on both runs.
        score_before, score_after: Sums of their scores, in hundredths.
        ran: Cases that were run on both.
        hallucinating_before, hallucinating_after: Those of them with a hallucination that is not waived.
        passed_before, passed_after: Those of them that passed by their own gates, with nothing to look at.
    """

    scored: Natural = 0
    score_before: Natural = 0
    score_after: Natural = 0
    ran: Natural = 0
    hallucinating_before: Natural = 0
    hallucinating_after: Natural = 0
    passed_before: Natural = 0
    passed_after: Natural = 0


class CaseIds(Record):
    """Cases by id: how many, and the first 200 of them."""

    cases: Natural = 0
    named: tuple[str, ...] = ()


class RepeatedSentence(Record):
    """A sentence that several answers say, none of the baseline's says, and no evidence says word for word.

    Attributes:
        answers: How many say it.
        case_id: The first of their cases.
        text: The sentence, cut for display.
    """

    answers: Natural
    case_id: str
    text: str


# Answer or chunks are not at hand as they were; the budget is used up; the judges were lost; the time was over; nobody
# could be asked.
NotJudgedAgain: TypeAlias = Literal["text", "budget", "judge", "cut", "not-asked"]


class LeftCount(Record):
    """How many answers of the baseline were not evaluated again for one reason."""

    why: NotJudgedAgain
    cases: Natural


class EvaluatedAgain(Record):
    """What came of answers of the baseline that were to be evaluated by the suite, judges and rules of this run.

    Attributes:
        version: The version of raggate that had evaluated them.
        compared: Cases whose answer was evaluated again: they compare as any other.
        not_comparable: Cases compared with nothing, since their answer could not be; and how many.
        why: Why not, most first.
    """

    version: str
    compared: Natural = 0
    not_comparable: tuple[str, ...] = ()
    cases: Natural = 0
    why: tuple[LeftCount, ...] = ()


class JudgesLost(Record):
    """What judges or labels measured on the baseline, and neither measures now.

    Attributes:
        cases: Cases of which they measured a blocking gate on the baseline that is open now.
        named: The first of them, heaviest first.
        unheard: Judges whose calls were lost, each with the first reason.
        excused: Why the decision is not left open: a waiver, or a run of a fork or on a laptop without the key.
    """

    cases: Natural
    named: tuple[str, ...] = ()
    unheard: tuple[tuple[str, str], ...] = Field(default=(), exclude_if=not_)
    excused: Literal["waived", "no-key"] | None = None


class NewSources(Record):
    """Chunks from sources that no case of the baseline ever showed.

    Attributes:
        cases: Cases that showed one.
        sources: How many sources.
        named: The first of them, sorted.
        known: Sources of this run that the baseline showed too.
        told: Ids are the same from run to run, as the baseline's own two last runs show, so that it can be told; else
            nothing but `known` and `sources` is said.
    """

    cases: Natural = 0
    sources: Natural = 0
    named: tuple[str, ...] = ()
    known: Natural = 0
    told: bool = False


class GoneSources(Record):
    """Sources whose chunks several cases showed on the baseline and no case shows now.

    Attributes:
        named: The first of them, sorted; and how many there are.
        cases: Cases that showed one of them on the baseline.
    """

    named: tuple[str, ...]
    sources: Natural
    cases: Natural


class SlowerCases(Record):
    """Cases that take three times as long as on the baseline, more of them than chance makes.

    Attributes:
        cases: How many.
        timed: Cases whose time is known on both runs.
        case_id, before_ms, now_ms: The one that lost most time.
    """

    cases: Natural
    timed: Natural
    case_id: str
    before_ms: Amount
    now_ms: Amount


class Comparison(Record):
    """What moved between two runs of one suite: its changes, and how many each gate has.

    Attributes:
        baseline_decided_at, baseline_git_sha, baseline_decision: Which run it was.
        compared: Cases on both runs with the same digest.
        changed, added, removed, not_run: Cases whose digest differs; that are new; that are gone from the suite's files
            (a change of scope is no removal); that are on the baseline but not run now.
        gates, slices: The baseline's counts by name, over the cases of both suites.
        statuses: How each gate and each slice stood on the baseline, by name.
        changes: What changed, the heaviest 200 cases of each gate and move. A gate on cases names those that passed and
            fail now, and those that failed and pass now; a gate on the run what it blocks for; `hallucination_rate`
            each falsehood, under the baseline's key where that has it too; `unmeasured` the cases that the baseline
            measured, and that a fault of raggate kept from being judged now.
        counts: How many changes there are, by gate; whole.
        shared: Scores and hallucinations on both runs, over the cases compared.
        said_by_many: Sentences that several answers say and none of the baseline's did, those of most answers first.
        versions: Pipeline versions that differ.
        baseline: Amounts of the baseline.
        answers: What the baseline's answer was to a case that got worse, or that judges advise on who do not count, cut
            for display, by case id.
        again: Of answers of the baseline that were to be evaluated again; None where its rows stand as they are.
        partial: What a decision on a part of the suite is taken by; None of the whole.
        judges_lost: What judges or labels measured on the baseline and neither measures now; None where nothing is.
        poorer: Answers that are poorer than the baseline's; None where no answer could be held against its.
        named: The cases that gates which compare name and that none of their own fails, all of them, by id.
        policy: How the two suites' demands differ; None where they do not, or the baseline's are not known.
        new_sources: What was shown of sources that the baseline has not; None where ids of either run name no source.
        gone_sources: What no case shows any more; None where nothing is gone, or ids do not tell.
        slower: Cases that take far longer than on the baseline; None where no more of them do than by chance.
    """

    baseline_decided_at: MomentText
    baseline_git_sha: str | None = None
    baseline_decision: DecisionKind
    compared: Natural
    changed: CaseIds = CaseIds()
    added: CaseIds = CaseIds()
    removed: CaseIds = CaseIds()
    not_run: Natural = 0
    gates: tuple[GateDelta, ...] = ()
    slices: tuple[GateDelta, ...] = ()
    statuses: dict[str, RunGateStatus] = {}
    changes: tuple[Change, ...] = ()
    counts: dict[RunGateName, ChangeCount] = {}
    shared: SharedTotals = SharedTotals()
    said_by_many: tuple[RepeatedSentence, ...] = Field(default=(), exclude_if=not_)
    versions: tuple[VersionChange, ...] = ()
    baseline: BaselineAmounts
    answers: dict[str, str] = {}
    again: EvaluatedAgain | None = None
    partial: PartialScope | None = None
    judges_lost: JudgesLost | None = Field(default=None, exclude_if=not_)
    poorer: PoorerAnswers | None = Field(default=None, exclude_if=not_)
    named: tuple[NamedCase, ...] = Field(default=(), exclude_if=not_)
    policy: SuiteComparison | None = None
    new_sources: NewSources | None = Field(default=None, exclude_if=not_)
    gone_sources: GoneSources | None = Field(default=None, exclude_if=not_)
    slower: SlowerCases | None = Field(default=None, exclude_if=not_)

    @model_validator(mode="after")
    def _is_counted(self) -> Self:
        listed = Counter((each.gate, each.move) for each in self.changes if each.counts != "waived")
        shared = self.shared
        parts = (
            *((named, self.of(gate).by(move)) for (gate, move), named in listed.items()),
            *((len(each.named), each.cases) for each in (self.changed, self.added, self.removed)),
            (self.regressed + self.total("fixed") + self.total("unknown"), self.compared),
            (shared.scored, self.compared),
            (shared.ran, self.compared),
            (max(shared.score_before, shared.score_after), 100 * shared.scored),
            (max(shared.hallucinating_before, shared.hallucinating_after), shared.ran),
            (max(shared.passed_before, shared.passed_after), shared.ran),
        )
        if any(part > whole for part, whole in parts):
            raise PydanticCustomError("comparison", "its lists name more than its counts")
        return self

    def of(self, gate: RunGateName) -> ChangeCount:
        """How many changes a gate has."""
        return self.counts.get(gate, _NOTHING)

    def found(self, gate: RunGateName, move: Move = "new") -> tuple[Change, ...]:
        """The listed changes of a gate that moved so, heaviest first; waived ones are not among them."""
        return tuple(
            [each for each in self.changes if (each.gate, each.move) == (gate, move) and each.counts != "waived"]
        )

    def states(self, move: Move) -> tuple[Change, ...]:
        """The listed cases whose state moved so by a gate on the case: `new` fails now, `fixed` passes now."""
        return tuple([each for each in self.changes if each.move == move and each.gate in GATES])

    def total(self, move: Move) -> int:
        """How many cases' state moved so."""
        return sum(self.of(gate).by(move) for gate in GATES)

    @property
    def regressed(self) -> int:
        """How many cases passed on the baseline and fail now."""
        return self.total("new")

    @property
    def regressions(self) -> tuple[str, ...]:
        """The listed ones of them."""
        return tuple([each.case_id for each in self.states("new")])

    @property
    def lost_sources(self) -> frozenset[str]:
        """The listed cases that newly miss a required source or quote, and not a phrase or tool."""
        codes = {each.case_id: each.problem.code for each in self.found("newly_missed") if each.problem is not None}
        return frozenset([case_id for case_id, code in codes.items() if code not in DEMANDS_ON_AN_ANSWER])

    @property
    def same_answers(self) -> tuple[Change, ...]:
        """The listed cases that fail now by the answer that passed, each with the label's chunk that moved, if any."""
        return tuple([each for each in self.states("same") if each.problem and each.problem.code == "same-answer"])


_NOTHING = ChangeCount()
