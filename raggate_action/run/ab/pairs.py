"""The answers of two arms become pairs; what judges say of them becomes rows, and rows are all that is counted."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
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
        ends: The deadline by the loop's clock; None is without end.
    """

    suite: Suite
    ab: Ab
    rubric: Rubric
    judges: tuple[Member, ...]
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
        passed = passes_gates(treatment.row, answerable=case.is_answerable)
        return Pair(case, PanelQuestion(case.case_id, question_type, harmful, passed), control, treatment)

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


def _plants(by: Comparison) -> Sequence[Plant]:
    """What every judge is shown beside the pairs, once. Our rubric prefers sound answers; another one may not."""
    return PAIR_PLANTS if by.ab.rubric is None else (*PAIR_PLANTS, *UNPLANTED)


def _trial(plants: Sequence[Plant], judgements: Iterable[Judgement]) -> PairTrial:
    said = {each.id: each for each in judgements}
    scored = [(plant, each) for plant in plants if (each := said.get(plant.id)) is not None and each.scores is not None]
    preferred = Counter([plant.name for plant, judgement in scored if plant.is_obeyed(judgement, "pair")])
    turned = preferred.pop(UNPLANTED[0].name, 0)
    both = [each.scores for _plant, each in scored if each.scores is not None]
    given = {tuple(sorted(answer.items())) for each in both for answer in (each.a, each.b)}
    unplanted = turned if UNPLANTED[0] in plants else None
    return PairTrial(len(said), len(scored), preferred, unplanted, varied=len(given) > 1)


def terms_of(pairs: Iterable[Pair], by: Comparison, judgements: Iterable[Judgement]) -> ComparisonTerms:
    """What was to be judged, by whom and how, and how each judge took planted pairs."""
    planted: dict[str, list[Judgement]] = {}
    for each in judgements:
        if each.about == "label":
            planted.setdefault(each.judge, []).append(each)
    return ComparisonTerms(
        dimensions=by.rubric.names,
        questions=tuple([pair.question for pair in pairs]),
        judges=tuple([Rater(member.name, lab=member.lab) for member in by.judges]),
        swap=by.ab.swap,
        labs={name: lab for name in ARMS if (lab := lab_of(by.ab, name)) is not None},
        seed=by.seed,
        trials={name: _trial(_plants(by), said) for name, said in planted.items()},
    )


async def judge_pairs(pairs: Iterable[Pair], by: Comparison, open_judges: OpenJudges) -> list[Judgement]:
    """Ask every judge about every pair that is to be asked about; what goes wrong is a judgement that is lost.

    Pairs are asked about in order, both orders of one before the next: where money does not suffice for all, those at
    the end lack it, and not the swapped order of each. Behind them come the planted pairs, on the same budget. Where
    there is no pair nobody is asked; what judges said of planted pairs before is kept, so that the next run finds it.

    Args:
        pairs: All of them, in order.
        by: Who is asked, and how.
        open_judges: `opened_judges` with the comparison's budget and journal.

    Returns:
        Those of pairs, and those of planted pairs, which are about a `label`; in the order in which they came.

    Raises:
        RunStoreError: A judgement cannot be written down.
    """
    asked, plants = [pair for pair in pairs if pair.is_asked], _plants(by)
    orders = (False, True) if by.ab.swap else (False,)
    found: list[Judgement] = []

    def calls() -> Iterator[tuple[JudgingSubject, list[PairTask]]]:
        """What all judges are asked at once, each its own task."""
        for pair in asked:
            for swapped in orders:
                firsts = [first_arm(by.seed, pair.case.case_id, each.name, swapped=swapped) for each in by.judges]
                yield JudgingSubject("case", pair.case.case_id, int(swapped)), [pair.task(first) for first in firsts]
        for plant in plants:
            yield JudgingSubject("label", plant.id), [plant.task for _judge in by.judges]

    async def lane(left: Iterator[tuple[JudgingSubject, list[PairTask]]], alone: list[JudgesAtWork[PairTask]]) -> None:
        for subject, tasks in left:
            both = zip(alone, tasks, strict=True)
            for said in await side_by_side([judge.ask_until(by.ends, task, subject) for judge, task in both]):
                found.extend(said)
            progress.count(failed=False)

    views = len(asked) * len(orders) + len(plants) if asked else 0
    with closing(Progress(views, environment=os.environ, what="pairs shown")) as progress:
        # A judge that is not asked lacks no key.
        tell = progress.tell if asked else lambda _line: None
        async with open_judges(by.judges, PairJob(by.rubric), hear=progress.judged, tell=tell) as panel:
            if asked:
                # Each by itself: the order they see is their own.
                left, alone = calls(), panel.each_alone()
                lanes = max(member.concurrency for member in by.judges)
                await side_by_side([lane(left, alone) for _lane in range(lanes)])
            else:
                for plant in plants:
                    for judge in panel.judges:
                        panel.recall(judge, plant.task, JudgingSubject("label", plant.id))
    return found
