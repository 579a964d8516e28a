"""Rows of a blind panel for tests: five dimensions, scores written as five digits."""

from __future__ import annotations

from typing import Any

from raggate_action.schema.judge_rows import JudgeRow
from raggate_action.schema.judgement import Lost, LostCode

DIMENSIONS = ("citation_accuracy", "groundedness", "honesty_uncertainty", "conflict_handling", "specificity")


def scored(question: str, judge: str, control: str, treatment: str, **fields: Any) -> JudgeRow:
    """A row with scores: `scored("q1", "kimi", "33333", "44444", order=2)`; fewer digits are the first dimensions."""
    return JudgeRow(
        question_id=question,
        judge=judge,
        control=dict(zip(DIMENSIONS, map(int, control), strict=False)),
        treatment=dict(zip(DIMENSIONS, map(int, treatment), strict=False)),
        **fields,
    )


def ahead(question: str, judge: str, delta: int, **fields: Any) -> JudgeRow:
    """A row whose totals differ by `delta`, from -20 to 20, spread over the dimensions."""
    lead = [abs(delta) // 5 + (place < abs(delta) % 5) for place in range(5)]
    up, down = "".join(str(1 + each) for each in lead), "11111"
    return scored(question, judge, *((down, up) if delta >= 0 else (up, down)), **fields)


def lost(question: str, judge: str, code: LostCode = "judge-timeout", **fields: Any) -> JudgeRow:
    """A call that came to nothing."""
    return JudgeRow(question_id=question, judge=judge, lost=Lost(code=code, detail=""), **fields)


def unanswered(question: str, judge: str, **fields: Any) -> JudgeRow:
    """A question to which an arm has no answer."""
    return JudgeRow(question_id=question, judge=judge, lost="no-answer", **fields)


def identical(question: str, judge: str, **fields: Any) -> JudgeRow:
    """A question with the same answer of both arms."""
    return JudgeRow(question_id=question, judge=judge, identical=True, **fields)


def both_orders(question: str, judge: str, first: int, second: int, **fields: Any) -> list[JudgeRow]:
    """A pair in both orders, with the treatment's lead in each."""
    return [ahead(question, judge, first, order=1, **fields), ahead(question, judge, second, order=2, **fields)]
