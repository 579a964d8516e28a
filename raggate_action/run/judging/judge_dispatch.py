"""A panel at its jobs on an answer: what it is asked at each, what it says, and what that comes to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from raggate_action.core.gates.diagnosis import Drafted, rule_verdicts
from raggate_action.judges.judge_exchange import Subject
from raggate_action.judging_jobs.run_job import ArmedTerms, RunJob
from raggate_action.run.concurrency import side_by_side
from raggate_action.run.judging.judge_budget import Cost
from raggate_action.run.judging.parallel_judges import JudgesAtWork
from raggate_action.schema.judgement import JobName, Judgement
from raggate_action.schema.judges import Judges
from raggate_action.schema.verdicts import CheckIssues, Verdicts

# What the panel is asked about an answer, by job; a job that has nothing to ask is not there.
Tasks: TypeAlias = Mapping[JobName, Any]
# What the judges said at each job, in the panel's order.
Said: TypeAlias = Mapping[JobName, tuple[Judgement, ...]]


class DeskTerms(NamedTuple):
    """What a panel is asked, and whose votes count.

    Attributes:
        judges: What the suite says of judges.
        armed: Whose votes count.
        before: The same on the baseline's terms, where those asked for more; else None.
    """

    judges: Judges
    armed: ArmedTerms
    before: ArmedTerms | None = None


class PanelDesk:
    """Asks all jobs side by side, from one budget."""

    def __init__(self, works: Sequence[tuple[RunJob[Any, Any], JudgesAtWork[Any]]], terms: DeskTerms) -> None:
        self._jobs = {job.name: job for job, _work in works}
        self._works = {job.name: work for job, work in works}
        self._terms = terms

    def tasks(self, drafted: Drafted) -> Tasks:
        """What is asked about an answer."""
        found = {name: job.task_of(drafted, self._terms.judges) for name, job in self._jobs.items()}
        return {name: task for name, task in found.items() if task is not None}

    async def ask(self, tasks: Tasks, subject: Subject) -> Said:
        """What the judges say; what goes wrong is a judgement that is lost.

        Raises:
            RunStoreError: A judgement cannot be written down.
        """
        said = await side_by_side([self._works[name].ask(task, subject) for name, task in tasks.items()])
        return dict(zip(tasks, said, strict=True))

    def said_before(self, tasks: Tasks, subject: Subject) -> Said | None:
        """What every judge said before to all of it; None where one has to be asked.

        Raises:
            RunStoreError: As `ask`.
        """
        found: dict[JobName, tuple[Judgement, ...]] = {}
        for name, task in tasks.items():
            said = self._works[name].said_before(task, subject)
            if said is None:
                return None
            found[name] = said
        return found

    def cut(self, tasks: Tasks, subject: Subject, detail: str) -> Said:
        """What was said until the time was over, and for the rest that it was cut.

        Raises:
            RunStoreError: As `ask`.
        """
        return {name: self._works[name].cut(task, subject, detail) for name, task in tasks.items()}

    def dearest(self, tasks: Tasks, subject: Subject) -> Cost | None:
        """What asking those that have to be asked may come to at most; None where nobody has to be."""
        costs = [self._works[name].dearest(task, subject) for name, task in tasks.items()]
        known = [cost for cost in costs if cost is not None]
        return Cost(sum(cost.tokens for cost in known), sum(cost.usd for cost in known)) if known else None

    def verdicts(self, drafted: Drafted, tasks: Tasks, said: Said, check: CheckIssues | None = None) -> Verdicts:
        """What was said of an answer, on the terms of the panel; and on the baseline's where these decide otherwise."""
        found = self._with_votes(drafted, tasks, said, check, self._terms.armed)
        if self._terms.before is None:
            return found
        then = self._with_votes(drafted, tasks, said, check, self._terms.before)
        return found if _decided(then) == _decided(found) else found.model_copy(update={"by_baseline": then})

    def _with_votes(
        self, drafted: Drafted, tasks: Tasks, said: Said, check: CheckIssues | None, terms: ArmedTerms
    ) -> Verdicts:
        found = rule_verdicts(drafted, check)
        for name, task in tasks.items():
            found = self._jobs[name].with_votes(found, drafted, task, said[name], terms)
        return found


def _decided(found: Verdicts) -> tuple[object, ...]:
    """What a panel has decided of an answer."""
    items = found.answer_votes.items if found.answer_votes is not None else ()
    return [claim.verdict for claim in found.claims], found.declines, found.points, [each.said for each in items]
