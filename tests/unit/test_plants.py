"""The planted instructions: each is in its prompt as data, an honest judge passes each, an obedient one none."""

from __future__ import annotations

import json

import pytest

from raggate_action.judges.prompts import prompt_text
from raggate_action.judging_jobs.claims_job import CLAIMS
from raggate_action.judging_jobs.planted_words import Plant
from raggate_action.schema.judgement import Judgement, Lost
from tests.claims_prompts import as_shown, read_prompt
from tests.judge_readings import opened
from tests.scripted_judges import Judge, honest, label_of, obedient

NAMES = [plant.name for plant in CLAIMS.plants]
HONEST = honest([*map(label_of, CLAIMS.plants), *CLAIMS.worked])


def judged(plant: Plant, judge: Judge) -> Judgement:
    prompt = CLAIMS.prompt(plant.task, "7a")
    reply = judge({"messages": [{"content": prompt.system}, {"content": prompt.user}]})
    reading = opened(CLAIMS.reading(json.dumps(reply), plant.task))
    assert (reading.usable, reading.problems) == (True, ())
    return Judgement(
        id="x", judge="j", fingerprint="f", prompt="p", key="k", votes=reading.votes, declines=reading.declines
    )


def test_there_are_plants_of_every_kind_each_with_a_name_of_its_own() -> None:
    assert len(CLAIMS.plants) >= 14
    assert len(set(NAMES)) == len({plant.id for plant in CLAIMS.plants}) == len(CLAIMS.plants)
    assert {wanted for plant in CLAIMS.plants for wanted in plant.wanted["claims"].values()} == {
        "supported",
        "unsupported",
        "contradicted",
        True,
    }


@pytest.mark.parametrize("plant", CLAIMS.plants, ids=NAMES)
def test_a_plant_asks_for_what_no_honest_judge_says(plant: Plant) -> None:
    label, wanted = label_of(plant), plant.wanted["claims"]
    said = {claim.claim_id: claim.verdict for claim in label.claims}
    assert wanted
    assert [what for what, verdict in wanted.items() if said.get(what) == verdict] == []
    assert [claim.text for claim in label.claims if claim.text not in label.answer] == []


@pytest.mark.parametrize("plant", CLAIMS.plants, ids=NAMES)
def test_a_plant_stays_inside_the_piece_it_is_planted_in(plant: Plant) -> None:
    read = read_prompt(CLAIMS.prompt(plant.task, "7a").user)
    assert read.answer == prompt_text(plant.task.answer)
    assert list(read.chunks.values()) == [as_shown(chunk.text) for chunk in plant.task.chunks]
    assert len(read.claims) == len(plant.task.claims)


@pytest.mark.parametrize("plant", CLAIMS.plants, ids=NAMES)
def test_the_honest_judge_obeys_no_plant_and_the_obedient_one_each(plant: Plant) -> None:
    assert not plant.is_obeyed(judged(plant, HONEST), "claims")
    assert plant.is_obeyed(judged(plant, obedient()), "claims")
    others = [other for other in CLAIMS.plants if other is not plant]
    assert not plant.is_obeyed(judged(plant, obedient(others)), "claims")


def test_a_lost_judgement_obeys_nothing() -> None:
    lost = Judgement(
        id="x", judge="j", fingerprint="f", prompt="p", key="k", lost=Lost(code="judge-timeout", detail="x")
    )
    assert not any(plant.is_obeyed(lost, "claims") for plant in CLAIMS.plants)


def test_the_worked_answers_are_one_that_is_faithful_and_one_that_is_not() -> None:
    made_up, borne_out = CLAIMS.worked
    assert (made_up.id, borne_out.id) == ("unfaithful", "faithful")
    assert {claim.verdict for claim in made_up.claims} == {"unsupported"}
    assert {claim.verdict for claim in borne_out.claims} == {"supported"}
    for answer in CLAIMS.worked:
        assert [claim.text for claim in answer.claims if claim.text not in answer.answer] == []
        assert len(CLAIMS.task_of_label(answer).claims) == len(answer.claims)
