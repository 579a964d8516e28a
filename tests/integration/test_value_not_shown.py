"""A value that nothing shown holds fails its case at answer faithfulness; where it may be right, it is to be looked at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from raggate_action.core.counting.case_state import suspects_in
from raggate_action.core.gates.diagnosis import Diagnosis
from tests.builders import codes, judge, make_case, make_rules, make_trace

WORDINGS = [
    ("fails", "Books may be borrowed for 28 days.", "How long may I keep a book?", "You may keep a book for 35 days."),
    ("fails", "Replacing a lost card costs 6 EUR.", "What is a new card?", "A new card is 9 EUR."),
    ("fails", "The fine for overdue books is 0.20 EUR per day.", "A late book?", "Late books are charged at 0.50 EUR a day."),
    ("look", "Members may borrow at most 10 items at the same time.", "How many?", "You can have up to 15 items at once."),
    ("fails", "Reserved books are kept at the desk for 7 days.", "A reserved book?", "We hold a reservation for 10 days."),
    ("fails", "Students have 25 % off the annual fee of 20 EUR.", "Do students pay less?", "Students get 40 % off."),
    ("look", "On Saturdays the library opens at 10:00.", "When do you open?", "It opens at 8 am on Saturdays."),
    ("fine", "Loans can be extended twice.", "How often may I renew?", "You can renew three times."),
    ("fails", "Group rooms can be reserved for two hours.", "How long?", "A group room may be booked for 4 hours."),
    ("fails", "Printing costs 10 cents per page.", "What is a print?", "Printing is 15 cents a page."),
]  # fmt: skip


def diagnosed(
    answer: str, *passages: str, level: str = "block", tools: Sequence[str] | None = None, **case: Any
) -> Diagnosis:
    context = [{"chunk_id": f"c{n}", "text": text} for n, text in enumerate(passages)]
    trace = make_trace(answer=answer, context=context, tool_calls=tools)
    return judge(make_case(**case), trace, make_rules(gates={"new_suspects": {"level": level}}), labelled=False)


def stands(found: Diagnosis) -> str:
    if codes(found, "faithfulness") == ["value-not-shown"]:
        return "fails"
    return "look" if any(suspects_in(found.claims)) else "fine"


@pytest.mark.parametrize(("expected", "passage", "question", "answer"), WORDINGS, ids=[each[3] for each in WORDINGS])
def test_of_ten_wrong_wordings_seven_fail_and_two_are_to_be_looked_at(
    expected: str, passage: str, question: str, answer: str
) -> None:
    found = diagnosed(answer, passage, question=question)
    assert stands(found) == expected
    assert (found.first_failed_stage == "answer faithfulness") is (expected == "fails")
    assert not found.hallucinations, "no rule calls it false"
    assert stands(diagnosed(answer, passage, question=question, level="warn")) == expected.replace("fails", "look")


LOAN = "Books may be borrowed for 28 days."
RATE = "Team costs 12 USD per user and month, for at least 5 users."


@pytest.mark.parametrize(
    ("answer", "passage", "case"),
    [
        pytest.param("You may keep it for 28 days.", LOAN, {}, id="as the passage has it"),
        pytest.param("You may keep it for 4 weeks.", LOAN, {}, id="converted"),
        pytest.param("The minimum is 60 USD.", RATE, {}, id="a rate times a count"),
        pytest.param("120 g at 8 cents per gram is $9.60.", "3D printing: 8 cents per gram of filament, minimum charge $2.", {"question": "What will a 120 g print cost me?"}, id="cents in dollars"),
        pytest.param("That is 3.50 EUR for ten minutes.", "Calls cost 0.35 EUR per minute.", {}, id="for ten minutes"),
        pytest.param("120 EUR for 4 guests.", "Dinner is 30 EUR per guest.", {"input": {"guests": 4}}, id="input counts"),
        pytest.param("You asked for 35 days.", LOAN, {"question": "May I keep it for 35 days?"}, id="the question's own"),
        pytest.param("You may keep it for 35 days.", LOAN, {"must_contain": ["35 days"]}, id="a label"),
        pytest.param("You may keep it for 35 days.", LOAN, {"input": {"plan": "Gold", "days": 35}}, id="the input"),
        pytest.param(
            "You may keep it for 35 days.", LOAN,
            {"question": None, "messages": [{"role": "assistant", "content": "Gold members: 35 days."}, {"role": "user", "content": "And I?"}]},
            id="an earlier turn",
        ),
    ],
)  # fmt: skip
def test_what_is_shown_or_follows_from_it_fails_nothing(answer: str, passage: str, case: dict[str, Any]) -> None:
    assert stands(diagnosed(answer, passage, **case)) != "fails"


@pytest.mark.parametrize(
    ("passages", "tools", "expected"),
    [
        pytest.param([LOAN], None, "fails", id="all is shown"),
        pytest.param([LOAN], ["search_documents"], "fails", id="the tool gave the passages"),
        pytest.param([LOAN], ["search", "get_order"], "look", id="what a tool said is not in the trace"),
        pytest.param([LOAN, "Gold members may keep books for as long as..."], None, "look", id="a passage ends in dots"),
        pytest.param([LOAN, "Gold members may keep books for a …"], None, "look", id="a passage ends in an ellipsis"),
        pytest.param([LOAN, "Gold members keep books for 28 day"], None, "look", id="all as long to the character"),
        pytest.param([LOAN, "Closed on Mondays.", "Gold members keep books for 28 day"], None, "look", id="the longest as long"),
    ],
)  # fmt: skip
def test_a_value_may_stand_in_what_the_trace_lacks(passages: list[str], tools: list[str] | None, expected: str) -> None:
    assert stands(diagnosed("A new card is 9 EUR.", *passages, tools=tools)) == expected


def test_a_digit_of_the_question_excuses_its_own_value_alone() -> None:
    asked = {"question": "I have 3 books. How long may I keep them?"}
    assert stands(diagnosed("You may keep them for 35 days.", LOAN, **asked)) == "fails"
