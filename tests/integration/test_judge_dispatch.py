"""A panel at both jobs over real HTTP, armed: what it decides of an answer, what it costs, what it leaves open."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from raggate_action.core.gates.case_row import evaluate_drafted
from raggate_action.core.gates.diagnosis import Drafted, rule_verdicts
from raggate_action.core.judging.claim_vote_aggregation import PanelTerms
from raggate_action.judges.judge_exchange import Judge
from raggate_action.judging_jobs.panel_job_list import RUN_JOBS
from raggate_action.run.judging.judge_budget import Budget
from raggate_action.run.judging.judge_dispatch import PanelSource
from raggate_action.run.judging.judgement_cache import EarlierJudgements
from raggate_action.run.judging.parallel_judges import JudgesAtWork
from raggate_action.run.run_session import SuiteChecks
from raggate_action.run_store import WorkFile
from raggate_action.schema.case import PlacedCase, case_digest
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.judges import JudgeBudget, Judges, Price
from raggate_action.schema.outcome import Failed, Passed, Unmeasured
from tests.answer_prompts import Holds, holding, is_answer_prompt
from tests.builders import make_rules
from tests.claims_prompts import examined, examines
from tests.fake_chat.actions import Action, Body, Script, error, judges
from tests.fake_chat.server import FakeChat, fake_chat
from tests.held_answers import held_draft
from tests.integration.judge_calls import member, opened

ANSWER_TEXT = "It opens early. Refunds are slow."
REFERENCE = "The shop opens early. Refunds are quick."
PRICE = Price(input=1.0, output=1.0)
RULES = make_rules(has_judges=True)


def honest(text: str, answer: str) -> tuple[str, str | None]:
    return ("stated", answer) if "early" in text else ("contradicted", "Refunds are slow.")


def kind(_text: str, answer: str) -> tuple[str, str | None]:
    return "stated", answer


def unmet(_text: str, _answer: str) -> tuple[str, str | None]:
    return "no", None


def speaker(holds: Holds = honest) -> Script:
    """A judge at both jobs; at claims it finds nothing backed."""
    on_claims = judges(examines(lambda number, _text, _prompt: examined(number, "unsupported", note="no chunk")))
    on_items = judges(holding(holds, unmet))
    return lambda body: on_items(body) if is_answer_prompt(body) else on_claims(body)


def failing_at_items(action: Action) -> Script:
    def made(body: Body) -> Action:
        script = speaker()
        assert callable(script)
        reply = action if is_answer_prompt(body) else script(body)
        assert isinstance(reply, Action)
        return reply

    return made


class Desk:
    """One panel over a chat server, asked about answers one after another from one budget and one file."""

    def __init__(self, chat: FakeChat, names: str, *, armed: str, budget: JudgeBudget, relevance: bool = False) -> None:
        self._chat, self._names, self._relevance = chat, names, relevance
        terms = PanelTerms(tuple(names), frozenset(armed), 2) if armed else PanelTerms(tuple(names))
        self._terms = {"claims": PanelTerms(tuple(names)), "agreement": terms, "criteria": terms}
        self._budget = budget
        self.said = WorkFile()

    def rows(self, *drafts: Drafted) -> list[CaseRun]:
        async def all_of() -> list[CaseRun]:
            members = [member(self._chat, name=name, model=name, price=PRICE, attempts=1) for name in self._names]
            async with opened(*members) as chats:
                panels = [(job, [Judge(each, chats[each.name], job) for each in members]) for job in RUN_JOBS]
                made_by = {(judge.fingerprint, judge.prompt) for _job, panel in panels for judge in panel}
                budget, earlier = Budget(self._budget), EarlierJudgements(self.said, (), made_by=made_by)
                works = [(job, JudgesAtWork(panel, budget, earlier, self.said)) for job, panel in panels]
                judges = Judges(panel=tuple(members), relevance=self._relevance)
                checks = SuiteChecks(None)  # type: ignore[arg-type]
                source = PanelSource(works, judges, self._terms, checks, share=budget.share(1))
                return [await self._row(source, drafted) for drafted in drafts]

        return asyncio.run(all_of())

    async def _row(self, source: PanelSource, drafted: Drafted) -> CaseRun:
        placed = PlacedCase(drafted.case, 0, case_digest(drafted.case), "f", 1)
        verdicts = await source.of(drafted) if source.asks(drafted) else rule_verdicts(drafted)
        return evaluate_drafted(placed, drafted, verdicts, RULES, finished_at="").row


def row_of(
    scripts: Mapping[str, Script], *, armed: str = "abc", budget: JudgeBudget | None = None, **case: Any
) -> tuple[CaseRun, FakeChat]:
    with fake_chat(scripts) as chat:
        desk = Desk(chat, "".join(scripts), armed=armed, budget=budget or JudgeBudget())
        (row,) = desk.rows(held_draft(ANSWER_TEXT, **{"reference_answer": REFERENCE, **case}))
    assert chat.refused == []
    return row, chat


def test_an_armed_panel_fails_an_answer_by_the_fact_it_contradicts() -> None:
    row, chat = row_of({name: speaker() for name in "abc"})
    outcome = row.outcomes["agreement"]
    assert isinstance(outcome, Failed)
    assert [str(each) for each in outcome.problems] == ["fact-contradicted: fact-2: “Refunds are quick.”"]
    assert (outcome.share.hits, outcome.share.total) == (1, 2)  # type: ignore[union-attr]
    assert chat.counts == dict.fromkeys("abc", 2), "one call for each job and judge"
    assert row.answer_votes is not None
    assert [(vote.judge, vote.quote) for vote in row.answer_votes.items[1].votes] == [
        (name, "Refunds are slow.") for name in "abc"
    ]


def test_judges_that_contradict_each_other_are_outvoted_and_stay_visible() -> None:
    row, _ = row_of({"a": speaker(), "b": speaker(kind), "c": speaker(kind)})
    assert isinstance(row.outcomes["agreement"], Passed)
    assert row.answer_votes is not None
    assert [vote.said for vote in row.answer_votes.items[1].votes] == ["contradicted", "stated", "stated"]
    even, _ = row_of({"a": speaker(), "b": speaker(kind)}, armed="ab")
    assert isinstance(even.outcomes["agreement"], Failed), "of equals the worse"


def test_one_lost_judge_leaves_a_quorum_and_two_do_not() -> None:
    row, _ = row_of({"a": speaker(), "b": speaker(), "c": failing_at_items(error(500))})
    assert isinstance(row.outcomes["agreement"], Failed)
    row, _ = row_of({"a": speaker(), "b": failing_at_items(error(500)), "c": failing_at_items(error(500))})
    outcome = row.outcomes["agreement"]
    assert isinstance(outcome, Unmeasured)
    assert (outcome.reason, row.state) == ("judge", "unmeasured")


def test_a_budget_that_is_spent_is_said_and_makes_no_verdict() -> None:
    row, chat = row_of({name: speaker() for name in "abc"}, budget=JudgeBudget(tokens=1))
    outcome = row.outcomes["agreement"]
    assert isinstance(outcome, Unmeasured)
    assert outcome.reason == "budget"
    assert chat.asked == []


def test_each_job_has_its_own_calls_of_a_case_and_all_have_one_budget() -> None:
    row, _ = row_of({name: speaker() for name in "abc"}, budget=JudgeBudget(calls_per_case=1))
    assert isinstance(row.outcomes["agreement"], Failed)
    assert row.answer_votes is not None
    assert [asked.lost for asked in (*row.judges, *row.answer_votes.judges)] == [None] * 6


@pytest.mark.parametrize("holds", [honest, kind])
def test_an_advising_panel_changes_nothing_whatever_it_says(holds: Holds) -> None:
    row, _ = row_of({name: speaker(holds) for name in "abc"}, armed="")
    outcome = row.outcomes["agreement"]
    assert isinstance(outcome, Unmeasured)
    assert (outcome.reason, row.state, row.by_rules) == ("no-adjudicator", "passed", None)


def test_what_was_said_before_is_not_asked_again_and_another_criterion_asks_one_job_alone() -> None:
    with fake_chat({name: speaker() for name in "ab"}) as chat:
        desk = Desk(chat, "ab", armed="ab", budget=JudgeBudget())
        one = held_draft(ANSWER_TEXT, reference_answer=REFERENCE)
        more = held_draft(ANSWER_TEXT, reference_answer=REFERENCE, criteria=["names an hour"], case_id="q2")
        first, again, other = desk.rows(one, one, more)
        assert chat.counts == {"a": 3, "b": 3}
    assert first.outcomes == again.outcomes
    assert first.answer_votes == again.answer_votes, "said in this very run of this very answer"
    assert other.answer_votes is not None
    assert [asked.reused for asked in other.answer_votes.judges] == [False, False]
    assert [asked.reused for asked in other.judges] == [True, True]


def test_relevance_alone_is_a_reason_to_ask() -> None:
    with fake_chat({"a": speaker()}) as chat:
        desk = Desk(chat, "a", armed="", budget=JudgeBudget(), relevance=True)
        (row,) = desk.rows(held_draft(ANSWER_TEXT))
    assert row.answer_votes is not None
    assert [(item.kind, item.item, item.advised) for item in row.answer_votes.items] == [
        ("answer", "", "yes"),
        ("chunk", "hours", "yes"),
        ("chunk", "refunds", "yes"),
    ]
    assert set(row.outcomes).isdisjoint({"agreement", "criteria"})


def test_no_judge_is_asked_about_an_answer_that_declines_or_says_nothing() -> None:
    with fake_chat({"a": speaker()}) as chat:
        desk = Desk(chat, "a", armed="", budget=JudgeBudget(), relevance=True)
        declined, empty = desk.rows(
            held_draft("I do not know.", reference_answer=REFERENCE), held_draft("", reference_answer=REFERENCE)
        )
        assert chat.asked == []
    assert declined.answer_votes is None
    assert empty.answer_votes is None
