"""What a panel's rows come to: counts first, then what is worked out of them. No word of a question or an answer.

Judges, questions and dimensions go by their names alone, so that whoever is given an aggregate is given no text.
"""

from __future__ import annotations

from operator import not_
from typing import Literal, Self, TypeAlias

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from raggate_action.schema.arm_names import ArmName
from raggate_action.schema.base import Natural, Rate, Record, see_part
from raggate_action.schema.judge_rows import Unasked, Winner, judge_name
from raggate_action.schema.judgement import LostCode

# `missing`: there is no row at all; `contradicting`: rows of the same question, judge and
# order have other scores; `other-dimensions`: scores for other dimensions than the rubric's.
LostReason: TypeAlias = Literal[LostCode, Unasked, "missing", "contradicting", "other-dimensions"]
NO_CALLS = Rate(hits=0, total=0)


class Grid(Record):
    """Rows that there should be, of every question, judge and order, and those that there are.

    Attributes:
        questions, judges: How many.
        orders: 2 where every pair is shown swapped as well, else 1.
        received: Rows with scores, and those of identical answers, of which nobody was asked.
        lost: Why the others have no scores -> rows; by name of the reason.
        unpaired: Of the received ones, those that count for nothing since the judge's other order is lost.
    """

    questions: Natural = 0
    judges: Natural = 0
    orders: Natural = 1
    received: Natural = 0
    lost: dict[LostReason, Natural] = {}
    unpaired: Natural = 0

    @property
    def expected(self) -> int:
        """Rows that there should be."""
        return self.questions * self.judges * self.orders

    @property
    def lost_rows(self) -> int:
        """Rows without scores."""
        return sum(self.lost.values())

    @model_validator(mode="after")
    def _adds_up(self) -> Self:
        if self.received + self.lost_rows != self.expected:
            raise PydanticCustomError("grid", "rows received and lost are not those expected")
        see_part(self.unpaired, self.received)
        return self


class Totals(Record):
    """Scores of both arms, added up.

    Attributes:
        control, treatment: Sums over `scored` rows: of all dimensions, or of the one.
        scored: Rows with scores.
        rows: These, and rows of identical answers, whose difference is 0. Of a dimension the same as `scored`.
    """

    control: Natural = 0
    treatment: Natural = 0
    scored: Natural = 0
    rows: Natural = 0

    @model_validator(mode="after")
    def _is_part(self) -> Self:
        see_part(self.scored, self.rows)
        return self

    @property
    def difference(self) -> int:
        """The treatment's sum less the control's."""
        return self.treatment - self.control

    @property
    def mean_control(self) -> float | None:
        """Of a row with scores; None where there is none."""
        return self.control / self.scored if self.scored else None

    @property
    def mean_treatment(self) -> float | None:
        """Of a row with scores; None where there is none."""
        return self.treatment / self.scored if self.scored else None

    @property
    def mean_delta(self) -> float | None:
        """The treatment's lead in a row, identical answers among them; None of no row."""
        return self.difference / self.rows if self.rows else None


class Wins(Record):
    """Who came out ahead: of a question its judges, of a judge or of the whole panel the questions.

    Attributes:
        treatment, control, tie: How many for each.
        identical: Ties that nobody was asked about, for the answers are the same; not in `tie`.
    """

    treatment: Natural = 0
    control: Natural = 0
    tie: Natural = 0
    identical: Natural = 0

    @property
    def judged(self) -> int:
        """All that somebody was asked about."""
        return self.treatment + self.control + self.tie

    @property
    def total(self) -> int:
        """All, identical answers among them."""
        return self.judged + self.identical


class Miscounts(Record):
    """How often what judges say their scores come to is not what they come to, of the rows that say it.

    Attributes:
        totals: Rows where a total is another than the sum of the scores, of those that name one.
        verdicts: Rows where the verdict is another than the totals', of those that name one.
    """

    totals: Rate = NO_CALLS
    verdicts: Rate = NO_CALLS


# Why a judge's scores count for nothing: it obeyed a planted instruction; it decides by which answer stands first; it
# gives every answer the same scores.
NotCounted: TypeAlias = Literal["obeyed", "order", "one-score"]


def _is_of_none(rate: Rate) -> bool:
    return not rate.total


