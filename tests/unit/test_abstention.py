"""Declining sentences and answering ones, of many domains, in every language with rules; both sides must hold."""

from __future__ import annotations

import pytest

from raggate_action.core.text.abstention import carries_no_claim, declines, recognises
from raggate_action.core.text.languages.rules import KNOWN
from tests.declining import ANSWERS, DECLINES, NO_CLAIMS


@pytest.mark.parametrize(("language", "sentence"), [(lang, s) for lang in DECLINES for s in DECLINES[lang]])
def test_declining_is_recognised(language: str, sentence: str) -> None:
    assert declines(sentence, language)


@pytest.mark.parametrize(("language", "sentence"), [(lang, s) for lang in ANSWERS for s in ANSWERS[lang]])
def test_an_answer_is_no_declining(language: str, sentence: str) -> None:
    assert not declines(sentence, language)


@pytest.mark.parametrize(("language", "sentence"), [(lang, s) for lang in ANSWERS for s in ANSWERS[lang]])
def test_an_answer_is_a_claim(language: str, sentence: str) -> None:
    assert not carries_no_claim(sentence, language)


@pytest.mark.parametrize(("language", "sentence"), [(lang, s) for lang in NO_CLAIMS for s in NO_CLAIMS[lang]])
def test_courtesy_and_referrals_are_no_claims(language: str, sentence: str) -> None:
    assert carries_no_claim(sentence, language)


def test_every_language_with_rules_has_examples_of_both_sides() -> None:
    assert set(KNOWN) == set(DECLINES) == set(ANSWERS)
    assert min(len(DECLINES["en"]), len(ANSWERS["en"])) >= 60
    assert min(len(table[lang]) for table in (DECLINES, ANSWERS) for lang in KNOWN) >= 12


@pytest.mark.parametrize("sentence", ["I don't know.", "分かりません。", "Nie wiem."])
def test_in_a_language_without_rules_nothing_is_recognised(sentence: str) -> None:
    assert not recognises("xx")
    assert not declines(sentence, "xx")
    assert not carries_no_claim("Thanks!", "xx")
    assert carries_no_claim("هل هذا صحيح؟", "xx")
