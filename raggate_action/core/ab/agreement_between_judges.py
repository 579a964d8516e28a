"""How alike the judges of a panel score and decide."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations

from raggate_action.core.ab.comparison_terms import Rater
from raggate_action.core.ab.score_counts import ceiling_of
from raggate_action.core.ab.score_table import Cells
from raggate_action.core.statistics.agreement import agreeing_pairs, agreement_on, gwet_ac1_of_many, ordinal_alpha
from raggate_action.schema.ab_counts import Totals
from raggate_action.schema.ab_result import Agreement, AllAgreed, DimensionResult, Family, QuestionResult
from raggate_action.schema.base import Rate

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


def all_agreed(questions: Sequence[QuestionResult]) -> AllAgreed:
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
