"""The judges of a suite, open for one audit: every one of them counts, for a person asked for them."""

from __future__ import annotations

import os
import random
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from raggate_action.core.judging.agreement_with_labels import OnTrial
from raggate_action.core.judging.scorecard_and_arming import quorum_of
from raggate_action.core.judging.vote_aggregation import PanelTerms
from raggate_action.errors import UsageError
from raggate_action.judges.chat_call import Chat
from raggate_action.judges.endpoints import close_chats, open_chats
from raggate_action.judges.judge_exchange import Judge, Subject
from raggate_action.judging_jobs.claims.claims_job import CLAIMS
from raggate_action.judging_jobs.claims.claims_prompt import ClaimsTask
from raggate_action.judging_jobs.fix.fix_job import FIX, FixTask, write_fix
from raggate_action.run.judging.judge_budget import Budget, Refusal, Wanted
from raggate_action.run.judging.judgement_cache import EarlierJudgements, Source
from raggate_action.run.judging.parallel_judges import JudgesAtWork
from raggate_action.run.labelling.judge_trial import TrialSet, cards_of
from raggate_action.run_store import JudgementFile, usable_judgements
from raggate_action.schema.calibration import JudgeCard, LabelledAnswer
from raggate_action.schema.judgement import Judgement
from raggate_action.schema.judges import Judges
from raggate_action.schema.target import RecordedTarget
from raggate_action.suite_files import load_suite
from raggate_action.suite_files.calibration_file import judged_labels_path
from raggate_action.suite_files.problems import path_text
from raggate_action.version import JUDGES

_ANSWER = Subject("case", "audit")


class LoadedPanel(NamedTuple):
    """The judges of a suite, read from its file: for any number of audits, in whatever thread or event loop.

    It is as the file was when it was read. It holds no key: those are looked for in the environment by each audit.

    Attributes:
        judges: As the suite has them.
        labels: What people say of claims, to know how each judge stands.
        said_of_labels: Where it is kept what they said of those.
    """

    judges: Judges
    labels: tuple[LabelledAnswer, ...]
    said_of_labels: Path

    def __repr__(self) -> str:
        return f"<LoadedPanel {', '.join(member.name for member in self.judges.panel)}>"


def load_panel(suite: str | os.PathLike[str]) -> LoadedPanel:
    """Read the judges of a suite once.

    Args:
        suite: The suite file. Its target is not asked, and what its variables hold is not looked at.

    Raises:
        SuiteError: The suite cannot be used as written.
        UsageError: It has no judges.
    """
    path = Path(suite)
    loaded = load_suite(path, environment={}, target=RecordedTarget(kind="recorded", traces="traces.jsonl"))
    judges = loaded.suite.judges
    if judges is None:
        raise UsageError(f"{path_text(path)} has no judges", hint=f"Add a `judges:` section with a panel: {JUDGES}")
    return LoadedPanel(judges, loaded.calibration, judged_labels_path(loaded.directory / judges.calibration))


class AuditPanel:
    """The judges.

    Attributes:
        terms: Who counts: all of them; of equal votes the worse.
        judgements: Every judgement of this audit.
    """

    def __init__(
        self, loaded: LoadedPanel, chats: Mapping[str, Chat], work: JudgesAtWork[ClaimsTask], budget: Budget
    ) -> None:
        judges = loaded.judges
        names = tuple([member.name for member in judges.panel])
        self.terms = PanelTerms(names, frozenset(names), quorum_of(len(names), judges.quorum))
        self.judgements: list[Judgement] = []
        self._loaded, self._chats, self._work, self._budget = loaded, chats, work, budget

    async def ask(self, task: ClaimsTask) -> tuple[Judgement, ...]:
        """What every judge says of an answer, in the panel's order; what goes wrong is a judgement that is lost."""
        found = await self._work.ask(task, _ANSWER)
        self.judgements.extend(found)
        return found

    async def fix(self, task: FixTask, heard: Sequence[Judgement]) -> str | None:
        """A repaired answer by the first judge that was heard; None where none is, or the budget leaves no call.

        Args:
            task: What is to be repaired.
            heard: What the judges said of it.
        """
        name = next((each.judge for each in heard if each.lost is None), None)
        if name is None:
            return None
        member = next(member for member in self._loaded.judges.panel if member.name == name)
        budget = self._budget
        (grant,) = await budget.admit(_ANSWER.about, _ANSWER.id, [Wanted(member, FIX.size(task))])
        if isinstance(grant, Refusal):
            return None
        asked = None
        try:
            text, asked = await write_fix(member, self._chats[name], task, about=_ANSWER.id)
        finally:
            budget.settle(grant, asked)
        self.judgements.append(asked)
        return text

    async def cards(self) -> tuple[JudgeCard, ...]:
        """How each judge stands beside people's labels, by what is kept beside them; nobody is asked."""
        loaded, panel = self._loaded, self._work.judges
        path = loaded.said_of_labels
        stored = Source("the judgements beside the labels", lambda: usable_judgements(path.parent, path.name))
        journal = JudgementFile.nameless()
        made_by = {(judge.fingerprint, judge.prompt) for judge in panel}
        earlier = EarlierJudgements(journal, [stored._replace(labels_only=True)], made_by=made_by)
        try:
            work = JudgesAtWork(panel, self._budget, earlier, journal)
            labels = OnTrial(CLAIMS.labelled[0], loaded.labels, loaded.judges.arming)
            found = await cards_of(TrialSet(CLAIMS, (labels,)), work, loaded.judges, may_ask=False)
        finally:
            earlier.close()
            journal.close()
        return tuple([card for card in found.cards if card.judge in self.terms.members])


@asynccontextmanager
async def opened_panel(
    loaded: LoadedPanel, environment: Mapping[str, str], tell: Callable[[str], object] = lambda _line: None
) -> AsyncIterator[AuditPanel]:
    """The judges of a suite, until the end of the block.

    Args:
        loaded: The judges.
        environment: Where keys are.
        tell: Hears, once per judge, why it is asked no more.
    """
    judges = loaded.judges
    chats = open_chats(judges.panel, environment, draw=random.Random(), tell=tell)  # noqa: S311 - jitter, not a secret
    panel = tuple([Judge(member, chats[member.name], CLAIMS) for member in judges.panel])
    journal = JudgementFile.nameless()
    earlier = EarlierJudgements(journal, (), made_by=())
    budget = Budget(judges.budget)
    keys = [environment[name] for member in judges.panel if (name := member.api_key_env) and environment.get(name)]
    work = JudgesAtWork(panel, budget, earlier, journal, secrets=keys)
    try:
        yield AuditPanel(loaded, chats, work, budget)
    finally:
        await close_chats(chats)
        earlier.close()
        journal.close()
