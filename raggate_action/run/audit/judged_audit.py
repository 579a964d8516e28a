"""The audit of one answer with judges: they are asked about what rules leave open, and for an answer put right."""

from __future__ import annotations

import os
import random
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from raggate_action.core.counting.judge_only_findings import is_open
from raggate_action.core.judging.agreement_with_labels import OnTrial
from raggate_action.core.judging.claim_vote_aggregation import PanelTerms, fold
from raggate_action.core.judging.scorecard_and_arming import quorum_of
from raggate_action.core.judging.undecided_claims import known_decline
from raggate_action.errors import UsageError
from raggate_action.judges.chat_call import Chat, VisibleChunk
from raggate_action.judges.endpoints import close_chats, open_chats
from raggate_action.judges.judge_exchange import Judge, JudgingSubject
from raggate_action.judging_jobs.claims.claims_job import CLAIMS
from raggate_action.judging_jobs.claims.claims_task import ClaimQuestion, ClaimsTask
from raggate_action.judging_jobs.fix.fix_job import FIX, FixTask, FoundClaim, write_fix
from raggate_action.run.audit.keyless_audit import (
    AuditedAnswer,
    Ground,
    audit_report,
    by_rules,
    keeps_supported,
    keyless_fix,
)
from raggate_action.run.judging.judge_budget import Budget, BudgetRefusal, CallRequest
from raggate_action.run.judging.judgement_cache import EarlierJudgements, JudgementSource
from raggate_action.run.judging.parallel_judges import JudgesAtWork
from raggate_action.run.labelling.judge_trial import TrialSet, cards_of
from raggate_action.run_store import JudgementFile, usable_judgements
from raggate_action.schema.audit import AuditReport
from raggate_action.schema.calibration import JudgeCard, LabelledAnswer
from raggate_action.schema.judgement import Judgement
from raggate_action.schema.judges import Judges
from raggate_action.schema.target import RecordedTarget
from raggate_action.suite_files import load_suite
from raggate_action.suite_files.calibration_file import label_judgements_path
from raggate_action.suite_files.problems import path_text
from raggate_action.version import JUDGES

_ANSWER = JudgingSubject("case", "audit")


