"""Head run against baseline run, as plain facts. The content of `comparison.json`."""

from operator import not_
from typing import Literal, Self, TypeAlias

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from raggate_action.schema.base import Amount, MomentText, Natural, Percent, Record, Total, UnitScore, see_part
from raggate_action.schema.baseline_answer import NotJudgedAgain
from raggate_action.schema.case_run import Finding, Hallucination
from raggate_action.schema.counts import NamedCase
from raggate_action.schema.decision import DecisionKind, RunGateStatus
from raggate_action.schema.main_answers import PoorerAnswers
from raggate_action.schema.outcome import GateName, StageName
from raggate_action.schema.partial_scope import PartialScope
from raggate_action.schema.policy_change import PolicyComparison

# Unconfirmed: not found again, and not known to be gone either.
HallucinationMove: TypeAlias = Literal["new", "fixed", "persisting", "unconfirmed"]


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


class Regression(Record):
    """A case that passed on the baseline and fails now.

    Attributes:
        stage: Where it fails first now.
        problem: The first offender.
        moved: The answer is the same: chunks that hold labels of the case, each with its version on both runs where
            these differ. None of another answer.
    """

    case_id: str
    stage: StageName
    problem: str
    moved: tuple[tuple[str, str, str], ...] | None = Field(default=None, exclude_if=lambda moved: moved is None)


class MissedMust(Record):
    """A case that misses what it had on the baseline; `problem` is the first such.

    Attributes:
        gate: The gate on the stage that lost a required source or quote; None is a phrase or tool of its answer.
    """

    case_id: str
    problem: str
    gate: GateName | None = Field(default=None, exclude_if=not_)


class LostSources(Record):
    """Cases that lost a required source in their first answer and were not asked again, and what stands for them.

    Attributes:
        unasked: How many.
        asked, confirmed: Cases that were asked again for the same, drawn by the seed; and those that lost it each time.
    """

    unasked: Natural
    asked: Natural = 0
    confirmed: Natural = 0

    @property
    def counted(self) -> int:
        """How many of those not asked count: as many as the share confirmed of those asked, rounded half up."""
        return (2 * self.unasked * self.confirmed + self.asked) // (2 * self.asked) if self.asked else 0


class StageMove(Record):
    """How many cases moved from one first failed stage to another; None is passing."""

    before: StageName | None
    after: StageName | None
    cases: Natural


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
        waived: Cases with a new suspect that somebody answers for; they are in no other count.
        listed: Each new one, conflicts first; and how many there are.
    """

    conflict: Natural = 0
    absent: Natural = 0
    sharp: Natural = 0
    protected: Natural = 0
    persisting: Natural = 0
    waived: Natural = Field(default=0, exclude_if=not_)
    listed: tuple[NewSuspect, ...] = ()
    suspects: Natural = 0


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
    """

    scored: Natural = 0
    score_before: Natural = 0
    score_after: Natural = 0
    ran: Natural = 0
    hallucinating_before: Natural = 0
    hallucinating_after: Natural = 0


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


class NotListed(Record):
    """How many more each list of a comparison would name; 0 where it is whole."""

    changed: Natural = 0
    added: Natural = 0
    removed: Natural = 0
    newly_inadmissible: Natural = 0
    newly_unanswered: Natural = 0
    newly_missed: Natural = 0
    newly_miscited: Natural = 0
    newly_hallucinating: Natural = 0
    new_phrases: Natural = 0
    newly_slow: Natural = 0


class OtherRules(Record):
    """What came of a baseline that another version of raggate had judged.

    Attributes:
        version: That version.
        judged_again: Cases that this version judged again from their stored traces.
        not_comparable: Cases compared with nothing, since what they were judged by is not at hand, by id; and how many.
    """

    version: str
    judged_again: Natural
    not_comparable: tuple[str, ...] = ()
    cases: Natural = 0


class LeftCount(Record):
    """How many answers of the baseline were not judged again for one reason."""

    why: NotJudgedAgain
    cases: Natural


