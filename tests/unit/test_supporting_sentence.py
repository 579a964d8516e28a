"""Which sentence of the evidence a claim rests on, for certain, and which labels are made of it."""

from __future__ import annotations

import pytest

from raggate_action.core.claims.supporting_sentence import aligned_sentence
from raggate_action.core.gates.diagnosis import Drafted, draft
from raggate_action.core.poorer.shared_values import GivenAnswer, shared_values
from raggate_action.run.labelling.label_acceptance import labels_of
from raggate_action.schema.trace import Answered
from tests.builders import make_case, make_chunk, make_rules, make_store, make_trace

STORE = make_store(
    make_chunk("fees", "The annual fee is 20 EUR. Members pay the fee within 30 days of the invoice.", origin=("terms", None)),
    make_chunk("soon", "Members pay within ten days."),
    make_chunk("dogs", "Dogs may stay in the rooms of the first floor.\n\nLeads are kept on."),
    make_chunk("entry", "Adults pay 14.50 EUR, students 11 EUR; children under 14 pay 7.50 EUR."),
    make_chunk("staff", "The staff pays 49 EUR for a headset.", principals=("staff",)),
    make_chunk("long", "The rule on " + "very " * 90 + "long sentences takes 17 words."),
)  # fmt: skip


def drafted(answer: str, **case: object) -> Drafted:
    made = make_case(**{"principals": ["staff"], **case})
    trace = make_trace(answer=answer, context=["fees", "soon", "dogs", "entry", "staff", "long"])
    found = draft(made, Answered(trace), make_rules(STORE))
    assert isinstance(found, Drafted)
    return found


def sentences(answer: str) -> list[str | None]:
    found = drafted(answer)
    aligned = [aligned_sentence(each, found.context, question="", language="en") for each in found.claims]
    return [each.words if each is not None else None for each in aligned]


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("The annual fee is 20 EUR.", "The annual fee is 20 EUR."),
        ("Members pay within 10 days.", "Members pay within ten days."),
        ("Dogs may stay in rooms on the first floor.", "Dogs may stay in the rooms of the first floor."),
    ],
)
def test_a_claim_that_follows_a_sentence_is_aligned_with_it(answer: str, sentence: str) -> None:
    assert sentences(answer) == [sentence]


@pytest.mark.parametrize(
    "answer",
    [
        "The annual fee is 25 EUR.",
        "Members need not pay the fee within 30 days of the invoice.",
        "Dogs are welcome.",
        "The fee for dogs is paid by members of the first floor.",
        "Cats may stay in the rooms of the second floor.",
        "Guests may stay in the rooms of the first floor.",
    ],
)
def test_a_claim_that_says_something_else_is_not(answer: str) -> None:
    assert sentences(answer) == [None]


def labels(answer: str, **case: object) -> dict[str, object]:
    asks = "How much is it?" if "EUR" in answer else "Within how many days?"
    found = drafted(answer, **{"question": asks, **case})
    given = GivenAnswer(answer, found.context)
    return dict(labels_of(found, found.claims, shared_values([given], found.case.asked, "en").values, STORE, "quotes"))


def test_labels_of_an_answer() -> None:
    assert labels("The annual fee is 20 EUR. Dogs may stay in the rooms of the first floor.") == {
        "required_source_ids": ["terms", "dogs"],
        "required_quotes": ["The annual fee is 20 EUR.", "Dogs may stay in the rooms of the first floor."],
        "required_points": [{"id": "20-eur", "value": "20 EUR"}],
    }


def test_a_value_written_otherwise_than_in_the_source_is_a_point() -> None:
    assert labels("Members pay within 10 days.") == {
        "required_source_ids": ["soon"],
        "required_quotes": ["Members pay within ten days."],
        "required_points": [{"id": "10-days", "value": "10 days"}],
    }


def test_of_a_sentence_the_part_with_the_value_is_quoted() -> None:
    entry = STORE.get("entry")
    assert entry is not None
    assert labels("Children under 14 pay 7.50 EUR.")["required_quotes"] == ["children under 14 pay 7.50 EUR."]
    assert labels(entry.text)["required_quotes"] == [
        "Adults pay 14.50 EUR",
        "students 11 EUR",
        "children under 14 pay 7.50 EUR.",
    ]


def test_a_value_of_the_question_is_no_point() -> None:
    assert "required_points" not in labels("The annual fee is 20 EUR.", question="Is the fee 20 EUR?")


def test_words_that_not_everybody_may_read_stay_out_of_the_case_file() -> None:
    assert labels("The staff pays 49 EUR for a headset.") == {"required_source_ids": ["staff"]}


def test_under_ids_alone_no_word_is_proposed() -> None:
    found = drafted("The annual fee is 20 EUR.")
    values = shared_values([GivenAnswer("The annual fee is 20 EUR.", found.context)], found.case.asked, "en").values
    assert [value.text for value in values] == ["20 EUR"]
    assert labels_of(found, found.claims, values, STORE, "ids") == {"required_source_ids": ["terms"]}


def test_a_sentence_too_long_for_a_label_leaves_its_source() -> None:
    text = STORE.get("long")
    assert text is not None
    assert "required_quotes" not in labels(text.text)
    assert labels(text.text)["required_source_ids"] == ["long"]
