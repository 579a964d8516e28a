"""What judging a run may cost: calls for each answer and judge, tokens and dollars for the run's answers.

Whoever wants to call reserves first what it may come to at most, in the order that answers are asked about; what was
really used takes the reservation's place. What does not fit waits until all that is under way has been paid, so that
the same replies under the same budget cut the same answers, however fast anybody was.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from raggate_action.judges.judging_job import Size
from raggate_action.schema.judgement import JobName, Judgement
from raggate_action.schema.judges import JudgeBudget, Member
from raggate_action.strings.numbers import count

# English has four or five bytes a token, and no writing system that models read has fewer than three.
_BYTES_A_TOKEN = 3
_MILLION = 1_000_000
# A first reply, and one that repairs it.
CALLS_AT_MOST = 2


class Cost(NamedTuple):
    """Tokens of prompts and replies together, and US dollars as far as prices are known."""

    tokens: float = 0.0
    usd: float = 0.0

    def plus(self, other: Cost) -> Cost:
        """The sum; reservations and what was paid add up."""
        return Cost(self.tokens + other.tokens, self.usd + other.usd)

    def times(self, number: float) -> Cost:
        """What so many of it come to."""
        return Cost(self.tokens * number, self.usd * number)


# What an answer is of, which, the judge, and the job: each job has its calls, so that none keeps another from its own.
_Whom: TypeAlias = tuple[str, str, str, JobName]


class CallRequest(NamedTuple):
    """A judge, how large what it is to be asked is, and the job it is asked to do."""

    member: Member
    size: Size
    job: JobName = "claims"


class Grant(NamedTuple):
    """Leave to ask a judge about an answer.

    Attributes:
        whom: The answer and the judge.
        calls: How many calls it may take.
        reserved: What they may come to.
    """

    whom: _Whom
    calls: int
    reserved: Cost


class BudgetRefusal(NamedTuple):
    """Why a judge is not asked about an answer, in words for people."""

    detail: str


def largest_cost(member: Member, size: Size, calls: int) -> Cost:
    """What so many calls of a size may come to, a second one carrying the first reply with it."""
    reply, price = size.reply_tokens * calls, member.price
    prompt = size.prompt_bytes / _BYTES_A_TOKEN * calls + size.reply_tokens * (calls - 1)
    usd = (prompt * price.input + reply * price.output) / _MILLION if price is not None else 0.0
    return Cost(prompt + reply, usd)


class Budget:
    """What is left of a run's budget."""

    def __init__(
        self,
        terms: JudgeBudget,
        earlier: Iterable[Judgement] = (),
        *,
        answers: int = 0,
        labels_apart: bool = False,
    ) -> None:
        """Prepare.

        Args:
            terms: What the suite allows.
            earlier: What the run spent before it was resumed.
            answers: How many cases the run has. What their calls leave over is for the baseline's answers.
            labels_apart: What labels take is not taken from the tokens and dollars of answers.
        """
        self._labels_apart = labels_apart
        self._pool = terms.calls_per_case * answers
        self._pooled: Counter[tuple[str, JobName]] = Counter()
        self._terms = terms
        self._spent = Cost()
        self._reserved = Cost()
        self._open: set[Grant] = set()
        self._calls: dict[_Whom, int] = {}
        # Fair: who came first is served first.
        self._turn = asyncio.Lock()
        self._paid = asyncio.Event()
        for judgement in earlier:
            self._pay((judgement.about, judgement.id, judgement.judge, judgement.job), judgement)

    def share(self, answers: int) -> Cost:
        """What each of so many answers may cost whatever the others do."""
        terms, inf = self._terms, float("inf")
        tokens = inf if terms.tokens is None else (terms.tokens - self._spent.tokens) / max(answers, 1)
        usd = inf if terms.usd is None else (terms.usd - self._spent.usd) / max(answers, 1)
        return Cost(tokens, usd)

    async def admit(self, about: str, case_id: str, wanted: Iterable[CallRequest]) -> list[Grant | BudgetRefusal]:
        """Leave for some judges to be asked about one answer. Who asks first is answered first.

        Each grant has to be settled, whatever becomes of the calls.

        Args:
            about: What the answer is of, as in `Judgement`.
            case_id: Which of them.
            wanted: The judges, each with what it is to be asked.
        """
        found: list[Grant | BudgetRefusal] = []
        async with self._turn:
            try:
                for each in wanted:
                    own = sum(isinstance(one, Grant) for one in found)
                    found.append(await self._grant((about, case_id, each.member.name, each.job), each, own))
            except BaseException:
                for one in found:
                    if isinstance(one, Grant):
                        self.settle(one, None)
                raise
        return found

    async def _grant(self, whom: _Whom, wanted: CallRequest, own: int) -> Grant | BudgetRefusal:
        """One of an answer's grants, `own` of which were given and are not under way yet."""
        allowed = min(CALLS_AT_MOST, self._terms.calls_per_case - self._calls.get(whom, 0))
        if allowed < 1:
            return BudgetRefusal(f"{count(self._terms.calls_per_case, 'call')} were made about this case")

        def fits(calls: int) -> bool:
            return calls <= self._left_over(whom) and self._fits(largest_cost(wanted.member, wanted.size, calls))

        if self._is_apart(whom[0]):
            self._open.add(grant := Grant(whom, allowed, Cost()))
            return grant
        while not fits(allowed) and len(self._open) > own:
            self._paid.clear()
            await self._paid.wait()
        for calls in range(allowed, 0, -1):
            if fits(calls):
                cost = largest_cost(wanted.member, wanted.size, calls)
                self._reserved = self._reserved.plus(cost)
                self._open.add(grant := Grant(whom, calls, cost))
                return grant
        return BudgetRefusal("what the suite allows for judging is used up")

    def _is_apart(self, about: str) -> bool:
        return self._labels_apart and about == "label"

    def _left_over(self, whom: _Whom) -> float:
        """Calls that a judge may still be asked for at a job; only of the baseline does it hang on what others left."""
        about, _case_id, judge, job = whom
        if about != "baseline":
            return float("inf")
        under_way = sum(grant.calls for grant in self._open if grant.whom[2:] == (judge, job))
        return self._pool - self._pooled[judge, job] - under_way

    def _fits(self, cost: Cost) -> bool:
        total, terms = self._spent.plus(self._reserved).plus(cost), self._terms
        return (terms.tokens is None or total.tokens <= terms.tokens) and (
            terms.usd is None or not cost.usd or total.usd <= terms.usd
        )

    def settle(self, grant: Grant, judgement: Judgement | None) -> None:
        """What came of a grant; None where the calls were broken off. Settling twice is settling once."""
        if grant not in self._open:
            return
        self._open.remove(grant)
        self._reserved = self._reserved.plus(grant.reserved.times(-1))
        if not self._open:
            # Sums of fractions leave a rest.
            self._reserved = Cost()
        if judgement is not None:
            self._pay(grant.whom, judgement)
            if judgement.calls and judgement.lost is None and not judgement.usage.input:
                # Its endpoint does not say what a call took: what was reserved for it is taken.
                self._spent = self._spent.plus(grant.reserved)
        self._paid.set()

    def _pay(self, whom: _Whom, judgement: Judgement) -> None:
        usage = judgement.usage
        if not self._is_apart(judgement.about):
            self._spent = self._spent.plus(Cost(usage.input + usage.output, judgement.cost_usd or 0.0))
        if judgement.calls:
            self._calls[whom] = self._calls.get(whom, 0) + judgement.calls
            if judgement.about != "label":
                self._pooled[judgement.judge, judgement.job] += judgement.calls
