"""Signs, percent and bounds belong to a number, and what only looks like one does not."""

from __future__ import annotations

import pytest

from raggate_action.core.evidence_checks.claim_check import findings_on
from raggate_action.core.evidence_checks.evidence_index import IndexCache
from raggate_action.core.text.text import Text

FREEZER = "Store the samples in the freezer at {} for two days."
CHARGE = "The service charge is {} for each booking of the hall."
HALL = "The large hall is rented for {} guests in the summer."
OTHERS = [
    (FREEZER, "-20 degrees", "20 degrees"),
    (FREEZER, "20 °C", "−20 °C"),
    (FREEZER, "20 degrees", "minus 20 degrees"),
    (CHARGE, "15%", "15"),
    (CHARGE, "15", "15 percent"),
    (HALL, "> 180", "180"),
    (HALL, "180", "more than 180"),
    (HALL, "< 180", "> 180"),
]
SAME = [
    (FREEZER, "-20 degrees", "minus 20 degrees"),
    (FREEZER, "–20 °C", "20 degrees below zero"),
    (FREEZER, "10-20 degrees", "10 to 20 degrees"),
    (FREEZER, "-20 to -10 °C", "-20 °C to -10 °C"),
    (CHARGE, "15 percent", "15%"),
    (CHARGE, "15 EUR", "-15 EUR"),
    (HALL, "over 180", "more than 180"),
    (HALL, "> 180", "over 180"),
    (HALL, "180", "up to 180"),
    (HALL, "180", "no more than 180"),
    (HALL, "180+", "over 180"),
]
BESIDE = [
    ("The fair opens on 24 November 2026 in the hall.", "The fair opens on 2026-11-24 in the hall."),
    ("The oven needs 20 degrees for dough.", "The oven:\n- 20 degrees for dough\n- 200 degrees for bread"),
    ("The valve of the heater is the A-20.", "Order the A-20 for the valve of the heater."),
    ("The slope of the roof is 20 degrees.", "The roof has a 20-degree slope."),
    ("Loan A has a rate of 15%.", "| Product | Rate (%) |\n| Loan A | 15 |\n| Loan B | 12 |"),
    ("Students get 15% off the pass.", "Discount: -15% for students on the pass."),
    ("Open Settings > 2FA to turn it on.", "Click Settings > 2FA to turn it on."),
]


def found(claim: str, source: str, language: str = "en") -> list[str]:
    """The findings on a claim that is held against one chunk."""
    shown = IndexCache(language).shown([("c1", source)])
    return [each.reason for each in findings_on(Text(claim, language), shown)]


@pytest.mark.parametrize(("text", "ours", "theirs"), OTHERS)
def test_another_sign_percent_or_bound_is_another_value(text: str, ours: str, theirs: str) -> None:
    assert found(text.format(ours), text.format(theirs))
    assert found(text.format(theirs), text.format(ours))


@pytest.mark.parametrize(("text", "ours", "theirs"), SAME)
def test_the_same_in_another_spelling_is_no_finding(text: str, ours: str, theirs: str) -> None:
    assert found(text.format(ours), text.format(theirs)) == []
    assert found(text.format(theirs), text.format(ours)) == []


@pytest.mark.parametrize(("claim", "source"), BESIDE)
def test_a_range_bullet_date_or_code_has_no_sign(claim: str, source: str) -> None:
    assert found(claim, source) == []


@pytest.mark.parametrize(
    ("language", "signed", "said"),
    [
        ("de", "Die Probe wird bei -18 °C gelagert.", "Die Probe wird bei minus 18 Grad gelagert."),
        ("fr", "L'échantillon est conservé à -18 °C.", "L'échantillon est conservé à moins 18 degrés."),
        ("es", "La muestra se guarda a -18 °C.", "La muestra se guarda a 18 grados bajo cero."),
    ],
)
def test_signs_are_read_in_other_languages(language: str, signed: str, said: str) -> None:
    assert found(said, signed, language) == []
    assert found(signed.replace("-", ""), signed, language)
