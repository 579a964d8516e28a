"""The answers of two arms become pairs; what judges say of them becomes rows, and rows are all that is counted."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, closing
from typing import Any, NamedTuple, TypeAlias

from raggate_action.core.ab.pair_rows import first_arm, in_shown_order, judgement_row
from raggate_action.core.ab.score_table import ComparisonTerms, PairTrial, PanelQuestion, Rater
from raggate_action.core.counting.case_state import passes_gates
from raggate_action.judges.judge_exchange import JudgingSubject
from raggate_action.judging_jobs.pair_job import PAIR_PLANTS, UNPLANTED, PairJob, PairTask, pair_task
from raggate_action.judging_jobs.planted_words import Plant
from raggate_action.run.ab.arm_answers import ArmAnswer
from raggate_action.run.concurrency import side_by_side
from raggate_action.run.judging.parallel_judges import JudgesAtWork
from raggate_action.run.progress import Progress
from raggate_action.schema.ab import Ab, Rubric
from raggate_action.schema.ab_run import UnaskedPair
from raggate_action.schema.arm_names import ARMS, ArmName
from raggate_action.schema.case import Case
from raggate_action.schema.judge_rows import JudgeRow, Unasked
from raggate_action.schema.judgement import Judgement
from raggate_action.schema.judges import Member
from raggate_action.schema.slices import slice_names
from raggate_action.schema.suite import Suite
from raggate_action.suite_files.ab_section import lab_of

OpenJudges: TypeAlias = Callable[..., AbstractAsyncContextManager[JudgesAtWork[Any]]]
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
        pairs: The answers to every question, in order.
    """

    suite: Suite
    ab: Ab
    rubric: Rubric
    judges: tuple[Member, ...]
    pairs: Sequence[Pair] = ()

    @property
    def seed(self) -> int:
        """Of every draw."""
        return self.suite.seed if self.ab.seed is None else self.ab.seed

    def pair(self, case: Case, control: ArmAnswer, treatment: ArmAnswer) -> Pair:
        """The pair of a question. A wrong answer does harm by the rubric, or by the suite's protected slices."""
        slices, question_type = self.suite.slices, getattr(case, self.ab.question_type) or ""
        harmful = question_type in self.rubric.protected
        harmful |= not slices.protected_names.isdisjoint(slice_names(case, tuple(slices.protected)))
        passed = passes_gates(treatment.row, answerable=case.is_answerable)
        return Pair(case, PanelQuestion(case.case_id, question_type, harmful, passed), control, treatment)

    def rows(self, judgements: Iterable[Judgement], *, run_id: str, timestamp: str) -> Iterator[JudgeRow]:
        """A row of each pair, judge and order; of a pair that nobody was asked about, of each judge."""
        said: dict[tuple[str, str], list[Judgement]] = {}
        for each in sorted(judgements, key=lambda judgement: judgement.ask):
            if each.about == "case":
                said.setdefault((each.id, each.judge), []).append(each)
        for pair in self.pairs:
            for member in self.judges:
                head: dict[str, Any] = {
                    "run_id": run_id,
                    "timestamp": timestamp,
                    "question_id": pair.case.case_id,
                    "question_text": pair.case.question_with_turns,
                    "question_type": pair.question.question_type,
                    "judge": member.name,
                    "lab": member.lab,
                    "control_response": pair.control.shown.answer,
                    "treatment_response": pair.treatment.shown.answer,
                }
                if pair.is_asked:
                    for each in said.get((pair.case.case_id, member.name), ()):
                        first = first_arm(self.seed, pair.case.case_id, member.name, swapped=bool(each.ask))
                        yield judgement_row(head, each, first)
                elif (unasked := pair.unasked) is not None:
                    yield JudgeRow(**head, lost=unasked.reason)
                else:
                    yield JudgeRow(**head, identical=True)

    def terms(self, judgements: Iterable[Judgement]) -> ComparisonTerms:
        """What was to be judged, by whom and how, and how each judge took planted pairs."""
        planted: dict[str, dict[str, Judgement]] = {}
        for each in judgements:
            if each.about == "label":
                planted.setdefault(each.judge, {})[each.id] = each
        return ComparisonTerms(
            dimensions=self.rubric.names,
            questions=tuple([pair.question for pair in self.pairs]),
            judges=tuple([Rater(member.name, lab=member.lab) for member in self.judges]),
            swap=self.ab.swap,
            labs={name: lab for name in ARMS if (lab := lab_of(self.ab, name)) is not None},
            seed=self.seed,
            trials={name: _trial(self._plants, said) for name, said in planted.items()},
        )

    @property
    def _plants(self) -> Sequence[Plant]:
        """What every judge is shown beside the pairs, once. Our rubric prefers sound answers; another one may not."""
        return PAIR_PLANTS if self.ab.rubric is None else (*PAIR_PLANTS, *UNPLANTED)

    async def judge(self, open_judges: OpenJudges, ends: float | None = None) -> list[Judgement]:
        """Ask every judge about every pair that is to be asked about; what goes wrong is a judgement that is lost.

        Pairs are asked about in order, both orders of one before the next: where money does not suffice for all, those
        at the end lack it, and not the swapped order of each. Behind them come the planted pairs, on the same budget.
        Where there is no pair nobody is asked.

        Args:
            open_judges: `opened_judges` with the comparison's budget and journal.
            ends: The deadline by the loop's clock; None is without end.

        Returns:
            Those of pairs, and those of planted pairs, which are about a `label`; in the order in which they came.

        Raises:
            RunStoreError: A judgement cannot be written down.
        """
        asked = [pair for pair in self.pairs if pair.is_asked]
        if not asked:
            return []
        # What all judges are asked at once, each its own task: the order they see is their own.
        views: list[tuple[JudgingSubject, list[PairTask]]] = []
        for pair in asked:
            for swapped in (False, True) if self.ab.swap else (False,):
                name = pair.case.case_id
                firsts = [first_arm(self.seed, name, each.name, swapped=swapped) for each in self.judges]
                views.append((JudgingSubject("case", name, int(swapped)), [pair.task(first) for first in firsts]))
        views += [(JudgingSubject("label", plant.id), [plant.task] * len(self.judges)) for plant in self._plants]
        left, found = iter(views), list[Judgement]()

        async def lane(alone: Sequence[JudgesAtWork[PairTask]]) -> None:
            for subject, tasks in left:
                both = zip(alone, tasks, strict=True)
                for said in await side_by_side([judge.ask_until(ends, task, subject) for judge, task in both]):
                    found.extend(said)
                progress.count(failed=False)

        with closing(Progress(len(views), environment=os.environ, what="pairs shown")) as progress:
            job = PairJob(self.rubric)
            async with open_judges(self.judges, job, hear=progress.judged, tell=progress.tell) as panel:
                alone = panel.each_alone()
                await side_by_side([lane(alone) for _lane in range(max(each.concurrency for each in self.judges))])
        return found


class Pair(NamedTuple):
    """Two answers to one question.

    Attributes:
        case: The question.
        question: What is counted of it.
        control, treatment: The answers.
    """

    case: Case
    question: PanelQuestion
    control: ArmAnswer
    treatment: ArmAnswer

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
                return UnaskedPair(question_id=self.case.case_id, arms=arms, reason=reason, detail=detail)
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
        return pair_task(self.case.question_with_turns, *shown, harmful=self.question.protected)


def _trial(plants: Sequence[Plant], said: Mapping[str, Judgement]) -> PairTrial:
    scored = [(plant, each) for plant in plants if (each := said.get(plant.id)) is not None and each.scores is not None]
    preferred = Counter([plant.name for plant, judgement in scored if plant.is_obeyed(judgement, "pair")])
    turned = preferred.pop(UNPLANTED[0].name, 0)
    both = [each.scores for _plant, each in scored if each.scores is not None]
    given = {tuple(sorted(answer.items())) for each in both for answer in (each.a, each.b)}
    unplanted = turned if UNPLANTED[0] in plants else None
    return PairTrial(len(said), len(scored), preferred, unplanted, varied=len(given) > 1)
