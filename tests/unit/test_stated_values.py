"""A value is stated in any style that says the same, and by no other number, unit, sign or bound."""

from __future__ import annotations

import pytest

from raggate_action.core.evidence_checks.stated_values import states_value

VALUES = [
    ("6 people", "en", ["Each table seats six.", "Up to 6 guests.", "Es passen sechs Personen."],
     ["It costs 6 euros.", "6 hours", "16 people", "Room for 8 people at 6 tables.", "More than 6 people."]),
    ("10 am to 4 pm", "en", ["Open 10:00–16:00.", "Open from 10 to 16.", "Von 10 bis 16 Uhr geöffnet."],
     ["Open 10:00–17:00.", "From 4 to 8 pm."]),
    ("0.40 EUR", "en", ["It is 40 cents.", "€0.40", "0,40 € je Seite", "forty cents"], ["$0.40", "4 cents", "40 EUR"]),
    ("13%", "en", ["13 percent", "thirteen per cent", "Es sind 13 Prozent."], ["13", "13 EUR", "1.3%"]),
    ("1.234,50 EUR", "de", ["1234,50 €", "1.234,50 Euro"], ["1.234 EUR", "123450 EUR"]),
    ("-20 degrees", "en", ["minus 20 degrees", "−20 °C", "20 degrees below zero"], ["20 degrees", "-25 degrees"]),
    ("15", "en", ["15", "fifteen seats"], ["15%", "15 EUR", "15 days", "> 15"]),
    ("more than 180 guests", "en", ["over 180", "> 180 guests", "mehr als 180 Gäste"], ["180 guests", "< 180 guests"]),
    ("14 days", "en", ["two weeks", "vierzehn Tage"], ["14 hours", "15 days", "14"]),
    ("1 hour", "en", ["an hour", "60 minutes"], ["1 day"]),
    ("15 kg", "en", ["15 to 130 kg", "At most 130 kg, and at least 15."], ["15 g", "150 kg"]),
    ("50%", "en", ["half of the price"], ["half an hour", "a third of the price"]),
    ("24 November 2026", "en", ["2026-11-24", "24.11.2026", "on 24 November"], ["25 November 2026", "24 November 2025"]),
    ("support@x.example", "en", ["Write to Support@x.example."], ["support@y.example"]),
    ("A-20", "en", ["Order the A-20."], ["Order the A-21."]),
]  # fmt: skip


@pytest.mark.parametrize(("value", "language", "stated", "others"), VALUES, ids=[each[0] for each in VALUES])
def test_a_value_is_stated_in_any_style_and_by_no_other(
    value: str, language: str, stated: list[str], others: list[str]
) -> None:
    assert [text for text in stated if not states_value(text, value, language)] == []
    assert [text for text in others if states_value(text, value, language)] == []
