"""Findings written by a model: what it is given of an aggregate and no more, and what becomes of what it writes."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Callable, Iterable
from typing import Final

from raggate_action.core.ab.aggregate_measures import Measure, OfferedValue, kinds_of, measures_of
from raggate_action.core.ab.finding_check import MOST_FINDINGS, rejection_of
from raggate_action.core.ab.rule_findings import findings_of
from raggate_action.isolation.secrets import Secrets
from raggate_action.judges.endpoints import close_chats, open_chats
from raggate_action.judges.judging_job import Size
from raggate_action.judging_jobs.findings.findings_job import FindingsJob, OfferedMeasure, OfferedNumber, SynthesisTask
from raggate_action.run.judging.judge_budget import Budget, CallRequest, Grant
from raggate_action.schema.ab_findings import Finding, Findings, Rejection
from raggate_action.schema.ab_result import Aggregate
from raggate_action.schema.ab_run import AbJudging
from raggate_action.schema.judgement import Lost
from raggate_action.schema.judges import JudgeBudget, Member
from raggate_action.schema.synthesis import Synthesis
from raggate_action.strings.numbers import count, signed, whole_number

# Questions that are given one by one; the others are in the sums.
_MOST_QUESTIONS: Final = 40
_OF_ONE_QUESTION: Final = "question:"
_PLACES: Final = 2
# The smallest p-value of an exact test of twenty questions is two in a million.
_PLACES_OF_P: Final = 6


async def written_synthesis(
    aggregate: Aggregate,
    member: Member,
    budget: JudgeBudget,
    ends: float | None = None,
    *,
    earlier: Iterable[Synthesis] = (),
    secrets: Iterable[str] = (),
    tell: Callable[[str], object],
) -> Synthesis:
    """What a model writes of an aggregate, held against it. What goes wrong is a value.

    Args:
        aggregate: What it writes of.
        member: The model.
        budget: What is left of the comparison's, see `left_of`.
        ends: The deadline by the loop's clock; None is without end.
        earlier: What models wrote in earlier comparisons: of the same numbers nobody is asked again.
        secrets: Values that no file may hold.
        tell: Hears what is waited for.
    """
    task = synthesis_task(aggregate)

    def check(findings: tuple[Finding, ...]) -> Rejection | None:
        return rejection_of(findings, aggregate)

    job = FindingsJob(check)
    before = job.written_before(earlier, member, task)
    if before is not None:
        return before
    chats = open_chats((member,), os.environ, draw=random.Random(), tell=tell)  # noqa: S311 - jitter, not a secret
    limit = asyncio.timeout_at(ends)
    try:
        calls = await _calls_within(budget, member, job.size(task))
        async with limit:
            written = await job.write(member, chats[member.name], task, calls_left=calls)
    except TimeoutError:
        if not limit.expired():
            raise
        written = job.unwritten(member, task, Lost(code="cut", detail="the deadline had passed"))
    finally:
        await close_chats(chats)
    return _struck(written, Secrets(secrets))


def findings_with(aggregate: Aggregate, synthesis: Synthesis | None) -> Findings:
    """What follows from an aggregate by rule, and what a model has written of it, where one was asked."""
    derived = findings_of(aggregate)
    if synthesis is None:
        return Findings(derived=derived)
    return Findings(derived=derived, written=synthesis.findings, rejection=synthesis.refused)


def judging_with(judging: AbJudging, synthesis: Synthesis | None) -> AbJudging:
    """What judging took, and having findings written."""
    if synthesis is None:
        return judging
    is_unpriced = bool(synthesis.calls) and synthesis.cost_usd is None and synthesis.judge not in judging.unpriced
    return judging.model_copy(
        update={
            "calls": judging.calls + synthesis.calls,
            "usage": judging.usage.plus(synthesis.usage),
            "cost_usd": judging.cost_usd + (synthesis.cost_usd or 0.0),
            "unpriced": (*judging.unpriced, *([synthesis.judge] if is_unpriced else [])),
        }
    )


def synthesis_task(aggregate: Aggregate) -> SynthesisTask:
    """What a model is given to write findings from: names and numbers of the aggregate's measures.

    Of single questions those are given that stand out: on which the treatment leads most, the control won, or the
    rubric may be at fault.
    """
    stand_out = [*aggregate.heroes, *aggregate.control_won, *aggregate.concerns]
    named = {f"{_OF_ONE_QUESTION}{question_id}" for question_id in stand_out[:_MOST_QUESTIONS]}
    every = measures_of(aggregate).values()
    chosen = [each for each in every if not each.name.startswith(_OF_ONE_QUESTION) or each.name in named]
    return SynthesisTask(tuple([_offered(each) for each in chosen if each.numbers]), MOST_FINDINGS)


def _offered(measure: Measure) -> OfferedMeasure:
    numbers = tuple([OfferedNumber(each.label, _value_text(each)) for each in measure.numbers])
    return OfferedMeasure(measure.name, kinds_of(measure), numbers, measure.questions[:_MOST_QUESTIONS])


def _value_text(number: OfferedValue) -> str:
    """The number as it may be written, with what it counts and what it is a part of."""
    if number.kind == "difference":
        return signed(number.value)
    if number.kind != "count":
        return whole_number(number.value, _PLACES_OF_P if number.kind == "p" else _PLACES)
    value, of = int(number.value), number.whole
    if of is not None:
        return f"{value:,} of {count(of, number.unit) if number.unit else f'{of:,}'}"
    return count(value, number.unit) if number.unit else f"{value:,}"


def left_of(budget: JudgeBudget, spent: AbJudging) -> JudgeBudget:
    """What judging pairs has left of a comparison's budget."""
    usage = spent.usage
    left = {
        "tokens": None if budget.tokens is None else max(0, budget.tokens - usage.input - usage.output),
        "usd": None if budget.usd is None else max(0.0, budget.usd - spent.cost_usd),
    }
    return budget.model_copy(update=left)


async def _calls_within(budget: JudgeBudget, member: Member, size: Size) -> int:
    """The calls that a budget allows."""
    (leave,) = await Budget(budget).admit("findings", "", [CallRequest(member, size)])
    return leave.calls if isinstance(leave, Grant) else 0


def _struck(synthesis: Synthesis, secrets: Secrets) -> Synthesis:
    """Without a secret that an endpoint has repeated. What was accepted is words and numbers of the aggregate."""
    lost, rejection = synthesis.lost, synthesis.rejection
    if lost is not None:
        lost = lost.model_copy(update={"detail": secrets.struck(lost.detail)})
    if rejection is not None:
        rejection = rejection.model_copy(update={"found": secrets.struck(rejection.found)})
    return synthesis.model_copy(update={"lost": lost, "rejection": rejection})
