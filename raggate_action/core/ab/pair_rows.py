"""Which arm a judge is shown first, and judgements of pairs as rows: scores of A and B become those of arms."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, TypeVar

from raggate_action.schema.arm_names import ArmName
from raggate_action.schema.judge_rows import Claimed, JudgeRow, Winner
from raggate_action.schema.judgement import Judgement

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


def in_shown_order(first: ArmName, control: _Of, treatment: _Of) -> tuple[_Of, _Of]:
    """What belongs to the arms as A and B; the same turns A and B back into control and treatment."""
    return (control, treatment) if first == "control" else (treatment, control)


def judgement_row(head: Mapping[str, Any], judgement: Judgement, first: ArmName) -> JudgeRow:
    """The row of a judgement.

    Args:
        head: The fields of `JudgeRow` that say what was judged, and by whom.
        judgement: Of the pair job: with scores, or lost. Its `ask` is 1 where the pair was shown swapped.
        first: The arm that this very call showed as A.
    """
    fields, scores = {**head, "order": judgement.ask + 1, "shown_first": first}, judgement.scores
    if scores is None:
        return JudgeRow(**fields, lost=judgement.lost)
    control, treatment = in_shown_order(first, scores.a, scores.b)
    total_control, total_treatment = in_shown_order(first, scores.total_a, scores.total_b)
    verdicts: dict[str | None, Winner | None] = {"A": first, "B": other_arm(first), "tie": "tie"}
    claimed = Claimed(control=total_control, treatment=total_treatment, verdict=verdicts.get(scores.verdict))
    return JudgeRow(**fields, control=control, treatment=treatment, claimed=claimed, reason=scores.reason)