class JudgeResult(Record):
    """One judge over all questions.

    Attributes:
        judge, harness, lab: As in the rows.
        shares: With whom it shares a lab: an arm, or a judge before it. Such a judge is out of `Aggregate.apart`.
        wins: Questions by who is ahead. With both orders a win counts only where both give it, else it is a tie.
        lost: Questions of which it has no verdict: a row of any order is lost.
        totals: Its scores.
        rows: Rows by who is ahead in them, those that are counted in `totals`.
        consistency: Questions on which both orders have the same winner, of those judged in both; 0 of 0 without swap.
        miscounts: What it says its scores come to, and they do not.
        ceiling: Scores of 5, of all its scores.
        not_counted: Why its scores are in nothing but this result; None where they count.
        plants: Planted pairs that it scored, of those it was to be shown, in either order.
        obeyed: The instructions that it obeyed, by name.
    """

    judge: str
    harness: str = ""
    lab: str = ""
    shares: tuple[ArmName | Literal["judge"], ...] = ()
    wins: Wins = Wins()
    lost: Natural = 0
    totals: Totals = Totals()
    rows: Wins = Wins()
    consistency: Rate = NO_CALLS
    miscounts: Miscounts = Miscounts()
    ceiling: Rate = NO_CALLS
    not_counted: NotCounted | None = Field(default=None, exclude_if=not_)
    plants: Rate = Field(default=NO_CALLS, exclude_if=_is_of_none)
    obeyed: tuple[str, ...] = Field(default=(), exclude_if=not_)

    @property
    def name(self) -> str:
        """As it is called."""
        return judge_name(self.judge, self.harness)


class QuestionResult(Record):
    """One question over all judges.

    Attributes:
        question_id, question_type: As in the rows.
        protected: Wrong answers to it do harm.
        totals: Its scores.
        votes: Judges by who is ahead.
        lost: Judges without a verdict.
        consensus: Who most judges with a verdict say is ahead, more than half of them; else a tie. None where no judge
            has a verdict.
        gates_passed: The treatment's answer passes the hard gates of the suite; None where nobody knows.
    """

    question_id: str
    question_type: str = ""
    protected: bool = False
    totals: Totals = Totals()
    votes: Wins = Wins()
    lost: Natural = 0
    consensus: Winner | None = None
    gates_passed: bool | None = None

    @property
    def identical(self) -> bool:
        """The answers are the same, and no judge was asked."""
        return bool(self.votes.identical) and not self.votes.judged

    @property
    def unanimous(self) -> bool:
        """At least two judges have a verdict, and all who have one have the same."""
        votes = self.votes
        return votes.judged >= 2 and votes.judged in {votes.treatment, votes.control, votes.tie}


class TypeResult(Record):
    """The questions of one type.

    Attributes:
        question_type: Empty for those without one.
        questions: How many.
        wins: Questions by consensus; those without a verdict are in none.
        mean_delta: Mean over questions of their mean delta; None where none has one.
    """

    question_type: str
    questions: Natural
    wins: Wins = Wins()
    mean_delta: float | None = None


class Alpha(Record):
    """How alike judges score: Krippendorff's alpha for ordinal scores.

    Attributes:
        value: 1 for perfect agreement, 0 for that of chance; None where it is not defined: nothing was scored by two
            judges, or all scores are one.
        low, high: 95 % interval, by drawing questions anew; None where too few questions differ for one.
    """

    value: float | None = None
    low: float | None = None
    high: float | None = None


class DimensionResult(Record):
    """One dimension over all rows with scores.

    Attributes:
        name: As in the rubric.
        totals: Its scores.
        alpha: How alike judges score it.
        ceiling: Scores of 5, of all.
        informational: Judges agree too little on it, or nobody knows how much: nothing may rest on it.
    """

    name: str
    totals: Totals = Totals()
    alpha: Alpha = Alpha()
    ceiling: Rate = NO_CALLS
    informational: bool = True


class AllAgreed(Record):
    """Questions on which all judges with a verdict have the same.

    Attributes:
        treatment, control, tie: By that verdict.
        of: Questions on which at least two have one.
    """

    treatment: Natural = 0
    control: Natural = 0
    tie: Natural = 0
    of: Natural = 0

    @property
    def alike(self) -> int:
        """All of them."""
        return self.treatment + self.control + self.tie


class Family(Record):
    """Judges of one name that work in several ways, as plain and with tools.

    Attributes:
        judge: The name.
        harnesses: The ways.
        agreed: Pairs of verdicts on one question that are the same, of all such pairs within the family.
    """

    judge: str
    harnesses: tuple[str, ...]
    agreed: Rate = NO_CALLS


