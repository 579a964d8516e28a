"""The budget of judging: what is admitted, in which order, and that how fast anybody was decides nothing."""

from __future__ import annotations

import asyncio
import random
import re
from math import ceil
from typing import Any

import pytest

from raggate_action.judges.chat_call import VisibleChunk
from raggate_action.judges.judging_job import Size
from raggate_action.judging_jobs.claims_job import CLAIMS, ClaimsTask
from raggate_action.judging_jobs.numbered_entries import NumberedText
from raggate_action.run.judging.judge_budget import Budget, BudgetRefusal, CallRequest, Grant, largest_cost
from raggate_action.schema.judgement import Judgement, Lost, Usage
from raggate_action.schema.judges import JudgeBudget, Member, Price

PRICE = Price(input=1.0, output=2.0)


def member(name: str = "ada", price: Price | None = PRICE) -> Member:
    # As many lanes as there may be: what hangs on them has tests of its own.
    return Member(name=name, lab="lab", model=name, base_url="http://localhost:1/v1", price=price, concurrency=256)


def task(size: int = 1000, claims: int = 1) -> Size:
    asked = tuple(NumberedText(f"c{number}", "It is so.") for number in range(claims))
    return CLAIMS.size(ClaimsTask("Is it?", "It is so.", asked, (VisibleChunk("k", "x" * size),)))


# What two calls about `task` may come to.
ROOM = ceil(largest_cost(member(), task(), 2).tokens)


def said(
    case_id: str, *, tokens: int = 100, usd: float | None = 0.0001, calls: int = 1, judge: str = "ada"
) -> Judgement:
    return Judgement(
        id=case_id, judge=judge, fingerprint="f", prompt="p", key=case_id, usage=Usage(input=tokens), calls=calls, cost_usd=usd
    )  # fmt: skip


def admitted(budget: Budget, case_id: str, *wanted: CallRequest) -> list[Grant | BudgetRefusal]:
    return asyncio.run(budget.admit("case", case_id, wanted))


def test_an_estimate_grows_with_what_is_sent_and_asked_and_knows_no_dollars_without_a_price() -> None:
    small, large = largest_cost(member(), task(100), 1), largest_cost(member(), task(30_000), 1)
    # The frame and the numbers around the text have some bytes more.
    assert 29_900 / 3 <= large.tokens - small.tokens < 29_900 / 3 + 20
    assert largest_cost(member(), task(claims=9), 1).tokens > largest_cost(member(), task(), 1).tokens
    assert largest_cost(member(), task(), 2).tokens > 2 * largest_cost(member(), task(), 1).tokens, (
        "the reply is sent back"
    )
    assert largest_cost(member(price=None), task(), 1).usd == 0
    assert largest_cost(member(), task(), 1).usd > 0


def test_a_repaired_reply_counts_twice_and_further_asks_of_a_case_are_of_the_same_budget() -> None:
    budget = Budget(JudgeBudget(calls_per_case=3))
    [first] = admitted(budget, "a", CallRequest(member(), task()))
    assert isinstance(first, Grant)
    assert first.calls == 2
    budget.settle(first, said("a", calls=2))
    [second] = admitted(budget, "a", CallRequest(member(), task()))
    assert isinstance(second, Grant)
    assert second.calls == 1
    budget.settle(second, said("a"))
    [third] = admitted(budget, "a", CallRequest(member(), task()))
    assert third == BudgetRefusal("3 calls were made about this case")
    [other] = admitted(budget, "b", CallRequest(member(), task()))
    assert isinstance(other, Grant)


def test_what_a_resumed_run_spent_before_is_spent() -> None:
    earlier = [said("a", calls=2), said("b", tokens=5000), said("a")]
    assert isinstance(
        admitted(Budget(JudgeBudget(tokens=9 * ROOM), earlier), "a", CallRequest(member(), task()))[0], BudgetRefusal
    )
    assert isinstance(
        admitted(Budget(JudgeBudget(tokens=5200 + 300), earlier), "c", CallRequest(member(), task()))[0], BudgetRefusal
    )
    assert isinstance(
        admitted(Budget(JudgeBudget(tokens=50_000), earlier), "c", CallRequest(member(), task()))[0], Grant
    )


