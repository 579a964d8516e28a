"""The three steps a case is judged in, and who may be asked between them.

1. **Draft**, pure and short: the reply becomes claims; labels, quotation and rules say what is certain. Where nobody
   has to be asked for the rest, the case goes through its gates at once and has its row.
2. **Verdicts**, awaited: a custom check, later a judge, says what it says. Many at once, on lanes. The reply is written
   down before anybody is asked, and what was said as soon as it is there: a run that is killed asks neither again.
3. **Gates**, pure and short: draft and verdicts become outcomes, and the row is final.

A fault of ours in any step makes its case unmeasured, and no other (see `internal_errors`).

Where the answer is in doubt, the row is not final: the app is asked again (see `second_ask`), and each further answer
goes through the same steps.

In memory are the drafts on the lanes; what waits stands in the work file.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias, TypeVar

from raggate_action.core.disclosure.withholding import permitted_error
from raggate_action.core.gates.baseline_suite import BaselineSuite
from raggate_action.core.gates.case_row import (
    Evaluated,
    by_baseline_too,
    evaluate_diagnosis,
    evaluate_drafted,
    evaluate_fault,
    evaluate_no_answer,
    evaluate_reply,
)
from raggate_action.core.gates.diagnosis import Drafted, Rulebook, draft, rule_verdicts
from raggate_action.isolation.time_limit import TimeLimitError, within
from raggate_action.run.internal_errors import ENDS_MORE, guarded, noted
from raggate_action.run_store import WorkFile
from raggate_action.schema.case import PlacedCase
from raggate_action.schema.trace import Answered, NoTrace, Reply, TargetFailure
from raggate_action.schema.verdicts import Verdicts
from raggate_action.targets.interface import Target

if TYPE_CHECKING:
    from raggate_action.run.second_ask import DoubtfulCases

T = TypeVar("T")
U = TypeVar("U")
# Given a case, its judged answer, and the reply, which is None where it is written down already.
Finish: TypeAlias = Callable[[PlacedCase, Evaluated, Reply | None], None]

# Longest judging of one case, and of all that is left to judge when the deadline passes.
_CASE_S = 10.0
_AFTER_DEADLINE_S = 1.0


class VerdictSource(Protocol):
    """Who is asked for what a draft leaves open, and in which order. A case had been asked `ask` times before.

    What is not overridden: nothing was said before, every answer is asked about at once, and none has verdicts in time.
    """

    def asks(self, drafted: Drafted) -> bool:
        """Whether anybody has to be asked of this answer; if not, rules decide, and nothing is awaited."""
        ...

    async def of(self, drafted: Drafted, ask: int = 0) -> Verdicts:
        """The verdicts on an answer. What goes wrong with it is in them, never raised; it may be cancelled."""
        ...

    def earlier_verdicts(self, drafted: Drafted, ask: int) -> Verdicts | None:  # noqa: ARG002
        """The verdicts on an answer of which all was said before; None where somebody has to be asked."""
        return None

    def rank(self, drafted: Drafted, ask: int) -> tuple[bool, bool] | None:  # noqa: ARG002
        """Place of an answer among those that wait until all have come, smallest first; None is asked about at once."""
        return None

    def cut(self, drafted: Drafted, ask: int, detail: str) -> Verdicts | None:  # noqa: ARG002
        """The verdicts on an answer that nobody can be asked about any more; None where there are none at all."""
        return None


class Evaluation(NamedTuple):
    """What a run is evaluated with.

    Attributes:
        target: The app under test.
        rules: What every case is judged by.
        verdicts: Who is asked for what rules leave open.
        now: The clock, ISO 8601 UTC.
        cases_at: The suite's cases at some positions.
        waiting: Where replies and verdicts are kept until their case has its row.
        lanes: How many answers are asked about at once.
        deadline_s: Longest run in seconds; None is without end.
        doubtful: The cases that are asked again before they count; None where no case is.
    """

    target: Target
    rules: Rulebook
    verdicts: VerdictSource
    now: Callable[[], str]
    cases_at: Callable[[Iterable[int]], Iterator[PlacedCase]]
    waiting: WorkFile
    lanes: int = 1
    deadline_s: float | None = None
    doubtful: DoubtfulCases | None = None

    @property
    def cut(self) -> NoTrace:
        """What is left of a case that the deadline cut."""
        return NoTrace(reason="cut", detail=f"the deadline of {self.deadline_s:g} s had passed")

    def judged_again(self, placed: PlacedCase, ask: int) -> Evaluated:
        """An answer of a case that waits, judged as it was before, from what was written down."""
        rules, now = self.rules, self.now()

        def work() -> Evaluated:
            reply, verdicts = self.waiting.reply(placed.position, ask), self.waiting.verdicts(placed.position, ask)
            first = drafted_or_row(placed, reply, rules, now)
            if isinstance(first, Evaluated):
                return first
            held = verdicts or self.verdicts.earlier_verdicts(first, ask) or rule_verdicts(first)
            return evaluate_drafted(placed, first, held, rules, finished_at=now)

        try:
            return self.unless_faulted(placed, lambda: within(_CASE_S, work))
        except TimeLimitError:
            return evaluate_no_answer(placed, given_up(), rules, finished_at=now)

    def unless_faulted(self, placed: PlacedCase, work: Callable[[], U]) -> U | Evaluated:
        """Some work on a case; the row of one that a fault of ours kept from being judged, where it fails."""
        return guarded(placed.case.case_id, work, lambda fault: self.faulted(placed, fault))

    def faulted(self, placed: PlacedCase, fault: NoTrace) -> Evaluated:
        """The row of a case that a fault of ours kept from being judged."""
        return evaluate_fault(placed, fault.detail, self.rules, finished_at=self.now())


@asynccontextmanager
async def judging_queue(
    evaluation: Evaluation, finish: Finish, ends: float | None, *, ask: int = 0
) -> AsyncIterator[JudgingQueue]:
    """The queue of a run's answers, or of one round of asking again; left when each of them has been judged.

    Args:
        evaluation: What the run is evaluated with.
        finish: Is given each case as soon as its answer is judged.
        ends: The deadline by the loop's clock; None is without end.
        ask: How often these cases have been asked before.
    """
    try:
        async with asyncio.TaskGroup() as group:
            queue = JudgingQueue(evaluation, finish, group, ends, ask)
            yield queue
            queue.release()
    except BaseExceptionGroup as failed:
        # The first fault ends the run; the faults that followed from it add nothing.
        raise failed.exceptions[0] from None


class JudgingQueue:
    """Takes answers to their rows. What somebody has to be asked about waits for a lane, or until all have come."""

    def __init__(
        self, evaluation: Evaluation, finish: Finish, group: asyncio.TaskGroup, ends: float | None, ask: int
    ) -> None:
        """See `judging_queue`; `group` runs the lanes."""
        self._evaluation = evaluation
        self._finish = finish
        self._group = group
        self._ends = ends
        self._ask = ask
        self._free = evaluation.lanes
        self._queue: deque[int] = deque()
        self._held: list[tuple[tuple[bool, bool], int]] = []

    async def resume(self, positions: Iterable[int]) -> None:
        """Take the answers that waited when an earlier process ended."""
        for position in positions:
            placed = next(self._evaluation.cases_at((position,)))
            self._take(placed, self._again(placed), None)
            # Each draft takes its time, and a Ctrl-C is only felt where something waits.
            await asyncio.sleep(0)

    def put(self, placed: PlacedCase, reply: Reply) -> None:
        """Take an answer that has come."""
        self._take(placed, self._limited(placed, partial(self._first, placed, reply)), reply)

    def release(self) -> None:
        """All answers have come: those that were held for it are judged, the first in rank first."""
        for _rank, position in sorted(self._held):
            self._put_on_lane(position)

    def _take(self, placed: PlacedCase, first: Drafted | Evaluated, reply: Reply | None) -> None:
        """Judge an answer at once where nobody has to be asked; `reply` is None where it is written down already."""
        if isinstance(first, Drafted):
            rank = self._evaluation.unless_faulted(placed, partial(self._kept, placed, first, reply))
            if rank is None:
                self._put_on_lane(placed.position, first, placed)
                return
            if not isinstance(rank, Evaluated):
                self._held.append((rank, placed.position))
                return
            first = rank
        self._finish(placed, first, reply)

    def _kept(self, placed: PlacedCase, first: Drafted, reply: Reply | None) -> tuple[bool, bool] | None:
        """Write an answer down that has to wait; gives its rank."""
        if reply is not None:
            self._evaluation.waiting.add_reply(placed.position, reply, self._ask)
        return self._evaluation.verdicts.rank(first, self._ask)

    def _first(self, placed: PlacedCase, reply: Reply, now: str) -> Drafted | Evaluated:
        """A reply drafted; its row where nobody has to be asked about it."""
        evaluation = self._evaluation
        first = drafted_or_row(placed, reply, evaluation.rules, now)
        if not isinstance(first, Drafted):
            return first
        source = evaluation.verdicts
        verdicts = source.earlier_verdicts(first, self._ask) if source.asks(first) else rule_verdicts(first)
        if verdicts is None:
            return first
        return evaluate_drafted(placed, first, verdicts, evaluation.rules, finished_at=now)

    def _put_on_lane(self, position: int, drafted: Drafted | None = None, placed: PlacedCase | None = None) -> None:
        """Judge a waiting case now where a lane is free, else as soon as one is."""
        if self._free:
            self._free -= 1
            self._group.create_task(self._lane(position, drafted, placed))
        else:
            self._queue.append(position)

    async def _lane(self, position: int, drafted: Drafted | None, placed: PlacedCase | None) -> None:
        """Judge one case, and then what waits, until nothing does."""
        while True:
            placed = placed or next(self._evaluation.cases_at((position,)))
            self._finish(placed, await self._judged(placed, drafted or self._again(placed)), None)
            if not self._queue:
                break
            position, drafted, placed = self._queue.popleft(), None, None
        self._free += 1

    def _again(self, placed: PlacedCase) -> Drafted | Evaluated:
        """The first step once more, of a reply that was written down."""
        waiting, ask = self._evaluation.waiting, self._ask
        return self._limited(placed, lambda now: self._first(placed, waiting.reply(placed.position, ask), now))

    async def _judged(self, placed: PlacedCase, first: Drafted | Evaluated) -> Evaluated:
        """The second step and the third of a drafted case."""
        # Lanes that need not wait leave room for what ends a run.
        await asyncio.sleep(0)
        if isinstance(first, Evaluated):
            return first
        try:
            return await self._verdicts_and_gates(placed, first)
        except ENDS_MORE:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, the other cases are judged all the same
            return self._evaluation.faulted(placed, noted(placed.case.case_id, error))

    async def _verdicts_and_gates(self, placed: PlacedCase, first: Drafted) -> Evaluated:
        evaluation, rules = self._evaluation, self._evaluation.rules
        verdicts = evaluation.waiting.verdicts(placed.position, self._ask)
        if verdicts is None:
            limit = asyncio.timeout_at(self._ends)
            try:
                async with limit:
                    # A deadline that has passed already is felt here, before anybody is asked.
                    await asyncio.sleep(0)
                    verdicts = await evaluation.verdicts.of(first, self._ask)
            except TimeoutError:
                if not limit.expired():
                    raise
                cut = evaluation.cut
                verdicts = evaluation.verdicts.cut(first, self._ask, cut.detail)
                if verdicts is None:
                    return evaluate_no_answer(placed, cut, rules, finished_at=evaluation.now())
            evaluation.waiting.add_verdicts(placed.position, verdicts, self._ask)
        found = verdicts
        return self._limited(placed, lambda now: evaluate_drafted(placed, first, found, rules, finished_at=now))

    def _limited(self, placed: PlacedCase, work: Callable[[str], T]) -> T | Evaluated:
        """Some pure work on a case, given the moment; the row of one that was cut, where it takes too long."""
        evaluation, ends = self._evaluation, self._ends
        now = evaluation.now()
        seconds = _CASE_S
        if ends is not None:
            seconds = min(_CASE_S, ends + _AFTER_DEADLINE_S - asyncio.get_running_loop().time())
        try:
            return evaluation.unless_faulted(placed, partial(within, seconds, partial(work, now)))
        except TimeLimitError:
            left = given_up() if seconds >= _CASE_S else evaluation.cut
            return evaluate_no_answer(placed, left, evaluation.rules, finished_at=now)


def given_up() -> NoTrace:
    """What is left of a case whose answer takes too long to judge."""
    return NoTrace(reason="cut", detail=f"judging its answer took longer than {_CASE_S:g} s")


def drafted_or_row(placed: PlacedCase, reply: Reply, rules: Rulebook, now: str) -> Drafted | Evaluated:
    """A reply drafted; its row where nothing can be asked about it.

    Raises:
        Exception: A fault of ours that came up while the reply was read.
    """
    if isinstance(reply, NoTrace) and reply.error is not None:
        raise reply.error
    if isinstance(reply, Answered):
        drafted = draft(placed.case, reply, rules)
        if isinstance(drafted, Drafted):
            return drafted
        done = evaluate_diagnosis(placed, reply, drafted, rules, finished_at=now)
    else:
        done = evaluate_no_answer(placed, reply, rules, finished_at=now)

    def again(before: PlacedCase, suite: BaselineSuite) -> Evaluated:
        return evaluate_reply(before, reply, suite.rules(rules), custom=None, finished_at=now)

    return by_baseline_too(done, placed, rules, again)


def to_be_kept(reply: Reply, placed: PlacedCase, rules: Rulebook) -> Reply:
    """A reply as it may be written down until its case has its row."""
    if isinstance(reply, TargetFailure):
        return TargetFailure(permitted_error(reply, placed.case, rules.restricted), reply.latency_ms)
    return reply
