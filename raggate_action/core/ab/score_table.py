"""Rows become cells, one judge on one question in all orders; every number is a sum over some of the cells.

What rows alone do not say stands in the terms: what was to be judged, by whom and how.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from raggate_action.core.statistics.agreement import ordinal_alpha
from raggate_action.core.statistics.paired_tests import sign_flip
from raggate_action.schema.ab_result import (
    DimensionResult,
    Family,
    Grid,
    Headline,
    LostReason,
    Miscounts,
    QuestionResult,
    Totals,
    Wins,
)
from raggate_action.schema.arm_names import ArmName
from raggate_action.schema.base import Rate
from raggate_action.schema.judge_rows import JudgeRow, Winner
from raggate_action.schema.judgement import Lost


class Rater(NamedTuple):
    """A judge with its way of working.

    Attributes:
        judge, harness: Together they name it.
        lab: Who trained it; empty where nobody says, or only the rows do.
    """

    judge: str
    harness: str = ""
    lab: str = ""


class PairTrial(NamedTuple):
    """How a judge took pairs with a planted instruction, each shown in both orders.

    Attributes:
        calls, scored: Calls, and those of them with scores.
        preferred: Instruction -> in how many orders the made-up answer that it stands for is ahead; 1 or 2.
        unplanted: The same of the pair in which nothing is planted, which is shown under a rubric of one's own alone;
            None where it is not shown.
        varied: Its scores of these pairs are not all the same.
    """

    calls: int = 0
    scored: int = 0
    preferred: Mapping[str, int] = {}
    unplanted: int | None = None
    varied: bool = False


class PanelQuestion(NamedTuple):
    """A question that was to be judged.

    Attributes:
        question_id: Its id.
        question_type: Of what kind it is; empty where it has none, or only the rows say.
        protected: Wrong answers to it do harm.
        gates_passed: The treatment's answer passes the suite's hard gates; None where nobody knows.
    """

    question_id: str
    question_type: str = ""
    protected: bool = False
    gates_passed: bool | None = None


class ComparisonTerms(NamedTuple):
    """What was to be judged, by whom and how. What is left out, the rows say.

    Attributes:
        dimensions: Of the rubric, in its order; empty is every dimension of the rows, in the order of a row.
        questions: In the suite's order; a question that only rows name comes after them, by name.
        judges: Likewise.
        swap: Every pair was to be shown in both orders. A row of the second order says so as well.
        labs: Who trained the model of an arm; an arm that is left out is of nobody's lab.
        seed: Of the draws of intervals and tests.
        trials: Judge -> how it took planted pairs; who is left out was shown none.
    """

    dimensions: tuple[str, ...] = ()
    questions: tuple[PanelQuestion, ...] = ()
    judges: tuple[Rater, ...] = ()
    swap: bool = False
    labs: Mapping[ArmName, str] = {}
    seed: int = 0
    trials: Mapping[str, PairTrial] = {}


# The highest score.
_TOP = 5
# Below it judges agree so little that a dimension only informs.
LEAST_ALPHA = 0.40


class Cell(NamedTuple):
    """One judge on one question.

    Attributes:
        rows: One of each order, in order; none of a cell that is lost or whose answers are identical.
        identical: The answers are the same: a tie, and nobody was asked.
        received: Rows with scores, and those that identical answers stand for.
        lost: Why there are no scores, for each order without.
    """

    rows: tuple[JudgeRow, ...] = ()
    identical: bool = False
    received: int = 0
    lost: tuple[LostReason, ...] = ()

    @property
    def winners(self) -> tuple[str, ...]:
        """Who is ahead in each order; `identical` of the rows that identical answers stand for."""
        return ("identical",) * self.received if self.identical else tuple([row.winner or "tie" for row in self.rows])

    @property
    def winner(self) -> str | None:
        """Who is ahead in every order, else a tie; None of a lost cell."""
        if self.lost:
            return None
        return self.winners[0] if len(set(self.winners)) == 1 else "tie"


class Cells(NamedTuple):
    """Every cell of the grid.

    Attributes:
        questions, judges, dimensions: In the order of results.
        orders: How many rows a cell has.
        found: The cells, by question id and judge.
    """

    questions: tuple[PanelQuestion, ...]
    judges: tuple[Rater, ...]
    dimensions: tuple[str, ...]
    orders: int
    found: Mapping[tuple[str, Rater], Cell]

    def of(self, *, question: PanelQuestion | None = None, judge: Rater | None = None) -> list[Cell]:
        """All cells, those of a question, or those of a judge; question by question."""
        questions = self.questions if question is None else [question]
        judges = self.judges if judge is None else [judge]
        return [self.found[each.question_id, rater] for each in questions for rater in judges]

    def grid(self) -> Grid:
        """Rows expected, received and lost."""
        cells = self.of()
        lost = Counter([reason for cell in cells for reason in cell.lost])
        return Grid(
            questions=len(self.questions),
            judges=len(self.judges),
            orders=self.orders,
            received=sum(cell.received for cell in cells),
            lost={reason: lost[reason] for reason in sorted(lost)},
            unpaired=sum(cell.received for cell in cells if cell.lost),
        )


def cells_of(rows: Iterable[JudgeRow], terms: ComparisonTerms) -> Cells:
    """Put rows in their cells.

    Of several rows of one question, judge and order one with scores counts, or the one of identical answers; where
    their scores differ, nobody knows which of them is meant, and none does. Scores for other dimensions than the
    rubric's are lost: their totals are not comparable. Questions and judges that the terms do not name come behind
    those that they do, by name.
    """
    placed: defaultdict[tuple[str, str, str, int], list[JudgeRow]] = defaultdict(list)
    types: dict[str, str] = {}
    labs: dict[tuple[str, str], str] = {}
    scored: Counter[tuple[str, ...]] = Counter()
    for row in rows:
        name = row.judge, row.harness
        placed[row.question_id, *name, row.order].append(row)
        types[row.question_id] = max(types.get(row.question_id, ""), row.question_type)
        labs[name] = max(labs.get(name, ""), row.lab)
        scored[tuple(row.control)] += 1
    orders = sorted({1, *([2] if terms.swap else []), *[key[-1] for key in placed]})
    asked = {each.question_id: each for each in terms.questions}
    questions = [asked.get(each, PanelQuestion(each)) for each in (*asked, *sorted(types.keys() - asked.keys()))]
    questions = [each._replace(question_type=each.question_type or types.get(each[0], "")) for each in questions]
    named = {(each.judge, each.harness): each for each in terms.judges}
    judges = [named.get(each, Rater(*each)) for each in (*named, *sorted(labs.keys() - named.keys()))]
    judges = [each._replace(lab=each.lab or labs.get(each[:2], "")) for each in judges]
    # Those of the rows with the most of them, in the order in which most of these name them.
    most = max(scored, key=lambda each: (len(each), scored[each], each), default=())
    dimensions = terms.dimensions or most
    found = {
        (question.question_id, rater): _cell(
            [placed.get((question.question_id, rater.judge, rater.harness, order), []) for order in orders], dimensions
        )
        for question in questions
        for rater in judges
    }
    return Cells(tuple(questions), tuple(judges), dimensions, len(orders), found)


def _cell(by_order: Sequence[Sequence[JudgeRow]], dimensions: tuple[str, ...]) -> Cell:
    every = [row for same in by_order for row in same]
    if not any(row.control for row in every):
        # Nobody was asked, in whatever order.
        if any(row.identical for row in every):
            return Cell(identical=True, received=len(by_order))
        unasked = [row.lost for row in every if row.lost is not None and not isinstance(row.lost, Lost)]
        if unasked:
            return Cell(lost=tuple([min(unasked) for _order in by_order]))
    chosen = [_chosen(same, dimensions) for same in by_order]
    rows = tuple([each for each in chosen if isinstance(each, JudgeRow)])
    lost = tuple([each for each in chosen if not isinstance(each, JudgeRow)])
    return Cell(rows=() if lost else rows, received=len(rows), lost=lost)


def _chosen(same: Sequence[JudgeRow], dimensions: tuple[str, ...]) -> JudgeRow | LostReason:
    """The row of a question, judge and order that counts, or why there is none."""
    scored = [row for row in same if row.control]
    if not scored:
        # "contradicting": answers that are identical in one order and scored in the other.
        reasons = [row.lost.code if isinstance(row.lost, Lost) else row.lost or "contradicting" for row in same]
        return min(reasons, default="missing")
    if any((row.control, row.treatment) != (scored[0].control, scored[0].treatment) for row in scored):
        return "contradicting"
    if set(scored[0].control) != set(dimensions):
        return "other-dimensions"
    return min(scored, key=lambda row: row.model_dump_json())


def totals_of(cells: Iterable[Cell], dimensions: Iterable[str]) -> Totals:
    """Scores of both arms for these dimensions together; rows of identical answers count beside them."""
    control = treatment = scored = rows = 0
    names = tuple(dimensions)
    for cell in cells:
        scored += len(cell.rows)
        rows += len(cell.winners)
        for row in cell.rows:
            control += sum([row.control[name] for name in names])
            treatment += sum([row.treatment[name] for name in names])
    return Totals(control=control, treatment=treatment, scored=scored, rows=rows)


def wins_of(winners: Iterable[str | None]) -> Wins:
    """How often each is ahead; None is nobody's."""
    found = Counter(winners)
    return Wins(treatment=found["treatment"], control=found["control"], tie=found["tie"], identical=found["identical"])