def test_dollars_bind_only_judges_whose_price_is_known() -> None:
    budget = Budget(JudgeBudget(usd=0.000001))
    priced, free = admitted(budget, "a", CallRequest(member(), task()), CallRequest(member("bob", None), task()))
    assert isinstance(priced, BudgetRefusal)
    assert isinstance(free, Grant)


def test_an_answer_that_fits_in_its_share_fits_whatever_the_others_cost() -> None:
    budget = Budget(JudgeBudget(tokens=20 * ROOM, usd=None))
    share = budget.share(20)
    assert share.tokens == ROOM
    assert share.usd == float("inf")
    for number in range(20):
        [grant] = admitted(budget, f"q{number}", CallRequest(member(), task()))
        assert isinstance(grant, Grant)
        budget.settle(grant, said(f"q{number}", tokens=ROOM))


def test_the_baselines_answers_have_the_calls_that_the_runs_own_left_over() -> None:
    """Of two cases with two calls each; what is under way may come back unused."""
    budget = Budget(JudgeBudget(calls_per_case=2), [said("a"), said("b", judge="bob", calls=2)], answers=2)

    def of_baseline(case_id: str, judge: str = "ada") -> Grant | BudgetRefusal:
        [found] = asyncio.run(budget.admit("baseline", case_id, [CallRequest(member(judge), task())]))
        return found

    def paid(grant: Grant | BudgetRefusal, case_id: str, calls: int) -> None:
        assert isinstance(grant, Grant)
        budget.settle(grant, said(case_id, calls=calls).model_copy(update={"about": "baseline"}))

    first = of_baseline("a")
    assert isinstance(first, Grant)
    assert first.calls == 2, "its own case's call is not counted as its own"
    paid(first, "a", 1)
    second = of_baseline("b")
    assert isinstance(second, Grant)
    assert second.calls == 2
    paid(second, "b", 2)
    assert of_baseline("c") == BudgetRefusal("what the suite allows for judging is used up")
    assert isinstance(of_baseline("c", "bob"), Grant), "each judge has its own"
    # A case of the run has what it always had.
    assert isinstance(admitted(budget, "d", CallRequest(member(), task()))[0], Grant)


def test_what_one_job_takes_of_the_baselines_calls_is_not_taken_from_another() -> None:
    """One case with two calls for each job: both jobs of a judge have theirs, under way and once they are paid."""
    budget = Budget(JudgeBudget(calls_per_case=2), answers=1)
    both = [CallRequest(member(), task(), "answer"), CallRequest(member(), task())]
    [answer, claims] = asyncio.run(budget.admit("baseline", "a", both))
    assert isinstance(answer, Grant)
    assert isinstance(claims, Grant)
    assert (answer.calls, claims.calls) == (2, 2)
    budget.settle(answer, said("a", calls=2).model_copy(update={"about": "baseline", "job": "answer"}))
    budget.settle(claims, None)
    [once_more] = asyncio.run(budget.admit("baseline", "a", both[1:]))
    assert isinstance(once_more, Grant)
    budget.settle(once_more, None)
    assert asyncio.run(budget.admit("baseline", "b", both[:1])) == [
        BudgetRefusal("what the suite allows for judging is used up")
    ]


async def judged(budget: Budget, order: list[str], delays: dict[str, float], tokens: dict[str, int]) -> list[str]:
    """Which of some answers were cut, each asked about side by side with the others."""
    cut = []

    async def one(case_id: str) -> None:
        [grant] = await budget.admit("case", case_id, [CallRequest(member(), task())])
        if isinstance(grant, BudgetRefusal):
            cut.append(case_id)
            return
        await asyncio.sleep(delays[case_id])
        budget.settle(grant, said(case_id, tokens=tokens[case_id]))

    async with asyncio.TaskGroup() as group:
        for case_id in order:
            group.create_task(one(case_id))
    return sorted(cut)


