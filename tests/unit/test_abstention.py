"""Declining sentences and answering ones, of many domains, in every language with rules; both sides must hold."""

from __future__ import annotations

import re

import pytest

from raggate_action.core.text.abstention import Stance, stance, stance_by
from raggate_action.core.text.languages.common_words import languages_of
from raggate_action.core.text.languages.language_rules import KNOWN, expressions, readers, rules_of
from raggate_action.core.text.number_words import NUMBERS
from tests.declining import ANSWERS, ASKED, BETWEEN, DECLINES, NO_CLAIMS


def of(table: dict[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    return [(language, sentence) for language in table for sentence in table[language]]


# In whatever language a sentence is: nobody says which.


@pytest.mark.parametrize(("language", "sentence"), of(DECLINES))
def test_declining_is_recognised(language: str, sentence: str) -> None:
    assert stance(sentence) is Stance.DECLINES
    assert stance_by(sentence, expressions(language)) is Stance.DECLINES


@pytest.mark.parametrize(("language", "sentence"), of(ANSWERS))
def test_an_answer_is_no_declining_and_a_claim(language: str, sentence: str) -> None:
    assert stance(sentence) not in {Stance.DECLINES, Stance.EMPTY}
    assert stance_by(sentence, expressions(language)) not in {Stance.DECLINES, Stance.EMPTY}


@pytest.mark.parametrize("sentence", [sentence for _, sentence in of(NO_CLAIMS)])
def test_courtesy_and_referrals_are_no_claims(sentence: str) -> None:
    assert stance(sentence) is Stance.EMPTY


@pytest.mark.parametrize(
    ("language", "sentence", "expected"), [(lang, *row) for lang, rows in BETWEEN.items() for row in rows]
)
def test_what_stands_between_is_told_apart_from_its_neighbour(language: str, sentence: str, expected: str) -> None:
    assert stance_by(sentence, expressions(language)).name == expected


@pytest.mark.parametrize(
    ("language", "question", "sentence", "expected"), [(lang, *row) for lang, rows in ASKED.items() for row in rows]
)
def test_where_a_decline_is_expected_the_question_tells_it_from_an_answer(
    language: str, question: str, sentence: str, expected: str
) -> None:
    assert stance_by(sentence, expressions(language), question).name == expected


def test_every_language_with_rules_has_examples_of_both_sides() -> None:
    assert set(KNOWN) == set(DECLINES) == set(ANSWERS) == set(BETWEEN) == set(ASKED)
    assert min(len(DECLINES["en"]), len(ANSWERS["en"])) >= 60
    assert min(len(table[lang]) for table in (DECLINES, ANSWERS) for lang in KNOWN) >= 12


def numbers_of(language: str) -> list[str]:
    glue = {"de": "einund"}.get(language)
    words = [word for word, value in NUMBERS[language].items() if value > 1]
    return [*words, *([f"{glue}{word}" for word in words if 20 <= NUMBERS[language][word] < 100] if glue else [])]


@pytest.mark.parametrize(("language", "word"), [(each, word) for each in KNOWN for word in numbers_of(each)])
def test_every_number_word_of_a_language_counts_as_its_digits_do(language: str, word: str) -> None:
    assert expressions(language).numbers.fullmatch(word)
    assert expressions(language).numbers.search(f"{word}x") is None


@pytest.mark.parametrize("word", ["twelve", "thirteen", "fourteen", "fifteen", "sixteen", "nineteen", "14"])
def test_a_referral_with_a_number_asserts(word: str) -> None:
    assert stance(f"Please contact the support team within {word} days.", "How do I cancel?") is Stance.ASSERTS
    assert stance("Please contact the support team.", "How do I cancel?") is Stance.EMPTY


def test_a_number_of_the_question_is_no_news() -> None:
    sentence = "No total for tier 21 was found anywhere."
    assert stance(sentence, "What was the revenue of tier 20?") is Stance.ASSERTS
    assert stance(sentence, "What was the revenue of tier 21?") is not Stance.ASSERTS


@pytest.mark.parametrize(
    ("text", "languages"),
    [
        ("The fee is waived for students.", ("en",)),
        ("Ich weiß es nicht.", ("de",)),
        ("Je ne sais pas.", ("fr",)),
        ("No lo sé.", ("es",)),
        ("25 MB", KNOWN),
        ("Jane Hill", KNOWN),
        ("Non lo so.", None),
        ("Nie wiem.", None),
        ("Nee, u hoeft zich niet af te melden.", None),
        ("Nie, nie musi się pan wypisywać.", None),
        ("分かりません。", None),
        ("", KNOWN),
    ],
)
def test_the_language_of_a_text_is_told_by_its_commonest_words(text: str, languages: tuple[str, ...] | None) -> None:
    assert languages_of(text, KNOWN) == languages


@pytest.mark.parametrize("language", KNOWN)
def test_a_hint_is_found_in_small_letters_as_in_any(language: str) -> None:
    rules, may_decline = expressions(language), readers((language,)).may_decline
    for sentence in [*dict(DECLINES).get(language, ()), *dict(ANSWERS).get(language, ())]:
        plain = sentence.replace("’", "'")
        assert may_decline(plain.lower()) is (rules.hint.search(plain) is not None)
        assert may_decline(plain.upper().lower()) is (rules.hint.search(plain.upper()) is not None)


@pytest.mark.parametrize("language", KNOWN)
def test_no_hint_has_more_words_than_are_looked_at_together(language: str) -> None:
    hint = re.sub(r"\(\?:[^()]*\)|\\b", "", rules_of(language).hint)
    assert max(each.count(" ") for each in hint.split("|")) < 3


@pytest.mark.parametrize(
    "hint",
    ["too little", "he breaks off now", "leaves it open", "was left out", "k. a.", "zu wenig", "hors de"],
)
def test_a_hint_of_several_words_is_found_after_its_words_were_read_one_by_one(hint: str) -> None:
    read_by = readers(KNOWN)
    assert not any(read_by.may_decline(f"{word} tea") for word in hint.split())
    assert read_by.may_decline(f"tea {hint}")
    assert not read_by.may_decline("tea is hot")
