"""A panel at its jobs on an answer: what it is asked at each, what it says, and what that comes to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from raggate_action.core.comparison.baseline_index import PastCase, kept_answer
from raggate_action.core.counting.case_state import suspects_in
from raggate_action.core.gates.diagnosis import Drafted, rule_verdicts
from raggate_action.core.judging.cleared_claims import ClearedClaims
from raggate_action.judges.judge_exchange import JudgingSubject
from raggate_action.judging_jobs.panel_job import ArmedTerms, RunJob, shown_answer
from raggate_action.run.concurrency import side_by_side
from raggate_action.run.judging.judge_budget import Cost
from raggate_action.run.judging.parallel_judges import JudgesAtWork
from raggate_action.run.judging_steps import VerdictSource
from raggate_action.schema.judgement import JobName, Judgement
from raggate_action.schema.judges import Judges
from raggate_action.schema.verdicts import CheckIssues, Verdicts

# What the panel is asked about an answer, by job; a job that has nothing to ask is not there.
Tasks: TypeAlias = Mapping[JobName, Any]
# What the judges said at each job, in the panel's order.
Said: TypeAlias = Mapping[JobName, tuple[Judgement, ...]]


class PanelDesk:
    """Asks all jobs side by side, from one budget."""

    def __init__(
        self,
        works: Sequence[tuple[RunJob[Any, Any], JudgesAtWork[Any]]],
        judges: Judges,
        armed: ArmedTerms,
        armed_before: ArmedTerms | None = None,
        cleared: ClearedClaims = ClearedClaims(),  # noqa: B008 - it is frozen
    ) -> None:
        """Prepare.

        Args:
            works: The jobs, each with the judges that do it.
            judges: What the suite says of judges.
            armed: Whose votes count.
            armed_before: The same on the baseline's terms, where those are others; else None.
            cleared: The claims that people's labels call supported.
        """
        self._jobs = {job.name: job for job, _work in works}
        self._works = {job.name: work for job, work in works}
        self._judges, self._armed, self._armed_before = judges, armed, armed_before
        self._cleared = cleared

    def tasks(self, drafted: Drafted) -> Tasks:
        """What is asked about an answer."""
        found = {name: job.task_of(drafted, self._judges) for name, job in self._jobs.items()}
        return {name: task for name, task in found.items() if task is not None}

    async def ask(self, tasks: Tasks, subject: JudgingSubject) -> Said:
        """What the judges say; what goes wrong is a judgement that is lost.

        Raises:
            RunStoreError: A judgement cannot be written down.
        """
        judgements = await side_by_side([self._works[name].ask(task, subject) for name, task in tasks.items()])
        return dict(zip(tasks, judgements, strict=True))

    def earlier_judgements(self, tasks: Tasks, subject: JudgingSubject) -> Said | None:
        """What every judge said before to all of it; None where one has to be asked.

        Raises:
            RunStoreError: As `ask`.
        """
        found: dict[JobName, tuple[Judgement, ...]] = {}
        for name, task in tasks.items():
            judgements = self._works[name].earlier_judgements(task, subject)
            if judgements is None:
                return None
            found[name] = judgements
        return found

    def cut(self, tasks: Tasks, subject: JudgingSubject, detail: str) -> Said:
        """What was said until the time was over, and for the rest that it was cut.

        Raises:
            RunStoreError: As `ask`.
        """
        return {name: self._works[name].cut(task, subject, detail) for name, task in tasks.items()}

    def dearest(self, tasks: Tasks, subject: JudgingSubject) -> Cost | None:
        """What asking those that have to be asked may come to at most; None where nobody has to be."""
        costs = [self._works[name].dearest(task, subject) for name, task in tasks.items()]
        known = [cost for cost in costs if cost is not None]
        return Cost(sum(cost.tokens for cost in known), sum(cost.usd for cost in known)) if known else None

    def verdicts(self, drafted: Drafted, tasks: Tasks, judgements: Said, check: CheckIssues | None = None) -> Verdicts:
        """What was said of an answer, on the terms of the panel; and on the baseline's where these decide otherwise."""
        found = self._with_votes(drafted, tasks, judgements, check, self._armed)
        if self._armed_before is None:
            return found
        then = self._with_votes(drafted, tasks, judgements, check, self._armed_before)
        return (
            found if _panel_decision(then) == _panel_decision(found) else found.model_copy(update={"by_baseline": then})
        )

    def _with_votes(
        self, drafted: Drafted, tasks: Tasks, judgements: Said, check: CheckIssues | None, terms: ArmedTerms
    ) -> Verdicts:
        found = rule_verdicts(drafted, check)
        for name, task in tasks.items():
            found = self._jobs[name].with_votes(found, drafted, task, judgements[name], terms)
        chunks = [chunk.text for chunk in drafted.context.chunks]
        return found.model_copy(update={"claims": self._cleared.with_cleared(found.claims, drafted.case.asked, chunks)})


