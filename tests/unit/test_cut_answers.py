"""Answers that stop before their end, and answers that only look so."""

from __future__ import annotations

import pytest

from raggate_action.core.poorer.cut_answers import cut_end

MAIN = "Standard shipping takes 3 to 5 working days within Germany. It costs 4.90 EUR per parcel."
EVIDENCE = (
    "Standard shipping takes 3 to 5 working days within Germany. It costs 4.90 EUR per parcel, whatever it weighs.",
)


@pytest.mark.parametrize(
    "answer",
    [
        "Standard shipping takes 3 to 5 wor",
        "Standard shipping takes 3 to 5 working",
        "Standard shipping takes 3 to 5 working days within Germany. It cos",
        "Shipping needs three to five days, and it costs 4.90 EUR per parc",
        "Delivery takes a few days. A parcel is 4.90 EUR, no matter how",
        "Delivery takes a few days (in Germany",
        "Delivery takes a few days,",
        "It costs:",
        "You bring your parcel to the",
        'The price list says "4.90 EUR',
        "Call it like this:\n```python\nship(parcel",
    ],
)
def test_a_cut_answer_is_told_by_its_last_words(answer: str) -> None:
    found = cut_end(answer, (MAIN,), EVIDENCE, "en")
    assert found is not None
    assert answer.endswith(found.split()[-1])


@pytest.mark.parametrize(
    "answer",
    [
        MAIN,
        "3 to 5 days",
        "It takes 3 to 5 days, and it costs 4.90 EUR!",
        "It takes 3 to 5 days [c1]",
        "It takes 3 to 5 days. It costs 4.90 EUR per parcel. [c1] [c2]",
        "Shipping:\n- 3 to 5 working days within Germany\n- 4.90 EUR per parcel",
        "Shipping:\n1. Bring the parcel to the counter\n2. Pay 4.90 EUR",
        "| days | price |\n|---|---|\n| 3 to 5 | 4.90 EUR |",
        "It takes 3 to 5 days. It costs 4.90 EUR.\n\nBest regards\nYour shop team",
        "It takes 3 to 5 days. Hope that helps 😀",
        "It takes 3 to 5 days. Read more at https://shop.example/shipping",
        "It takes 3 to 5 days. Ask service@shop.example",
        "It takes 3 to 5 days. It costs 4.90 EUR.\nSource: shipping conditions of the shop",
        '{"days": "3 to 5", "price": "4.90 EUR"}',
        "It takes 3 to 5 days:\n```\nship --fast\n```",
        'They call it "standard shipping".',
        'It fits a box of 24 by 12 inches, that is 24" wide.',
        "We are closed on Sundays :(",
        "Mo., Di. und Mi. (außer Feiertags)",
        "»Standard« heißt 3 bis 5 Tage.",
        "Der Versand dauert „3 bis 5 Tage“.",
        "",
    ],
)  # fmt: skip
def test_answers_end_in_many_ways(answer: str) -> None:
    assert cut_end(answer, (MAIN,), EVIDENCE, "en") is None


def test_how_main_ends_shows_how_the_app_writes() -> None:
    unstopped = "Standard shipping takes 3 to 5 working days within Germany"
    assert cut_end("It needs 3 to 5 working days", (unstopped,), (), "en") is None
    assert cut_end("Shipping is priced as follows:", ("It is priced as follows:",), (), "en") is None
    assert cut_end("Standard shipping takes 3 to 5 working", (unstopped,), (), "en") is not None


@pytest.mark.parametrize(
    ("language", "cut", "whole"),
    [
        ("de", "Bringen Sie das Paket zu der", "Bringen Sie das Paket zu uns."),
        ("fr", "Apportez votre colis à la", "Apportez votre colis chez nous."),
        ("es", "Lleve su paquete a la", "Lleve su paquete a la tienda."),
        ("th", "การจัดส่งใช้เวลา 3 ถึง 5 วัน (ภายใน", "การจัดส่งใช้เวลา 3 ถึง 5 วัน"),
    ],
)
def test_words_that_end_nothing_are_the_languages_own(language: str, cut: str, whole: str) -> None:
    assert cut_end(whole, (whole,), (), language) is None
    assert (cut_end(cut, (whole,), (), language) is None) == (language == "th")
