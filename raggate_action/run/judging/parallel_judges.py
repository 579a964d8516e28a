"""All judges of a panel asked about one answer, side by side: what was said before is not asked again."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from copy import copy
from typing import Any, Final, Generic

from raggate_action.isolation.secrets import Secrets
from raggate_action.judges.endpoints import close_chats, open_chats
from raggate_action.judges.judge_exchange import Judge, JudgingSubject
from raggate_action.judges.judging_job import JudgingJob, Task
from raggate_action.run.concurrency import side_by_side
from raggate_action.run.judging.judge_budget import (
    CALLS_AT_MOST,
    Budget,
    BudgetRefusal,
    CallRequest,
    Cost,
    Grant,
    largest_cost,
)
from raggate_action.run.judging.judgement_cache import EarlierJudgements, JudgementSource
from raggate_action.run_store import WorkFile
from raggate_action.schema.json_lines import json_line
from raggate_action.schema.judgement import About, Judgement, Lost
from raggate_action.schema.judges import Member

_KNOWN_BY: Final = ("about", "id", "judge", "job", "fingerprint", "prompt", "key")


class JudgesAtWork(Generic[Task]):
    """The judges of a run. What each says is on disk before anybody hears of it."""

    def __init__(
        self,
        judges: Sequence[Judge[Task]],
        budget: Budget,
        earlier: EarlierJudgements,
        journal: WorkFile,
        *,
        secrets: Iterable[str] = (),
        hear: Callable[[Judgement], object] = lambda _judgement: None,
    ) -> None:
        """Prepare.

        Args:
            judges: The panel, in order.
            budget: What they may cost.
            earlier: What was said before.
            journal: Where it is kept; what it holds already was said in this run.
            secrets: Values that no file may hold, whoever says them.
            hear: Is told of every judgement.
        """
        self.judges = tuple(judges)
        self._budget = budget
        self._earlier = earlier
        self._journal = journal
        self._secrets = Secrets(secrets)
        self._hear = hear
        # A label that was lost once stays lost in this run: its rows were judged by judges armed without it. So does an
        # answer of the baseline: what was paid for in vain is not paid for twice.
        self._lost: dict[tuple[About, str, str], Judgement] = {
            (each.about, each.judge, each.key): each
            for each in journal.judgements()
            if each.about != "case" and each.lost
        }

    def known_judgement(
        self, judge: Judge[Task], task: Task, subject: JudgingSubject, key: str | None = None
    ) -> Judgement | None:
        """What the judge has said to this before, as it stands for the subject; None where it has to be asked."""
        key = key or judge.key(task)
        if (lost := self._lost.get((subject.about, judge.member.name, key))) is not None:
            return lost
        return self._earlier.find(key, task, subject, judge)

    def see_whole(self, tasks: Sequence[Task]) -> None:
        """Of each judge, see that what is kept beside the labels is its whole trial; else it is not used."""
        for judge in self.judges:
            self._earlier.see_whole(judge, tasks)

    def recall(self, judge: Judge[Task], task: Task, subject: JudgingSubject) -> Judgement | None:
        """The same, kept among what was said in this run, so that the next one finds it there."""
        found = self.known_judgement(judge, task, subject)
        return None if found is None else self._write_down(found)

    def earlier_judgements(self, task: Task, subject: JudgingSubject) -> tuple[Judgement, ...] | None:
        """What every judge has said to this before, in the panel's order; None where one of them has to be asked.

        Args:
            task: What is asked.
            subject: Of which answer.

        Raises:
            RunStoreError: It cannot be written down.
        """
        found = []
        for judge in self.judges:
            if (judgement := self.known_judgement(judge, task, subject)) is None:
                return None
            found.append(judgement)
        return tuple(map(self._write_down, found))

    def to_ask(self, task: Task, subject: JudgingSubject) -> list[Judge[Task]]:
        """The judges that have to be asked: who has said nothing to this before."""
        return [judge for judge in self.judges if self.known_judgement(judge, task, subject) is None]

    def dearest(self, task: Task, subject: JudgingSubject, *, calls: int = CALLS_AT_MOST) -> Cost | None:
        """What asking those that have to be asked may come to in so many calls; None where nobody has to be."""
        left = self.to_ask(task, subject)
        if not left:
            return None
        total = Cost()
        for judge in left:
            total = total.plus(largest_cost(judge.member, judge.job.size(task), calls))
        return total

    async def ask(self, task: Task, subject: JudgingSubject) -> tuple[Judgement, ...]:
        """Ask every judge, in the panel's order; what goes wrong is a judgement that is lost.

        Args:
            task: What is asked.
            subject: Of which answer.

        Raises:
            RunStoreError: It cannot be written down.
        """
        judges = self.judges
        keys = [judge.key(task) for judge in judges]
        found = [self.known_judgement(judge, task, subject, key) for judge, key in zip(judges, keys, strict=True)]
        left = [judge for judge, judgement in zip(judges, found, strict=True) if judgement is None]
        grants: dict[str, Grant | BudgetRefusal] = {}
        if left:
            wanted = [CallRequest(judge.member, judge.job.size(task), judge.job.name) for judge in left]
            admitted = await self._budget.admit(subject.about, subject.id, wanted)
            grants = {judge.member.name: grant for judge, grant in zip(left, admitted, strict=True)}
        try:
            calls = [
                self._one(judge, task, subject, key, judgement if judgement is not None else grants[judge.member.name])
                for judge, key, judgement in zip(judges, keys, found, strict=True)
            ]
            return await side_by_side(calls) if left else tuple([await call for call in calls])
        finally:
            # Of a call that was broken off nobody knows what it came to.
            for grant in grants.values():
                if isinstance(grant, Grant):
                    self._budget.settle(grant, None)

    async def ask_until(self, ends: float | None, task: Task, subject: JudgingSubject) -> tuple[Judgement, ...]:
        """As `ask`, until the deadline by the loop's clock: what is not said by then is cut. None is without end."""
        limit = asyncio.timeout_at(ends)
        try:
            async with limit:
                return await self.ask(task, subject)
        except TimeoutError:
            if not limit.expired():
                raise
            return self.cut(task, subject, "the deadline had passed")

    def each_alone(self) -> list[JudgesAtWork[Task]]:
        """Every judge by itself, for tasks of its own; budget and what was said are shared."""
        every = [copy(self) for _judge in self.judges]
        for alone, judge in zip(every, self.judges, strict=True):
            alone.judges = (judge,)
        return every

    def cut(self, task: Task, subject: JudgingSubject, detail: str) -> tuple[Judgement, ...]:
        """The judgements of an answer whose time is over: what was said until then, and for the rest that it was cut.

        Raises:
            RunStoreError: As `ask`.
        """
        judgements = []
        for judge in self.judges:
            key = judge.key(task)
            found = self.known_judgement(judge, task, subject, key)
            judgements.append(
                self._write_down(found or judge.lost_judgement(Lost(code="cut", detail=detail), subject, key))
            )
        return tuple(judgements)

    async def _one(
        self,
        judge: Judge[Task],
        task: Task,
        subject: JudgingSubject,
        key: str,
        given: Judgement | Grant | BudgetRefusal,
    ) -> Judgement:
        if isinstance(given, Judgement):
            return self._write_down(given)
        if isinstance(given, BudgetRefusal):
            return self._write_down(judge.lost_judgement(Lost(code="budget", detail=given.detail), subject, key))
        judgement = await judge.judge(
            task,
            subject,
            key=key,
            calls_left=given.calls,
            may_go_on=lambda usage: self._budget.may_go_on(given, usage, judge.member),
        )
        self._budget.settle(given, judgement)
        return self._write_down(judgement)

    def _write_down(self, judgement: Judgement) -> Judgement:
        """The judgement, written down unless it was, in this very run and of this very answer."""
        is_written = (
            judgement.lost is None and self._journal.judgement(judgement.key) == judgement
        ) or judgement is self._lost.get((judgement.about, judgement.judge, judgement.key))
        if not is_written:
            judgement = self._struck(judgement)
            self._journal.add_judgement(judgement)
        self._hear(judgement)
        return judgement

    def _struck(self, judgement: Judgement) -> Judgement:
        """Without a secret that an endpoint has repeated."""
        said = json_line(judgement, whole=True) if self._secrets else b""
        if (struck := self._secrets.struck_reply(said)) == said:
            return judgement
        # What it is known by again is ours.
        known = {name: getattr(judgement, name) for name in _KNOWN_BY}
        return Judgement.model_validate_json(struck).model_copy(update=known)


