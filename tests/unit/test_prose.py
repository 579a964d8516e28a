from __future__ import annotations

import re

import pytest

from raggate_action.core.prose import read_prose
from raggate_action.schema.suite import DEFAULT_CITATION_MARKERS

PATTERNS = tuple(re.compile(p) for p in DEFAULT_CITATION_MARKERS)


def read(text: str, context: tuple[str, ...] = ("c1", "c2")) -> list[tuple[str, tuple[str, ...]]]:
    prose = read_prose(text, context, patterns=PATTERNS, known=frozenset(context), language="en")
    return [(claim.text, claim.citations) for claim in prose.claims]


def declined(text: str) -> bool:
    return read_prose(text, (), patterns=PATTERNS, known=frozenset(), language="en").declined


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Tea is hot [c1]. Ice is cold [c2].", [("Tea is hot.", ("c1",)), ("Ice is cold.", ("c2",))],
                     id="a marker inside its sentence"),
        pytest.param("Tea is hot. [c1] Ice is cold.", [("Tea is hot.", ("c1",)), ("Ice is cold.", ())],
                     id="a marker behind the stop belongs to the sentence before"),
        pytest.param("Tea is hot [1][2].", [("Tea is hot.", ("c1", "c2"))], id="positions in the context"),
        pytest.param("Tea is hot [1, 2].", [("Tea is hot.", ("c1", "c2"))], id="two in one bracket"),
        pytest.param("Tea is hot【2】.", [("Tea is hot.", ("c2",))], id="lenticular brackets"),
        pytest.param("Tea is hot【1†L3-L9】.", [("Tea is hot.", ("c1",))], id="with a line range"),
        pytest.param("Tea is hot [7].", [("Tea is hot.", ("7",))], id="no such position stays as written"),
        pytest.param("Tea is hot [doc-9].", [("Tea is hot.", ("doc-9",))], id="an unknown id stays as written"),
        pytest.param("He said [sic] tea.", [("He said [sic] tea.", ())], id="a bracketed word is prose"),
        pytest.param("See [1](http://x.test) now.", [("See [1](http://x.test) now.", ())], id="a link is no citation"),
        pytest.param("It costs 3.50 EUR, e.g. at Dr. Wu's. Fine.", [("It costs 3.50 EUR, e.g. at Dr. Wu's.", ()), ("Fine.", ())],
                     id="decimals and abbreviations do not split"),
        pytest.param("It takes approx. 5 min. in all.", [("It takes approx. 5 min. in all.", ())],
                     id="abbreviations before a digit or a small letter do not split"),
        pytest.param("A line\nthat wraps.", [("A line that wraps.", ())], id="a soft wrap is a space"),
        pytest.param("# Heading\nTea is hot.", [("Tea is hot.", ())], id="headings assert nothing"),
        pytest.param("Good ones are:\n- **Tea** [c1]\n- Ice", [("Good ones are: Tea", ("c1",)), ("Good ones are: Ice", ())],
                     id="list items stand behind their lead-in"),
        pytest.param("Good ones are:\n\n1. Tea\n2. Ice", [("Good ones are: Tea", ()), ("Good ones are: Ice", ())],
                     id="a blank line may part lead-in and list"),
        pytest.param("- Tea is hot.\n- Ice is cold.", [("Tea is hot.", ()), ("Ice is cold.", ())], id="a list without lead-in"),
        pytest.param("| Dish | Price |\n|---|---:|\n| Tea | 3 [c1] |\n", [("Dish: Tea; Price: 3", ("c1",))],
                     id="table rows are read with their heads"),
        pytest.param("Hello! Tea is hot. Would you like some?", [("Tea is hot.", ())], id="greetings and questions are no claims"),
        pytest.param("Sure, take the lentil soup.", [("Sure, take the lentil soup.", ())], id="a courtesy that goes on is a claim"),
        pytest.param("Enjoy the nut-free pilaf!", [("Enjoy the nut-free pilaf!", ())], id="a wish with a fact in it is a claim"),
        pytest.param("I recommend the octopus.", [("I recommend the octopus.", ())], id="a recommendation is a claim"),
        pytest.param("Please ask the staff.", [], id="a referral is no claim"),
        pytest.param("", [], id="nothing"),
        pytest.param(" \n\n---\n", [], id="layout only"),
    ],
)  # fmt: skip
def test_claims_of_prose(text: str, expected: list[tuple[str, tuple[str, ...]]]) -> None:
    assert read(text) == expected


def test_a_claim_knows_its_place() -> None:
    text = "Hi! Tea is hot [c1]. Ice is **cold**."
    prose = read_prose(text, ("c1",), patterns=PATTERNS, known=frozenset({"c1"}), language="en")
    assert [text[c.start : c.end] for c in prose.claims] == ["Tea is hot [c1].", "Ice is **cold**."]


@pytest.mark.parametrize(
    "text",
    [
        "I don't know.",
        "The menu does not say which dishes contain nuts. Please ask the staff.",
        "I’m sorry. I cannot confirm that any dish is gluten-free, but the kitchen can help.",
        "No chunk states a wine pairing for the lamb.",
        "There is no signature dish named on the menu.",
        "Calories aren't listed.",
        "The policy never mentions weekends.",
        "There is not enough information to answer.",
        "I could not find a refund limit in the sources.",
    ],
)
def test_declining_is_recognised(text: str) -> None:
    assert declined(text), text


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("The policy does not mention approval, so you can deploy.", id="concludes from the gap"),
        pytest.param("I can't recommend a wine, but the Syrah goes well with lamb.", id="declines and then answers"),
        pytest.param("The menu does not list calories. The kofta has 420.", id="one sentence declines, one answers"),
        pytest.param("The kofta contains no nuts.", id="a negative statement is a statement"),
        pytest.param("The policy states no approval is needed.", id="a negative rule is a rule"),
        pytest.param("You cannot deploy without approval.", id="a prohibition is an answer"),
        pytest.param("", id="silence"),
    ],
)
def test_an_answer_is_no_declining(text: str) -> None:
    assert not declined(text), text


@pytest.mark.parametrize(
    "piece",
    ["a. ", "- x\n", "| x | y |\n", "x:\n", "[c1]", "i do not ", "*a", "*a ", "__a ", "`a ", "\u202e", "。", "no "],
)
def test_reading_is_linear_enough_for_hostile_length(piece: str) -> None:
    read(piece * 20_000)  # quadratic work would not end within the suite's patience
