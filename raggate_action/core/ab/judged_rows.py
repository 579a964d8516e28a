"""Judgements of pairs become rows: which arm a judge is shown as A, and what its scores of A and B say of the arms."""

from __future__ import annotations

import hashlib
import json
from typing import NamedTuple, TypeVar

from raggate_action.schema.ab import ArmName
from raggate_action.schema.judge_rows import Claimed, JudgeRow, Winner
from raggate_action.schema.judgement import Judgement, PairScores

_Of = TypeVar("_Of")


def other_arm(arm: ArmName) -> ArmName:
    """The arm that is not this one."""
    return "treatment" if arm == "control" else "control"


def first_arm(seed: int, question_id: str, judge: str, *, swapped: bool = False) -> ArmName:
    """The arm that stands as A.

    A fair coin for each question and judge: it does not hang on which others there are, so that a question more or a
    judge less turns no other pair around, and no other judgement has to be made again.

    Args:
        seed: Of the comparison.
        question_id: The question.
        judge: The judge's name.
        swapped: Of the second call, which shows the pair the other way round.
    """
    # Joined as JSON: no name can run into the next. In ASCII, for half a surrogate pair has no UTF-8.
    drawn = hashlib.sha256(json.dumps([seed, question_id, judge]).encode()).digest()[0] & 1
    first: ArmName = "treatment" if drawn else "control"
    return other_arm(first) if swapped else first


def in_order(first: ArmName, control: _Of, treatment: _Of) -> tuple[_Of, _Of]:
    """What belongs to the arms as A and B; the same turns A and B back into control and treatment."""
    return (control, treatment) if first == "control" else (treatment, control)


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
    shown = {**head._asdict(), "order": judgement.ask + 1, "shown_first": first}
    scores = judgement.scores
    if scores is None:
        return JudgeRow(**shown, lost=judgement.lost)
    control, treatment = in_order(first, scores.a, scores.b)
    total_control, total_treatment = in_order(first, scores.total_a, scores.total_b)
    claimed = Claimed(control=total_control, treatment=total_treatment, verdict=_winner(scores, first))
    return JudgeRow(**shown, control=control, treatment=treatment, claimed=claimed, reason=scores.reason)


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
