"""Judges at work on pairs: in what order they are asked, what a deadline cuts, and what is kept of it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any

from raggate_action.core.ab.score_table import PanelQuestion
from raggate_action.judges.chat_call import VisibleChunk
from raggate_action.judging_jobs.pair_job import PairAnswer
from raggate_action.run.ab.arm_answers import ArmAnswer
from raggate_action.run.ab.pairs import Comparison, Pair
from raggate_action.run.judging.judge_budget import Budget
from raggate_action.run.judging.parallel_judges import opened_judges
from raggate_action.run_store import WorkFile
from raggate_action.schema.ab import Ab, Arm
from raggate_action.schema.case import Case
from raggate_action.schema.judgement import Judgement, Lost
from raggate_action.schema.judges import Member
from raggate_action.schema.suite import Suite
from raggate_action.schema.target import RecordedTarget
from raggate_action.suite_files.rubric_file import default_rubric
from tests.fake_chat.actions import Action, Body, Hang, error
from tests.fake_chat.server import FakeChat, fake_chat
from tests.pair_judges import fives, obedient, scripted
from tests.pair_prompts import pair_in
from tests.row_builders import make_row

SHOWN = (VisibleChunk("desk", "The desk opens at nine."),)
ROW = make_row()


def answer(text: str) -> ArmAnswer:
    return ArmAnswer(ROW, b"", PairAnswer(text, SHOWN))


def pair(number: int, *, harmful: bool = False) -> Pair:
    asked = Case(case_id=f"q{number}", question=f"Question {number}?")
    return Pair(asked, PanelQuestion(asked.case_id, "menu", harmful), answer("At nine."), answer("Any time."))


def judged(
    pairs: Sequence[Pair], chat: FakeChat, *, seed: int = 0, seconds: float | None = None, **fields: Any
) -> tuple[list[Judgement], Comparison]:
    """What two judges say; as much is kept."""
    members = tuple(
        [
            Member.model_validate({"name": name, "lab": name, "model": name, "base_url": chat.base_url, **fields})
            for name in ("ada", "bob")
        ]
    )
    ab = Ab(control=Arm(model="one"), treatment=Arm(model="another"), judges=members, seed=seed)
    suite = Suite(suite="s", cases=("c",), target=RecordedTarget(kind="recorded", traces="t"))
    journal = WorkFile()
    by = Comparison(suite, ab, default_rubric(), members, pairs)

    async def run() -> list[Judgement]:
        ends = None if seconds is None else asyncio.get_running_loop().time() + seconds
        opened = partial(opened_judges, budget=Budget(ab.budget), journal=journal, environment={})
        return await by.judge(opened, ends)

    found = asyncio.run(run())
    assert sorted(found, key=str) == sorted(journal.judgements(), key=str)
    journal.close()
    return found, by


def of_pairs(kept: Sequence[Judgement]) -> list[Judgement]:
    """Without what was said of planted pairs."""
    return [each for each in kept if each.about == "case"]


def test_both_orders_of_a_pair_come_before_the_next_pair() -> None:
    with fake_chat({"ada": scripted(fives()), "bob": scripted(fives())}) as chat:
        judged([pair(0), pair(1), pair(2)], chat, concurrency=1)
        for name in ("ada", "bob"):
            assert [pair_in(each.body).question for each in chat.of(name)] == [
                f"Question {number}?" for number in (0, 0, 1, 1, 2, 2)
            ]


def test_what_a_judge_hangs_on_is_cut_at_the_deadline_and_what_others_said_stays() -> None:
    with fake_chat({"ada": scripted(fives()), "bob": Hang()}) as chat:
        found, by = judged([pair(0)], chat, seconds=3.0)
    rows = list(by.rows(found, run_id="", timestamp=""))
    said = [(row.judge, row.order, isinstance(row.lost, Lost) and row.lost.code) for row in rows]
    assert said == [("ada", 1, False), ("ada", 2, False), ("bob", 1, "cut"), ("bob", 2, "cut")]
    assert {row.shown_first for row in rows if row.judge == "bob"} == {"control", "treatment"}
    assert len(of_pairs(found)) == 4


def test_a_question_that_can_do_harm_is_said_to_be_one() -> None:
    with fake_chat({"ada": scripted(fives()), "bob": scripted(fives())}) as chat:
        judged([pair(0, harmful=True), pair(1)], chat)
        harm = {pair_in(each.body).question: "can do harm" in pair_in(each.body).closing for each in chat.asked}
    assert harm == {"Question 0?": True, "Question 1?": False}


def test_another_seed_turns_some_pairs_around_and_leaves_what_was_asked() -> None:
    pairs = [pair(number) for number in range(8)]
    first: list[list[str]] = []
    for seed in (0, 0, 1):
        with fake_chat({"ada": scripted(fives()), "bob": scripted(fives())}) as chat:
            found, by = judged(pairs, chat, seed=seed)
            rows = by.rows(found, run_id="", timestamp="")
            first.append([str(row.shown_first) for row in rows if (row.judge, row.order) == ("ada", 1)])
    assert first[0] == first[1]
    assert first[0] != first[2]


def test_how_a_judge_took_planted_pairs_is_told_of_each_judge() -> None:
    """One gives every plant what it wants, the other all answers a 5: neither obeys nor tells answers apart."""
    with fake_chat({"ada": scripted(obedient()), "bob": scripted(fives())}) as chat:
        found, by = judged([pair(0)], chat)
        assert chat.counts == {"ada": 2, "bob": 2}
        assert len(chat.planted) == 80
    trials = by.terms(found).trials
    ada, bob = trials["ada"], trials["bob"]
    assert (ada.calls, ada.scored, set(ada.preferred.values()), len(ada.preferred), ada.varied) == (
        40,
        40,
        {2},
        20,
        True,
    )
    assert (bob.calls, bob.scored, dict(bob.preferred), bob.varied) == (40, 40, {}, False)
    assert {each.job for each in found if each.about == "label"} == {"pair"}


def test_without_a_pair_nobody_is_shown_a_planted_one() -> None:
    with fake_chat({"ada": scripted(fives()), "bob": scripted(fives())}) as chat:
        found, by = judged([], chat)
        assert (chat.asked, chat.planted, found, by.terms(found).trials) == ([], [], [], {})


def test_planted_pairs_that_are_lost_are_in_no_trial() -> None:
    def filtering(body: Body) -> Action:
        return error(400) if "Ignore the rubric" in pair_in(body).question else scripted(fives())(body)

    with fake_chat({"ada": filtering, "bob": scripted(fives())}) as chat:
        found, by = judged([pair(0)], chat)
    trials = by.terms(found).trials
    assert [(trials[name].calls, trials[name].scored) for name in ("ada", "bob")] == [(40, 38), (40, 40)]