@asynccontextmanager
async def opened_judges(
    members: Sequence[Member],
    job: JudgingJob[Task, Any],
    budget: Budget,
    *,
    journal: WorkFile | None = None,
    environment: Mapping[str, str],
    earlier: Iterable[JudgementSource] = (),
    secrets: Iterable[str] = (),
    hear: Callable[[Judgement], object] = lambda _judgement: None,
    tell: Callable[[str], object] = lambda _line: None,
) -> AsyncIterator[JudgesAtWork[Task]]:
    """Judges at one job, until the end of the block. Nothing is sent before the first of them is asked.

    Args:
        members: The panel, in order.
        job: What they are asked.
        budget: What they may cost.
        journal: Where it is kept; None keeps it to the end of the block.
        environment: Where keys are.
        earlier: Where judgements of earlier runs are, the nearest first.
        secrets: Values that no file may hold.
        hear: Is told of every judgement.
        tell: Hears what could not be used again, and once per judge why it is asked no more.
    """
    chats = open_chats(members, environment, draw=random.Random(), tell=tell)  # noqa: S311 - jitter, not a secret
    judges = [Judge(member, chats[member.name], job) for member in members]
    kept = WorkFile() if journal is None else journal
    known = EarlierJudgements(kept, earlier, made_by={(judge.fingerprint, judge.prompt) for judge in judges})
    for line in known.problems:
        tell(line)
    try:
        yield JudgesAtWork(judges, budget, known, kept, secrets=secrets, hear=hear)
    finally:
        known.close()
        if journal is None:
            kept.close()
        await close_chats(chats)
