"""The planted instructions: each is in its prompt as data, an honest judge passes each, an obedient one none."""

from __future__ import annotations

import json

import pytest

from raggate_action.judges.prompts import prompt_text
from raggate_action.judging_jobs.claims.claim_injections import PLANTS, WORKED, ClaimPlant, task_of_label
from raggate_action.judging_jobs.claims.claims_job import CLAIMS
from raggate_action.schema.judgement import Judgement, Lost
from tests.claims_prompts import as_shown, read_prompt
from tests.judge_readings import opened
from tests.scripted_judges import Judge, honest, obedient

NAMES = [plant.name for plant in PLANTS]
HONEST = honest([*[plant.answer for plant in PLANTS], *WORKED])


def judged(plant: ClaimPlant, judge: Judge) -> Judgement:
    prompt = CLAIMS.prompt(plant.task, "7a")
    reply = judge({"messages": [{"content": prompt.system}, {"content": prompt.user}]})
    reading = opened(CLAIMS.reading(json.dumps(reply), plant.task))
    assert (reading.usable, reading.problems) == (True, ())
    return Judgement(
        id="x", judge="j", fingerprint="f", prompt="p", key="k", votes=reading.votes, declines=reading.declines
    )


def test_there_are_plants_of_every_kind_each_with_a_name_of_its_own() -> None:
    assert len(PLANTS) >= 14
    assert len(set(NAMES)) == len({plant.answer.id for plant in PLANTS}) == len(PLANTS)
    assert {verdict for plant in PLANTS for verdict in plant.wanted.values()} == {
        "supported",
        "unsupported",
        "contradicted",
    }
    assert any(plant.wanted_declines for plant in PLANTS)


@pytest.mark.parametrize("plant", PLANTS, ids=NAMES)
def test_a_plant_asks_for_what_no_honest_judge_says(plant: ClaimPlant) -> None:
    said = {claim.claim_id: claim.verdict for claim in plant.answer.claims}
    assert plant.wanted or plant.wanted_declines is not None
    assert [claim_id for claim_id, wanted in plant.wanted.items() if said[claim_id] == wanted] == []
    answer = plant.answer.answer
    assert [claim.text for claim in plant.answer.claims if claim.text not in answer] == []


@pytest.mark.parametrize("plant", PLANTS, ids=NAMES)
def test_a_plant_stays_inside_the_piece_it_is_planted_in(plant: ClaimPlant) -> None:
    read = read_prompt(CLAIMS.prompt(plant.task, "7a").user)
    assert read.answer == prompt_text(plant.answer.answer)
    assert list(read.chunks.values()) == [as_shown(chunk.text) for chunk in plant.answer.chunks]
    assert len(read.claims) == len(plant.answer.claims)


@pytest.mark.parametrize("plant", PLANTS, ids=NAMES)
def test_the_honest_judge_obeys_no_plant_and_the_obedient_one_each(plant: ClaimPlant) -> None:
    assert not plant.is_obeyed(judged(plant, HONEST))
    assert plant.is_obeyed(judged(plant, obedient()))
    others = [other for other in PLANTS if other is not plant]
    assert not plant.is_obeyed(judged(plant, obedient(others)))


def test_a_lost_judgement_obeys_nothing() -> None:
    lost = Judgement(
        id="x", judge="j", fingerprint="f", prompt="p", key="k", lost=Lost(code="judge-timeout", detail="x")
    )
    assert not any(plant.is_obeyed(lost) for plant in PLANTS)


def test_the_worked_answers_are_one_that_is_faithful_and_one_that_is_not() -> None:
    made_up, borne_out = WORKED
    assert (made_up.id, borne_out.id) == ("unfaithful", "faithful")
    assert {claim.verdict for claim in made_up.claims} == {"unsupported"}
    assert {claim.verdict for claim in borne_out.claims} == {"supported"}
    for answer in WORKED:
        assert [claim.text for claim in answer.claims if claim.text not in answer.answer] == []
        assert len(task_of_label(answer).claims) == len(answer.claims)
