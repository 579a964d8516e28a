"""Who is shown first, and what a judge said of A and B as a row of arms."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from raggate_action.core.ab.pair_rows import first_arm, in_shown_order, judgement_row, other_arm
from raggate_action.schema.arm_names import ArmName
from raggate_action.schema.judge_rows import Claimed
from raggate_action.schema.judgement import Judgement, Lost, PairScores

HEAD = {"run_id": "run", "question_id": "q1", "question_type": "accuracy", "judge": "ada", "control_response": "15 EUR"}


def test_the_order_is_the_same_each_time_and_on_every_machine() -> None:
    drawn = "".join(first_arm(7, f"q{at}", "ada")[0] for at in range(24))
    assert drawn == "tcccctcctctccccccccttttt"  # as it was first drawn: another draw would ask every judge anew


@given(st.integers(), st.text(), st.text())
def test_a_swapped_pair_stands_the_other_way_round(seed: int, question: str, judge: str) -> None:
    first = first_arm(seed, question, judge)
    assert first_arm(seed, question, judge, swapped=True) == other_arm(first) != first


def test_about_half_of_the_pairs_stand_each_way_for_each_judge_question_and_seed() -> None:
    judges, questions, seeds = ["ada", "bob", "cy", "dee"], [f"case-{at:03}" for at in range(250)], range(4)
    drawn = {each: first_arm(*each) for each in itertools.product(seeds, questions, judges)}
    for place, names in ((0, seeds), (2, judges)):
        for name in names:
            of_it = [first for key, first in drawn.items() if key[place] == name]
            # 1,000 fair coins: 4 standard deviations are 63.
            assert abs(of_it.count("control") - len(of_it) / 2) < 63, (place, name)


def test_judges_questions_and_seeds_are_drawn_independently() -> None:
    questions = [f"case-{at:03}" for at in range(1000)]

    def alike(one: Any, other: Any) -> int:
        return sum(first_arm(*one(each)) == first_arm(*other(each)) for each in questions)

    pairs = {
        "judges": alike(lambda q: (7, q, "ada"), lambda q: (7, q, "adb")),
        "seeds": alike(lambda q: (7, q, "ada"), lambda q: (8, q, "ada")),
        "questions": alike(lambda q: (7, q, "ada"), lambda q: (7, q + "1", "ada")),
        "where a name ends": alike(lambda q: (7, q, "ada"), lambda q: (7, q + "a", "da")),
    }
    assert {name: count for name, count in pairs.items() if abs(count - 500) >= 63} == {}


def test_another_question_or_judge_turns_no_pair_around() -> None:
    names = [f"q{at}" for at in range(40)]
    before = {name: first_arm(7, name, "ada") for name in names}
    random.Random(1).shuffle(names)
    assert {name: first_arm(7, name, "ada") for name in ["new", *names] if name != "new"} == before


def judgement(**fields: Any) -> Judgement:
    return Judgement(id="q1", job="pair", judge="ada", fingerprint="f", prompt="p", key="k", **fields)


SCORES = PairScores(a={"tone": 5}, b={"tone": 2}, total_a=9, total_b=4, verdict="B", reason="A says it.")


@pytest.mark.parametrize("first", ["control", "treatment"])
def test_what_is_said_of_a_and_b_is_said_of_the_arms_that_stood_there(first: ArmName) -> None:
    row = judgement_row(HEAD, judgement(scores=SCORES), first)
    by_arm = {"control": row.control, "treatment": row.treatment}
    assert (by_arm[first], by_arm[other_arm(first)]) == ({"tone": 5}, {"tone": 2})
    assert row.winner == first
    totals = {"control": row.claimed.control, "treatment": row.claimed.treatment}
    assert (totals[first], totals[other_arm(first)], row.claimed.verdict) == (9, 4, other_arm(first))
    assert (row.order, row.shown_first, row.reason, row.lost) == (1, first, "A says it.", None)
    assert {key: getattr(row, key) for key in HEAD} == HEAD


def test_the_swapped_call_is_the_second_order() -> None:
    assert judgement_row(HEAD, judgement(scores=SCORES, ask=1), "treatment").order == 2


@pytest.mark.parametrize("verdict", ["tie", None])
def test_a_claimed_tie_and_no_claim_are_of_no_arm(verdict: Any) -> None:
    row = judgement_row(HEAD, judgement(scores=PairScores(a={"tone": 3}, b={"tone": 3}, verdict=verdict)), "treatment")
    assert (row.claimed, row.winner) == (Claimed(verdict=verdict), "tie")


def test_a_lost_call_is_a_row_with_its_reason() -> None:
    lost = Lost(code="judge-timeout", detail="no reply in 60 s")
    row = judgement_row(HEAD, judgement(lost=lost, ask=1), "control")
    assert (row.lost, row.control, row.winner, row.order) == (lost, {}, None, 2)


def test_what_belongs_to_arms_is_put_in_order_and_back() -> None:
    for first in ("control", "treatment"):
        assert in_shown_order(first, *in_shown_order(first, "c", "t")) == ("c", "t")
    assert in_shown_order("treatment", "c", "t") == ("t", "c")
