"""Rows become cells: one judge on one question, in all orders, judged or lost."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from raggate_action.core.ab.comparison_terms import ComparisonTerms, PanelQuestion, Rater
from raggate_action.schema.ab_counts import Grid, LostReason
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
