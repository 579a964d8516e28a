"""Values, negation and bounds of German, French and Spanish: the fault that is seen, and the right answer beside it."""

from __future__ import annotations

import pytest

from bench.evidence_checks import faults as bench
from raggate_action.core.evidence_checks.claim_check import findings_on
from raggate_action.core.evidence_checks.evidence_index import IndexCache
from raggate_action.core.text.languages.common_words import language_read
from raggate_action.core.text.languages.word_tables import READ
from raggate_action.core.text.read_in_english import in_english, tokens_in
from raggate_action.core.text.text import Text
from raggate_action.schema.case_run import Finding
from tests.builders import judge, make_case, make_chunk, make_rules, make_store, make_trace

PAIRS = list(bench.pairs())


def check(claim: str, chunk: str, language: str) -> list[Finding]:
    shown = IndexCache(language).shown([("c1", chunk)])
    return list(findings_on(Text(claim, language), shown))


def test_the_languages_that_are_read_beside_english() -> None:
    assert READ == ("de", "es", "fr")


@pytest.mark.parametrize("language", READ)
def test_four_in_five_of_the_faults_found_in_english_are_found_and_no_right_answer_is_flagged(language: str) -> None:
    in_english_found = sum(pair.on_fault for pair in PAIRS if pair.language == "en")
    own = [pair for pair in PAIRS if pair.language == language]
    assert sum(pair.on_fault for pair in own) >= 0.8 * in_english_found
    assert [pair.right for pair in own if pair.on_right] == []


@pytest.mark.parametrize(
    ("language", "chunk", "claim"),
    [
        ("de", "Die Frist beträgt einen Monat.", "Die Frist beträgt 1 Monat."),
        ("de", "Bis zu 20 Gäste dürfen teilnehmen.", "Höchstens 20 Gäste dürfen teilnehmen."),
        ("de", "Die Miete beträgt 1.250,50 Euro im Monat.", "Die Miete beträgt 1250,50 € im Monat."),
        ("de", "Teilnehmen dürfen Kinder ab 12 Jahren.", "Kinder müssen mindestens 12 Jahre alt sein."),
        ("de", "Der Laden ist von Montag bis Freitag geöffnet.", "Von Montag bis Freitag ist der Laden geöffnet."),
        ("de", "Das Paket wiegt rund 2,5 kg.", "Das Paket wiegt etwa 2,5 Kilogramm."),
        ("de", "Der Kurs beginnt am 3. Mai um 18 Uhr.", "Am 3. Mai um 18:00 Uhr beginnt der Kurs."),
        ("de", "Fahrräder dürfen nicht im Flur stehen.", "Im Flur dürfen keine Fahrräder stehen."),
        ("fr", "Le délai est d'un mois.", "Le délai est de 1 mois."),
        ("fr", "Jusqu'à 20 invités peuvent participer.", "Au plus 20 invités peuvent participer."),
        ("fr", "Le loyer est de 1 250,50 euros par mois.", "Le loyer est de 1250,50 € par mois."),
        ("fr", "La boutique est ouverte du lundi au vendredi.", "Du lundi au vendredi, la boutique est ouverte."),
        ("fr", "L'abonnement coûte quatre-vingt-dix euros.", "L'abonnement coûte 90 euros."),
        ("fr", "L'entrée n'est pas payante le dimanche.", "Le dimanche, l'entrée n'est pas payante."),
        ("fr", "Le cours a lieu le 1er mai à 18 h.", "Le cours a lieu le 1 mai à 18:00."),
        ("es", "El plazo es de un mes.", "El plazo es de 1 mes."),
        ("es", "Pueden participar hasta 20 invitados.", "Como máximo pueden participar 20 invitados."),
        ("es", "El alquiler es de 1.250,50 euros al mes.", "El alquiler es de 1250,50 € al mes."),
        ("es", "La tienda abre de lunes a viernes.", "De lunes a viernes abre la tienda."),
        ("es", "La cuota es de treinta y cinco euros.", "La cuota es de 35 euros."),
        ("es", "No se admiten perros en la sala.", "En la sala no se admiten perros."),
        ("es", "La obra dura dos semanas.", "La obra dura 14 días."),
    ],
)
def test_a_right_answer_in_other_words_has_no_finding(language: str, chunk: str, claim: str) -> None:
    assert [each.reason for each in check(claim, chunk, language) if not each.advisory] == []


