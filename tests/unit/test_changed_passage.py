"""What a document says now in the place of a quote that it no longer holds."""

from __future__ import annotations

import pytest

from raggate_action.strings.changed_passage import changed_passage

QUOTE = "A single item is covered up to 400 euros."
LONG = "You must report a theft to the police and send us the report that they give you before you fly home"


@pytest.mark.parametrize(
    ("quote", "text", "now"),
    [
        pytest.param(QUOTE, "Bags. A single item is covered up to 500 euros. Not cash.",
                     "A single item is covered up to 500 euros", id="another value"),
        pytest.param(QUOTE, "A single item is covered up to €500 each, euros or not.", "", id="a value in other words"),
        pytest.param("The Basic plan costs 10 euros per month", "The Pro plan costs 20 euros per month", "",
                     id="another plan"),
        pytest.param(QUOTE, "A single stay is covered up to 900 euros.", "", id="another thing"),
        pytest.param(QUOTE, "Cash is never covered.", "", id="nothing like it"),
        pytest.param(QUOTE, "", "", id="no text"),
        pytest.param(QUOTE, "a single item is covered, up to 400 euros", "", id="the same words"),
        pytest.param("up to 400 euros", "up to 500 euros", "", id="too few words to know"),
        pytest.param(LONG, LONG.replace("police", "consulate"), LONG.replace("police", "consulate"),
                     id="one of twenty words"),
        pytest.param(LONG, LONG.replace("police", "consulate").replace("fly", "sail").replace("theft", "loss"), "",
                     id="three of twenty"),
    ],
)  # fmt: skip
def test_a_changed_passage(quote: str, text: str, now: str) -> None:
    assert changed_passage(quote, [text]) == now


def test_the_nearest_is_shown_of_several() -> None:
    texts = ["Up to 500 euros a single item is covered.", "A single item is covered up to 500 euros."]
    assert changed_passage(QUOTE, texts) == texts[1].rstrip(".")


def test_what_the_question_names_stays() -> None:
    zones = "Parking in zone 1 costs 3 euros per hour.", ["Parking in zone 2 costs 4 euros per hour."]
    assert changed_passage(*zones) == "Parking in zone 2 costs 4 euros per hour"
    assert changed_passage(*zones, question="What does zone 1 cost?") == ""
