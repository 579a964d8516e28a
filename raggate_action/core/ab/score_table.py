"""Rows become cells, one judge on one question in all orders; cells become totals, wins and measures of agreement."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from raggate_action.core.ab.comparison_terms import ComparisonTerms, PanelQuestion, Rater
from raggate_action.core.statistics.agreement import agreeing_pairs, agreement_on, gwet_ac1_of_many, ordinal_alpha
from raggate_action.core.statistics.paired_tests import sign_flip
from raggate_action.schema.ab_counts import Grid, LostReason, Miscounts, Totals, Wins
from raggate_action.schema.ab_result import Agreement, AllAgreed, DimensionResult, Family, Headline, QuestionResult
from raggate_action.schema.base import Rate
from raggate_action.schema.judge_rows import JudgeRow, Winner
from raggate_action.schema.judgement import Lost


class Key(NamedTuple):
    """Which cell: a question, and a judge with its way of working."""

    question_id: str
    judge: str
    harness: str


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
    def winners(self) -> tuple[Winner, ...]:
        """Who is ahead in each order."""
        return tuple([row.winner or "tie" for row in self.rows])

    @property
    def winner(self) -> Winner | None:
        """Who is ahead in every order, else a tie; None of a lost cell."""
        if self.lost:
            return None
        return self.winners[0] if len(set(self.winners)) == 1 else "tie"


class Cells(NamedTuple):
    """Every cell of the grid.

    Attributes:
        questions, judges, dimensions: In the order of results.
        orders: How many rows a cell has.
        found: The cells.
        repeated: Rows left out for another of the same question, judge and order.
    """

    questions: tuple[PanelQuestion, ...]
    judges: tuple[Rater, ...]
    dimensions: tuple[str, ...]
    orders: int
    found: Mapping[Key, Cell]
    repeated: int

    def of_judges(self, judges: Iterable[Rater]) -> Cells:
        """The same of these judges alone."""
        kept = tuple(judges)
        names = {(each.judge, each.harness) for each in kept}
        return self._replace(judges=kept, found={key: cell for key, cell in self.found.items() if key[1:] in names})

    def of_judge(self, rater: Rater) -> list[Cell]:
        """A judge's cells, in the order of questions."""
        return [self.found[Key(each.question_id, rater.judge, rater.harness)] for each in self.questions]

    def of_question(self, question: PanelQuestion, judges: Iterable[Rater] | None = None) -> list[Cell]:
        """The cells of a question: of these judges, or of all."""
        raters = self.judges if judges is None else judges
        return [self.found[Key(question.question_id, each.judge, each.harness)] for each in raters]

    def grid(self) -> Grid:
        """Rows expected, received and lost."""
        cells = self.found.values()
        lost = Counter([reason for cell in cells for reason in cell.lost])
        return Grid(
            questions=len(self.questions),
            judges=len(self.judges),
            orders=self.orders,
            received=sum(cell.received for cell in cells),
            lost={reason: lost[reason] for reason in sorted(lost)},
            unpaired=sum(cell.received for cell in cells if cell.lost),
            repeated=self.repeated,
        )