class LoadedPanel(NamedTuple):
    """The judges of a suite, read from its file: for any number of audits, in whatever thread or event loop.

    It is as the file was when it was read. It holds no key: those are looked for in the environment by each audit.

    Attributes:
        judges: As the suite has them.
        labels: What people say of claims, to know how each judge stands.
        trial_file: Where it is kept what they said of those.
    """

    judges: Judges
    labels: tuple[LabelledAnswer, ...]
    trial_file: Path

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
    if not isinstance(suite, str | os.PathLike):
        raise UsageError(
            f"the panel is of type {type(suite).__name__}, and not the path of a suite file",
            hint='Give the path of a suite with judges, as in `panel="raggate.yaml"`, or what `load_panel` returned.',
        )
    path = Path(suite)
    loaded = load_suite(path, environment={}, target=RecordedTarget(kind="recorded", traces="traces.jsonl"))
    judges = loaded.suite.judges
    if judges is None:
        raise UsageError(f"{path_text(path)} has no judges", hint=f"Add a `judges:` section with a panel: {JUDGES}")
    return LoadedPanel(judges, loaded.calibration, label_judgements_path(loaded.directory / judges.calibration))


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
        (grant,) = await budget.admit(_ANSWER.about, _ANSWER.id, [CallRequest(member, FIX.size(task))])
        if isinstance(grant, BudgetRefusal):
            return None
        call = None
        try:
            text, call = await write_fix(member, self._chats[name], task, about=_ANSWER.id)
        finally:
            budget.settle(grant, call)
        self.judgements.append(call)
        return text

    async def cards(self) -> tuple[JudgeCard, ...]:
        """How each judge stands beside people's labels, by what is kept beside them; nobody is asked."""
        loaded, panel = self._loaded, self._work.judges
        path = loaded.trial_file
        stored = JudgementSource("the judgements beside the labels", lambda: usable_judgements(path.parent, path.name))
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
async def audit_panel(
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


class _JudgedAnswer(NamedTuple):
    """An audited answer.

    Attributes:
        audited: Its claims, with the panel's verdicts where rules left them open.
        task: What the judges were asked; None where nothing was open.
        heard: What they said.
        declines: The answer declines, so that no other text can put it right.
    """

    audited: AuditedAnswer
    task: ClaimsTask | None = None
    heard: tuple[Judgement, ...] = ()
    declines: bool = False


async def audit_by_suite(
    answer: str, ground: Ground, suite: str | os.PathLike[str] | LoadedPanel, environment: Mapping[str, str]
) -> AuditReport:
    """The report on an answer, by the judges of a suite.

    Raises:
        SuiteError: The suite cannot be used as written.
        UsageError: It has no judges.
    """
    loaded = suite if isinstance(suite, LoadedPanel) else load_panel(suite)
    async with audit_panel(loaded, environment) as panel:
        return await audit_by_panel(answer, ground, panel)


async def audit_by_panel(answer: str, ground: Ground, panel: AuditPanel) -> AuditReport:
    """The report on an answer, by judges.

    The fix is a judge's where the panel calls that faithful as well; else the supported claims with the chunks' own
    words in the place of the others, or none.
    """
    judged = await _judge(answer, ground, panel)
    audited = judged.audited
    fix = None
    if audited.verdict != "faithful":
        fix = await _fix(answer, judged, ground, panel) or keyless_fix(audited, ground)
    return audit_report(answer, audited, ground, fix)


async def _judge(answer: str, ground: Ground, panel: AuditPanel) -> _JudgedAnswer:
    audited = by_rules(answer, ground)
    declined = known_decline(audited.drafts, audited.claims)
    open_claims = [claim for claim in audited.claims if is_open(claim)]
    if not open_claims or declined or not ground.texts:
        return _JudgedAnswer(audited, declines=bool(declined))
    ids = {claim.claim_id for claim in open_claims}
    task = ClaimsTask(
        question="",
        answer=answer,
        claims=tuple([ClaimQuestion(claim.claim_id, claim.text) for claim in open_claims]),
        chunks=_chunks(ground),
        settled=tuple([ClaimQuestion(each.claim_id, each.text) for each in audited.claims if each.claim_id not in ids]),
        cited=frozenset([cited for claim in open_claims for cited in claim.citations]),
    )
    heard = await panel.ask(task)
    folded = fold(audited.claims, heard, panel.terms, chunks=dict(ground.texts), declined=declined)
    undecided = _undecided_reason(panel, heard, declines=bool(folded.declines))
    judged = AuditedAnswer(audited.drafts, folded.claims, undecided)
    return _JudgedAnswer(judged, task, heard, bool(folded.declines))


def _undecided_reason(panel: AuditPanel, heard: tuple[Judgement, ...], *, declines: bool) -> str:
    if declines:
        return "the panel takes the answer for one that declines"
    lost = [f"{each.judge} ({each.lost.code})" for each in heard if each.lost is not None]
    missing = f"; lost: {', '.join(lost)}" if lost else ""
    return f"fewer judges than {panel.terms.least} of {len(panel.terms.members)} gave it a verdict{missing}"


async def _fix(answer: str, judged: _JudgedAnswer, ground: Ground, panel: AuditPanel) -> str | None:
    """A judge's text that rules and the panel call faithful, and that keeps what was supported."""
    if judged.task is None or judged.declines:
        return None
    found = tuple([FoundClaim(claim.text, claim.verdict, claim.note) for claim in judged.audited.claims])
    text = await panel.fix(FixTask(answer, found, _chunks(ground)), judged.heard)
    if text is None or text == answer:
        return None
    fixed = (await _judge(text, ground, panel)).audited
    return text if fixed.verdict == "faithful" and keeps_supported(judged.audited, fixed) else None


def _chunks(ground: Ground) -> tuple[VisibleChunk, ...]:
    return tuple([VisibleChunk(chunk_id, text) for chunk_id, text in ground.texts])