def _panel_decision(found: Verdicts) -> tuple[object, ...]:
    """What a panel has decided of an answer."""
    items = found.answer_votes.items if found.answer_votes is not None else ()
    return [claim.verdict for claim in found.claims], found.declines, found.points, [each.said for each in items]


class PanelSource:
    """Asks the suite's checks and the panel; a `VerdictSource`."""

    def __init__(
        self, checks: VerdictSource, desk: PanelDesk, share: Cost | None = None, past: Mapping[str, PastCase] = {}
    ) -> None:
        """Prepare.

        Args:
            checks: The suite's own checks.
            desk: The panel.
            share: What an answer may cost whatever the others do; None of the baseline's answers, which come last.
            past: The baseline's cases, to know what has changed.
        """
        self._checks, self._desk = checks, desk
        self._share, self._past = share, past

    def _subject(self, drafted: Drafted, ask: int) -> JudgingSubject:
        return JudgingSubject("baseline" if self._share is None else "case", drafted.case.case_id, ask)

    def asks(self, drafted: Drafted) -> bool:
        """Whether the case names a check, or something is open that a judge could say."""
        return self._checks.asks(drafted) or bool(self._desk.tasks(drafted))

    async def of(self, drafted: Drafted, ask: int = 0) -> Verdicts:
        """What check and panel say; what went wrong with either is in it.

        Raises:
            RunStoreError: A judgement cannot be written down.
        """
        tasks = self._desk.tasks(drafted)
        if not tasks:
            return await self._checks.of(drafted, ask)
        subject = self._subject(drafted, ask)
        if not self._checks.asks(drafted):
            return self._desk.verdicts(drafted, tasks, await self._desk.ask(tasks, subject))
        found: dict[str, CheckIssues | None] = {}

        async def checked() -> Said:
            found["check"] = (await self._checks.of(drafted, ask)).check
            return {}

        judgements, _nothing = await side_by_side([self._desk.ask(tasks, subject), checked()])
        return self._desk.verdicts(drafted, tasks, judgements, found["check"])

    def earlier_verdicts(self, drafted: Drafted, ask: int) -> Verdicts | None:
        """The verdicts where every judge has said its own before and no check is asked; None where somebody has to be.

        Raises:
            RunStoreError: As `of`.
        """
        tasks, subject = self._tasks_alone(drafted), self._subject(drafted, ask)
        judgements = self._desk.earlier_judgements(tasks, subject) if tasks else None
        return None if judgements is None else self._desk.verdicts(drafted, tasks, judgements)

    def rank(self, drafted: Drafted, ask: int) -> tuple[bool, bool] | None:
        """How early the panel is asked where money may not suffice for all, smallest first; None for at once.

        At once goes what costs nothing, and what costs no more than its share. Of the others those come first whose
        answer is another than the baseline's, then those with a suspect.
        """
        tasks, share = self._desk.tasks(drafted), self._share
        if not tasks or share is None:
            return None
        dearest = self._desk.dearest(tasks, self._subject(drafted, ask))
        if dearest is None or (ask == 0 and dearest.tokens <= share.tokens and (dearest.usd <= max(share.usd, 0))):
            return None
        past = self._past.get(drafted.case.case_id)
        is_same = past is not None and past.answer is not None and past.answer == kept_answer(shown_answer(drafted))
        return is_same, not any(suspects_in(drafted.claims))

    def cut(self, drafted: Drafted, ask: int, detail: str) -> Verdicts | None:
        """The verdicts where the time is over: what was said until then; None where a check was to be asked as well.

        Raises:
            RunStoreError: As `of`.
        """
        tasks = self._tasks_alone(drafted)
        if not tasks:
            return None
        judgements = self._desk.cut(tasks, self._subject(drafted, ask), detail)
        return self._desk.verdicts(drafted, tasks, judgements)

    def _tasks_alone(self, drafted: Drafted) -> Tasks:
        """What the panel is asked where it alone is; nothing where a check is asked as well."""
        return {} if self._checks.asks(drafted) else self._desk.tasks(drafted)