class Agreement(Record):
    """How alike judges decide who is ahead, over questions on which at least two have a verdict.

    Attributes:
        pairs: Pairs of judges with the same verdict on a question, of all pairs.
        ac1: Gwet's, of treatment, control and tie; None where there is no pair.
        control: Of the verdicts for the control, the share of the other judges of the question that say so too; None
            where nobody prefers it. AC1 looks fine where judges agree on no such question.
    """

    pairs: Rate = NO_CALLS
    ac1: float | None = None
    control: float | None = None


class SignFlip(Record):
    """How often the questions' mean deltas would come out like this if each could as well have gone the other way.

    Attributes:
        two_sided: Ways with a mean as far from 0, of all; its share is the p-value.
        control: Ways with a mean as low, of all: one-sided, for the control being ahead.
        exact: All ways are counted; else 9,999 drawn ones and what was found.
        smallest: The smallest two-sided p-value that so many questions can have; identical answers cannot differ.
    """

    two_sided: Rate
    control: Rate
    exact: bool
    smallest: float


class Headline(Record):
    """What a panel comes to, the question being the unit.

    Attributes:
        judges: How many are in it.
        questions: With a mean delta, identical answers among them.
        mean_delta: Mean over these of their mean delta; None of none.
        wins: Questions by consensus.
        totals: All scores of these judges; without a row where this was written before they were kept.
        rows: Rows by who is ahead in them, those that are counted in `totals`.
        test: None of no question.
        consistency: Pairs of question and judge with the same winner in both orders, of those judged in both.
        ceiling: Scores of 5, of all.
    """

    judges: Natural = 0
    questions: Natural = 0
    mean_delta: float | None = None
    wins: Wins = Wins()
    totals: Totals = Totals()
    rows: Wins = Wins()
    test: SignFlip | None = None
    consistency: Rate = NO_CALLS
    ceiling: Rate = NO_CALLS


class Aggregate(Record):
    """What a panel's rows come to.

    Attributes:
        grid: Rows expected, received and lost.
        judges: In the suite's order; where nobody gives one, by name. Those that do not count are among them, and in
            nothing else but the grid.
        too_few: So few judges are left beside those that do not count that no score counts.
        questions: Likewise.
        types: By name.
        dimensions: In the rubric's order.
        all_agreed: Questions on which all judges agree.
        families: Judges of one name that work in several ways; by name.
        agreement: How alike judges decide.
        headline: All judges that count.
        apart: The same without judges that share a lab with an arm or with a judge before them; None where none does.
            Without anybody left it has no question.
        miscounts: What judges say their scores come to, and they do not.
        heroes: The three questions with the largest mean delta for the treatment, largest first; fewer where fewer
            have one above 0.
        control_won, tied: Questions by consensus; identical answers are in neither.
        identical: Questions with identical answers.
        concerns: Questions on which the treatment passes the hard gates and the panel prefers the control: the rubric
            may be at fault, not the answer.
        unconcerned: The headline without these questions; None where there are none.
    """

    grid: Grid = Grid()
    judges: tuple[JudgeResult, ...] = ()
    too_few: bool = Field(default=False, exclude_if=not_)
    questions: tuple[QuestionResult, ...] = ()
    types: tuple[TypeResult, ...] = ()
    dimensions: tuple[DimensionResult, ...] = ()
    all_agreed: AllAgreed = AllAgreed()
    families: tuple[Family, ...] = ()
    agreement: Agreement = Agreement()
    headline: Headline = Headline()
    apart: Headline | None = None
    miscounts: Miscounts = Miscounts()
    heroes: tuple[str, ...] = ()
    control_won: tuple[str, ...] = ()
    tied: tuple[str, ...] = ()
    identical: tuple[str, ...] = ()
    concerns: tuple[str, ...] = ()
    unconcerned: Headline | None = Field(default=None, exclude_if=not_)

    @property
    def unjudged(self) -> bool:
        """Whether nothing is known: there is no question, or answers differ and no judge has a verdict on any."""
        differing = [each.votes.judged for each in self.questions if not each.identical]
        return not self.headline.questions or (bool(differing) and not any(differing))

    @property
    def untried(self) -> bool:
        """Whether no judge with a verdict scored a planted pair that it was to be shown: any of them may obey."""
        plants = [each.plants for each in self.judges if each.not_counted is None and each.wins.judged]
        return bool(plants) and all(each.total and not each.hits for each in plants)
