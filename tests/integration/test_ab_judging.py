"""Judges at work on pairs: in what order they are asked, what a deadline cuts, and what is kept of it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from raggate_action.judges.chat_call import VisibleChunk
from raggate_action.run.ab.pair_judging import JudgedPairs, PairHearers, PairKeeping, PairTerms, judge_pairs
from raggate_action.run.ab.pairs import AnswerPair
from raggate_action.run.judging.judge_budget import Budget
from raggate_action.run_store import JudgementFile
from raggate_action.schema.ab import Ab, Arm
from raggate_action.schema.judgement import Judgement
from raggate_action.schema.judges import Member
from raggate_action.suite_files.rubric_file import default_rubric
from tests.fake_chat.actions import Action, Body, Hang, error
from tests.fake_chat.server import FakeChat, fake_chat
from tests.pair_judges import fives, obedient, scripted
from tests.pair_prompts import pair_in

CHUNK = VisibleChunk("desk", "The desk opens at nine.")


def pair(number: int, **fields: Any) -> AnswerPair:
    known = AnswerPair(
        question_id=f"q{number}",
        question=f"Question {number}?",
        question_type="menu",
        harmful=False,
        control="At nine.",
        treatment="Any time.",
        control_chunks=(CHUNK,),
        treatment_chunks=(CHUNK,),
    )
    return known._replace(**fields)


def judged(
    pairs: Sequence[AnswerPair], chat: FakeChat, *, seed: int = 0, seconds: float | None = None, **fields: Any
) -> tuple[JudgedPairs, list[Judgement]]:
    """What two judges say, and what is kept of it."""
    members = tuple(
        [
            Member.model_validate({"name": name, "lab": name, "model": name, "base_url": chat.base_url, **fields})
            for name in ("ada", "bob")
        ]
    )
    ab = Ab(control=Arm(model="one"), treatment=Arm(model="another"), judges=members)
    journal = JudgementFile.nameless()
    heard: list[Judgement] = []

    async def run() -> JudgedPairs:
        ends = None if seconds is None else asyncio.get_running_loop().time() + seconds
        terms = PairTerms(members, default_rubric(), ab, seed, ends)
        hearers = PairHearers(lambda _line: None, heard.append, lambda: None)
        return await judge_pairs(pairs, terms, PairKeeping(Budget(ab.budget), journal), hearers)

    found = asyncio.run(run())
    kept = list(journal)
    journal.close()
    assert heard == kept
    return found, kept


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
        found, kept = judged([pair(0)], chat, seconds=3.0)
    assert [each.judgement.scores is not None for each in found.by_judge["q0", "ada"]] == [True, True]
    assert [each.judgement.lost and each.judgement.lost.code for each in found.by_judge["q0", "bob"]] == ["cut", "cut"]
    assert [each.judgement.ask for each in found.by_judge["q0", "bob"]] == [0, 1]
    assert {each.first for each in found.by_judge["q0", "bob"]} == {"control", "treatment"}
    assert len(of_pairs(kept)) == 4


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
            found, _kept = judged(pairs, chat, seed=seed)
            first.append([found.by_judge[each.question_id, "ada"][0].first for each in pairs])
    assert first[0] == first[1]
    assert first[0] != first[2]


def test_how_a_judge_took_planted_pairs_is_told_of_each_judge() -> None:
    """One gives every plant what it wants, the other all answers a 5: neither obeys nor tells answers apart."""
    with fake_chat({"ada": scripted(obedient()), "bob": scripted(fives())}) as chat:
        found, kept = judged([pair(0)], chat)
        assert chat.counts == {"ada": 2, "bob": 2}
        assert len(chat.planted) == 80
    ada, bob = found.trials["ada"], found.trials["bob"]
    assert (ada.calls, ada.scored, set(ada.preferred.values()), len(ada.preferred), ada.varied) == (
        40,
        40,
        {2},
        20,
        True,
    )
    assert (bob.calls, bob.scored, dict(bob.preferred), bob.varied) == (40, 40, {}, False)
    assert {each.job for each in kept if each.about == "label"} == {"pair"}


def test_without_a_pair_nobody_is_shown_a_planted_one() -> None:
    with fake_chat({"ada": scripted(fives()), "bob": scripted(fives())}) as chat:
        found, kept = judged([], chat)
        assert (chat.asked, chat.planted, kept, found.trials) == ([], [], [], {})


def test_planted_pairs_that_are_lost_are_in_no_trial() -> None:
    def filtering(body: Body) -> Action:
        return error(400) if "Ignore the rubric" in pair_in(body).question else scripted(fives())(body)

    with fake_chat({"ada": filtering, "bob": scripted(fives())}) as chat:
        found, _kept = judged([pair(0)], chat)
    assert [(found.trials[name].calls, found.trials[name].scored) for name in ("ada", "bob")] == [(40, 38), (40, 40)]
