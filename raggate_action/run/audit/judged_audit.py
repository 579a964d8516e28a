"""The audit of one answer with judges: they are asked about what rules leave open, and for an answer put right."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple

from raggate_action.core.counting.judge_only_findings import is_open
from raggate_action.core.judging.undecided_claims import known_decline
from raggate_action.core.judging.vote_aggregation import fold
from raggate_action.judges.chat_call import AskedChunk
from raggate_action.judging_jobs.claims.claims_prompt import AskedClaim, ClaimsTask
from raggate_action.judging_jobs.fix.fix_job import FixTask, FoundClaim
from raggate_action.run.audit.audit_panel import AuditPanel, LoadedPanel, load_panel, opened_panel
from raggate_action.run.audit.keyless_audit import (
    Audited,
    Ground,
    by_rules,
    keeps_supported,
    keyless_fix,
    report_on,
)
from raggate_action.schema.audit import AuditReport
from raggate_action.schema.judgement import Judgement


class _Judged(NamedTuple):
    """An audited answer.

    Attributes:
        audited: Its claims, with the panel's verdicts where rules left them open.
        task: What the judges were asked; None where nothing was open.
        heard: What they said.
        declines: The answer declines, so that no other text can put it right.
    """

    audited: Audited
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
    async with opened_panel(loaded, environment) as panel:
        return await audit_by_panel(answer, ground, panel)


async def audit_by_panel(answer: str, ground: Ground, panel: AuditPanel) -> AuditReport:
    """The report on an answer, by judges.

    The fix is a judge's where the panel calls that faithful as well; else the supported claims with the chunks' own
    words in the place of the others, or none.
    """
    judged = await _judged(answer, ground, panel)
    audited = judged.audited
    fix = None
    if audited.verdict != "faithful":
        fix = await _fix(answer, judged, ground, panel) or keyless_fix(audited, ground)
    return report_on(answer, audited, ground, fix)


async def _judged(answer: str, ground: Ground, panel: AuditPanel) -> _Judged:
    audited = by_rules(answer, ground)
    declined = known_decline(audited.drafts, audited.claims)
    asked = [claim for claim in audited.claims if is_open(claim)]
    if not asked or declined or not ground.texts:
        return _Judged(audited, declines=bool(declined))
    ids = {claim.claim_id for claim in asked}
    task = ClaimsTask(
        question="",
        answer=answer,
        claims=tuple([AskedClaim(claim.claim_id, claim.text) for claim in asked]),
        chunks=_chunks(ground),
        settled=tuple([AskedClaim(each.claim_id, each.text) for each in audited.claims if each.claim_id not in ids]),
    )
    heard = await panel.ask(task)
    folded = fold(audited.claims, heard, panel.terms, chunks=dict(ground.texts), declined=declined)
    undecided = _undecided(panel, heard, declines=bool(folded.declines))
    judged = Audited(audited.drafts, folded.claims, undecided)
    return _Judged(judged, task, heard, bool(folded.declines))


def _undecided(panel: AuditPanel, heard: tuple[Judgement, ...], *, declines: bool) -> str:
    if declines:
        return "the panel takes the answer for one that declines"
    lost = [f"{each.judge} ({each.lost.code})" for each in heard if each.lost is not None]
    missing = f"; lost: {', '.join(lost)}" if lost else ""
    return f"fewer judges than {panel.terms.least} of {len(panel.terms.members)} gave it a verdict{missing}"


async def _fix(answer: str, judged: _Judged, ground: Ground, panel: AuditPanel) -> str | None:
    """A judge's text that rules and the panel call faithful, and that keeps what was supported."""
    if judged.task is None or judged.declines:
        return None
    found = tuple([FoundClaim(claim.text, claim.verdict, claim.note) for claim in judged.audited.claims])
    text = await panel.fix(FixTask(answer, found, _chunks(ground)), judged.heard)
    if text is None or text == answer:
        return None
    fixed = (await _judged(text, ground, panel)).audited
    return text if fixed.verdict == "faithful" and keeps_supported(judged.audited, fixed) else None


def _chunks(ground: Ground) -> tuple[AskedChunk, ...]:
    return tuple([AskedChunk(chunk_id, text) for chunk_id, text in ground.texts])
