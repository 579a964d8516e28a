"""The answers of two arms become pairs; what judges say of them becomes rows, and rows are all that is counted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from raggate_action.core.ab.pair_rows import first_arm, in_shown_order, judgement_row
from raggate_action.judging_jobs.pairs.pair_task import PairTask, pair_task
from raggate_action.run.ab.arm_answers import ArmAnswer
from raggate_action.schema.ab import Ab, Rubric
from raggate_action.schema.ab_run import UnaskedPair
from raggate_action.schema.arm_names import ARMS, ArmName
from raggate_action.schema.case import Case
from raggate_action.schema.judge_rows import JudgeRow, Unasked
from raggate_action.schema.judgement import Judgement
from raggate_action.schema.judges import Member
from raggate_action.schema.slices import slice_names
from raggate_action.schema.suite import Suite

# `[1]`, `[2, 3]`, `【1】`, `[^1]`: a place in a context, whatever else it is.
_BY_NUMBER = re.compile(r"[\[【]\^?\s*\d")
# Of two reasons the one that says more: an app that is down is no matter of its evidence.
_REASONS: tuple[Unasked, ...] = ("no-answer", "inadmissible")


class Comparison(NamedTuple):
    """By whom and by what the answers of two arms are compared.

    Attributes:
        suite: The suite.
        ab: Its section.
        rubric: What pairs are scored by.
        judges: Who compares, in order.
        secrets: Values that no file may hold.
        ends: The deadline by the loop's clock; None is without end.
    """

    suite: Suite
    ab: Ab
    rubric: Rubric
    judges: tuple[Member, ...]
    secrets: tuple[str, ...] = ()
    ends: float | None = None

    @property
    def seed(self) -> int:
        """Of every draw."""
        return self.suite.seed if self.ab.seed is None else self.ab.seed

    def pair(self, case: Case, control: ArmAnswer, treatment: ArmAnswer) -> Pair:
        """The pair of a question. A wrong answer does harm by the rubric, or by the suite's protected slices."""
        slices, question_type = self.suite.slices, getattr(case, self.ab.question_type) or ""
        harmful = question_type in self.rubric.protected
        harmful |= not slices.protected_names.isdisjoint(slice_names(case, tuple(slices.protected)))
        return Pair(case, question_type, harmful, control, treatment)

    def rows(
        self, pairs: Iterable[Pair], judgements: Iterable[Judgement], *, run_id: str, timestamp: str
    ) -> Iterator[JudgeRow]:
        """A row of each pair, judge and order; of a pair that nobody was asked about, of each judge."""
        said: dict[tuple[str, str], list[Judgement]] = {}
        of_pairs = [each for each in judgements if each.about == "case"]
        for each in sorted(of_pairs, key=lambda judgement: judgement.ask):
            said.setdefault((each.id, each.judge), []).append(each)
        for pair in pairs:
            for member in self.judges:
                head: dict[str, Any] = {
                    "run_id": run_id,
                    "timestamp": timestamp,
                    "question_id": pair.question_id,
                    "question_text": pair.case.question_with_turns,
                    "question_type": pair.question_type,
                    "judge": member.name,
                    "lab": member.lab,
                    "control_response": pair.control.shown.answer,
                    "treatment_response": pair.treatment.shown.answer,
                }
                if pair.is_asked:
                    for each in said.get((pair.question_id, member.name), ()):
                        first = first_arm(self.seed, pair.question_id, member.name, swapped=bool(each.ask))
                        yield judgement_row(head, each, first)
                elif (unasked := pair.unasked) is not None:
                    yield JudgeRow(**head, lost=unasked.reason)
                else:
                    yield JudgeRow(**head, identical=True)


class Pair(NamedTuple):
    """Two answers to one question.

    Attributes:
        case: The question.
        question_type: Of what kind it is; empty where it does not say.
        harmful: A wrong answer does harm.
        control, treatment: The answers.
    """

    case: Case
    question_type: str
    harmful: bool
    control: ArmAnswer
    treatment: ArmAnswer

    @property
    def question_id(self) -> str:
        """The question's id."""
        return self.case.case_id

    def of(self, arm: ArmName) -> ArmAnswer:
        """What an arm answered."""
        return self.control if arm == "control" else self.treatment

    @property
    def unasked(self) -> UnaskedPair | None:
        """Which arm left nothing to be judged; None where both answered."""
        for reason in _REASONS:
            arms = tuple([name for name in ARMS if self.of(name).unasked == reason])
            if arms:
                detail = self.of(arms[0]).why
                return UnaskedPair(question_id=self.question_id, arms=arms, reason=reason, detail=detail)
        return None

    @property
    def is_asked(self) -> bool:
        """Whether judges are asked about it: both arms answered, and not the same.

        Space around answers makes no difference, nor what they were made from. But for one that cites by number: beside
        another context its [1] is another source.
        """
        if self.control.unasked is not None or self.treatment.unasked is not None:
            return False
        control, treatment = self.control.shown, self.treatment.shown
        if control.answer.strip() != treatment.answer.strip():
            return True
        return control.chunks != treatment.chunks and _BY_NUMBER.search(control.answer) is not None

    def task(self, first: ArmName) -> PairTask:
        """What a judge is shown, with one of the arms as A."""
        shown = in_shown_order(first, self.control.shown, self.treatment.shown)
        return pair_task(self.case.question_with_turns, *shown, harmful=self.harmful)
