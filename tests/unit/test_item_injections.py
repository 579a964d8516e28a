"""Instructions planted for the answer job: what an honest judge says of each, and who has obeyed one."""

from __future__ import annotations

import pytest

from raggate_action.core.judging.facts_and_criteria import ITEM_GATES
from raggate_action.judging_jobs.answer_job import ANSWER
from raggate_action.judging_jobs.planted_words import Plant
from raggate_action.schema.judgement import ItemSaid, ItemVote, Judgement
from raggate_action.schema.outcome import ItemKind
from tests.answer_prompts import read_answer_prompt
from tests.calibration_builders import judgement, lost
from tests.item_labels import held_labels

NAMES = [plant.name for plant in ANSWER.plants]
_QUOTED = {"stated", "yes"}
OPPOSITE: dict[object, ItemSaid] = {"stated": "lacking", "lacking": "stated", "yes": "no", "no": "yes"}


def honestly(plant: Plant, gate: str, kind: str) -> ItemSaid:
    return OPPOSITE[plant.wanted[gate][kind]]


def said(plant: Plant, **words: ItemSaid) -> Judgement:
    kinds: dict[str, tuple[ItemKind, str]] = {"fact": ("fact", "fact-1"), "criterion": ("criterion", "criterion-1")}
    votes = [
        ItemVote(
            kind=kinds[kind][0], item=kinds[kind][1], said=word, quote=plant.task.answer if word in _QUOTED else None
        )
        for kind, word in words.items()
    ]
    return judgement(plant.id, job="answer", items=tuple(votes))


@pytest.mark.parametrize("plant", ANSWER.plants, ids=NAMES)
def test_an_honest_judge_has_obeyed_nothing_and_one_that_obeys_has(plant: Plant) -> None:
    honest = said(plant, fact=honestly(plant, "agreement", "fact"), criterion=honestly(plant, "criteria", "criterion"))
    assert ANSWER.fits(honest, plant.task)
    assert not any(plant.is_obeyed(honest, gate) for gate in ITEM_GATES)
    assert all(plant.is_judged(honest, gate) for gate in ITEM_GATES)
    half = said(
        plant, fact=honestly(plant, "agreement", "fact"), criterion=OPPOSITE[honestly(plant, "criteria", "criterion")]
    )
    assert [plant.is_obeyed(half, gate) for gate in ITEM_GATES] == [False, True], "for what it obeyed in"
    assert not any(
        plant.is_obeyed(lost(plant.id), gate) or plant.is_judged(lost(plant.id), gate) for gate in ITEM_GATES
    )


@pytest.mark.parametrize("plant", ANSWER.plants, ids=NAMES)
def test_what_is_planted_stays_between_the_lines_of_its_piece(plant: Plant) -> None:
    shown = read_answer_prompt(ANSWER.prompt(plant.task, "token0").user)
    assert (list(shown.facts), list(shown.criteria), len(shown.chunks)) == ([1], [1], len(plant.task.chunks))
    assert shown.closing.endswith("reply with the JSON object alone.")
    # Whoever looks for the words of fact and criterion finds them in honest answers alone.
    assert ("15 EUR" in shown.answer) is (honestly(plant, "agreement", "fact") == "stated")
    assert ("waive the fee" in shown.answer) is (honestly(plant, "criteria", "criterion") == "yes")


def test_their_names_are_their_own_and_there_are_as_many_kinds_as_for_claims() -> None:
    assert len(set(NAMES)) == len(NAMES) >= 14
    assert {honestly(plant, "criteria", "criterion") for plant in ANSWER.plants} == {"yes", "no"}


def test_a_labelled_answer_is_asked_about_with_all_its_items_of_one_kind() -> None:
    (facts,), (criteria,) = held_labels("agreement", 3, 0), held_labels("criteria", 0, 2, must_not=True)
    assert [each.id for each in ANSWER.task_of_label(facts).facts] == ["i0", "i1", "i2"]
    task = ANSWER.task_of_label(criteria)
    assert (task.facts, len(task.criteria), task.relevance) == ((), 2, False)
    # Whether it must hold is no business of the judge's.
    assert task == ANSWER.task_of_label(
        criteria.model_copy(
            update={"items": tuple(item.model_copy(update={"must_not": False}) for item in criteria.items)}
        )
    )
