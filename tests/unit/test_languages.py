"""A language is one file, and every kind of its words is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from raggate_action.core.text.attribution_phrases import without_source_lead
from raggate_action.core.text.context_dependence import leans_back
from raggate_action.core.text.languages import language_rules
from raggate_action.core.text.languages.common_words import languages_of
from raggate_action.core.text.languages.language_rules import KNOWN, expressions
from raggate_action.core.text.question_words import question_of
from raggate_action.core.text.text import normal_words


def test_each_file_of_a_language_is_read() -> None:
    assert {path.stem for path in Path(language_rules.__file__).parent.glob("??.yaml")} == set(KNOWN)


# Of each language: a kind of its words, a text with one, and a text of another language without.
WORDS = (
    ("en", "concludes", ", so ", "also"),
    ("de", "concludes", ", also ", "so"),
    ("fr", "concludes", ", donc ", "so"),
    ("es", "concludes", ", por eso ", "so"),
    ("en", "embedded", "ask whether it is open", "the fee of it"),
    ("de", "embedded", "fragen Sie, ob es offen ist", "of course"),
    ("fr", "embedded", "demandez quelle heure il est", "of course"),
    ("es", "embedded", "pregunte dónde está", "of course"),
)


@pytest.mark.parametrize(("language", "kind", "text", "other"), WORDS)
def test_each_kind_of_words_is_read_by_its_language_alone(language: str, kind: str, text: str, other: str) -> None:
    expression = getattr(expressions(language), kind)
    assert expression.search(text)
    assert not expression.search(other)


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("How long does it take?", "openly"),
        ("Wie lange dauert es?", "openly"),
        ("Combien ça coûte ?", "openly"),
        ("¿Cuántos hay?", "openly"),
        ("How do I reset it?", "how to"),
        ("Wie kann ich es löschen?", "how to"),
        ("Comment faire ?", "how to"),
        ("¿Cómo puedo pagar?", "how to"),
        ("Which one is it?", "openly"),
        ("When is it open?", "openly"),
        ("Wann ist es offen?", "openly"),
        ("Quand est-ce ouvert ?", "openly"),
        ("¿Cuándo abre?", "openly"),
        ("Welche ist es?", "openly"),
        ("Quelle est la couleur ?", "openly"),
        ("¿Cuál es?", "openly"),
        ("Is it open?", "whether"),
        ("Ist es offen?", "whether"),
    ],
)
def test_what_answers_a_question_is_told_in_every_language(question: str, asks: str) -> None:
    read = question_of(question)
    assert (read.asks_how_to, read.asks_whether) == (asks == "how to", asks == "whether")


@pytest.mark.parametrize(
    ("language", "sentence", "leans"),
    [
        ("en", "it contains nuts", True),
        ("de", "sie enthält Nüsse", True),
        ("fr", "elle contient des noix", True),
        ("es", "contiene nueces", True),
        ("nl", "daarin zitten noten", True),
        ("nl", "de taart bevat noten", False),
        ("xx", "anything", True),
    ],
)
def test_a_sentence_that_leans_back_is_known_in_every_language(language: str, sentence: str, *, leans: bool) -> None:
    assert leans_back(sentence, language) is leans


@pytest.mark.parametrize(
    "lead",
    [
        "According to the documents provided, ",
        "Laut den bereitgestellten Unterlagen: ",
        "Selon les documents fournis, ",
        "Según los documentos adjuntos, ",
    ],
)
def test_what_names_the_evidence_before_a_quotation_is_left_out_in_every_language(lead: str) -> None:
    assert without_source_lead(normal_words(f"{lead}tea is hot.")) == "tea is hot."


def test_dutch_has_no_rules_and_is_taken_for_no_language_that_has() -> None:
    assert languages_of("Dat weet ik helaas niet.", KNOWN) is None
    assert languages_of("Das weiß ich leider nicht.", KNOWN) == ("de",)
    assert languages_of("The fee is not known.", KNOWN) == ("en",)
