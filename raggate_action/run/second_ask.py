"""The cases whose first answer is in doubt, and asking the app about them again until each has its row."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import aclosing, suppress
from dataclasses import dataclass

from raggate_action.core.comparison.confirmation_asks import (
    Confirmation,
    Severity,
    counts_at_once,
    standing_without,
    still_says,
)
from raggate_action.core.comparison.scope_selection import draw
from raggate_action.core.gates.case_row import Evaluated, evaluate_no_answer, evaluate_reply, together
from raggate_action.core.gates.diagnosis import Rulebook
from raggate_action.errors import TargetError
from raggate_action.isolation.time_limit import TimeLimitError, within
from raggate_action.run.deadline import replies_until
from raggate_action.run.judging_steps import Evaluation, given_up, judging_queue, to_be_kept
from raggate_action.schema.case import PlacedCase
from raggate_action.schema.case_run import Ask, CaseRun
from raggate_action.schema.main_answers import OwnRate
from raggate_action.schema.trace import Reply
from raggate_action.strings.numbers import count

# Longest judging of one answer of a case that was taken out.
_CASE_S = 10.0


@dataclass(slots=True)
class InDoubt:
    """A case that waits, by its answers so far.

    Attributes:
        severity: How bad the first is.
        refuted: The values that findings count against in any of them.
        lacking: What none of them gives that main's give, of a case that is asked again for that alone; else None.
        false: The first that has a certain hallucination which may be chance; whether it is shows when all have come.
        is_losing: Each has lost a required source: one that a retriever misses now and then, it finds in one of five.
        lot: Of a case that lost a source, or is only poorer than main's: a few of these, drawn, stand for the rest.
        asks: How many have been weighed.
    """

    severity: Severity
    refuted: frozenset[str]
    lacking: frozenset[str] | None
    false: int | None
    is_losing: bool
    lot: int | None
    asks: int = 1


class DoubtfulCases:
    """Says which cases have to wait, which of those are asked again, and which answer settles one.

    Attributes:
        confirmation: What an answer is held against.
        times: How often a case is asked again at most.
        tell: Shows a line while the run goes on.
        cases: Those that wait, by position.
    """

    def __init__(
        self, confirmation: Confirmation, *, times: int, most: int, tell: Callable[[str], object], seed: int = 0
    ) -> None:
        """Nothing has been answered yet.

        Args:
            confirmation: What an answer is held against.
            times: How often a case is asked again at most.
            most: How many cases are.
            tell: Shows a line while the run goes on.
            seed: Draws those that stand for others which are not asked.
        """
        self.confirmation = confirmation
        self.times = times
        self.tell = tell
        self.cases: dict[int, InDoubt] = {}
        self._most = most
        self._seed = seed
        self._app_answers = False

    def finished(self, row: CaseRun) -> None:
        """A case had its row when the run was resumed; what was asked again then counts."""
        self._note(row)
        for ask in row.asks:
            self.confirmation.seen(row.model_copy(update={name: getattr(ask, name) for name in Ask.model_fields}))
        self._most -= bool(row.asks)

    def holds(self, placed: PlacedCase, row: CaseRun) -> bool:
        """Whether a case waits to be asked again; asked once of every first answer. A trace in the suite never does."""
        self._note(row)
        if placed.case.trace is not None:
            return False
        confirmation = self.confirmation
        is_doubtful, poorer = confirmation.is_doubtful(row), confirmation.poorer_in(row)
        if not (is_doubtful or poorer):
            return False
        is_losing = confirmation.loses_source(row)
        self.cases[placed.position] = InDoubt(
            severity=confirmation.severity(row),
            refuted=confirmation.refuted_in(row),
            lacking=None if is_doubtful else poorer,
            false=0 if confirmation.is_false_once(row) else None,
            is_losing=is_losing,
            lot=draw(self._seed, row.case_id) if is_losing or not is_doubtful else None,
        )
        return True

    def settles(self, position: int, row: CaseRun, number: int) -> bool:
        """Weigh one more answer of a case: it settles it if it is in order, shows more, or gives what all others lack.

        Where one has a certain hallucination that may be chance, only a second one does, or another such fault.
        """
        case, confirmation = self.cases[position], self.confirmation
        case.refuted |= confirmation.refuted_in(row)
        case.is_losing = case.is_losing and (row.recalled is None or confirmation.loses_source(row))
        if confirmation.is_false_once(row):
            case.false = number if case.false is None else case.false
            return case.false != number
        if case.false is not None:
            return confirmation.shows_more(row)
        if case.lacking is None:
            excuses = not still_says(row, case.refuted)
            return confirmation.settles(row) and (excuses or confirmation.shows_more(row))
        if row.beside_main is not None:
            case.lacking &= confirmation.poorer_in(row)
        return not case.lacking or confirmation.shows_more(row)

    def limit(self, position: int) -> int:
        """How often a case is asked again at most: twice as often for what only one answer has to show, or shows."""
        case = self.cases[position]
        is_twice = case.lacking is not None or case.false is not None or case.is_losing
        return self.times * (2 if is_twice else 1)

    def worst(self, begun: frozenset[int]) -> tuple[int, ...]:
        """Those that are asked again: what an earlier process began with, then the worst; none of a silent app.

        Of those that lost a source, or are only poorer than main's, as many are drawn as would be among the worst.

        Args:
            begun: Cases that have been asked again before the run was resumed.
        """
        if not self._app_answers:
            return ()
        ranked = sorted(self.cases, key=lambda position: (position not in begun, self.cases[position].severity))
        lots = {position: case.lot for position, case in self.cases.items() if case.lot is not None}
        drawn = iter(sorted(lots, key=lambda position: (position not in begun, lots[position])))
        return tuple([next(drawn) if position in lots else position for position in ranked[: max(0, self._most)]])

    def _note(self, row: CaseRun) -> None:
        self.confirmation.seen(row)
        target = row.outcomes.get("target")
        self._app_answers = self._app_answers or (target is not None and target.kind == "passed")


class AskingAgain:
    """Rounds over the cases in doubt. A case leaves them with the first answer that settles it.

    Every answer is written down before the next is asked for, and read back when the case is settled: memory holds no
    answer of a case that waits, and a run that is killed asks for none a second time.
    """

    def __init__(
        self, evaluation: Evaluation, doubtful: DoubtfulCases, take: Callable[[Evaluated], None], ends: float | None
    ) -> None:
        """Every case has its first answer, and those in doubt wait.

        Args:
            evaluation: What the run is evaluated with.
            doubtful: The cases in doubt.
            take: Takes each case in as soon as its row is final.
            ends: The deadline by the loop's clock; None is without end.
        """
        self._evaluation = evaluation
        self._doubtful = doubtful
        self._take = take
        self._ends = ends

    async def settle(self) -> None:
        """Give every case in doubt its row.

        When the deadline passes, or the app cannot be asked any more, the first answers of those left count.
        """
        waiting, doubtful = self._evaluation.waiting, self._doubtful
        worst = doubtful.worst(frozenset(each for each in doubtful.cases if waiting.has_reply(each, 1)))
        for number in range(1, 2 * doubtful.times + 1):
            # In suite order, as everywhere: the worst were chosen, and are not in a hurry.
            left = [each for each in sorted(worst) if each in doubtful.cases and number <= doubtful.limit(each)]
            if not left:
                break
            most = max(map(doubtful.limit, left))
            doubtful.tell(f"asking {count(len(left), 'case')} again, {number} of at most {most} times")
            if not await self._round(left, number):
                break
        for position in sorted(doubtful.cases):
            self._settle_last(next(self._evaluation.cases_at((position,))))

    def _settle_last(self, placed: PlacedCase) -> None:
        """Give a case that no answer settled its row: the first stands, or the false one unless it is chance."""
        asks, false = self._doubtful.cases[placed.position].asks, self._doubtful.cases[placed.position].false
        unconfirmed = asks <= self._doubtful.limit(placed.position)
        answers = self._answers(placed, asks)
        own_rate = self._doubtful.confirmation.explained() if false is not None and not unconfirmed else None
        stands = standing_without([each.row for each in answers], false) if own_rate and false is not None else None
        if stands is None:
            self._leave(placed, answers, false or 0, unconfirmed=unconfirmed)
        else:
            self._leave(placed, answers, stands, own_rate=own_rate)

    async def _round(self, positions: list[int], number: int) -> bool:
        """Ask every one of the cases once more; False where the app or the time is gone."""
        evaluation, ends = self._evaluation, self._ends
        known = [position for position in positions if evaluation.waiting.has_reply(position, number)]
        left = [position for position in positions if position not in known]

        def weigh(placed: PlacedCase, done: Evaluated, reply: Reply | None) -> None:
            self._weigh(placed, done, reply, number)

        async with judging_queue(evaluation, weigh, ends, ask=number) as queue:
            await queue.resume(known)
            try:
                async with aclosing(evaluation.target.replies(evaluation.cases_at(left))) as replies:
                    async for placed, reply in replies if ends is None else replies_until(replies, ends):
                        queue.put(placed, reply)
            except (TimeoutError, TargetError):
                return False
        return True

    def _weigh(self, placed: PlacedCase, done: Evaluated, reply: Reply | None, number: int) -> None:
        """Settle a case, or let it wait for the next round; `reply` is None where it is written down already."""
        evaluation, position, doubtful = self._evaluation, placed.position, self._doubtful
        if _was_cut(done) and self._is_over():
            return

        def settles() -> bool:
            doubtful.confirmation.seen(done.row)
            if doubtful.settles(position, done.row, number):
                return True
            if reply is not None:
                evaluation.waiting.add_reply(position, to_be_kept(reply, placed, evaluation.rules), number)
            return False

        settled = evaluation.unless_faulted(placed, settles)
        if settled is False:
            doubtful.cases[position].asks = number + 1
        else:
            # Where that could not be told, the case is unmeasured, whatever it was answered.
            last = done if settled is True else settled
            confirmation = doubtful.confirmation
            shows_more = confirmation.shows_more(last.row) or confirmation.is_false_once(last.row)
            first_stands = doubtful.cases[position].lacking is not None and not shows_more
            self._leave(placed, [*self._answers(placed, number), last], 0 if first_stands else number)

    def _is_over(self) -> bool:
        return self._ends is not None and asyncio.get_running_loop().time() >= self._ends

    def _answers(self, placed: PlacedCase, asks: int) -> list[Evaluated]:
        """The first answers of a case, as they were weighed."""
        return [self._evaluation.judged_again(placed, ask) for ask in range(asks)]

    def _leave(
        self,
        placed: PlacedCase,
        answers: list[Evaluated],
        stands: int,
        *,
        unconfirmed: bool = False,
        own_rate: OwnRate | None = None,
    ) -> None:
        del self._doubtful.cases[placed.position]
        done = self._evaluation.unless_faulted(
            placed, lambda: together(answers, stands, unconfirmed=unconfirmed, own_rate=own_rate)
        )
        self._take(done)


async def removed_again(
    cases: Iterable[PlacedCase], app: Evaluation, rules: Rulebook, ends: float | None, *, times: int
) -> tuple[CaseRun, ...]:
    """Cases that only the baseline's suite has, asked once more; without those that the app or the time is gone for.

    Nobody judges them but rules.

    Args:
        cases: The cases, as the baseline's suite has them.
        app: The app.
        rules: What the baseline's suite judges by.
        ends: The deadline by the loop's clock; None is without end.
        times: How often a case that fails is asked.
    """
    waiting = {placed.position: placed for placed in cases}
    found: dict[int, CaseRun] = {}
    with suppress(TimeoutError, TargetError):
        for _time in range(times):
            left = [placed for position, placed in waiting.items() if _may_pass(found.get(position))]
            async with aclosing(app.target.replies(left)) as replies:
                async for placed, reply in replies if ends is None else replies_until(replies, ends):
                    found[placed.position] = _judged(placed, reply, rules, app.now())
    return tuple([found[position] for position in sorted(found) if found[position].state != "unmeasured"])


def _may_pass(row: CaseRun | None) -> bool:
    return row is None or (row.state == "failed" and not counts_at_once(row, row.slices, frozenset()))


def _judged(placed: PlacedCase, reply: Reply, rules: Rulebook, now: str) -> CaseRun:
    try:
        return within(_CASE_S, lambda: evaluate_reply(placed, reply, rules, custom=None, finished_at=now)).row
    except TimeLimitError:
        return evaluate_no_answer(placed, given_up(), rules, finished_at=now).row


def _was_cut(done: Evaluated) -> bool:
    target = done.row.outcomes.get("target")
    return target is not None and target.kind == "unmeasured" and target.reason == "cut"
