"""Judgements of pairs become rows: what the scores of A and B say of the arms that stood there."""

from __future__ import annotations

from typing import NamedTuple

from raggate_action.core.ab.presentation_order import in_shown_order, other_arm
from raggate_action.schema.arm_names import ArmName
from raggate_action.schema.judge_rows import Claimed, JudgeRow, Winner
from raggate_action.schema.judgement import Judgement, PairScores


class RowFields(NamedTuple):
    """What all rows of a judge on a question share; each as in `JudgeRow`."""

    run_id: str
    timestamp: str
    question_id: str
    question_text: str
    question_type: str
    judge: str
    lab: str
    control_response: str
    treatment_response: str
    harness: str = ""


def judgement_row(head: RowFields, judgement: Judgement, first: ArmName) -> JudgeRow:
    """The row of a judgement.

    Args:
        head: What was judged, and by whom.
        judgement: Of the pair job: with scores, or lost. Its `ask` is 1 where the pair was shown swapped.
        first: The arm that this very call showed as A.
    """
    head_fields = {**head._asdict(), "order": judgement.ask + 1, "shown_first": first}
    scores = judgement.scores
    if scores is None:
        return JudgeRow(**head_fields, lost=judgement.lost)
    control, treatment = in_shown_order(first, scores.a, scores.b)
    total_control, total_treatment = in_shown_order(first, scores.total_a, scores.total_b)
    claimed = Claimed(control=total_control, treatment=total_treatment, verdict=_winner(scores, first))
    return JudgeRow(**head_fields, control=control, treatment=treatment, claimed=claimed, reason=scores.reason)


def unjudged_row(head: RowFields) -> JudgeRow | None:
    """The row of a pair that no judge is asked about, whatever the order: an arm has no answer, or both have the same.

    None where there is something to judge. Space around an answer makes no difference.
    """
    answers = [text.strip() for text in (head.control_response, head.treatment_response)]
    if not all(answers):
        return JudgeRow(**head._asdict(), lost="no-answer")
    return JudgeRow(**head._asdict(), identical=True) if answers[0] == answers[1] else None


def _winner(scores: PairScores, first: ArmName) -> Winner | None:
    match scores.verdict:
        case "A":
            return first
        case "B":
            return other_arm(first)
        case said:
            return said
