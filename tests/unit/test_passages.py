"""A quoted passage, found again however the document is cut; and what only looks like it."""

from __future__ import annotations

import pytest

from raggate_action.strings.passages import Text, begun_in, ended_in, folded_quote, holders

QUOTE = "Refunds are **paid** within 15 days after the purchase."

THERE = {
    "in one chunk": (["Dogs may stay. Refunds are paid within 15 days after the purchase. Cats too."], (0,)),
    "in another case": (["REFUNDS ARE PAID WITHIN 15 DAYS AFTER THE PURCHASE"], (0,)),
    "over broken lines": (["refunds are\n  paid within\t15 days\nafter the purchase, but"], (0,)),
    "in a list, with emphasis and a link": (
        ["- Refunds are _paid_ within [15 days](https://a.example/b) `after` the purchase"],
        (0,),
    ),
    "in a table": (["| Refunds are paid | within 15 days after the purchase |\n|---|---|"], (0,)),
    "with hard spaces and a soft hyphen": (["Refunds are paid within 15\u00a0days after the pur\u00adchase"], (0,)),
    "at the end of one and the start of another": (["x. Refunds are paid", "within 15 days after the purchase."], (0, 1)),
    "with an overlap": (["x. Refunds are paid within 15 days", "paid within 15 days after the purchase. y"], (0, 1)),
    "in two chunks that were ranked the other way round": (["days after the purchase", "Refunds are paid within 15"], (1, 0)),
    "cut inside a word": (["Refunds are paid wit", "hin 15 days after the purchase"], (0, 1)),
    "cut where the splitter dropped what it cut at": (["Refunds", "are paid within 15 days after the purchase"], (0, 1)),
    "with one long stop between": (["Refunds are paid within 15 days --", "-- after the purchase"], (0, 1)),
}  # fmt: skip
NOT_THERE = {
    "half of it alone": ["Refunds are paid within 15 days", "Dogs may stay."],
    "the other half alone": ["15 days after the purchase."],
    "its end before its start": ["within 15 days after the purchase. Refunds are paid"],
    "its halves at the wrong ends": ["Refunds are paid within. Dogs stay.", "Dogs. 15 days after the purchase"],
    "its words spread over a chunk": ["Refunds of all kinds are paid, within reason, 15 days after the purchase."],
    "its words spread over the list": ["Refunds are", "paid within", "15 days", "after the purchase"],
    "a number more": ["Refunds are paid within 115 days after the purchase."],
    "another number": ["Refunds are paid within 30 days after the purchase."],
    "a number made by the cut": ["Refunds are paid within 1", "5 days after the purchase."],
    "a word that goes on": ["Prerefunds are paid within 15 days after the purchases."],
    "nothing at all": [],
    "empty texts": ["", " ", "**"],
}


@pytest.mark.parametrize("name", THERE)
def test_a_passage_is_there(name: str) -> None:
    texts, places = THERE[name]
    assert holders(QUOTE, [Text(text) for text in texts]) == places


@pytest.mark.parametrize("name", NOT_THERE)
def test_a_passage_is_not_there(name: str) -> None:
    assert holders(QUOTE, [Text(text) for text in NOT_THERE[name]]) == ()


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("5 days after the purchase", "within 15 days after the purchase"),
        ("5 days after the purchase", "within 1.5 days after the purchase"),
        ("5 days after the purchase", "within 3-5 days after the purchase"),
        ("the total came to 30", "the total came to 30.5"),
        ("the total came to 30", "the total came to 30,000"),
    ],
)
def test_a_number_is_never_part_of_a_longer_one(quote: str, text: str) -> None:
    assert holders(quote, [Text(text)]) == ()


def test_two_halves_of_different_documents_are_no_passage() -> None:
    first, second = "Refunds are paid within 15", "days after the purchase"
    assert holders(QUOTE, [Text(first, "a"), Text(second, "a")]) == (0, 1)
    assert holders(QUOTE, [Text(first, "a"), Text(second, None)]) == (0, 1)
    assert holders(QUOTE, [Text(first, "a"), Text(second, "b")]) == ()


def test_every_chunk_that_holds_it_whole_is_named() -> None:
    whole = "Refunds are paid within 15 days after the purchase."
    assert holders(QUOTE, [Text(whole), Text("x"), Text(f"y {whole} z")]) == (0, 2)


def test_scripts_without_spaces() -> None:
    quote = "返金は30日以内に行われます"
    assert holders(quote, [Text("当社では返金は 30日以内に\n行われます。")]) == (0,)
    assert holders(quote, [Text("当社では返金は30日以"), Text("内に行われます。")]) == (0, 1)
    assert holders(quote, [Text("返金は130日以内に行われます")]) == ()


def test_a_quote_of_marks_alone_is_empty() -> None:
    assert folded_quote(" ** -- | … ") == ""
    assert holders("** --", [Text("** -- **")]) == ()


def test_a_part_is_found_whichever_piece_of_it_comes_first() -> None:
    """The longest end and the longest start count, where a letter or a word of the quote repeats."""
    quote = "to be or not to be told to"
    assert begun_in(quote, "it is to be or not to be") == len("to be or not to be")
    assert begun_in(quote, "he wants to") == len("to")
    assert begun_in(quote, "tomato") == 0
    assert ended_in(quote, "not to be told to, he said") == len("not to be told to")
    assert ended_in(quote, "told to") == len("told to")
    assert ended_in(quote, "told tomorrow") == 0
