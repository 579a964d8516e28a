"""What a panel comes to, with the question as the unit: judge calls are not sample size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction

from raggate_action.core.ab.comparison_terms import Rater
from raggate_action.core.ab.score_counts import (
    ceiling_of,
    consensus_of,
    consistency_of,
    rows_of,
    totals_of,
    wins_of,
)
from raggate_action.core.ab.score_table import Cells
from raggate_action.core.statistics.sign_flip import sign_flip
from raggate_action.schema.ab_counts import Totals, Wins
from raggate_action.schema.ab_result import Headline


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
