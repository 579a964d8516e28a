"""What a question says already, and what is beside its point."""

from __future__ import annotations

import pytest

from raggate_action.core.text.question_words import is_off_point, question_of, without

ACETONE = question_of("What is the boiling point of acetone in 2019?")


def test_a_question_by_its_words() -> None:
    assert not any(question_of("")[:2])
    assert ACETONE.words == {"boiling", "point", "acetone", "2019"}
    assert ACETONE.numbers == {"2019"}


@pytest.mark.parametrize(
    ("question", "clause", "left"),
    [
        ("Are refunds covered?", "Refunds are not covered.", "_ are not _."),
        ("Gibt es einen Rabatt für Studierende?", "Ein Studierendenrabatt", "Ein _"),
        ("Where is the key?", "Keystone", "Keystone"),
        ("", "Nothing is covered.", "Nothing is covered."),
    ],
)
def test_words_of_the_question_are_left_out_in_any_form(question: str, clause: str, left: str) -> None:
    assert without(question_of(question), clause) == left


@pytest.mark.parametrize(
    ("asserting", "declining", "beside"),
    [
        ("Water boils at 100 °C.", "No value is given for acetone.", True),
        ("Acetone boils at 56 °C.", "No value is given for acetone.", False),
        ("In 2018 it was 56.", "For 2019 there is no value.", True),
        ("It is 56.", "There is nothing on safety.", False),
    ],
)
def test_what_is_asserted_before_a_decline_may_be_beside_the_point(
    asserting: str, declining: str, *, beside: bool
) -> None:
    assert is_off_point(asserting, declining, ACETONE) is beside