@pytest.mark.parametrize(
    ("language", "chunk", "claim", "code", "words"),
    [
        ("de", "Der Turm hat zwölf Stufen.", "Der Turm hat 20 Stufen.", "number", "20"),
        (
            "de",
            "Die Miete beträgt 1.250,50 Euro im Monat.",
            "Die Miete beträgt 1.520,50 Euro im Monat.",
            "money",
            "1.520,50",
        ),
        ("fr", "Le bail dure quatre-vingt-dix jours.", "Le bail dure 80 jours.", "number", "80"),
        ("fr", "Le dernier train part à 21 h 45.", "Le dernier train part à 20 h 15.", "time", "20 h 15"),
        ("es", "El museo cierra los lunes.", "El museo cierra los martes.", "date", "martes"),
        ("es", "La cuota es de treinta y cinco euros.", "La cuota es de 45 euros.", "money", "45"),
    ],
)
def test_a_fault_is_found_where_it_stands_in_the_answers_own_words(
    language: str, chunk: str, claim: str, code: str, words: str
) -> None:
    found = next(each for each in check(claim, chunk, language) if each.kind == "conflict")
    assert (found.code, claim[found.start : found.end]) == (code, words)
    assert f"“{words}”" in found.reason


def test_without_a_table_of_its_words_a_language_has_no_conflicts() -> None:
    assert check("Het museum is dicht op dinsdag.", "Het museum is dicht op maandag.", "nl") == []


@pytest.mark.parametrize(
    ("language", "text", "read"),
    [
        ("de", "Fünfundzwanzig Tage, höchstens 1.250,50 €", "25 days, most 1,250.50 €"),
        ("fr", "Jusqu'à quatre-vingt-deux heures, à 21 h 45", "until 82 hours, at 21:45"),
        ("es", "Como mucho treinta y dos días", "most 32 days"),
        # What English would take for a word of its own is none.
        ("es", "una mil on sept", "the thousand onþ septþ"),
    ],
)
def test_a_text_as_the_rules_of_english_read_it(language: str, text: str, read: str) -> None:
    assert in_english(text, language).text == read
    for token in tokens_in(text, language):
        assert 0 <= token.start < token.end <= len(text)


def test_a_token_stands_where_its_words_do() -> None:
    (date,) = [each for each in tokens_in("Bis zum 15. März 2026 gilt das.", "de") if each.kind == "date"]
    assert (date.values, "Bis zum 15. März 2026 gilt das."[date.start : date.end]) == ((2026, 3, 15), "15. März 2026")


@pytest.mark.parametrize("declared", ["auto", "de"])
@pytest.mark.parametrize(("price", "found"), [("2,50", ["conflict"]), ("1,50", [])])
def test_without_a_language_an_answer_is_read_in_its_own(declared: str, price: str, found: list[str]) -> None:
    chunk = make_chunk("c1", "Die Gebühr für eine Karte beträgt 1,50 EUR.")
    case = make_case(question="Wie hoch ist die Gebühr?")
    trace = make_trace(answer=f"Die Gebühr beträgt {price} EUR.", context=["c1"])
    judged = judge(case, trace, make_rules(make_store(chunk), language=declared))
    assert [finding.kind for claim in judged.claims for finding in claim.findings] == found


@pytest.mark.parametrize(
    ("answer", "beside", "language"),
    [
        ("Die Gebühr ist nicht zu zahlen.", (), "de"),
        ("2,50 EUR.", ("Wie hoch ist die Gebühr?",), "de"),
        ("The fee is 2.50 EUR.", ("Wie hoch ist die Gebühr?", "Die Gebühr ist in EUR."), "en"),
        ("Il pacco non è incluso nella quota.", (), "en"),
        ("2.50 EUR", (), "en"),
    ],
)
def test_an_answer_is_told_before_what_stands_beside_it(answer: str, beside: tuple[str, ...], language: str) -> None:
    assert language_read("auto", answer, beside) == language
    assert language_read("fr", answer, beside) == "fr"
