"""Asks a run's cases and puts every reply into the queue of its judging (see `judging_steps`)."""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import aclosing, asynccontextmanager
from functools import partial

from raggate_action.core.counting.common_values import CommonValues
from raggate_action.core.disclosure.withholding import permitted_message
from raggate_action.core.gates.case_row import Evaluated
from raggate_action.core.gates.diagnosis import Rulebook
from raggate_action.errors import TargetError
from raggate_action.isolation.child_user import ChildUser
from raggate_action.replies.chunk_stages import StageReader
from raggate_action.run.clock import moment_now
from raggate_action.run.deadline import ends_after, replies_until
from raggate_action.run.internal_errors import guarded
from raggate_action.run.judging_steps import Evaluation, JudgingQueue, judging_queue, to_be_kept
from raggate_action.run.run_session import (
    SuiteChecks,
    lanes_of,
    permitted_tell,
    target_of,
)
from raggate_action.run_store import WorkFile
from raggate_action.schema.case import PlacedCase
from raggate_action.schema.trace import Answered, Reply, TargetFailure
from raggate_action.suite_files import LoadedSuite
from raggate_action.targets.interface import TOGETHER, Target, no_progress


@asynccontextmanager
async def app_of(
    loaded: LoadedSuite,
    rules: Rulebook,
    waiting: WorkFile,
    *,
    tell: Callable[[str], object] = no_progress,
    target: Target | None = None,
    child_user: ChildUser | None = None,
) -> AsyncIterator[Evaluation]:
    """The app under test, ready to be asked: its answers are judged by rules and by the suite's own checks.

    Args:
        loaded: The suite; of one arm of two, the suite as if the arm were its app.
        rules: What its answers are judged by.
        waiting: Where replies are kept while a check is awaited.
        tell: Shows a line while the app is waited for.
        target: Asked instead of the suite's.
        child_user: Whom the suite's programs run as.
    """
    checks = SuiteChecks(loaded, child_user)
    heard = permitted_tell(tell, rules.restricted)
    try:
        yield Evaluation(
            target=target or target_of(loaded, child_user=child_user, tell=heard),
            rules=rules,
            verdicts=checks,
            now=moment_now,
            cases_at=loaded.cases.at,
            waiting=waiting,
            lanes=lanes_of(loaded),
            deadline_s=loaded.suite.deadline_s,
        )
    finally:
        await checks.aclose()


def problems_of(app: Evaluation) -> tuple[str, ...]:
    """What the app's target had to say at the end, one sentence each."""
    problems: Iterable[str] = getattr(app.target, "problems", ())
    restricted = app.rules.restricted
    return tuple([permitted_message(each, None, restricted, what="a problem of the traces") for each in problems])


async def evaluate(
    cases: Iterable[PlacedCase],
    evaluation: Evaluation,
    take: Callable[[Evaluated], None],
    values: CommonValues | None = None,
) -> None:
    """Evaluate every case; cases with an inline trace never reach the target.

    In each step, when the deadline passes, what is awaited is dropped: cases not yet asked and answers whose verdicts
    have not come are unmeasured (`cut`), and so is an answer that takes too long to judge. When the app cannot be asked
    at all, every case that still needs it has failed with that one message, and what was answered before goes on.
    What fails for a value is judged behind all others, when it is known how many answers give it, and what is in doubt
    is asked again behind that. Cancelled, it leaves what waits in `evaluation.waiting`.

    Args:
        cases: Cases to be asked; what waits in `evaluation.waiting` is not among them.
        evaluation: What they are evaluated with.
        take: Takes each case in as soon as its row is final.
        values: What the rows of a resumed run give already.
    """
    values = values or CommonValues()
    ends = ends_after(evaluation.deadline_s)
    async with judging_queue(evaluation, partial(_finish, evaluation, values, take), ends) as queue:
        await queue.resume(evaluation.waiting.positions())
        await _ask(cases, evaluation, queue, ends)
    evaluation = evaluation._replace(rules=evaluation.rules._replace(common=values.keys()))
    for placed in evaluation.cases_at(sorted(values.waiting)):
        _finish(evaluation, values, take, placed, evaluation.judged_again(placed, 0), None)
        # A Ctrl-C is only felt where something waits.
        await asyncio.sleep(0)
    if evaluation.doubtful is not None:
        from raggate_action.run.second_ask import AskingAgain  # a run of recorded traces never asks

        await AskingAgain(evaluation, evaluation.doubtful, take, ends).settle()


def _finish(
    evaluation: Evaluation,
    values: CommonValues,
    take: Callable[[Evaluated], None],
    placed: PlacedCase,
    done: Evaluated,
    reply: Reply | None,
) -> None:
    """Take a case in, or let it wait; `reply` is None where it is written down already."""
    doubtful, has_value = evaluation.doubtful, values.holds(placed, done.row)
    if doubtful is None and not has_value:
        take(done)
        return

    def waits() -> bool:
        if not (has_value or (doubtful is not None and doubtful.holds(placed, done.row))):
            return False
        if reply is not None:
            evaluation.waiting.add_reply(placed.position, to_be_kept(reply, placed, evaluation.rules))
        return True

    held = evaluation.unless_faulted(placed, waits)
    if isinstance(held, Evaluated) and doubtful is not None:
        doubtful.cases.pop(placed.position, None)
    if held is not True:
        take(done if held is False else held)


async def _ask(cases: Iterable[PlacedCase], evaluation: Evaluation, queue: JudgingQueue, ends: float | None) -> None:
    """Ask the target, one case after another as it takes them; those with a trace of their own stand aside of it."""
    source, chunks = iter(cases), StageReader(evaluation.rules.store)
    aside: deque[tuple[PlacedCase, Reply]] = deque()
    under_way: dict[int, PlacedCase] = {}
    attempts = 0

    def inline(placed: PlacedCase) -> Reply | None:
        """The trace written into the suite, where there is one: its author's labels count."""
        trace = placed.case.trace
        if trace is None:
            return None
        return guarded(
            placed.case.case_id, lambda: Answered(chunks.of_trace(trace), labelled=True), lambda fault: fault
        )

    def asked() -> Iterator[PlacedCase]:
        for placed in source:
            if (reply := inline(placed)) is not None:
                aside.append((placed, reply))
            else:
                under_way[placed.position] = placed
                yield placed

    def put_aside(before: float = math.inf) -> None:
        # In the suite's order, though the target may have taken further cases by now.
        while aside and aside[0][0].position < before:
            queue.put(*aside.popleft())

    def put_rest(instead: Reply) -> None:
        for placed in under_way.values():
            queue.put(placed, instead)
        put_aside()
        for placed in source:
            queue.put(placed, inline(placed) or instead)

    try:
        # aclosing: when the run is cut short, what the target has under way ends with it.
        async with aclosing(evaluation.target.replies(asked())) as replies:
            async for placed, reply in replies if ends is None else replies_until(replies, ends):
                del under_way[placed.position]
                put_aside(placed.position)
                queue.put(placed, reply)
                attempts += 1
                if attempts % TOGETHER == 0:
                    # Recorded replies never wait, and a Ctrl-C is only felt where something does.
                    await asyncio.sleep(0)
        put_aside()
    except TimeoutError:
        put_rest(evaluation.cut)
    except TargetError as error:
        put_rest(TargetFailure(error=f"{error}. {error.hint}"))
