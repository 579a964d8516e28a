"""A text is read once, and a chunk's sentences are found by the same words however they are come by."""

from __future__ import annotations

import random
from typing import Any

import pytest

from raggate_action.core.claims.word_overlap import words_beyond
from raggate_action.core.evidence_checks.claim_check import findings_on
from raggate_action.core.evidence_checks.evidence_index import IndexCache
from raggate_action.core.text import read_in_english
from raggate_action.core.text import text as module
from raggate_action.core.text.canonical_form import Token
from raggate_action.core.text.languages.language_rules import Expressions, Form, rules_of
from raggate_action.core.text.quotation import ChunkText
from raggate_action.core.text.text import Text, normal_words, quotable_words
from raggate_action.core.text.tokens import tokens_of
from tests.declining import ANSWERS, ASKED, DECLINES

WORDS = ("refunds", "take", "Five", "days", "of", "the", "PLAN,", "ten", "U.S.", "approx.", "e.g.", "3.5", "two-year")


def test_a_spelling_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def counted(text: str) -> str:
        made.append(text)
        return normal_words(text)

    monkeypatch.setattr(module, "normal_words", counted)
    text = Text("According to the documents, refunds take FIVE days")
    assert text.quotable == text.quotable == "according to the documents, refunds take 5 days."
    assert text.behind_lead is text.behind_lead
    assert text.behind_lead is not None
    assert text.behind_lead.quotable == "refunds take 5 days."
    assert made == [text.raw, "refunds take 5 days."]


def test_tokens_are_made_once_for_all_rules_that_ask_a_claim(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def counted(text: str, first: int = 0, last: int | None = None) -> list[Token]:
        read.append(text)
        return tokens_of(text, first, last)

    monkeypatch.setattr(read_in_english, "tokens_of", counted)
    claim = Text("- According to the list, `retry` costs 12 EUR [1].")
    assert [token.key for token in claim.stated.said] == ["cost", "#12", "money eur"]
    assert claim.stated.figures.values == [12]
    assert [each.code for each in findings_on(claim, IndexCache("en").shown([("c", "It is free.")]))]
    assert words_beyond(claim, ["It is free."], language="en")
    assert read.count(claim.stated.raw) == 1
    # Places stay true: what states nothing is blank.
    assert (len(claim.stated.raw), claim.stated.stated) == (len(claim.raw), claim.stated)


def test_sentences_and_a_text_that_states_all_it_says() -> None:
    text = Text("Refunds take 5 days. Dr. Ames signs them.")
    assert [text.raw[start:end] for _number, start, end in text.sentences] == [
        "Refunds take 5 days.",
        "Dr. Ames signs them.",
    ]
    assert text.stated is text.addressless is text
    assert not Text("  ").sentences
    assert Text("  ").tokens == []


@pytest.mark.parametrize("seed", range(40))
def test_words_in_place_are_the_words_of_each_sentence(seed: int) -> None:
    chance = random.Random(seed)
    sentences = [" ".join(chance.choices(WORDS, k=chance.randint(2, 9))) for _ in range(6)]
    text = "".join(sentence + chance.choice((". ", "! ", "? ", ": ", ".\n", "; ")) for sentence in sentences).rstrip()
    # A blank at the end takes the way of texts whose words stand elsewhere than in their normal spelling.
    in_place, spelled = ChunkText(text, "en"), ChunkText(f"{text} ", "en")
    assert in_place.by_words == spelled.by_words
    for words, sentence in in_place.by_words.items():
        if in_place.raw[sentence.end - 1] in ".!?":
            assert words == quotable_words(in_place.verbatim(sentence))


@pytest.mark.parametrize("kind", ["declines", "denials", "bare_denials"])
def test_an_expression_matches_nothing_without_the_words_it_needs(kind: str) -> None:
    rules = rules_of("en")
    entries = getattr(rules, kind)
    bare: Any = tuple(entry.expression if isinstance(entry, Form) else entry for entry in entries)
    plain: dict[str, Any] = {kind: bare}
    given, tried = Expressions(rules, "en"), Expressions(rules._replace(**plain), "en")
    find = {"declines": "declines", "denials": "denies", "bare_denials": "barely_denies"}[kind]
    for sentence in (*DECLINES["en"], *ANSWERS["en"], *(sentence for _, sentence, _ in ASKED["en"])):
        assert getattr(given, find)(sentence) is getattr(tried, find)(sentence)
