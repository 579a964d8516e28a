"""A panel on whose aggregate findings are written: who is ahead is known, and every number can be counted by hand."""

from __future__ import annotations

from raggate_action.core.ab.aggregate import aggregate
from raggate_action.core.ab.score_table import ComparisonTerms, PanelQuestion, Rater
from raggate_action.schema.ab_result import Aggregate
from raggate_action.schema.judge_rows import JudgeRow
from tests.panel_ab_builders import ahead, lost

JUDGES = (Rater("kimi", lab="Moonshot"), Rater("owl", lab="Northlab"), Rater("sonnet", lab="Anthropic"))
# By how much the treatment leads on Q1 to Q12, by two judges and by the third.
LEADS = (5, 4, 6, 3, 5, 4, -2, 0, 5, 6, 4, 3)
THIRD = (5, 4, 6, 3, 5, 4, -2, 0, 5, 6, -1, 2)


def panel(sign: int = 1, questions: int = 12, *, judges: tuple[Rater, ...] = JUDGES) -> Aggregate:
    """Twelve questions, three judges, one row lost: the treatment wins ten, the control one, one is a tie.

    Args:
        sign: -1 has the control ahead.
        questions: How many of them.
        judges: Who judges.
    """
    rows: list[JudgeRow] = []
    for number in range(questions):
        for place, judge in enumerate(judges):
            lead = sign * (THIRD if place == 2 else LEADS)[number]
            is_lost = (number, place) == (3, 1)
            rows.append(lost(f"Q{number + 1}", judge.judge) if is_lost else ahead(f"Q{number + 1}", judge.judge, lead))
    asked = tuple(
        [PanelQuestion(f"Q{n + 1}", "safety" if n % 2 else "trap", gates_passed=True) for n in range(questions)]
    )
    return aggregate(
        rows, ComparisonTerms(questions=asked, judges=judges, labs={"control": "Anthropic", "treatment": "Anthropic"})
    )


def even(questions: int = 12) -> Aggregate:
    """A panel that tells nobody apart: leads in turn."""
    rows = [ahead(f"Q{n}", judge.judge, 2 if n % 2 else -2) for n in range(questions) for judge in JUDGES]
    return aggregate(rows, ComparisonTerms(judges=JUDGES))
