"""What judging a run may cost: calls for each answer and judge, tokens and dollars for the run's answers.

Whoever wants to call reserves first what it may come to at most, in the order that answers are asked about; what was
really used takes the reservation's place. What does not fit waits until all that is under way has been paid, so that
the same replies under the same budget cut the same answers, however fast anybody was. After a call that came dearer
than what was reserved for it, as much is reserved for each further one. The first call of a judge at a job is made
alone, until it is known what it took; then at most one call a lane passes the limit, and only if prices rise.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from raggate_action.judges.judge_exchange import cost_of
from raggate_action.judges.judging_job import Size
from raggate_action.schema.judgement import JobName, Judgement, Usage
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
        # Of grants under way that were asked about in between: what is reserved for them since.
        self._raised: dict[Grant, Cost] = {}
        # Of each judge at each job, once a call was paid: the most that one took which came dearer than reserved.
        self._dearest: dict[tuple[str, JobName], Cost] = {}
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
            return calls <= self._left_over(whom) and self._fits(self._reservation(wanted, calls))

        if self._is_apart(whom[0]):
            self._open.add(grant := Grant(whom, allowed, Cost()))
            return grant
        while (not fits(allowed) or self._is_full(wanted)) and len(self._open) > own:
            self._paid.clear()
            await self._paid.wait()
        for calls in range(allowed, 0, -1):
            if fits(calls):
                cost = self._reservation(wanted, calls)
                self._reserved = self._reserved.plus(cost)
                self._open.add(grant := Grant(whom, calls, cost))
                return grant
        return BudgetRefusal("what the suite allows for judging is used up")

    def _reservation(self, wanted: CallRequest, calls: int) -> Cost:
        """What so many calls may come to: by what is sent, and by the dearest call so far."""
        cost = largest_cost(wanted.member, wanted.size, calls)
        seen = self._dearest.get((wanted.member.name, wanted.job), Cost()).times(calls)
        return Cost(max(cost.tokens, seen.tokens), max(cost.usd, seen.usd))

    def _is_full(self, wanted: CallRequest) -> bool:
        """Whether a judge that a limit binds is asked as often as it has lanes, or once at a job of unknown price."""
        terms, (member, _size, job) = self._terms, wanted
        if terms.tokens is None and (terms.usd is None or member.price is None):
            return False
        under_way = [
            each.whom[3] for each in self._open if each.whom[2] == member.name and not self._is_apart(each.whom[0])
        ]
        return len(under_way) >= member.concurrency or (job in under_way and (member.name, job) not in self._dearest)

    def may_go_on(self, grant: Grant, usage: Usage, member: Member) -> bool:
        """Whether the second call of a grant still fits, now that it is known what the first one took.

        That is reserved from here on, so that whoever asks next knows it as well.
        """
        if self._is_apart(grant.whom[0]) or grant not in self._open:
            return True
        first = Cost(usage.input + usage.output, cost_of(usage, member.price) or 0.0)
        each = grant.reserved.times(1 / grant.calls)
        second = Cost(max(first.tokens, each.tokens), max(first.usd, each.usd))
        self._reserved = self._reserved.plus(grant.reserved.times(-1))
        goes_on = self._fits(first.plus(second))
        needed = first.plus(second) if goes_on else first
        self._reserved = self._reserved.plus(needed)
        self._raised[grant] = needed
        return goes_on

    @property
    def excess(self) -> str | None:
        """By how much the limit was passed, and why; None where it was not."""
        spent, terms = self._spent, self._terms
        if terms.usd is not None and spent.usd > terms.usd:
            took, limit, over = f"${spent.usd:.2f}", f"usd: {terms.usd:g}", f"${spent.usd - terms.usd:.2f}"
        elif terms.tokens is not None and spent.tokens > terms.tokens:
            over = f"{spent.tokens - terms.tokens:,.0f} tokens"
            took, limit = f"{spent.tokens:,.0f} tokens", f"tokens: {terms.tokens}"
        else:
            return None
        why = "calls came dearer than what was reserved for them, and from the first of these on as much was reserved"
        return f"Judging took {took}, {over} more than `budget: {{{limit}}}` allows: {why}."

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
        self._reserved = self._reserved.plus(self._raised.pop(grant, grant.reserved).times(-1))
        if not self._open:
            # Sums of fractions leave a rest.
            self._reserved = Cost()
        if judgement is not None:
            self._pay(grant.whom, judgement)
            each = grant.reserved.times(1 / grant.calls)
            if judgement.calls and judgement.lost is None and not judgement.usage.input:
                # Its endpoint does not say what a call took: what was reserved for it is taken.
                self._spent = self._spent.plus(grant.reserved)
            elif judgement.unmetered:
                self._spent = self._spent.plus(each.times(judgement.unmetered))
            self._see(grant, judgement, each)
        self._paid.set()

    def _see(self, grant: Grant, judgement: Judgement, reserved: Cost) -> None:
        """Remember what a call took, if it came dearer than what was reserved for each; a lost one tells no price."""
        calls, usage = max(judgement.calls, 1), judgement.usage
        if not reserved.tokens or not (usage.input or judgement.unmetered or judgement.lost is None):
            return
        took = Cost(usage.input + usage.output, judgement.cost_usd or 0.0).times(1 / calls)
        _about, _case_id, judge, job = grant.whom
        seen = self._dearest.setdefault((judge, job), Cost())
        if took.tokens > reserved.tokens or took.usd > reserved.usd:
            self._dearest[judge, job] = Cost(max(seen.tokens, took.tokens), max(seen.usd, took.usd))

    def _pay(self, whom: _Whom, judgement: Judgement) -> None:
        usage = judgement.usage
        if not self._is_apart(judgement.about):
            self._spent = self._spent.plus(Cost(usage.input + usage.output, judgement.cost_usd or 0.0))
        if judgement.calls:
            self._calls[whom] = self._calls.get(whom, 0) + judgement.calls
            if judgement.about != "label":
                self._pooled[judgement.judge, judgement.job] += judgement.calls
