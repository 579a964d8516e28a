"""Runs cases: target -> trace -> gates -> row, streaming, with nothing kept of a case once it is judged."""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import aclosing
from typing import NamedTuple

from raggate_action.core.gates.diagnose import Rulebook
from raggate_action.core.gates.row import Evaluated, evaluate_reply
from raggate_action.core.support.custom_check import CheckIssues
from raggate_action.errors import TargetError
from raggate_action.schema.case import Case, PlacedCase
from raggate_action.schema.trace import Answered, NoTrace, Reply, TargetFailure, Trace
from raggate_action.targets.interface import Target
from raggate_action.time_limit import TimeLimitError, within

# Longest judging of one case, and of all that is left to judge when the deadline passes.
_CASE_S = 10.0
_AFTER_DEADLINE_S = 1.0


class Evaluation(NamedTuple):
    """What a run is evaluated with.

    Attributes:
        target: The app under test.
        rules: What every case is judged by.
        custom_check: Asks a case's custom check; awaited only for cases that name one.
        now: The clock, ISO 8601 UTC.
        deadline_s: Longest run in seconds; None is without end.
    """

    target: Target
    rules: Rulebook
    custom_check: Callable[[Case, Trace], Awaitable[CheckIssues]]
    now: Callable[[], str]
    deadline_s: float | None = None


async def evaluate(cases: Iterable[PlacedCase], evaluation: Evaluation) -> AsyncIterator[Evaluated]:
    """Evaluate every case and yield it as it finishes; cases with an inline trace never reach the target.

    When the deadline passes, what is under way, custom checks included, is dropped and what is left is unmeasured
    (`cut`); so is an answer that takes too long to judge. When the app cannot be asked at all, every case that needs it
    has failed with that one message.
    """
    feed = _Feed(cases)
    ends = _end_of(evaluation)
    try:
        async for placed, reply in _replies(feed, evaluation, ends):
            yield await _judged(placed, reply, evaluation, ends)
    except TimeoutError:
        for placed in feed.rest():
            yield await _judged(placed, _inline(placed) or _cut(evaluation), evaluation, ends)
    except TargetError as error:
        down = TargetFailure(error=f"{error}. {error.hint}")
        for placed in feed.rest():
            yield await _judged(placed, _inline(placed) or down, evaluation, ends)


def _end_of(evaluation: Evaluation) -> float | None:
    """The deadline by the loop's clock; None when there is none."""
    return None if evaluation.deadline_s is None else asyncio.get_running_loop().time() + evaluation.deadline_s


def _cut(evaluation: Evaluation) -> NoTrace:
    return NoTrace(reason="cut", detail=f"the deadline of {evaluation.deadline_s:g} s had passed")


async def _replies(feed: _Feed, evaluation: Evaluation, ends: float | None) -> AsyncIterator[tuple[PlacedCase, Reply]]:
    # aclosing: when the run is cut short, what the target has under way ends with it.
    async with aclosing(evaluation.target.replies(feed.asked())) as replies:
        async for placed, reply in replies if ends is None else _within(replies, ends):
            feed.done(placed)
            # In the suite's order, though the target may have taken further cases by now.
            for aside in feed.aside(before=placed.position):
                yield aside
            yield placed, reply
    for aside in feed.aside():
        yield aside


async def _within(
    replies: AsyncIterator[tuple[PlacedCase, Reply]], ends: float
) -> AsyncIterator[tuple[PlacedCase, Reply]]:
    """The replies until the deadline, then TimeoutError. Checked also between replies that never wait."""
    clock = asyncio.get_running_loop().time
    while clock() < ends:
        try:
            async with asyncio.timeout_at(ends):
                reply = await anext(replies)
        except StopAsyncIteration:
            return
        yield reply
    raise TimeoutError


async def _judged(placed: PlacedCase, reply: Reply, evaluation: Evaluation, ends: float | None) -> Evaluated:
    custom = None
    if placed.case.custom_check is not None and isinstance(reply, Answered):
        try:
            async with asyncio.timeout_at(ends):
                # A deadline that has passed already is felt here, before any process is started.
                await asyncio.sleep(0)
                custom = await evaluation.custom_check(placed.case, reply.trace)
        except TimeoutError:
            reply = _cut(evaluation)
    now, rules = evaluation.now(), evaluation.rules
    seconds = _CASE_S if ends is None else min(_CASE_S, ends + _AFTER_DEADLINE_S - asyncio.get_running_loop().time())
    try:
        return within(seconds, lambda: evaluate_reply(placed, reply, rules, custom=custom, finished_at=now))
    except TimeLimitError:
        given_up = NoTrace(reason="cut", detail=f"judging its answer took longer than {_CASE_S:g} s")
        left = given_up if seconds >= _CASE_S else _cut(evaluation)
        return evaluate_reply(placed, left, rules, custom=None, finished_at=now)


def _inline(placed: PlacedCase) -> Answered | None:
    """The trace written into the suite, where there is one: its author's labels count."""
    return None if placed.case.trace is None else Answered(trace=placed.case.trace, labelled=True)


class _Feed:
    """Hands cases to the target one by one and remembers which are under way; those with a trace stand aside."""

    def __init__(self, cases: Iterable[PlacedCase]) -> None:
        self._source = iter(cases)
        self._aside: deque[tuple[PlacedCase, Reply]] = deque()
        self._under_way: dict[int, PlacedCase] = {}

    def asked(self) -> Iterator[PlacedCase]:
        """Cases for the target, as it asks for them."""
        for placed in self._source:
            if (inline := _inline(placed)) is not None:
                self._aside.append((placed, inline))
            else:
                self._under_way[placed.position] = placed
                yield placed

    def done(self, placed: PlacedCase) -> None:
        """The target has replied."""
        del self._under_way[placed.position]

    def aside(self, *, before: float = math.inf) -> Iterator[tuple[PlacedCase, Reply]]:
        """Cases that stand aside, with their own traces; only those before a position of the suite."""
        while self._aside and self._aside[0][0].position < before:
            yield self._aside.popleft()

    def rest(self) -> Iterator[PlacedCase]:
        """Everything not yet yielded: under way, aside, and never begun."""
        yield from self._under_way.values()
        yield from (placed for placed, _reply in self.aside())
        yield from self._source
