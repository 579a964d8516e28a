"""Judges compare pairs, blind: each in an order of its own, then swapped; what was said before is not asked again."""

from __future__ import annotations

import asyncio
import os
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from raggate_action.core.ab.comparison_terms import PairTrial
from raggate_action.judges.chat_call import Chat
from raggate_action.judges.endpoints import close_chats, open_chats
from raggate_action.judges.judge_exchange import Judge, JudgingSubject
from raggate_action.judging_jobs.pairs.pair_injections import PAIR_PLANTS, UNPLANTED, PairPlant, obeyed_pair
from raggate_action.judging_jobs.pairs.pair_job import PairJob
from raggate_action.judging_jobs.pairs.pair_task import PairTask
from raggate_action.run.ab.pairs import AnswerPair, JudgedPair, first_arm_of
from raggate_action.run.concurrency import side_by_side
from raggate_action.run.judging.judge_budget import Budget
from raggate_action.run.judging.judgement_cache import EarlierJudgements, JudgementSource
from raggate_action.run.judging.parallel_judges import JudgesAtWork
from raggate_action.run_store import JudgementFile
from raggate_action.schema.ab import Ab, Rubric
from raggate_action.schema.judgement import Judgement
from raggate_action.schema.judges import Member

_CUT = "the deadline had passed"


class PairTerms(NamedTuple):
    """On what terms pairs are judged.

    Attributes:
        members: The judges, in order.
        rubric: What pairs are scored by.
        ab: The suite's section: whether every pair is swapped.
        seed: Of the order a judge sees first.
        ends: The deadline by the loop's clock; None is without end.
    """

    members: tuple[Member, ...]
    rubric: Rubric
    ab: Ab
    seed: int
    ends: float | None = None

    @property
    def plants(self) -> tuple[PairPlant, ...]:
        """What every judge is shown beside the pairs, once. Our rubric prefers sound answers; another one may not."""
        return PAIR_PLANTS if self.ab.rubric is None else (*PAIR_PLANTS, *UNPLANTED)

    @property
    def orders(self) -> tuple[bool, ...]:
        """Whether a call shows the pair swapped, of each call."""
        return (False, True) if self.ab.swap else (False,)


class PairKeeping(NamedTuple):
    """What judging pairs may cost, where it is kept, and what must not be.

    Attributes:
        budget: What it may cost.
        journal: Where each judgement is kept as soon as it was made.
        earlier: Judgements of earlier comparisons, the nearest first.
        secrets: Values that no file may hold.
    """

    budget: Budget
    journal: JudgementFile
    earlier: tuple[JudgementSource, ...] = ()
    secrets: tuple[str, ...] = ()


class PairHearers(NamedTuple):
    """Who hears how judging goes.

    Attributes:
        tell: Hears, once for a judge, why it is asked no more, and what could not be used again.
        judged: Hears of every judgement.
        done: Hears that a pair was judged in one order by all, or a planted pair.
    """

    tell: Callable[[str], object]
    judged: Callable[[Judgement], object]
    done: Callable[[], object]


class JudgedPairs(NamedTuple):
    """What judges said.

    Attributes:
        by_judge: Question id and judge -> what the judge said, in each order.
        planted: What judges said of planted pairs, as far as they were asked or had said it before.
        trials: Judge -> how it took them.
    """

    by_judge: Mapping[tuple[str, str], list[JudgedPair]]
    planted: Sequence[Judgement]
    trials: Mapping[str, PairTrial]


def _trial(plants: Sequence[PairPlant], judgements: Mapping[str, Judgement]) -> PairTrial:
    scored = {
        plant: judgements[plant.id]
        for plant in plants
        if plant.id in judgements and judgements[plant.id].scores is not None
    }
    preferred = Counter([plant.instruction for plant, judgement in scored.items() if obeyed_pair(plant, judgement)])
    turned = preferred.pop("", 0)
    unplanted = turned if any(not plant.instruction for plant in plants) else None
    both = [each.scores for each in scored.values() if each.scores is not None]
    given = {tuple(sorted(answer.items())) for each in both for answer in (each.a, each.b)}
    return PairTrial(len(judgements), len(scored), preferred, unplanted, varied=len(given) > 1)


