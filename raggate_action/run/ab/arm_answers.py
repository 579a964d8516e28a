"""What two arms answer to the same questions: asked side by side, through the suite's own gates, fit to be judged."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from contextlib import closing
from datetime import datetime
from typing import NamedTuple

from raggate_action.core.ab.one_variable import STAGES
from raggate_action.core.gates.case_row import Evaluated
from raggate_action.errors import TargetError
from raggate_action.judging_jobs.pair_job import PairAnswer
from raggate_action.judging_jobs.panel_job import shown_answer, visible_chunks
from raggate_action.run.ask_and_judge import app_of, evaluate, problems_of
from raggate_action.run.concurrency import side_by_side
from raggate_action.run.progress import Progress
from raggate_action.run.run_plan import Plan
from raggate_action.run.run_session import rulebook
from raggate_action.run_store import WorkFile, stored_trace_line
from raggate_action.schema.ab_run import RetrievedStage
from raggate_action.schema.arm_names import ARMS, ArmName
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
        shown: The answer, whole, and what it was made from, in order; empty where nothing may be judged.
        retrieved: Stage -> chunk ids in order, of each stage that it reports; None where there is no trace.
        unasked: Why no judge may be asked about it; None where one may.
        why: The same in words: an error, or what the evidence lacks.
    """

    row: CaseRun
    line: bytes
    shown: PairAnswer = PairAnswer("", ())
    retrieved: Mapping[RetrievedStage, tuple[str, ...]] | None = None
    unasked: Unasked | None = None
    why: str = ""


async def answers_of_both(
    plan: Plan, cases: Sequence[PlacedCase], seed: int, as_of: datetime, progress: Progress
) -> tuple[Mapping[ArmName, list[ArmAnswer]], list[str]]:
    """Ask both arms every question, as a run asks its app. What goes wrong with one of them is its answer.

    Both begin at once and are asked in the same order, as many at a time as each target's `concurrency` says; which of
    them is asked the first question first is drawn.

    Args:
        plan: What is asked.
        cases: The questions, in the suite's order.
        seed: Of the draw.
        as_of: The moment currency of evidence is judged at.
        progress: Hears how it goes.

    Returns:
        To every question, in order, each arm's answer; and what their targets had to say at the end.

    Raises:
        TargetError: An arm answered nothing at all.
    """
    by_arm: dict[ArmName, list[ArmAnswer]] = {}
    notes: dict[ArmName, list[str]] = {}

    async def ask(arm: RunArm) -> None:
        """Ask one arm; rules judge what it answers and the case's own check, and no judge."""
        loaded = plan.of_arm(arm)
        rules = rulebook(loaded, as_of)._replace(keeps_drafts=True)
        found: dict[int, ArmAnswer] = {}

        def take(done: Evaluated) -> None:
            found[done.row.position] = answer = arm_answer(done, loaded.suite.texts)
            progress.count(failed=answer.unasked is not None)

        def tell(line: str) -> None:
            progress.tell(f"{arm.name}: {line}")

        with closing(WorkFile()) as waiting:
            async with app_of(loaded, rules, waiting, tell=tell) as app:
                await evaluate(cases, app, take)
        by_arm[arm.name] = [found[placed.position] for placed in cases]
        notes[arm.name] = [f"{arm.name}: {note}" for note in problems_of(app)]

    arms = list(plan.request.arms)
    if random.Random(f"asked first:{seed}").random() < 0.5:  # noqa: S311 - a draw of the suite's seed, no secret
        arms.reverse()
    await side_by_side(map(ask, arms))
    for name in ARMS:
        answers = by_arm[name]
        if all(each.unasked == "no-answer" for each in answers):
            raise TargetError(
                f"the {name} answered none of {len(cases)} questions: {answers[0].why}",
                hint=f"Start it, or correct `ab: {name}: target`; no judge was asked.",
            )
    return by_arm, [note for name in ARMS for note in notes[name]]


def arm_answer(done: Evaluated, texts: Texts) -> ArmAnswer:
    """What of an evaluated answer a comparison keeps.

    Args:
        done: The answer behind its gates.
        texts: What files may hold.
    """
    row, trace, retrieved = done.row, done.trace, None
    if trace is not None:
        retrieved = {stage: ids for stage in STAGES if (ids := trace.ids(stage)) is not None}
    line = stored_trace_line(row, trace or Trace(error=row.error), texts=texts, withheld=done.withheld)
    kept = ArmAnswer(row, line, retrieved=retrieved)
    if done.drafted is not None:
        # It is admissible: whoever asks may read every chunk of it, and so may a judge.
        shown = PairAnswer(shown_answer(done.drafted), visible_chunks(done.drafted))
        return kept._replace(shown=shown) if shown.answer.strip() else kept._replace(unasked="no-answer", why=_EMPTY)
    admitted, target = row.outcomes["admissibility"], row.outcomes["target"]
    if isinstance(admitted, Failed):
        return kept._replace(unasked="inadmissible", why=str(admitted.problems[0]))
    why = target.detail if isinstance(target, Unmeasured) else row.error or _EMPTY
    return kept._replace(unasked="no-answer", why=why)
