"""The verdicts of a suite with judges: its own checks, and the panel on what labels, quotation and rules leave open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from raggate_action.core.comparison.baseline_index import PastCase, kept_answer
from raggate_action.core.counting.row_state import suspects_in
from raggate_action.core.gates.diagnosis import Drafted, rule_verdicts
from raggate_action.judges.judge_exchange import Subject
from raggate_action.judging_jobs.run_job import answer_of
from raggate_action.run.concurrency import side_by_side
from raggate_action.run.judging.judge_budget import Cost
from raggate_action.run.judging.judge_dispatch import PanelDesk, Said, Tasks
from raggate_action.run.judging_steps import VerdictSource
from raggate_action.schema.verdicts import CheckIssues, Verdicts


class Terms(NamedTuple):
    """What a panel source asks on.

    Attributes:
        share: What an answer may cost whatever the others do.
        past: The baseline's cases, to know what has changed.
    """

    share: Cost
    past: Mapping[str, PastCase]


class PanelSource:
    """Asks the suite's checks and the panel; a `VerdictSource`, and a `Judging` that says who is asked first."""

    def __init__(self, checks: VerdictSource, desk: PanelDesk, terms: Terms) -> None:
        self._checks = checks
        self._desk = desk
        self._terms = terms

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
        subject = Subject("case", drafted.case.case_id, ask)
        if not self._checks.asks(drafted):
            return self._desk.verdicts(drafted, tasks, await self._desk.ask(tasks, subject))
        found: dict[str, CheckIssues | None] = {}

        async def checked() -> Said:
            found["check"] = (await self._checks.of(drafted, ask)).check
            return {}

        said, _nothing = await side_by_side([self._desk.ask(tasks, subject), checked()])
        return self._desk.verdicts(drafted, tasks, said, found["check"])

    def said_before(self, drafted: Drafted, ask: int) -> Verdicts | None:
        """The verdicts where every judge has said its own before and no check is asked; None where somebody has to be.

        Raises:
            RunStoreError: As `of`.
        """
        tasks = self._tasks_alone(drafted)
        said = self._desk.said_before(tasks, Subject("case", drafted.case.case_id, ask)) if tasks else None
        return None if said is None else self._desk.verdicts(drafted, tasks, said)

    def rank(self, drafted: Drafted, ask: int) -> tuple[bool, bool] | None:
        """How early the panel is asked where money may not suffice for all, smallest first; None for at once.

        At once goes what costs nothing, and what costs no more than its share. Of the others those come first whose
        answer is another than the baseline's, then those with a suspect.
        """
        tasks = self._desk.tasks(drafted)
        if not tasks:
            return None
        dearest = self._desk.dearest(tasks, Subject("case", drafted.case.case_id, ask))
        share = self._terms.share
        if dearest is None or (ask == 0 and dearest.tokens <= share.tokens and (dearest.usd <= max(share.usd, 0))):
            return None
        past = self._terms.past.get(drafted.case.case_id)
        is_same = past is not None and past.answer is not None and past.answer == kept_answer(answer_of(drafted))
        return is_same, not any(suspects_in(drafted.claims))

    def cut(self, drafted: Drafted, ask: int, detail: str) -> Verdicts | None:
        """The verdicts where the time is over: what was said until then; None where a check was to be asked as well.

        Raises:
            RunStoreError: As `of`.
        """
        tasks = self._tasks_alone(drafted)
        if not tasks:
            return None
        said = self._desk.cut(tasks, Subject("case", drafted.case.case_id, ask), detail)
        return self._desk.verdicts(drafted, tasks, said)

    def _tasks_alone(self, drafted: Drafted) -> Tasks:
        """What the panel is asked where it alone is; nothing where a check is asked as well."""
        return {} if self._checks.asks(drafted) else self._desk.tasks(drafted)


class PastSource:
    """The panel on answers that the baseline's app gave; of these no check of the suite is asked."""

    def __init__(self, desk: PanelDesk) -> None:
        self._desk = desk

    def said_before(self, drafted: Drafted) -> Verdicts | None:
        """The verdicts where every judge has said its own before, or has nothing to say; None where one is to be asked.

        Raises:
            RunStoreError: They cannot be written down.
        """
        tasks = self._desk.tasks(drafted)
        if not tasks:
            return rule_verdicts(drafted)
        said = self._desk.said_before(tasks, _subject(drafted))
        return None if said is None else self._desk.verdicts(drafted, tasks, said)

    async def of(self, drafted: Drafted) -> Verdicts:
        """What the panel says; what went wrong is in it.

        Raises:
            RunStoreError: As `said_before`.
        """
        tasks = self._desk.tasks(drafted)
        if not tasks:
            return rule_verdicts(drafted)
        return self._desk.verdicts(drafted, tasks, await self._desk.ask(tasks, _subject(drafted)))


def _subject(drafted: Drafted) -> Subject:
    return Subject("baseline", drafted.case.case_id)
