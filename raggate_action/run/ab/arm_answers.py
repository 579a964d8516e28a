"""What two arms answer to the same questions: asked side by side, through the suite's own gates, fit to be judged."""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import closing
from datetime import datetime
from typing import NamedTuple

from raggate_action.core.ab.one_variable import RetrievedIds
from raggate_action.core.gates.case_row import Evaluated
from raggate_action.core.gates.diagnosis import Drafted
from raggate_action.judges.chat_call import VisibleChunk
from raggate_action.judging_jobs.pairs.pair_task import PairAnswer
from raggate_action.judging_jobs.panel_job import shown_answer, visible_chunks
from raggate_action.run.ask_and_judge import app_of, evaluate, problems_of
from raggate_action.run.concurrency import side_by_side
from raggate_action.run.progress import Progress
from raggate_action.run.run_plan import Plan
from raggate_action.run.run_session import rulebook
from raggate_action.run_store import WaitingCases, stored_trace_line
from raggate_action.schema.case import PlacedCase
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.judge_rows import Unasked
from raggate_action.schema.outcome import Failed, Unmeasured
from raggate_action.schema.policy import Texts
from raggate_action.schema.trace import Trace
from raggate_action.suite_files.ab_section import RunArm

_EMPTY = "its answer is empty"


class ArmAnswer(NamedTuple):
    """An arm's answer to a question.

    Attributes:
        row: What the suite's own gates say of it.
        line: Its trace, as a line that a recorded target replays.
        text: The answer, whole; empty where nothing may be judged.
        chunks: What it was made from, in order; chunks without a text are not among them.
        retrieved: What was retrieved for it; None where there is no trace.
        versions: What the arm says it is made of.
        unasked: Why no judge may be asked about it; None where one may.
        why: The same in words: an error, or what the evidence lacks.
    """

    row: CaseRun
    line: bytes
    text: str = ""
    chunks: tuple[VisibleChunk, ...] = ()
    retrieved: RetrievedIds | None = None
    versions: tuple[tuple[str, str], ...] = ()
    unasked: Unasked | None = None
    why: str = ""


class ArmAnswers(NamedTuple):
    """What an arm answered.

    Attributes:
        answers: Of every question, in order.
        notes: What its target had to say at the end, one sentence each.
    """

    answers: tuple[ArmAnswer, ...]
    notes: tuple[str, ...]

    @property
    def is_silent(self) -> bool:
        """Whether it answered nothing at all."""
        return all(each.unasked == "no-answer" for each in self.answers)


class BothAnswers(NamedTuple):
    """What both arms answered."""

    control: ArmAnswers
    treatment: ArmAnswers


async def answers_of_both(
    plan: Plan, cases: Sequence[PlacedCase], seed: int, as_of: datetime, progress: Progress
) -> BothAnswers:
    """Ask both arms every question, as a run asks its app. What goes wrong with one of them is its answer.

    Both begin at once and are asked in the same order, as many at a time as each target's `concurrency` says; which of
    them is asked the first question first is drawn.

    Args:
        plan: What is asked.
        cases: The questions, in the suite's order.
        seed: Of the draw.
        as_of: The moment currency of evidence is judged at.
        progress: Hears how it goes.
    """
    arms = list(plan.request.arms)
    if random.Random(f"asked first:{seed}").random() < 0.5:  # noqa: S311 - a draw of the suite's seed, no secret
        arms.reverse()
    both = await side_by_side([_replies_of_arm(plan, arm, cases, as_of, progress) for arm in arms])
    by_arm = {arm.name: answers for arm, answers in zip(arms, both, strict=True)}
    return BothAnswers(by_arm["control"], by_arm["treatment"])


async def _replies_of_arm(
    plan: Plan, arm: RunArm, cases: Sequence[PlacedCase], as_of: datetime, progress: Progress
) -> ArmAnswers:
    """What one arm answers; rules judge it and the case's own check, and no judge."""
    loaded = plan.of_arm(arm)
    rules = rulebook(loaded, as_of)._replace(keeps_drafts=True)
    found: dict[int, ArmAnswer] = {}

    def take(done: Evaluated) -> None:
        found[done.row.position] = answer = arm_answer(done, loaded.suite.texts)
        progress.count(failed=answer.unasked is not None)

    def tell(line: str) -> None:
        progress.tell(f"{arm.name}: {line}")

    with closing(WaitingCases(None)) as waiting:
        async with app_of(loaded, rules, waiting, tell=tell) as app:
            await evaluate(cases, app, take)
    return ArmAnswers(tuple([found[placed.position] for placed in cases]), problems_of(app))


def arm_answer(done: Evaluated, texts: Texts) -> ArmAnswer:
    """What of an evaluated answer a comparison keeps.

    Args:
        done: The answer behind its gates.
        texts: What files may hold.
    """
    trace = done.trace if done.trace is not None else Trace(error=done.row.error)
    line = stored_trace_line(done.row, trace, texts=texts, withheld=done.withheld)
    kept = ArmAnswer(done.row, line)
    if done.trace is not None:
        kept = kept._replace(
            retrieved=RetrievedIds(done.trace.ids("candidates"), done.trace.ids("context")),
            versions=done.row.versions,
        )
    if done.drafted is None:
        unasked, why = _unasked_reason(done.row)
        return kept._replace(unasked=unasked, why=why)
    text, chunks = visible_answer(done.drafted)
    return kept._replace(text=text, chunks=chunks) if text.strip() else kept._replace(unasked="no-answer", why=_EMPTY)


def visible_answer(drafted: Drafted) -> PairAnswer:
    """An admissible answer as a judge is shown it; every chunk of it may be read by whoever asks, and so by a judge."""
    return PairAnswer(shown_answer(drafted), visible_chunks(drafted))


def _unasked_reason(row: CaseRun) -> tuple[Unasked, str]:
    """Why an answer that went no further than its evidence is not judged."""
    admitted, target = row.outcomes["admissibility"], row.outcomes["target"]
    if isinstance(admitted, Failed):
        return "inadmissible", str(admitted.problems[0])
    if isinstance(target, Unmeasured):
        return "no-answer", target.detail
    return "no-answer", row.error or _EMPTY
