"""A panel at its jobs on an answer: what it is asked at each, what it says, and what that comes to."""

from __future__ import annotations

from collections.abc import Coroutine, Mapping, Sequence
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


class PanelSource(VerdictSource):
    """Asks the suite's checks and the panel, all jobs side by side and from one budget."""

    def __init__(
        self,
        works: Sequence[tuple[RunJob[Any, Any], JudgesAtWork[Any]]],
        judges: Judges,
        armed: ArmedTerms,
        checks: VerdictSource,
        *,
        armed_before: ArmedTerms | None = None,
        cleared: ClearedClaims = ClearedClaims(),  # noqa: B008 - it is frozen
        share: Cost | None = None,
        past: Mapping[str, PastCase] = {},
    ) -> None:
        """Prepare.

        Args:
            works: The jobs, each with the judges that do it.
            judges: What the suite says of judges.
            armed: Whose votes count.
            checks: The suite's own checks.
            armed_before: The same as `armed` on the baseline's terms, where those are others; else None.
            cleared: The claims that people's labels call supported.
            share: What an answer may cost whatever the others do; None of the baseline's answers, which come last.
            past: The baseline's cases, to know what has changed.
        """
        self._jobs = {job.name: job for job, _work in works}
        self._works = {job.name: work for job, work in works}
        self._judges, self._armed, self._armed_before = judges, armed, armed_before
        self._checks, self._cleared, self._share, self._past = checks, cleared, share, past

    def _tasks(self, drafted: Drafted) -> Tasks:
        found = {name: job.task_of(drafted, self._judges) for name, job in self._jobs.items()}
        return {name: task for name, task in found.items() if task is not None}

    def _subject(self, drafted: Drafted, ask: int) -> JudgingSubject:
        return JudgingSubject("baseline" if self._share is None else "case", drafted.case.case_id, ask)

    def asks(self, drafted: Drafted) -> bool:
        """Whether the case names a check, or something is open that a judge could say."""
        return self._checks.asks(drafted) or bool(self._tasks(drafted))

    async def of(self, drafted: Drafted, ask: int = 0) -> Verdicts:
        """What check and panel say; what went wrong with either is in it.

        Raises:
            RunStoreError: A judgement cannot be written down.
        """
        tasks = self._tasks(drafted)
        if not tasks:
            return await self._checks.of(drafted, ask)
        subject = self._subject(drafted, ask)
        asked: list[Coroutine[Any, Any, Any]] = [self._works[name].ask(task, subject) for name, task in tasks.items()]
        if self._checks.asks(drafted):
            asked.append(self._checks.of(drafted, ask))
        found = await side_by_side(asked)
        check = found[-1].check if len(found) > len(tasks) else None
        return self._verdicts(drafted, tasks, dict(zip(tasks, found, strict=False)), check)

    def earlier_verdicts(self, drafted: Drafted, ask: int) -> Verdicts | None:
        """The verdicts where every judge has said its own before and no check is asked; None where somebody has to be.

        Raises:
            RunStoreError: As `of`.
        """
        tasks, subject = self._tasks_alone(drafted), self._subject(drafted, ask)
        found: dict[JobName, tuple[Judgement, ...]] = {}
        for name, task in tasks.items():
            judgements = self._works[name].earlier_judgements(task, subject)
            if judgements is None:
                return None
            found[name] = judgements
        return self._verdicts(drafted, tasks, found) if tasks else None

    def rank(self, drafted: Drafted, ask: int) -> tuple[bool, bool] | None:
        """How early the panel is asked where money may not suffice for all, smallest first; None for at once.

        At once goes what costs nothing, and what costs no more than its share. Of the others those come first whose
        answer is another than the baseline's, then those with a suspect.
        """
        tasks, share, subject = self._tasks(drafted), self._share, self._subject(drafted, ask)
        if share is None:
            return None
        dearest = [self._works[name].dearest(task, subject) for name, task in tasks.items()]
        costs = [cost for cost in dearest if cost is not None]
        tokens, usd = sum([cost.tokens for cost in costs]), sum([cost.usd for cost in costs])
        if not costs or (ask == 0 and tokens <= share.tokens and usd <= max(share.usd, 0)):
            return None
        past = self._past.get(drafted.case.case_id)
        is_same = past is not None and past.answer is not None and past.answer == kept_answer(shown_answer(drafted))
        return is_same, not any(suspects_in(drafted.claims))

    def cut(self, drafted: Drafted, ask: int, detail: str) -> Verdicts | None:
        """The verdicts where the time is over: what was said until then; None where a check was to be asked as well.

        Raises:
            RunStoreError: As `of`.
        """
        tasks, subject = self._tasks_alone(drafted), self._subject(drafted, ask)
        found = {name: self._works[name].cut(task, subject, detail) for name, task in tasks.items()}
        return self._verdicts(drafted, tasks, found) if tasks else None

    def _tasks_alone(self, drafted: Drafted) -> Tasks:
        """What the panel is asked where it alone is; nothing where a check is asked as well."""
        return {} if self._checks.asks(drafted) else self._tasks(drafted)

    def _verdicts(self, drafted: Drafted, tasks: Tasks, judgements: Said, check: CheckIssues | None = None) -> Verdicts:
        """What was said of an answer, on the terms of the panel; and on the baseline's where these decide otherwise."""
        found = self._with_votes(drafted, tasks, judgements, check, self._armed)
        if self._armed_before is None:
            return found
        then = self._with_votes(drafted, tasks, judgements, check, self._armed_before)
        return found if _panel_decision(then) == _panel_decision(found) else found._replace(by_baseline=then)

    def _with_votes(
        self, drafted: Drafted, tasks: Tasks, judgements: Said, check: CheckIssues | None, terms: ArmedTerms
    ) -> Verdicts:
        found = rule_verdicts(drafted, check)
        for name, task in tasks.items():
            found = self._jobs[name].with_votes(found, drafted, task, judgements[name], terms)
        chunks = [chunk.text for chunk in drafted.context.chunks]
        return found._replace(claims=self._cleared.with_cleared(found.claims, drafted.case.asked, chunks))


def _panel_decision(found: Verdicts) -> tuple[object, ...]:
    """What a panel has decided of an answer."""
    items = found.answer_votes.items if found.answer_votes is not None else ()
    return [claim.verdict for claim in found.claims], found.declines, found.points, [each.said for each in items]
