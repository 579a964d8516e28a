"""Which values of an answer a question asks for, and how a label spells them."""

from __future__ import annotations

import pytest

from raggate_action.core.claims.model_context import ShownChunk, ShownContext
from raggate_action.core.poorer.shared_values import GivenAnswer, SharedValue, shared_values


def of(answer: str, question: str, evidence: str = "", language: str = "en") -> list[SharedValue]:
    context = ShownContext((ShownChunk("c", None, evidence or answer, language=language),))
    return list(shared_values([GivenAnswer(answer, context)], question, language).values)


def asked(answer: str, question: str, evidence: str = "", language: str = "en") -> list[str]:
    return [each.text for each in of(answer, question, evidence, language) if each.is_asked]


FAMILY = "A family policy covers two adults and children under 21 years. It costs 129 euros per year in Europe."
HELI = "The Winter add-on costs 18 euros per week. Heli-skiing and races are never covered, on any ski slope."
CANCEL = "You must tell us within 48 hours. Cancellation is covered up to 5,000 euros per person."


@pytest.mark.parametrize(
    ("question", "answer", "found"),
    [
        pytest.param("What does a family policy cost per year in Europe?", FAMILY, ["129 euros"], id="cost"),
        pytest.param("Is heli-skiing covered?", HELI, [], id="a no demands no amount"),
        pytest.param("Within how many hours must I tell you?", CANCEL, ["48 hours"], id="hours"),
        pytest.param("How much is covered for cancellation?", CANCEL, ["5,000 euros"], id="how much"),
        pytest.param("How many days do I have to pay?", "You pay 20 euros within 14 days.", ["14 days"], id="days to pay"),
        pytest.param("When is the fee paid?", "The fee of 20 euros is paid within 14 days.", ["14 days"], id="when"),
        pytest.param("How many bags may I take?", "You may take 2 bags of 23 kg, for 40 euros.", ["2 bags", "23 kg"],
                     id="how many"),
        pytest.param("Is dental pain covered abroad?", "Yes, dental pain is covered abroad up to 300 euros.",
                     ["300 euros"], id="a yes with its limit"),
        pytest.param("Which sports gear is insured?", "Skis and boards. The office opens at 9:00.", [],
                     id="words that nobody asked for"),
        pytest.param("Was kostet die Police?", "Die Police kostet 129 Euro und gilt 30 Tage.", ["129 Euro"],
                     id="German"),
    ],
)  # fmt: skip
def test_only_what_a_question_asks_for(question: str, answer: str, found: list[str]) -> None:
    language = "de" if question.startswith("Was") else "en"
    assert asked(answer, question, language=language) == found
