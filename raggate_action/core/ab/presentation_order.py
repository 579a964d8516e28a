"""Which arm a judge is shown first: drawn per question and judge from the seed; the second call swaps the pair."""

from __future__ import annotations

import hashlib
import json
from typing import TypeVar

from raggate_action.schema.arm_names import ArmName

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