async def judge_pairs(
    pairs: Sequence[AnswerPair], terms: PairTerms, keeping: PairKeeping, hearers: PairHearers
) -> JudgedPairs:
    """Ask every judge about every pair; what goes wrong is a judgement that is lost.

    Pairs are asked about in order, both orders of one before the next: where money does not suffice for all, those at
    the end lack it, and not the swapped order of each. Behind them come the planted pairs, on the same budget. Where
    there is no pair nobody is asked; what judges said of planted pairs before is kept, so that the next run finds it.

    Args:
        pairs: Those that judges are asked about.
        terms: How.
        keeping: What it may cost, and where it is kept.
        hearers: Who hears how it goes.

    Raises:
        RunStoreError: A judgement cannot be written down.
    """
    if not pairs:
        # A judge that is not asked lacks no key.
        hearers = hearers._replace(tell=lambda _line: None)
    draw = random.Random()  # noqa: S311 - jitter, not a secret
    chats = open_chats(terms.members, os.environ, draw=draw, tell=hearers.tell)
    panel = _Panel(terms, chats, keeping, hearers)
    try:
        return await panel.judge(pairs)
    finally:
        panel.close()
        await close_chats(chats)


class _Unit(NamedTuple):
    """A pair in one order: what all judges are asked about at once."""

    pair: AnswerPair
    swapped: bool


_Said = dict[tuple[str, str], list[JudgedPair]]


class _Panel:
    """The judges at work on pairs."""

    def __init__(self, terms: PairTerms, chats: Mapping[str, Chat], keeping: PairKeeping, hearers: PairHearers) -> None:
        job = PairJob(terms.rubric)
        judges = [Judge[PairTask](member, chats[member.name], job) for member in terms.members]
        made_by = {(judge.fingerprint, judge.prompt) for judge in judges}
        budget, journal, earlier, secrets = keeping
        self._terms, self._hearers = terms, hearers
        self._earlier = EarlierJudgements(journal, earlier, made_by=made_by)
        for line in self._earlier.problems:
            hearers.tell(line)
        # Each by itself: the order they see is their own.
        self._at_work = {
            judge.member.name: JudgesAtWork(
                [judge], budget, self._earlier, journal, secrets=secrets, hear=hearers.judged
            )
            for judge in judges
        }

    async def judge(self, pairs: Sequence[AnswerPair]) -> JudgedPairs:
        found: _Said = {}
        planted: list[Judgement] = []
        if not pairs:
            for plant in self._terms.plants:
                subject = JudgingSubject("label", plant.id)
                for work in self._at_work.values():
                    known = work.recall(work.judges[0], plant.task, subject)
                    planted += [known] if known is not None else []
            return JudgedPairs({}, planted, {})
        units: Iterator[_Unit | PairPlant] = chain(
            (_Unit(pair, swapped) for pair in pairs for swapped in self._terms.orders), self._terms.plants
        )
        lanes = max(member.concurrency for member in self._terms.members)
        await side_by_side([self._lane(units, found, planted) for _lane in range(lanes)])
        in_order = {key: sorted(judgements, key=lambda one: one.judgement.ask) for key, judgements in found.items()}
        trials = {
            member.name: _trial(self._terms.plants, {each.id: each for each in planted if each.judge == member.name})
            for member in self._terms.members
        }
        return JudgedPairs(in_order, planted, trials)

    def close(self) -> None:
        self._earlier.close()

    async def _lane(self, units: Iterator[_Unit | PairPlant], found: _Said, planted: list[Judgement]) -> None:
        for unit in units:
            if isinstance(unit, PairPlant):
                subject = JudgingSubject("label", unit.id)
                calls = [self._pair_judgement(member, unit.task, subject) for member in self._terms.members]
                planted += await side_by_side(calls)
                self._hearers.done()
                continue
            judgements = await side_by_side([self._one(unit, member) for member in self._terms.members])
            for member, one in zip(self._terms.members, judgements, strict=True):
                found.setdefault((unit.pair.question_id, member.name), []).append(one)
            self._hearers.done()

    async def _one(self, unit: _Unit, member: Member) -> JudgedPair:
        first = first_arm_of(self._terms.seed, unit.pair, member, swapped=unit.swapped)
        subject = JudgingSubject("case", unit.pair.question_id, int(unit.swapped))
        return JudgedPair(await self._pair_judgement(member, unit.pair.task(first), subject), first)

    async def _pair_judgement(self, member: Member, task: PairTask, subject: JudgingSubject) -> Judgement:
        work = self._at_work[member.name]
        limit = asyncio.timeout_at(self._terms.ends)
        try:
            async with limit:
                [judgement] = await work.ask(task, subject)
        except TimeoutError:
            if not limit.expired():
                raise
            [judgement] = work.cut(task, subject, _CUT)
        return judgement
