from __future__ import annotations

import re

import pytest

from raggate_action.core.text.prose import Expected, read_prose
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
        pytest.param("**Drinks**\n\n- Tea is hot.\n\n**More drinks:**\n1. Ice is cold.", [("Tea is hot.", ()), ("Ice is cold.", ())],
                     id="nor do bold ones of a list"),
        pytest.param("**Within 30 days**\n- Tea is hot.", [("Within 30 days", ()), ("Tea is hot.", ())], id="a bold number asserts it"),
        pytest.param("**Tea**\n\nIce is cold.", [("Tea", ()), ("Ice is cold.", ())], id="a bold answer above a paragraph is one"),
        pytest.param("**Tea is hot. Ice is cold.**", [("Tea is hot.", ()), ("Ice is cold.", ())], id="bold over two sentences"),
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
        pytest.param("Tea is hot[^1]. Ice is cold[^2].\n\n[^1]: handbook, page 3\n[^2]: see c1, page 9",
                     [("Tea is hot.", ("c1",)), ("Ice is cold.", ("c1",))],
                     id="a footnote cites the chunk its definition names, else by position; a definition is no claim"),
        pytest.param("Tea is hot[^a].\n\n[^a]: The handbook\n    goes on here.", [("Tea is hot.", ())],
                     id="a footnote that names nothing cites nothing"),
        pytest.param("Tea is hot [1].\n\nSources:\n[1] Handbook, page 3\n- Rules of the house\n- https://x.test/a",
                     [("Tea is hot.", ("c1",))], id="a list of sources is no claim"),
        pytest.param("Tea is hot [1].\n\n## Sources\n[1] Handbook.\n\nIce is cold.", [("Tea is hot.", ("c1",)), ("Handbook.", ("c1",)), ("Ice is cold.", ())],
                     id="sources stand at the end or are read"),
        pytest.param("Tea is hot [1].\n\n[1]: handbook, page 3.\n", [("Tea is hot.", ("c1",))], id="a mark explained at the end"),
        pytest.param("[c1]: Tea is hot.", [("Tea is hot.", ("c1",))], id="a mark that nothing cited before explains nothing"),
        pytest.param('Tea is hot.\n\n[docs]: https://x.test/a "The docs"\n[more]: ../more.md', [("Tea is hot.", ())],
                     id="link reference definitions"),
        pytest.param("Tea is hot.\n\n[Note]: The kofta is nut-free.", [("Tea is hot.", ()), ("[Note]: The kofta is nut-free.", ())],
                     id="a bracketed word and a colon define no link"),
        pytest.param("Tea is hot.\n```python\nprint('Ice is cold.')\n```\nIce is cold.", [("Tea is hot.", ()), ("Ice is cold.", ())],
                     id="fenced code beside prose"),
        pytest.param("```\nTea is hot.\n```", [("Tea is hot.", ())], id="an answer that is nothing but code is read"),
        pytest.param("```markdown\nTea is hot.\n```\nIce is cold.", [("Tea is hot.", ()), ("Ice is cold.", ())], id="prose in a fence"),
        pytest.param("Tea is hot.\n---\nIce is cold.\n***\nSnow is white.\n___\nIt ends here.\n* * *",
                     [("Tea is hot.", ()), ("Ice is cold.", ()), ("Snow is white.", ()), ("It ends here.", ())], id="rules part paragraphs"),
        pytest.param("About tea\n---\nTea is hot.\n\nIce\n===\nIt is cold.", [("Tea is hot.", ()), ("It is cold.", ())], id="underlined headings"),
        pytest.param("<p><b>Tea</b> is hot.</p><p>H<sub>2</sub>O is wet.<br/>\n</details>\n3 < 4 and a > b.<!-- no -->",
                     [("Tea is hot.", ()), ("H2O is wet.", ()), ("3 < 4 and a > b.", ())], id="HTML tags and comments"),
        pytest.param("> Tea is hot.\n> It is brewed long.", [("Tea is hot.", ()), ("It is brewed long.", ())], id="quotation bars"),
        pytest.param("Rules:\n- Refunds:\n  - within 30 days\n  - with receipt\n- Shipping is free",
                     [("Rules: Refunds: within 30 days", ()), ("Rules: Refunds: with receipt", ()), ("Rules: Shipping is free", ())],
                     id="a list within a list"),
        pytest.param("茶は熱い[1]。氷は【2】冷たい。", [("茶は熱い。", ("c1",)), ("氷は 冷たい。", ("c2",))], id="markers in a script without spaces"),
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
    ("text", "expected"),
    [
        pytest.param("I’m sorry. I cannot confirm that any dish is gluten-free, but the kitchen can help.", True, id="beside courtesy"),
        pytest.param("The menu does not say which dishes contain nuts. Please ask the staff.", True, id="and sends elsewhere"),
        pytest.param("- The menu does not mention nuts.\n- Calories aren't listed.", True, id="in a list"),
        pytest.param("The menu does not list calories. The kofta has 420.", False, id="one sentence declines, one answers"),
        pytest.param("| Dish | Nuts |\n|---|---|\n| Kofta | not stated |", False, id="a table row states something"),
        pytest.param("Hello! Would you like a starter?", False, id="asks only"),
        pytest.param("", False, id="silence"),
    ],
)  # fmt: skip
def test_an_answer_declines_when_every_sentence_with_a_claim_does(text: str, expected: bool) -> None:  # noqa: FBT001
    assert declined(text) is expected


@pytest.mark.parametrize(
    "piece",
    [
        "a. ",
        "- x\n",
        "| x | y |\n",
        "x:\n",
        "[c1]",
        "i do not ",
        "*a",
        "*a ",
        "__a ",
        "`a ",
        "\u202e",
        "。",
        "no ",
        "[^1]",
        "```\n",
        "> ",
        "<b ",
    ],
)
def test_reading_is_linear_enough_for_hostile_length(piece: str) -> None:
    read(piece * 20_000)  # quadratic work would not end within the suite's patience


def test_a_referral_that_cites_or_makes_a_required_point_is_a_claim() -> None:
    def claims(text: str, *phrases: str) -> list[str]:
        expected = Expected(phrases=phrases)
        return [
            claim.text
            for claim in read_prose(
                text, ("c1",), patterns=PATTERNS, known=frozenset({"c1"}), language="en", expected=expected
            ).claims
        ]

    assert claims("Tea is hot. Contact the travel desk.") == ["Tea is hot."]
    assert claims("Tea is hot. Contact the travel desk [1].") == ["Tea is hot.", "Contact the travel desk."]
    assert claims("Tea is hot. Contact the Travel  Desk.", "travel desk") == ["Tea is hot.", "Contact the Travel Desk."]
    assert claims("Contact the travel desk.", "travel desk") == ["Contact the travel desk."]
    assert claims("Tea is hot. Shall I ask the travel desk?", "travel desk") == ["Tea is hot."]
    assert claims("I don't know. Contact the travel desk.", "window") == []
