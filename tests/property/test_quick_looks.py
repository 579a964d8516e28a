"""What is looked at quickly says no only where the reading that it saves finds nothing."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from raggate_action.core.claims.claim_verdicts import _repeated_at
from raggate_action.core.gates.case_row import _CLOSED
from raggate_action.core.poorer.cut_answers import cut_end
from raggate_action.core.text.identifiers import ADDRESS, may_hold_address
from raggate_action.core.text.languages.language_rules import KNOWN, expressions, readers
from raggate_action.core.text.text import normal_words, words_alone
from tests.declining import ANSWERS, DECLINES
from tests.thorough import examples

PIECES = st.sampled_from((
    "[1]", "[doc-00-7]", "[", "]", "【2】", "[^3]", "[about 5 km]", "c1", "030", "1234567", "+49 30", "(0)", "-", "/", ".",
    " ", "\n", "--retry", "a@b.example", "https://x.example/a1", "www.x.example", "`maxLength`", "`", "1,200", "3", "٣",
    "five", "Twenty-five", "million", "first", "fünf", "E42", "error", "X-7", "word", "&#39;", "1. ", "Sure, ", "€", "%",
    "555-0100", "212", "00", "o'clock", "12:30", "May", "İ", "K",
))  # fmt: skip
ENDINGS = st.sampled_from((
    "[", "]", "[1]", "(", ")", "{", "}", "“", "”", "„", '"', "'", "`", "```", "~~~", ":", ",", ";", "; )", ":(", ".", "!", "?", " ",
    "\n", "\n\n", "- ", "|", "and", "The fee", "is 5", "Regards", "[a (b]", "[c] [d]", "。", "…",
))  # fmt: skip
TEXTS = st.one_of(st.lists(PIECES, max_size=9).map("".join), st.text(max_size=60))
FEW_WORDS = st.lists(st.sampled_from(("a", "b", "ab", "the", "bathe", "fee")), min_size=1, max_size=8)
QUICK = settings(max_examples=examples(1_000), deadline=None)


@given(text=TEXTS)
@example(text="Call +49 30 1234567.")
@example(text="Call (030) 123 4567.")
@example(text="Call 212-555-0100.")
@QUICK
def test_no_address_is_passed_over(text: str) -> None:
    assert ADDRESS.search(text) is None or may_hold_address(text)


@given(text=st.one_of(TEXTS, st.text(st.characters(max_codepoint=127), max_size=60)))
@example(text="Snake_case,\tIt's  5%.\x1f\x00A")
@QUICK
def test_words_of_ascii_are_what_an_expression_finds(text: str) -> None:
    assert words_alone(text) == " ".join(re.findall(r"\w+", normal_words(text)))


@given(text=st.lists(ENDINGS, max_size=9).map("".join))
@QUICK
def test_an_answer_that_is_closed_is_not_cut(text: str) -> None:
    assert _CLOSED.fullmatch(text) is None or cut_end(text, (), (), "en") is None


@given(words=FEW_WORDS, chunk=FEW_WORDS, data=st.data())
@example(words=["the", "fee"], chunk=["bathe", "fee"], data=None)
@example(words=["a", "a", "b"], chunk=["a", "b", "a", "a", "b", "a", "a", "b"], data=None)
@QUICK
def test_a_claim_is_found_behind_its_shortest_lead(
    words: list[str], chunk: list[str], data: st.DataObject | None
) -> None:
    longest = 1 if data is None else data.draw(st.integers(0, len(words) - 1))
    text = ". ".join((" ".join(chunk), " ".join(words[longest:])))
    places = [text.find(" ".join(words[lead:])) for lead in range(longest + 1)]
    expected = next(place for place in places if place >= 0)
    assert _repeated_at(words[:longest], " ".join(words[longest:]), text) == expected
    assert _repeated_at(words[:longest], "absent", text) == -1


@pytest.mark.parametrize("language", KNOWN)
def test_a_hint_is_found_word_by_word_as_in_the_whole(language: str) -> None:
    hint, may_decline = expressions(language).hint, readers((language,)).may_decline
    for sentence in [*dict(DECLINES).get(language, ()), *dict(ANSWERS).get(language, ())]:
        words = sentence.lower().split(" ")
        for at in range(len(words)):
            for stretch in (" ".join(words[at:]), " ".join(words[: at + 1])):
                assert may_decline(stretch) is (hint.search(stretch) is not None)