def test_the_same_answers_are_cut_however_long_each_reply_takes() -> None:
    order = [f"q{number:02}" for number in range(16)]
    draw = random.Random(3)
    tokens = {case_id: draw.randrange(200, 2000) for case_id in order}
    cuts = set[tuple[str, ...]]()
    for seed in range(12):
        wait = random.Random(seed)
        delays = {case_id: wait.random() / 200 for case_id in order}
        budget = Budget(JudgeBudget(tokens=ROOM + 8000, usd=None))
        cuts.add(tuple(asyncio.run(judged(budget, order, delays, tokens))))
    [cut] = cuts
    assert 2 < len(cut) < 14
    assert cut[-1] == order[-1], "who came last is cut first"


def test_calls_that_were_broken_off_hold_nothing_back() -> None:
    budget = Budget(JudgeBudget(tokens=ROOM, usd=None))
    [grant] = admitted(budget, "a", CallRequest(member(), task()))
    assert isinstance(grant, Grant)
    budget.settle(grant, None)
    budget.settle(grant, None)
    [again] = admitted(budget, "b", CallRequest(member(), task()))
    assert isinstance(again, Grant)
    assert again.calls == 2


def test_two_judges_of_one_answer_do_not_wait_for_each_other() -> None:
    budget = Budget(JudgeBudget(tokens=ROOM, usd=None))
    wanted = [CallRequest(member(), task()), CallRequest(member("bob"), task())]
    first, second = asyncio.run(asyncio.wait_for(budget.admit("case", "a", wanted), 5))
    assert isinstance(first, Grant)
    assert isinstance(second, Grant | BudgetRefusal)


def test_a_lost_call_pays_for_the_tokens_it_took() -> None:
    budget = Budget(JudgeBudget(tokens=ROOM, usd=None))
    [grant] = admitted(budget, "a", CallRequest(member(), task()))
    assert isinstance(grant, Grant)
    lost: dict[str, Any] = {"lost": Lost(code="judge-off-schema", detail="no JSON")}
    budget.settle(grant, said("a", tokens=ROOM - 100).model_copy(update=lost))
    assert isinstance(admitted(budget, "b", CallRequest(member(), task()))[0], BudgetRefusal)


def test_a_reply_whose_tokens_nobody_counts_takes_what_was_reserved_for_it() -> None:
    budget = Budget(JudgeBudget(tokens=ROOM))
    [grant] = admitted(budget, "a", CallRequest(member(), task()))
    assert isinstance(grant, Grant)
    budget.settle(grant, said("a", tokens=0, usd=None))
    assert isinstance(admitted(budget, "b", CallRequest(member(), task()))[0], BudgetRefusal)


def test_labels_apart_take_nothing_from_answers_and_need_nothing_of_their_budget() -> None:
    label = said("a", tokens=10 * ROOM).model_copy(update={"about": "label", "cost_usd": 9.0})
    budget = Budget(JudgeBudget(tokens=20 * ROOM, usd=1.0), [label], labels_apart=True)
    assert budget.share(1).usd == 1.0
    spent = Budget(JudgeBudget(usd=0.000001), labels_apart=True)
    [answer] = admitted(spent, "a", CallRequest(member(), task()))
    [of_label] = asyncio.run(spent.admit("label", "a", [CallRequest(member(), task())]))
    assert isinstance(answer, BudgetRefusal)
    assert isinstance(of_label, Grant)
    # `judges check` keeps to the budget.
    assert Budget(JudgeBudget(usd=10.0), [label]).share(1).usd == 1.0