def cells_of(rows: Iterable[JudgeRow], terms: ComparisonTerms) -> Cells:
    """Put rows in their cells.

    Of several rows of one question, judge and order one with scores counts, or the one of identical answers; where
    their scores differ, nobody knows which of them is meant, and none does. Scores for other dimensions than the
    rubric's are lost: their totals are not comparable.
    """
    placed: defaultdict[Key, defaultdict[int, list[JudgeRow]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        placed[Key(row.question_id, row.judge, row.harness)][row.order].append(row)
    given = [row for by_order in placed.values() for same in by_order.values() for row in same]
    orders = sorted({1, *([2] if terms.swap else []), *[row.order for row in given]})
    questions, judges = _questions(given, terms), _judges(given, terms)
    dimensions = terms.dimensions or _dimensions(given)
    found = {}
    for question in questions:
        for rater in judges:
            key = Key(question.question_id, rater.judge, rater.harness)
            by_order = placed[key]
            found[key] = _cell([by_order[order] for order in orders], dimensions)
    repeated = sum(max(0, len(same) - 1) for by_order in placed.values() for same in by_order.values())
    return Cells(questions, judges, dimensions, len(orders), found, repeated)


def _questions(rows: Sequence[JudgeRow], terms: ComparisonTerms) -> tuple[PanelQuestion, ...]:
    types: dict[str, str] = {}
    for row in rows:
        types[row.question_id] = max(types.get(row.question_id, ""), row.question_type)
    known = {each.question_id: each for each in terms.questions}
    ids = [*known, *sorted(types.keys() - known.keys())]
    questions = [known.get(each, PanelQuestion(each)) for each in ids]
    return tuple([each._replace(question_type=each.question_type or types.get(each[0], "")) for each in questions])


def _judges(rows: Sequence[JudgeRow], terms: ComparisonTerms) -> tuple[Rater, ...]:
    labs: dict[tuple[str, str], str] = {}
    for row in rows:
        name = row.judge, row.harness
        labs[name] = max(labs.get(name, ""), row.lab)
    known = {(each.judge, each.harness): each for each in terms.judges}
    names = [*known, *sorted(labs.keys() - known.keys())]
    judges = [known.get(each, Rater(*each)) for each in names]
    return tuple([each._replace(lab=each.lab or labs.get(each[:2], "")) for each in judges])


def _dimensions(rows: Sequence[JudgeRow]) -> tuple[str, ...]:
    """Those of the rows with the most of them, in the order in which most of these name them."""
    named = Counter([tuple(row.control) for row in rows if row.control])
    return max(named, key=lambda names: (len(names), named[names], names), default=())


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


# The highest score.
_TOP = 5


def totals_of(cells: Iterable[Cell], orders: int) -> Totals:
    """Scores of both arms, all dimensions together; rows of identical answers count beside them."""
    control = treatment = scored = rows = 0
    for cell in cells:
        scored += len(cell.rows)
        rows += len(cell.rows) or orders * cell.identical
        for row in cell.rows:
            control += sum(row.control.values())
            treatment += sum(row.treatment.values())
    return Totals(control=control, treatment=treatment, scored=scored, rows=rows)


def wins_of(cells: Iterable[Cell]) -> Wins:
    """Cells by who is ahead; lost ones are in none."""
    return _wins("identical" if cell.identical else cell.winner for cell in cells)


def rows_of(cells: Iterable[Cell], orders: int) -> Wins:
    """The rows of `totals_of` by who is ahead in them: a win that turns with the order is one for each arm."""
    return _wins(winner for cell in cells for winner in cell.winners or ["identical"] * orders * cell.identical)


def _wins(winners: Iterable[str | None]) -> Wins:
    found = Counter(winners)
    return Wins(treatment=found["treatment"], control=found["control"], tie=found["tie"], identical=found["identical"])


def consensus_of(votes: Wins) -> Winner | None:
    """Who more than half of those with a verdict say is ahead; else a tie, and None where nobody has one."""
    if 2 * votes.treatment > votes.total:
        return "treatment"
    if 2 * votes.control > votes.total:
        return "control"
    return "tie" if votes.total else None


def consistency_of(cells: Iterable[Cell]) -> Rate:
    """Cells with the same winner in every order, of those judged in more than one."""
    both = [len(set(cell.winners)) == 1 for cell in cells if len(cell.rows) > 1]
    return Rate(hits=sum(both), total=len(both))


def ceiling_of(cells: Iterable[Cell], dimensions: Sequence[str]) -> Rate:
    """Scores of 5 for these dimensions, of all."""
    scores = [
        arm[name] for cell in cells for row in cell.rows for arm in (row.control, row.treatment) for name in dimensions
    ]
    return Rate(hits=scores.count(_TOP), total=len(scores))


def miscounts_of(cells: Iterable[Cell]) -> Miscounts:
    """Rows whose judge says its scores come to what they do not."""
    rows = [row for cell in cells for row in cell.rows]
    return Miscounts(totals=_wrong(rows, _totals_differ), verdicts=_wrong(rows, _verdict_differs))


def _wrong(rows: Iterable[JudgeRow], differs: Callable[[JudgeRow], bool | None]) -> Rate:
    found = [wrong for row in rows if (wrong := differs(row)) is not None]
    return Rate(hits=sum(found), total=len(found))


def _totals_differ(row: JudgeRow) -> bool | None:
    claimed = ((row.claimed.control, row.control), (row.claimed.treatment, row.treatment))
    named = [total != sum(scores.values()) for total, scores in claimed if total is not None]
    return any(named) if named else None


def _verdict_differs(row: JudgeRow) -> bool | None:
    return row.claimed.verdict != row.winner if row.claimed.verdict is not None else None


def headline_of(cells: Cells, judges: Sequence[Rater], *, seed: int) -> Headline:
    """The headline by these judges alone."""
    by_question = [cells.of_question(question, judges) for question in cells.questions]
    deltas = [delta for each in by_question if (delta := exact_delta(totals_of(each, cells.orders))) is not None]
    every = [cell for each in by_question for cell in each]
    wins = wins_by_consensus([wins_of(each) for each in by_question])
    test = sign_flip(deltas, seed=str(seed), still=wins.identical)
    return Headline(
        judges=len(judges),
        questions=len(deltas),
        mean_delta=mean_of(deltas),
        wins=wins,
        totals=totals_of(every, cells.orders),
        rows=rows_of(every, cells.orders),
        test=test,
        p=test.two_sided.value if test is not None else None,
        consistency=consistency_of(every),
        ceiling=ceiling_of(every, cells.dimensions),
    )


def exact_delta(totals: Totals) -> Fraction | None:
    """The mean delta of a question, exactly; None where no judge has a verdict."""
    return Fraction(totals.difference, totals.rows) if totals.rows else None


def mean_of(deltas: Sequence[Fraction]) -> float | None:
    """The mean, rounded once; None of none."""
    return float(sum(deltas, Fraction()) / len(deltas)) if deltas else None


def wins_by_consensus(votes: Iterable[Wins]) -> Wins:
    """Questions by what most of their votes say; those without a verdict are in none."""
    found = Counter(["identical" if not each.judged and each.identical else consensus_of(each) for each in votes])
    return Wins(treatment=found["treatment"], control=found["control"], tie=found["tie"], identical=found["identical"])


# Below it judges agree so little that a dimension only informs.
LEAST_ALPHA = 0.40
# The control's place among the kinds of verdicts.
_CONTROL = 1


def dimension_of(cells: Cells, name: str, *, seed: int) -> DimensionResult:
    """One dimension: what is rated is either answer to a question, by each judge with the sum of its orders' scores."""
    by_question = [[cell.rows for cell in cells.of_question(each) if cell.rows] for each in cells.questions]
    control = [[sum(row.control[name] for row in rows) for rows in judged] for judged in by_question]
    treatment = [[sum(row.treatment[name] for row in rows) for rows in judged] for judged in by_question]
    alpha = ordinal_alpha(list(zip(control, treatment, strict=True)), seed=str(seed))
    scored = sum(len(rows) for judged in by_question for rows in judged)
    return DimensionResult(
        name=name,
        totals=Totals(control=sum(map(sum, control)), treatment=sum(map(sum, treatment)), scored=scored, rows=scored),
        alpha=alpha,
        ceiling=ceiling_of(cells.found.values(), [name]),
        informational=alpha.value is None or alpha.value < LEAST_ALPHA,
    )


def agreement_of(questions: Sequence[QuestionResult]) -> Agreement:
    """How alike judges decide; of identical answers nobody was asked."""
    votes = [(each.votes.treatment, each.votes.control, each.votes.tie) for each in questions]
    return Agreement(pairs=agreeing_pairs(votes), ac1=gwet_ac1_of_many(votes), control=agreement_on(votes, _CONTROL))


def unanimous_questions(questions: Sequence[QuestionResult]) -> AllAgreed:
    """Questions on which all judges with a verdict agree, of those on which at least two have one."""
    found = [each.consensus for each in questions if each.unanimous]
    return AllAgreed(
        treatment=found.count("treatment"),
        control=found.count("control"),
        tie=found.count("tie"),
        of=sum(each.votes.judged > 1 for each in questions),
    )


def families_of(cells: Cells) -> tuple[Family, ...]:
    """Judges of one name that work in several ways, and how often they decide alike."""
    by_name: defaultdict[str, list[Rater]] = defaultdict(list)
    for rater in cells.judges:
        by_name[rater.judge].append(rater)
    return tuple([_family(cells, name, members) for name, members in sorted(by_name.items()) if len(members) > 1])


def _family(cells: Cells, name: str, members: Sequence[Rater]) -> Family:
    alike = [
        one.winner == other.winner
        for question in cells.questions
        for one, other in combinations([cell for cell in cells.of_question(question, members) if cell.rows], 2)
    ]
    return Family(
        judge=name,
        harnesses=tuple(sorted([each.harness for each in members])),
        agreed=Rate(hits=sum(alike), total=len(alike)),
    )