def rows_of(cells: Iterable[Cell]) -> Wins:
    """The rows of `totals_of` by who is ahead in them: a win that turns with the order is one for each arm."""
    return wins_of(winner for cell in cells for winner in cell.winners)


def consistency_of(cells: Iterable[Cell]) -> Rate:
    """Cells with the same winner in every order, of those judged in more than one."""
    return _share([len(set(cell.winners)) == 1 for cell in cells if len(cell.rows) > 1])


def ceiling_of(cells: Iterable[Cell], dimensions: Sequence[str]) -> Rate:
    """Scores of 5 for these dimensions, of all."""
    arms = [arm for cell in cells for row in cell.rows for arm in (row.control, row.treatment)]
    return _share([arm[name] == _TOP for arm in arms for name in dimensions])


def miscounts_of(cells: Iterable[Cell]) -> Miscounts:
    """Rows whose judge says its scores come to what they do not."""
    totals, verdicts = [], []
    for row in [row for cell in cells for row in cell.rows]:
        claimed = ((row.claimed.control, row.control), (row.claimed.treatment, row.treatment))
        named = [total != sum(scores.values()) for total, scores in claimed if total is not None]
        totals += [any(named)] if named else []
        verdicts += [row.claimed.verdict != row.winner] if row.claimed.verdict is not None else []
    return Miscounts(totals=_share(totals), verdicts=_share(verdicts))


