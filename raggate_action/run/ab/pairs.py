"""The answers of two arms become pairs: what judges are asked about, and what nobody is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from raggate_action.core.ab.pair_rows import RowFields, judgement_row, unjudged_row
from raggate_action.core.ab.presentation_order import first_arm, in_shown_order
from raggate_action.judges.chat_call import VisibleChunk
from raggate_action.judging_jobs.pairs.pair_task import PairAnswer, PairTask, pair_task
from raggate_action.run.ab.arm_answers import ArmAnswer
from raggate_action.schema.ab import Rubric
from raggate_action.schema.ab_run import UnaskedPair
from raggate_action.schema.arm_names import ArmName
from raggate_action.schema.case import Case, PlacedCase
from raggate_action.schema.judge_rows import JudgeRow, Unasked
from raggate_action.schema.judgement import Judgement
from raggate_action.schema.judges import Member
from raggate_action.schema.slices import Slices, slice_names

# `[1]`, `[2, 3]`, `【1】`, `[^1]`: a place in a context, whatever else it is.
_BY_NUMBER = re.compile(r"[\[【]\^?\s*\d")


class AnswerPair(NamedTuple):
    """Two answers to one question.

    Attributes:
        question_id, question, question_type: What was asked, with the turns before it, and of what kind it is.
        harmful: A wrong answer does harm.
        control, treatment: The answers, whole; empty where an arm has none that may be judged.
        control_chunks, treatment_chunks: What each was made from, in order; empty where no judge may be asked.
        unasked: Why no judge may be asked; None where one may, or the answers are the same.
        arms: Whose fault that is.
        why: The same in words.
    """

    question_id: str
    question: str
    question_type: str
    harmful: bool
    control: str
    treatment: str
    control_chunks: tuple[VisibleChunk, ...] = ()
    treatment_chunks: tuple[VisibleChunk, ...] = ()
    unasked: Unasked | None = None
    arms: tuple[ArmName, ...] = ()
    why: str = ""

    @property
    def is_asked(self) -> bool:
        """Whether judges are asked about it: both arms answered, and not the same."""
        return self.unasked is None and not self.is_same

    @property
    def is_same(self) -> bool:
        """Whether both answers say the same; space around them makes no difference, nor what they were made from.

        But for one that cites by number: beside another context its [1] is another source.
        """
        if self.control.strip() != self.treatment.strip():
            return False
        return self.control_chunks == self.treatment_chunks or not cites_by_number(self.control)

    def task(self, first: ArmName) -> PairTask:
        """What a judge is shown, with one of the arms as A."""
        control, treatment = (
            PairAnswer(self.control, self.control_chunks),
            PairAnswer(self.treatment, self.treatment_chunks),
        )
        return pair_task(self.question, *in_shown_order(first, control, treatment), harmful=self.harmful)

    def head(self, member: Member, *, run_id: str, timestamp: str) -> RowFields:
        """What all rows of a judge on it share."""
        return RowFields(
            run_id=run_id,
            timestamp=timestamp,
            question_id=self.question_id,
            question_text=self.question,
            question_type=self.question_type,
            judge=member.name,
            lab=member.lab,
            control_response=self.control,
            treatment_response=self.treatment,
        )

    def without_judges(self, head: RowFields) -> JudgeRow | None:
        """The row of a judge that was not asked about it; None where it is to be asked."""
        if self.unasked == "inadmissible":
            return JudgeRow(**head._asdict(), lost=self.unasked)
        return None if self.is_asked else unjudged_row(head)


def cites_by_number(text: str) -> bool:
    """Whether a text names places in its context, so that beside another one it says something else."""
    return _BY_NUMBER.search(text) is not None


def type_of(case: Case, field: Literal["category", "workflow"]) -> str:
    """Of what kind a question is; empty where it does not say."""
    return (case.category if field == "category" else case.workflow) or ""


def is_harmful(case: Case, question_type: str, rubric: Rubric, slices: Slices) -> bool:
    """Whether a wrong answer to it does harm: by the rubric, or by the suite's protected slices."""
    names = slice_names(case, tuple(slices.protected))
    return question_type in rubric.protected or not slices.protected_names.isdisjoint(names)


def pair_of(
    placed: PlacedCase, control: ArmAnswer, treatment: ArmAnswer, *, question_type: str, harmful: bool
) -> AnswerPair:
    """The pair of a question. Where an arm's answer may not be judged, nothing of either is shown to anybody.

    Args:
        placed: The question.
        control: What the control answered.
        treatment: What the treatment did.
        question_type: Of what kind it is.
        harmful: A wrong answer does harm.
    """
    faults: list[tuple[ArmName, ArmAnswer]] = []
    faults += [("control", control)] if control.unasked is not None else []
    faults += [("treatment", treatment)] if treatment.unasked is not None else []
    # Of two reasons the one that says more: an app that is down is no matter of its evidence.
    reasons = [answer.unasked for _arm, answer in faults]
    reason: Unasked | None = "no-answer" if "no-answer" in reasons else "inadmissible" if reasons else None
    named = [(arm, answer) for arm, answer in faults if answer.unasked == reason]
    return AnswerPair(
        question_id=placed.case.case_id,
        question=placed.case.question_with_turns,
        question_type=question_type,
        harmful=harmful,
        control=control.text,
        treatment=treatment.text,
        control_chunks=control.chunks if reason is None else (),
        treatment_chunks=treatment.chunks if reason is None else (),
        unasked=reason,
        arms=tuple([arm for arm, _answer in named]),
        why=named[0][1].why if named else "",
    )


def unjudged_pairs(pairs: tuple[AnswerPair, ...]) -> Iterator[UnaskedPair]:
    """The questions that an arm left without anything to be judged."""
    for pair in pairs:
        if pair.unasked is not None:
            yield UnaskedPair(question_id=pair.question_id, arms=pair.arms, reason=pair.unasked, detail=pair.why)


class JudgedPair(NamedTuple):
    """What a judge said of a pair, shown in one order."""

    judgement: Judgement
    first: ArmName


def first_arm_of(seed: int, pair: AnswerPair, member: Member, *, swapped: bool) -> ArmName:
    """The arm that a judge sees as A."""
    return first_arm(seed, pair.question_id, member.name, swapped=swapped)


def row_of(head: RowFields, judged: JudgedPair) -> JudgeRow:
    """The row of a judgement."""
    return judgement_row(head, judged.judgement, judged.first)
