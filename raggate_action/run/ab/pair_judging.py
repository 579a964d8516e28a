"""Judges compare pairs, blind: each in an order of its own, then swapped; what was said before is not asked again."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, closing
from typing import Any, TypeAlias

from raggate_action.core.ab.comparison_terms import ComparisonTerms, PairTrial, PanelQuestion, Rater
from raggate_action.core.ab.pair_rows import first_arm
from raggate_action.core.counting.case_state import passes_gates
from raggate_action.judges.judge_exchange import JudgingSubject
from raggate_action.judging_jobs.pairs.pair_injections import PAIR_PLANTS, UNPLANTED, PairPlant, obeyed_pair
from raggate_action.judging_jobs.pairs.pair_job import PairJob
from raggate_action.judging_jobs.pairs.pair_task import PairTask
from raggate_action.run.ab.pairs import Comparison, Pair
from raggate_action.run.concurrency import side_by_side
from raggate_action.run.judging.parallel_judges import JudgesAtWork
from raggate_action.run.progress import Progress
from raggate_action.schema.arm_names import ArmName
from raggate_action.schema.judgement import Judgement

OpenJudges: TypeAlias = Callable[..., AbstractAsyncContextManager[JudgesAtWork[Any]]]


def _plants(by: Comparison) -> Sequence[PairPlant]:
    """What every judge is shown beside the pairs, once. Our rubric prefers sound answers; another one may not."""
    return PAIR_PLANTS if by.ab.rubric is None else (*PAIR_PLANTS, *UNPLANTED)


def _trial(plants: Sequence[PairPlant], said: Mapping[str, Judgement]) -> PairTrial:
    scored = [(plant, each) for plant in plants if (each := said.get(plant.id)) is not None and each.scores is not None]
    preferred = Counter([plant.instruction for plant, judgement in scored if obeyed_pair(plant, judgement)])
    turned = preferred.pop("", 0)
    both = [each.scores for _plant, each in scored if each.scores is not None]
    given = {tuple(sorted(answer.items())) for each in both for answer in (each.a, each.b)}
    unplanted = turned if any(not plant.instruction for plant in plants) else None
    return PairTrial(len(said), len(scored), preferred, unplanted, varied=len(given) > 1)


def terms_of(
    pairs: Iterable[Pair], by: Comparison, judgements: Sequence[Judgement], labs: Mapping[ArmName, str]
) -> ComparisonTerms:
    """What was to be judged, by whom and how, and how each judge took planted pairs."""
    planted = {
        member.name: {each.id: each for each in judgements if (each.about, each.judge) == ("label", member.name)}
        for member in by.judges
    }
    return ComparisonTerms(
        dimensions=by.rubric.names,
        questions=tuple(
            [
                PanelQuestion(
                    each.question_id,
                    each.question_type,
                    each.harmful,
                    passes_gates(each.treatment.row, answerable=each.case.is_answerable),
                )
                for each in pairs
            ]
        ),
        judges=tuple([Rater(member.name, lab=member.lab) for member in by.judges]),
        swap=by.ab.swap,
        labs=labs,
        seed=by.seed,
        trials={name: _trial(_plants(by), said) for name, said in planted.items() if said},
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
                firsts = [first_arm(by.seed, pair.question_id, each.name, swapped=swapped) for each in by.judges]
                yield JudgingSubject("case", pair.question_id, int(swapped)), [pair.task(first) for first in firsts]
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
