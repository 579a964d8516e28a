"""Two arms asked the same questions, side by side, each as fast as its own target lets it be asked."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from datetime import datetime
from typing import NamedTuple

from raggate_action.core.disclosure.withholding import permitted_message
from raggate_action.core.gates.diagnose import Drafted, Rulebook, by_rules
from raggate_action.core.gates.row import Evaluated, evaluate_drafted, faulted, unanswered
from raggate_action.errors import MappingError, TargetError
from raggate_action.isolation.time_limit import TimeLimitError, within
from raggate_action.pipeline.ab_answers import ArmAnswer, arm_answer
from raggate_action.pipeline.ab_request import AbPlan
from raggate_action.pipeline.clock import moment_now
from raggate_action.pipeline.deadline import replies_until
from raggate_action.pipeline.faults import ENDS_MORE, noted
from raggate_action.pipeline.gather import side_by_side
from raggate_action.pipeline.session import SuiteChecks, permitted_mapping_error, permitted_tell, rulebook, target_of
from raggate_action.pipeline.steps import drafted_or_row, given_up
from raggate_action.schema.case import PlacedCase
from raggate_action.schema.trace import NoTrace, Reply, TargetFailure
from raggate_action.suite_files.ab_arms import AskedArm
from raggate_action.targets.interface import Target

# Longest judging of one answer by rules.
_CASE_S = 10.0


class ArmAnswers(NamedTuple):
    """What an arm answered.

    Attributes:
        answers: Of every question, in order.
        notes: What its target had to say at the end, one sentence each.
    """

    answers: tuple[ArmAnswer, ...]
    notes: tuple[str, ...]


class Heard(NamedTuple):
    """Who hears how the asking goes.

    Attributes:
        tell: Hears what is waited for.
        answered: Hears of each answer whether there is none.
    """

    tell: Callable[[str], object]
    answered: Callable[[bool], object]


async def asked_of_both(
    plan: AbPlan, as_of: datetime, heard: Heard, ends: float | None
) -> tuple[ArmAnswers, ArmAnswers]:
    """Ask both arms every question. What goes wrong with one of them is its answer.

    Both begin at once and are asked in the same order, as many at a time as each target's `concurrency` says; which of
    them is asked the first question first is drawn.

    Args:
        plan: What is asked.
        as_of: The moment currency of evidence is judged at.
        heard: Who hears how it goes.
        ends: The deadline by the loop's clock; None is without end.

    Raises:
        MappingError: What an arm's target says of its replies finds nothing in them.
    """
    arms = list(plan.arms)
    if random.Random(f"asked first:{plan.seed}").random() < 0.5:  # noqa: S311 - a draw of the suite's seed, no secret
        arms.reverse()
    both = await side_by_side([_Asking(plan, arm, as_of, heard, ends).all() for arm in arms])
    by_arm = {arm.name: answers for arm, answers in zip(arms, both, strict=True)}
    return by_arm["control"], by_arm["treatment"]


class _Asking:
    """One arm being asked."""

    def __init__(self, plan: AbPlan, arm: AskedArm, as_of: datetime, heard: Heard, ends: float | None) -> None:
        loaded = plan.of_arm(arm)
        self._cases = plan.cases
        self._heard = heard
        self._ends = ends
        self._texts = loaded.suite.texts
        self._rules: Rulebook = rulebook(loaded, as_of)
        tell = permitted_tell(lambda line: heard.tell(f"{arm.name}: {line}"), self._rules.restricted)
        self._target: Target = target_of(loaded, tell=tell)
        self._checks = SuiteChecks(loaded)
        self._found: dict[int, ArmAnswer] = {}

    async def all(self) -> ArmAnswers:
        """Every answer."""
        try:
            async with aclosing(self._replies()) as replies:
                async for placed, reply in replies:
                    await self._take(placed, reply)
        except TimeoutError:
            await self._take_rest(NoTrace(reason="cut", detail="the deadline had passed"))
        except MappingError as error:
            raise permitted_mapping_error(error, self._rules.restricted) from None
        except TargetError as error:
            await self._take_rest(TargetFailure(error=f"{error}. {error.hint}"))
        finally:
            await self._checks.aclose()
        problems: Sequence[str] = getattr(self._target, "problems", ())
        restricted = self._rules.restricted
        notes = [permitted_message(each, None, restricted, what="a problem of the traces") for each in problems]
        return ArmAnswers(tuple([self._found[placed.position] for placed in self._cases]), tuple(notes))

    async def _replies(self) -> AsyncGenerator[tuple[PlacedCase, Reply], None]:
        async with aclosing(self._target.replies(iter(self._cases))) as replies:
            async for pair in replies if self._ends is None else replies_until(replies, self._ends):
                yield pair

    async def _take_rest(self, reply: Reply) -> None:
        for placed in self._cases:
            if placed.position not in self._found:
                await self._take(placed, reply)

    async def _take(self, placed: PlacedCase, reply: Reply) -> None:
        # Recorded replies never wait, and the other arm is to be asked as well.
        await asyncio.sleep(0)
        drafted, done = await self._judged(placed, reply)
        self._found[placed.position] = found = arm_answer(drafted, done, self._texts)
        self._heard.answered(found.unasked is not None)

    async def _judged(self, placed: PlacedCase, reply: Reply) -> tuple[Drafted | None, Evaluated]:
        """An answer behind the suite's own gates: rules and the case's own check, and no judge."""
        rules, now = self._rules, moment_now()
        try:
            first = within(_CASE_S, lambda: drafted_or_row(placed, reply, rules, now))
            if isinstance(first, Evaluated):
                return None, first
            verdicts = await self._checks.of(first) if self._checks.asks(first) else by_rules(first)
            return first, within(
                _CASE_S, lambda: evaluate_drafted(placed, first, verdicts, rules, finished_at=moment_now())
            )
        except TimeLimitError:
            return None, unanswered(placed, given_up(), rules, finished_at=now)
        except ENDS_MORE:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, the other questions are judged all the same
            return None, faulted(placed, noted(placed.case.case_id, error).detail, rules, finished_at=now)
