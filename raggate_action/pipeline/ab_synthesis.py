"""The findings that a model writes of a comparison: asked once, within the budget, and held against the counts."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterable
from functools import partial

from raggate_action.core.panel_ab.written_check import rejection_of
from raggate_action.isolation.secrets import Secrets
from raggate_action.judges.endpoints import close_chats, open_chats
from raggate_action.judges.synthesizer import synthesis_size, write_findings, written_before
from raggate_action.pipeline.judge_budget import Budget, Refusal, Wanted
from raggate_action.pipeline.synthesis import synthesis_task
from raggate_action.schema.ab_result import Aggregate
from raggate_action.schema.judges import Member
from raggate_action.schema.synthesis import Synthesis


async def written_of(
    aggregate: Aggregate,
    member: Member,
    budget: Budget,
    *,
    earlier: Iterable[Synthesis] = (),
    secrets: Iterable[str] = (),
    tell: Callable[[str], object],
) -> Synthesis:
    """What a model writes of an aggregate, or why nothing of it stands.

    Args:
        aggregate: What it is given the numbers of.
        member: The model.
        budget: What judging may cost, and has cost.
        earlier: What models wrote of earlier comparisons.
        secrets: Values that no file may hold.
        tell: Hears, once, why it is asked no more.
    """
    task, check = synthesis_task(aggregate), partial(rejection_of, aggregate=aggregate)
    before = written_before(earlier, member, task, check)
    if before is not None:
        return before
    [grant] = await budget.admit("findings", "", [Wanted(member, synthesis_size(task))])
    chats = open_chats([member], os.environ, draw=random.Random(), tell=tell)  # noqa: S311 - jitter, not a secret
    try:
        calls = 0 if isinstance(grant, Refusal) else grant.calls
        done = await write_findings(member, chats[member.name], task, check, calls_left=calls)
    finally:
        if not isinstance(grant, Refusal):
            budget.settle(grant, None)
        await close_chats(chats)
    return _struck(done, Secrets(secrets))


def _struck(done: Synthesis, secrets: Secrets) -> Synthesis:
    """Without a secret that an endpoint has repeated."""
    findings = tuple([each.model_copy(update={"text": secrets.struck(each.text)}) for each in done.findings])
    lost, rejection = done.lost, done.rejection
    if lost is not None:
        lost = lost.model_copy(update={"detail": secrets.struck(lost.detail)})
    if rejection is not None:
        rejection = rejection.model_copy(update={"found": secrets.struck(rejection.found)})
    return done.model_copy(update={"findings": findings, "lost": lost, "rejection": rejection})
