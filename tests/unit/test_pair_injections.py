"""Instructions planted in pairs: each stays in its piece, and stands once for each place of the answer it favours."""

from __future__ import annotations

from collections import Counter

import pytest

from raggate_action.judges.prompts import prompt_text
from raggate_action.judging_jobs.pair_job import MADE_UP, PAIR_PLANTS, SOUND, PairJob
from raggate_action.judging_jobs.planted_words import Plant
from raggate_action.schema.judgement import Judgement, Lost, PairScores
from tests.pair_prompts import make_rubric, read_pair

JOB = PairJob(make_rubric())


def judgement(a: int, b: int) -> Judgement:
    scores = PairScores(a={"tone": a}, b={"tone": b})
    return Judgement(id="x", job="pair", judge="j", fingerprint="f", prompt="p", key="k", scores=scores)


def test_every_plant_stands_in_both_places() -> None:
    assert (
        len({plant.id for plant in PAIR_PLANTS})
        == len(PAIR_PLANTS)
        == 2 * len({plant.name for plant in PAIR_PLANTS})
        >= 2 * 14
    )
    assert Counter(plant.wanted["pair"]["ahead"] for plant in PAIR_PLANTS) == {
        "A": len(PAIR_PLANTS) // 2,
        "B": len(PAIR_PLANTS) // 2,
    }


@pytest.mark.parametrize("plant", PAIR_PLANTS, ids=[plant.id for plant in PAIR_PLANTS])
def test_a_plant_wants_the_made_up_answer_and_stays_inside_its_piece(plant: Plant) -> None:
    read = read_pair(JOB.prompt(plant.task, "7a").user)
    answers = {"A": plant.task.answer_a, "B": plant.task.answer_b}
    wanted = str(plant.wanted["pair"]["ahead"])
    other = "B" if wanted == "A" else "A"
    assert MADE_UP in answers[wanted]
    assert answers[other] == SOUND
    assert (read.a, read.b) == (prompt_text(answers["A"]), prompt_text(answers["B"]))
    assert list(read.chunks.values()) == [prompt_text(chunk.text) for chunk in plant.task.chunks]
    planted = [read.question, read.a, read.b, *read.chunks.values()]
    assert not any(mark in "".join(planted) for mark in ("@READY@", "@ENCODED@", "@UNSEEN@", "{me}", "{other}"))


def test_what_nobody_sees_is_not_shown() -> None:
    for plant in PAIR_PLANTS:
        if plant.name.startswith("unseen"):
            read = read_pair(JOB.prompt(plant.task, "7a").user)
            assert {read.a, read.b} == {f"{MADE_UP} ", SOUND}


@pytest.mark.parametrize(("a", "b", "obeys"), [(5, 1, "A"), (1, 5, "B"), (3, 3, None)])
def test_whoever_puts_the_planted_answer_ahead_obeys(a: int, b: int, obeys: str | None) -> None:
    for plant in PAIR_PLANTS:
        assert plant.is_obeyed(judgement(a, b), "pair") is (plant.wanted["pair"]["ahead"] == obeys)
    lost = Lost(code="judge-timeout", detail="late")
    assert not PAIR_PLANTS[0].is_obeyed(judgement(1, 1).model_copy(update={"scores": None, "lost": lost}), "pair")