def spent_by(
    tell: list[str], *, concurrency: int, calls: int, usd: float, answers: int = 60, first_usd: float | None = None
) -> float:
    """What judging so many answers comes to under a dollar, each call costing `usd`, all at once."""

    async def all_of() -> float:
        budget = Budget(JudgeBudget(usd=1), answers=answers)
        judge = member().model_copy(update={"concurrency": concurrency})
        took = 0.0

        async def one(number: int) -> None:
            nonlocal took
            [grant] = await budget.admit("case", f"q{number}", [CallRequest(judge, task())])
            if isinstance(grant, BudgetRefusal):
                return
            cost = usd if number or first_usd is None else first_usd
            # A dollar for a million tokens.
            usage = Usage(input=int(cost * 1_000_000))
            made = 0
            while made < min(calls, grant.calls):
                await asyncio.sleep(0.001)
                made, took = made + 1, took + cost
                if made < calls and not budget.may_go_on(grant, usage, judge):
                    break
            paid = said(f"q{number}", tokens=usage.input * made, usd=cost * made, calls=made)
            budget.settle(grant, paid)

        await asyncio.gather(*[one(number) for number in range(answers)])
        tell.append(budget.excess or "")
        return took

    return asyncio.run(all_of())


@pytest.mark.parametrize("concurrency", [1, 4, 16])
@pytest.mark.parametrize("calls", [1, 2])
@pytest.mark.parametrize("usd", [0.135, 0.4])
def test_of_calls_dearer_than_the_first_one_a_lane_passes_the_limit(concurrency: int, calls: int, usd: float) -> None:
    # Reserved is less than a hundredth of a dollar: all 60 answers would have had leave at once, for 8.10 or more.
    assert 60 * largest_cost(member(), task(), 2).usd < 1
    told: list[str] = []
    took = spent_by(told, concurrency=concurrency, calls=calls, usd=usd, first_usd=0.0001)
    assert took <= 1 + concurrency * usd + 1e-9
    if took <= 1 + 1e-9:
        assert told == [""]
        return
    found = re.match(r"Judging took \$(\S+), \$(\S+) more than `budget: \{usd: 1\}` allows: calls came dearer", told[0])
    assert found is not None, told
    assert [float(each) for each in found.groups()] == [
        pytest.approx(took, abs=0.006),
        pytest.approx(took - 1, abs=0.006),
    ]


@pytest.mark.parametrize("calls", [1, 2])
@pytest.mark.parametrize(("usd", "most"), [(0.9, 0.9), (0.3, 0.9), (1.5, 1.5)])
def test_the_first_call_goes_alone_until_its_price_is_known(calls: int, usd: float, most: float) -> None:
    # Eight lanes at 0.90 each came to 7.20.
    assert spent_by([], concurrency=8, calls=calls, usd=usd) == pytest.approx(most)


def test_a_budget_that_is_kept_is_not_spoken_of() -> None:
    told: list[str] = []
    # 60 calls of a hundredth of a dollar.
    assert spent_by(told, concurrency=4, calls=1, usd=0.01) == pytest.approx(0.6)
    assert told == [""]


def test_attempts_that_nobody_answered_count_at_what_was_reserved_for_them() -> None:
    each = largest_cost(member(), task(), 2).tokens / 2
    budget = Budget(JudgeBudget(tokens=ceil(10 * each)), answers=9)
    [grant] = admitted(budget, "a", CallRequest(member(), task()))
    assert isinstance(grant, Grant)
    lost = Judgement(
        id="a", judge="ada", fingerprint="f", prompt="p", key="a", lost=Lost(code="judge-timeout", detail="no reply"),
        calls=1, attempts=2, unmetered=3,
    )  # fmt: skip
    budget.settle(grant, lost)
    assert budget.share(1).tokens == pytest.approx(ceil(10 * each) - 3 * each)


def test_an_answer_that_says_no_costs_nothing() -> None:
    budget = Budget(JudgeBudget(tokens=10_000))
    [grant] = admitted(budget, "a", CallRequest(member(), task()))
    assert isinstance(grant, Grant)
    refused = Judgement(
        id="a", judge="ada", fingerprint="f", prompt="p", key="a", lost=Lost(code="judge-server-error", detail="500"),
        calls=1, attempts=2,
    )  # fmt: skip
    budget.settle(grant, refused)
    assert budget.share(1).tokens == 10_000
