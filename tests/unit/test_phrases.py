"""What an answer says of a suite's phrases: inside words, never inside longer numbers; whole words, expressions, any of."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from raggate_action.core.text.phrases import Answer, _pattern
from raggate_action.errors import UsageError
from raggate_action.schema.case import Phrase, phrase_in_words
from tests.builders import make_case
from tests.unit.test_time_limit import in_a_thread


def phrase(given: Any) -> Phrase:
    return make_case(must_contain=[given]).must_contain[0]


@pytest.mark.parametrize(
    ("given", "answer", "said"),
    [
        pytest.param("refund", "Refunds take a week.", True, id="inside a word, in any case"),
        pytest.param("30 days", "You can return it at any time.", False, id="not there"),
        pytest.param("30 days", "Within 30\ndays.", True, id="over a broken line"),
        pytest.param("30 days", "Within 30\u00a0days.", True, id="over a hard space"),
        pytest.param("30\u00a0days", "Within 30 days.", True, id="a hard space in the phrase"),
        pytest.param("30 days", "３０ ＤＡＹＳ", True, id="in any width"),
        pytest.param("ﾊﾟｽﾜｰﾄﾞ", "パスワードを入力", True, id="narrow katakana"),
        pytest.param("5", "It takes 15 days.", False, id="the end of a longer number"),
        pytest.param("1", "It takes 15 days.", False, id="the beginning of one"),
        pytest.param("5 days", "It takes 15 days.", False, id="with what is counted"),
        pytest.param("day 1", "on day 15", False, id="at its end"),
        pytest.param("5", "15 days, or 5 by express.", True, id="in a number and alone"),
        pytest.param("1 1", "21 1 1", True, id="one match within another"),
        pytest.param("30", "It costs 1,300 EUR.", False, id="in thousands"),
        pytest.param("300", "It costs 1\u202f300 EUR.", False, id="thousands parted by a hard space"),
        pytest.param("300", "It costs 1’300 EUR.", False, id="and by an apostrophe"),
        pytest.param("500 mg", "Take 2 500 mg tablets.", True, id="two numbers side by side"),
        pytest.param("30", "It costs 30.5 EUR.", False, id="before decimals"),
        pytest.param("5", "It costs 30,5 EUR.", False, id="decimals"),
        pytest.param("50", "It costs 1.300,50 EUR.", False, id="decimals behind thousands"),
        pytest.param("$5", "It costs $5.50.", False, id="behind a sign"),
        pytest.param("30", "It is 30.", True, id="at the end of a sentence"),
        pytest.param("30", "30, 40 or 50", True, id="in a list"),
        pytest.param("20", "10,20,30", True, id="in a list without spaces"),
        pytest.param("2026", "Until 30.06.2026.", True, id="part of a date"),
        pytest.param("30", "At 10:30.", True, id="part of a time"),
        pytest.param("1,300", "It costs 1,300 EUR.", True, id="the whole number"),
        pytest.param("5", "5kg", True, id="a number with its unit"),
        pytest.param({"word": "late"}, "Sent later.", False, id="a word inside another"),
        pytest.param({"word": "late"}, "Too LATE!", True, id="a word of its own"),
        pytest.param({"word": "5"}, "5.50", False, id="no word of its own in a number"),
        pytest.param({"regex": r"\d+ days"}, "Within 30 DAYS.", True, id="an expression, in any case"),
        pytest.param({"regex": r"(?-i:EUR)"}, "eur", False, id="unless it says otherwise"),
        pytest.param({"any": ["30 days", "one month"]}, "Within one month.", True, id="one of several"),
        pytest.param({"any": ["30 days", {"word": "month"}]}, "Monthly.", False, id="none of several"),
    ],
)
def test_an_answer_says_a_phrase(given: Any, answer: str, said: bool) -> None:  # noqa: FBT001
    assert Answer(answer).says(phrase(given)) is said


@pytest.mark.parametrize(
    ("given", "words"),
    [
        pytest.param("30 days", '"30 days"', id="words"),
        pytest.param({"word": "late"}, 'the word "late"', id="a word"),
        pytest.param({"regex": "days?"}, "/days?/", id="an expression"),
        pytest.param({"any": ["a", {"word": "b"}]}, 'any of "a", the word "b"', id="any"),
    ],
)
def test_a_phrase_in_words(given: Any, words: str) -> None:
    assert phrase_in_words(phrase(given)) == words


@pytest.mark.parametrize("given", ["", {"word": ""}, {"any": []}, {"regex": "(a"}, {"any": [{"any": ["a"]}]}, 5])
def test_what_is_no_phrase_is_refused(given: Any) -> None:
    with pytest.raises(ValidationError):
        phrase(given)


@pytest.mark.parametrize("threaded", [False, True])
def test_an_expression_without_end_is_named(threaded: bool, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: FBT001
    monkeypatch.setattr("raggate_action.isolation.suite_patterns.EXPRESSION_S", 0.5)
    endless = phrase({"any": [{"regex": "(a+)+$"}]})

    def ask() -> str:
        with pytest.raises(UsageError) as told:
            Answer("a" * 60 + "!").says(endless)
        return str(told.value)

    began = time.monotonic()
    said = in_a_thread(ask) if threaded else ask()
    assert said.startswith("regex: '(a+)+$' was still at work on one answer after ")
    assert time.monotonic() - began < 20


def test_an_expression_is_searched_alike_outside_the_main_thread() -> None:
    found, unfound = phrase({"regex": r"\d+ days"}), phrase({"regex": "weeks"})
    assert in_a_thread(lambda: [Answer("30 DAYS").says(each) for each in (found, unfound)]) == [True, False]


def test_a_plain_phrase_leaves_the_digest_of_its_case_as_it_was() -> None:
    plain = make_case(must_contain=["30 days"])
    assert json.loads(plain.model_dump_json())["must_contain"] == ["30 days"]


@given(st.text(alphabet="ab1. \n\u00a0Ｂ", max_size=12), st.text(alphabet="ab1. \u00a0", min_size=1, max_size=4))
def test_the_quick_look_finds_what_the_expression_finds(text: str, phrase: str) -> None:
    answer = Answer(text)
    assert answer.says(phrase) == answer._holds(_pattern(phrase, whole=False))  # noqa: SLF001
