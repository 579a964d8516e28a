"""The one question of a comparison that is shown with both answers: what a reader should look at first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from raggate_action.schema.ab_result import Aggregate, QuestionResult
from raggate_action.schema.ab_run import AbExample
from raggate_action.schema.judge_rows import JudgeRow
from raggate_action.strings.visible_text import cut

_LONGEST_TEXT = 400
_ARMS: Final = ("control", "treatment")


def example_question(total: Aggregate, rows: Iterable[JudgeRow]) -> AbExample | None:
    """The question that the control wins by most, a protected one before others; else the treatment's widest lead.

    Args:
        total: What the rows come to.
        rows: Of every judge, as a file may hold them.

    Returns:
        None where judges prefer neither answer to any question, and where the rows have no words of the answers.
    """
    decided = [(each, each.consensus) for each in total.questions if each.consensus in _ARMS]
    if not decided:
        return None
    question, arm = min(decided, key=lambda each: _rank(each[0]))
    found = [row for row in rows if row.question_id == question.question_id]
    row = next((each for each in found if each.control_response and each.treatment_response), None)
    if row is None:
        return None
    votes = question.votes
    why = next((each for each in found if each.winner == arm and each.reason.strip()), None)
    return AbExample(
        question_id=question.question_id,
        question=cut(row.question_text, _LONGEST_TEXT),
        before=cut(row.control_response, _LONGEST_TEXT),
        now=cut(row.treatment_response, _LONGEST_TEXT),
        prefers=arm,
        votes=votes.control if arm == "control" else votes.treatment,
        judges=votes.judged,
        judge=why.judge if why is not None else "",
        reason=cut(why.reason, _LONGEST_TEXT) if why is not None else "",
    )


def _rank(question: QuestionResult) -> tuple[bool, bool, float]:
    """What the control wins first; of these a protected question, then the widest lead."""
    lead = abs(question.totals.mean_delta or 0.0)
    return question.consensus != "control", not question.protected, -lead