class OtherPanel(Record):
    """What came of answers that other judges judged on the baseline, or none.

    Attributes:
        judged_again: Cases whose answer on the baseline this run's judges judged again: they compare as any other.
        not_comparable: Cases of which only what labels, quotation and rules say was compared: what judges said of them
            is neither new nor fixed nor a regression; and how many.
        why: Why these were not judged again, most first.
    """

    judged_again: Natural = 0
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
    """What moved between two runs of one suite. Lists are cut to the worst 200; the counts are whole.

    Attributes:
        baseline_decided_at, baseline_git_sha, baseline_decision: Which run it was.
        compared: Cases on both runs with the same digest.
        changed, added, removed, not_run: Case ids: digest differs; new; gone from the suite's files
            (a change of scope is no removal); on the baseline but not run now.
        gates, slices: The baseline's counts by name, over the cases of both suites.
        statuses: How each gate and each slice stood on the baseline, by name.
        regressions, regressed: Passed then, fails now; and how many.
        fixed, now_fixed: Failed then, passes now; and how many.
        unconfirmed, now_unconfirmed: Failed then for a hallucination and passes now, though that may still be there.
        newly_inadmissible, newly_unanswered, newly_miscited, newly_hallucinating: Case ids behind the hard rules; the
            last are those with a certain new hallucination, forbidden phrases apart.
        newly_missed, with_musts: Cases that miss a demand on phrases, tools or sources which the baseline met, of those
            compared that have any.
        lost_sources: Those of which nobody knows whether they do; None where all were asked again.
        moves: First failed stage then and now, where they differ.
        hallucinations: New, fixed, persisting, unconfirmed, in this order; with their whole counts beside. One on both
            runs bears the baseline's key, in whatever words it is put.
        new_phrases: Case ids with a must_not_contain hit the baseline did not have.
        newly_slow: Case ids over the limit of their time, which the baseline kept.
        faulted: Case ids that the baseline measured, and that a fault of raggate kept from being judged now.
        new_suspects: What the keyless rules find that they did not find on the baseline.
        shared: Scores and hallucinations on both runs, over the cases compared.
        said_by_many: Sentences that several answers say and none of the baseline's did, those of most answers first.
        not_listed: What was cut from the lists that have no count beside them.
        versions: Pipeline versions that differ.
        baseline: Amounts of the baseline.
        answers: What the baseline's answer was to a case that got worse, or that judges advise on who do not count, cut
            for display, by case id.
        other_rules: Of a baseline that was judged by other rules than this run; None where the rules are the same.
        other_panel: Of cases that other judges judged on the baseline; None where there are none.
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
    changed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    not_run: Natural = 0
    gates: tuple[GateDelta, ...] = ()
    slices: tuple[GateDelta, ...] = ()
    statuses: dict[str, RunGateStatus] = {}
    regressions: tuple[Regression, ...] = ()
    regressed: Natural = 0
    fixed: tuple[str, ...] = ()
    now_fixed: Natural = 0
    unconfirmed: tuple[str, ...] = ()
    now_unconfirmed: Natural = 0
    newly_inadmissible: tuple[str, ...] = ()
    newly_unanswered: tuple[str, ...] = ()
    newly_missed: tuple[MissedMust, ...] = ()
    with_musts: Natural = 0
    lost_sources: LostSources | None = Field(default=None, exclude_if=not_)
    newly_miscited: tuple[str, ...] = ()
    newly_hallucinating: tuple[str, ...] = ()
    moves: tuple[StageMove, ...] = ()
    hallucinations: tuple[MovedHallucination, ...] = ()
    new_hallucinations: Natural = 0
    fixed_hallucinations: Natural = 0
    persisting_hallucinations: Natural = 0
    unconfirmed_hallucinations: Natural = 0
    new_phrases: tuple[str, ...] = ()
    newly_slow: tuple[str, ...] = ()
    faulted: tuple[str, ...] = Field(default=(), exclude_if=not_)
    new_suspects: NewSuspects = NewSuspects()
    shared: SharedTotals = SharedTotals()
    said_by_many: tuple[RepeatedSentence, ...] = Field(default=(), exclude_if=not_)
    not_listed: NotListed = NotListed()
    versions: tuple[VersionChange, ...] = ()
    baseline: BaselineAmounts
    answers: dict[str, str] = {}
    other_rules: OtherRules | None = None
    other_panel: OtherPanel | None = None
    partial: PartialScope | None = None
    judges_lost: JudgesLost | None = Field(default=None, exclude_if=not_)
    poorer: PoorerAnswers | None = Field(default=None, exclude_if=not_)
    named: tuple[NamedCase, ...] = Field(default=(), exclude_if=not_)
    policy: PolicyComparison | None = None
    new_sources: NewSources | None = Field(default=None, exclude_if=not_)
    gone_sources: GoneSources | None = Field(default=None, exclude_if=not_)
    slower: SlowerCases | None = Field(default=None, exclude_if=not_)

    @model_validator(mode="after")
    def _is_counted(self) -> Self:
        moves = [each.move for each in self.hallucinations]
        listed = (
            (len(self.regressions), self.regressed),
            (len(self.fixed), self.now_fixed),
            (len(self.unconfirmed), self.now_unconfirmed),
            (moves.count("new"), self.new_hallucinations),
            (moves.count("fixed"), self.fixed_hallucinations),
            (moves.count("persisting"), self.persisting_hallucinations),
            (moves.count("unconfirmed"), self.unconfirmed_hallucinations),
            (sum(each.cases for each in self.moves if each.before is None), self.regressed),
            (self.regressed + self.now_fixed + self.now_unconfirmed, self.compared),
            (self.shared.scored, self.compared),
            (self.shared.ran, self.compared),
            (max(self.shared.score_before, self.shared.score_after), 100 * self.shared.scored),
            (max(self.shared.hallucinating_before, self.shared.hallucinating_after), self.shared.ran),
        )
        if any(part > whole for part, whole in listed):
            raise PydanticCustomError("comparison", "its lists name more than its counts")
        return self
