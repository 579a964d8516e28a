"""The audit of one answer with judges: they are asked about what rules leave open, and for an answer put right."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

from raggate_action.core.counting.judge_only_findings import is_open
from raggate_action.core.judging.agreement_with_labels import OnTrial
from raggate_action.core.judging.claim_vote_aggregation import PanelTerms, fold
from raggate_action.core.judging.scorecard_and_arming import quorum_of
from raggate_action.core.judging.undecided_claims import known_decline
from raggate_action.errors import UsageError
from raggate_action.judges.chat_call import VisibleChunk
from raggate_action.judges.judge_exchange import JudgingSubject
from raggate_action.judging_jobs.claims_job import CLAIMS, ClaimsTask, claims_task
from raggate_action.judging_jobs.fix_job import FIX, FixTask, FoundClaim
from raggate_action.run.audit.keyless_audit import (
    Audit,
    AuditedAnswer,
    Ground,
    audit_report,
    by_rules,
    keeps_supported,
)
from raggate_action.run.judging.judge_budget import Budget
from raggate_action.run.judging.judgement_cache import JudgementSource
from raggate_action.run.judging.parallel_judges import JudgesAtWork, opened_judges
from raggate_action.run.labelling.judge_trial import TrialSet, cards_of
from raggate_action.run_store import usable_judgements
from raggate_action.schema.calibration import JudgeCard, LabelledAnswer
from raggate_action.schema.judgement import Judgement
from raggate_action.schema.judges import Judges
from raggate_action.schema.target import RecordedTarget
from raggate_action.suite_files import load_suite
from raggate_action.suite_files.calibration_file import label_judgements_path
from raggate_action.suite_files.problems import path_text
from raggate_action.version import JUDGES

# A repaired answer is another one, with calls of its own.
_ANSWER, _REPAIRED = JudgingSubject("case", "audit"), JudgingSubject("case", "fix")


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


async def audit_by_judges(
    answer: str,
    ground: Ground,
    suite: str | os.PathLike[str] | LoadedPanel,
    environment: Mapping[str, str],
    *,
    hear: Callable[[Judgement], object] = lambda _judgement: None,
    tell: Callable[[str], object] = lambda _line: None,
) -> Audit:
    """The report on an answer, by rules and by the judges of a suite: all of them count, of equal votes the worse.

    The fix is a judge's where the panel calls that faithful as well; else the supported claims with the chunks' own
    words in the place of the others, or none.

    Args:
        answer: The answer.
        ground: The chunks.
        suite: The suite file, or its judges.
        environment: Where keys are.
        hear: Is told of every judgement.
        tell: Hears, once per judge, why it is asked no more.

    Raises:
        SuiteError: The suite cannot be used as written.
        UsageError: It has no judges.
    """
    judges = (suite if isinstance(suite, LoadedPanel) else load_panel(suite)).judges
    opened = partial(
        opened_judges,
        budget=Budget(judges.budget),
        environment=environment,
        secrets=[environment.get(member.api_key_env or "", "") for member in judges.panel],
        hear=hear,
        tell=tell,
    )
    async with opened(judges.panel, CLAIMS) as panel:
        audited = await _judge(answer, ground, panel, judges.quorum, _ANSWER)
        writer = next((each.judge for each in audited.heard if each.lost is None), None)
        if audited.verdict == "faithful" or audited.declines or writer is None:
            return audit_report(answer, audited, ground)
        claims = tuple([FoundClaim(claim.text, claim.verdict, claim.note) for claim in audited.claims])
        async with opened([member for member in judges.panel if member.name == writer], FIX) as author:
            [written] = await author.ask(FixTask(answer, claims, _chunks(ground)), _ANSWER)
        fix = written.text if written.text != answer else ""
        if fix:
            # Only what passes by the same rules and judges, and keeps what was supported.
            fixed = await _judge(fix, ground, panel, judges.quorum, _REPAIRED)
            fix = fix if fixed.verdict == "faithful" and keeps_supported(audited, fixed) else ""
    return audit_report(answer, audited, ground, fix)


async def cards_beside_labels(loaded: LoadedPanel) -> tuple[JudgeCard, ...]:
    """How each judge stands beside people's labels, by what is kept beside them; nobody is asked."""
    judges, path = loaded.judges, loaded.trial_file
    stored = JudgementSource(
        "the judgements beside the labels", lambda: usable_judgements(path.parent, path.name), labels_only=True
    )
    labels = OnTrial(CLAIMS.labelled[0], loaded.labels, judges.arming)
    async with opened_judges(judges.panel, CLAIMS, Budget(judges.budget), environment={}, earlier=[stored]) as panel:
        found = await cards_of(TrialSet(CLAIMS, (labels,)), panel, judges, may_ask=False)
    members = {member.name for member in judges.panel}
    return tuple([card for card in found.cards if card.judge in members])


async def _judge(
    answer: str, ground: Ground, panel: JudgesAtWork[ClaimsTask], quorum: int | None, subject: JudgingSubject
) -> AuditedAnswer:
    """An answer by rules, and by judges where rules leave a claim open."""
    audited = by_rules(answer, ground)
    declined = known_decline(audited.drafts, audited.claims)
    open_claims = [claim for claim in audited.claims if is_open(claim)]
    if not open_claims or declined or not ground.texts:
        return audited._replace(declines=bool(declined))
    heard = await panel.ask(claims_task("", answer, _chunks(ground), audited.claims, open_claims), subject)
    names = tuple([judge.member.name for judge in panel.judges])
    terms = PanelTerms(names, frozenset(names), quorum_of(len(names), quorum))
    folded = fold(audited.claims, heard, terms, chunks=dict(ground.texts), declined=declined)
    lost = [f"{each.judge} ({each.lost.code})" for each in heard if each.lost is not None]
    missing = f"; lost: {', '.join(lost)}" if lost else ""
    undecided = f"fewer judges than {terms.least} of {len(names)} gave it a verdict{missing}"
    if folded.declines:
        undecided = "the panel takes the answer for one that declines"
    return AuditedAnswer(audited.drafts, folded.claims, undecided, heard, bool(folded.declines))


def _chunks(ground: Ground) -> tuple[VisibleChunk, ...]:
    return tuple([VisibleChunk(*each) for each in ground.texts])
