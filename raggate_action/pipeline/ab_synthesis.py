"""The findings that a model writes of a comparison: asked once, within the budget, and held against the counts."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Callable, Iterable
from functools import partial

from raggate_action.core.panel_ab.written_check import rejection_of
from raggate_action.isolation.secrets import Secrets
from raggate_action.judges.endpoints import close_chats, open_chats
from raggate_action.judges.synthesizer import never_written, synthesis_size, write_findings, written_before
from raggate_action.pipeline.ab_judging import PairKeeping
from raggate_action.pipeline.judge_budget import Refusal, Wanted
from raggate_action.pipeline.synthesis import synthesis_task
from raggate_action.schema.ab_result import Aggregate
from raggate_action.schema.judgement import Lost
from raggate_action.schema.judges import Member
from raggate_action.schema.synthesis import Synthesis


async def written_of(
    aggregate: Aggregate,
    member: Member,
    keeping: PairKeeping,
    *,
    earlier: Iterable[Synthesis] = (),
    tell: Callable[[str], object],
    ends: float | None = None,
) -> Synthesis:
    """What a model writes of an aggregate, or why nothing of it stands.

    Args:
        aggregate: What it is given the numbers of.
        member: The model.
        keeping: What judging may cost, and has cost; and values that no file may hold.
        earlier: What models wrote of earlier comparisons.
        tell: Hears, once, why it is asked no more.
        ends: The deadline by the loop's clock; None is without end.
    """
    task, check = synthesis_task(aggregate), partial(rejection_of, aggregate=aggregate)
    before = written_before(earlier, member, task, check)
    if before is not None:
        return before
    [grant] = await keeping.budget.admit("findings", "", [Wanted(member, synthesis_size(task))])
    chats = open_chats([member], os.environ, draw=random.Random(), tell=tell)  # noqa: S311 - jitter, not a secret
    limit = asyncio.timeout_at(ends)
    try:
        calls = 0 if isinstance(grant, Refusal) else grant.calls
        async with limit:
            done = await write_findings(member, chats[member.name], task, check, calls_left=calls)
    except TimeoutError:
        if not limit.expired():
            raise
        done = never_written(member, task, Lost(code="cut", detail="the deadline had passed"))
    finally:
        if not isinstance(grant, Refusal):
            keeping.budget.settle(grant, None)
        await close_chats(chats)
    return _struck(done, Secrets(keeping.secrets))


def _struck(done: Synthesis, secrets: Secrets) -> Synthesis:
    """Without a secret that an endpoint has repeated."""
    findings = tuple([each.model_copy(update={"text": secrets.struck(each.text)}) for each in done.findings])
    lost, rejection = done.lost, done.rejection
    if lost is not None:
        lost = lost.model_copy(update={"detail": secrets.struck(lost.detail)})
    if rejection is not None:
        rejection = rejection.model_copy(update={"found": secrets.struck(rejection.found)})
    return done.model_copy(update={"findings": findings, "lost": lost, "rejection": rejection})