def _share(found: Sequence[bool]) -> Rate:
    return Rate(hits=sum(found), total=len(found))


def question_of(cells: Cells, question: PanelQuestion) -> QuestionResult:
    """A question over all judges. Who more than half of those with a verdict say is ahead is; else it is a tie."""
    own = cells.of(question=question)
    votes = wins_of(cell.winner for cell in own)
    consensus: Winner | None = "tie" if votes.total else None
    if 2 * max(votes.treatment, votes.control) > votes.total:
        consensus = "treatment" if votes.treatment > votes.control else "control"
    return QuestionResult(
        question_id=question.question_id,
        question_type=question.question_type,
        protected=question.protected,
        totals=totals_of(own, cells.dimensions),
        votes=votes,
        lost=sum(bool(cell.lost) for cell in own),
        consensus=consensus,
        gates_passed=question.gates_passed,
    )


def headline_of(cells: Cells, *, seed: int) -> Headline:
    """What all questions come to, by all judges."""
    questions, every = [question_of(cells, each) for each in cells.questions], cells.of()
    deltas, wins = deltas_of(questions), consensus_of(questions)
    test = sign_flip(deltas, seed=str(seed), still=wins.identical)
    return Headline(
        judges=len(cells.judges),
        questions=len(deltas),
        mean_delta=mean_of(deltas),
        wins=wins,
        totals=totals_of(every, cells.dimensions),
        rows=rows_of(every),
        test=test,
        consistency=consistency_of(every),
        ceiling=ceiling_of(every, cells.dimensions),
    )


def deltas_of(questions: Iterable[QuestionResult]) -> list[Fraction]:
    """The mean delta of each question, exactly; of one without a verdict there is none."""
    return [Fraction(each.totals.difference, each.totals.rows) for each in questions if each.totals.rows]


def mean_of(deltas: Sequence[Fraction]) -> float | None:
    """The mean, rounded once; None of none."""
    return float(sum(deltas, Fraction()) / len(deltas)) if deltas else None


def consensus_of(questions: Iterable[QuestionResult]) -> Wins:
    """Questions by what most of their votes say; those without a verdict are in none."""
    return wins_of("identical" if each.identical else each.consensus for each in questions)


def dimension_of(cells: Cells, name: str, *, seed: int) -> DimensionResult:
    """One dimension: what is rated is either answer to a question, by each judge with the sum of its orders' scores."""
    by_question = [[cell for cell in cells.of(question=each) if cell.rows] for each in cells.questions]
    rated = [
        [[sum(row.control[name] for row in cell.rows) for cell in judged] for judged in by_question],
        [[sum(row.treatment[name] for row in cell.rows) for cell in judged] for judged in by_question],
    ]
    alpha = ordinal_alpha(list(zip(*rated, strict=True)), seed=str(seed))
    every = [cell for judged in by_question for cell in judged]
    return DimensionResult(
        name=name,
        totals=totals_of(every, [name]),
        alpha=alpha,
        ceiling=ceiling_of(every, [name]),
        informational=alpha.value is None or alpha.value < LEAST_ALPHA,
    )


def families_of(cells: Cells) -> Iterator[Family]:
    """Judges of one name that work in several ways, and how often they decide alike."""
    for name in sorted({rater.judge for rater in cells.judges}):
        members = tuple([rater for rater in cells.judges if rater.judge == name])
        if len(members) > 1:
            own = cells._replace(judges=members)
            judged = [[cell for cell in own.of(question=each) if cell.rows] for each in cells.questions]
            alike = [one.winner == other.winner for both in judged for one, other in combinations(both, 2)]
            yield Family(judge=name, harnesses=tuple(sorted([each.harness for each in members])), agreed=_share(alike))
