"""Where a passage stands, verbatim: found as `passages` finds it, and given as the text has it."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from raggate_action.strings.passages import _traced, folded_text, place_of


@pytest.mark.parametrize(
    ("quote", "text", "found"),
    [
        ("The fee is 20 EUR", "Well. The fee is 20 EUR.", "The fee is 20 EUR"),
        ("  The fee is 20 EUR.\n", "Well. The fee is 20 EUR.", "The fee is 20 EUR."),
        ("THE FEE IS 20 eur", "Well. The fee is 20 EUR.", "The fee is 20 EUR"),
        ("the fee is 20 EUR", "The  fee\n is\t20\u00a0EUR.", "The  fee\n is\t20\u00a0EUR"),
        ("“The fee is 20 EUR…”", "Well. The fee is 20 EUR.", "The fee is 20 EUR"),
        ("The fee is 20 EUR", "The **fee** is `20 EUR`.", "The **fee** is `20 EUR"),
        ("The fee is 20 EUR", "The [fee](https://a.example/fees) is 20 EUR.", "The [fee](https://a.example/fees) is 20 EUR"),
        ("fee 20 EUR", "| fee | 20 EUR |", "fee | 20 EUR"),
        ("The fee is 20", "The ｆｅｅ is ２０.", "The ｆｅｅ is ２０"),
        ("The fee's due", "The fee’s due.", "The fee’s due"),
        ("purchase date", "the pur\u00adchase date", "pur\u00adchase date"),
        ("die Strasse bleibt", "Und die Straße bleibt.", "die Straße bleibt"),
        ("運費為二十歐元", "本店運費為\n二十歐元。", "運費為\n二十歐元"),
        ("the café is open", "the cafe\u0301 is open", "the cafe\u0301 is open"),
        ("\u0301x", "\u0301x", "\u0301x"),
    ],
)  # fmt: skip
def test_a_passage_is_given_as_the_text_has_it(quote: str, text: str, found: str) -> None:
    place = place_of(quote, text)
    assert place is not None
    assert text[place.start : place.end] == found


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("fee is 2", "The fee is 20 EUR."),
        ("0 EUR", "The fee is 20 EUR."),
        ("5 days", "within 1.5 days"),
        ("The fee ... EUR", "The fee is 20 EUR."),
        ("The fee is twenty EUR", "The fee is 20 EUR."),
        ("", "The fee is 20 EUR."),
        ("...", "The fee is 20 EUR ..."),
        ("fee", ""),
    ],
)
def test_what_is_not_there_word_for_word_has_no_place(quote: str, text: str) -> None:
    assert place_of(quote, text) is None


_MARKED = st.lists(
    st.sampled_from(["The fee", " ", "\n", "**", "_", "`", "|", "\\", "[a](b c)", "[a](b)", "<b>", "<!-- x -->", "é", "e\u0301", "ﬁ", "ß", "İ", "\u200b", "運", "費", "。", "20", "-", "“", "½", "\ud800"]),
    max_size=14,
).map("".join)  # fmt: skip


@given(st.one_of(_MARKED, st.text(max_size=30)))
def test_texts_are_spelt_as_passages_spells_them(text: str) -> None:
    traced = _traced(text)
    assert len(traced.text) == len(traced.places)
    # Characters that join with the one before although they are no accents (Hangul parts) are spelt apart.
    assume(not any(0x1100 <= ord(char) <= 0x11FF or 0x3130 <= ord(char) <= 0x318F for char in text))
    assert traced.text == folded_text(text)


@given(st.text(max_size=20), st.text(max_size=20), st.text(max_size=20))
def test_a_place_is_within_the_text_and_says_the_same(before: str, quote: str, after: str) -> None:
    text = f"{before} {quote} {after}"
    place = place_of(quote, text)
    if place is not None:
        assert 0 <= place.start < place.end <= len(text)
