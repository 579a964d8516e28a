"""One falsehood in other words, and two falsehoods that look alike."""

from __future__ import annotations

from typing import Any

import pytest

from raggate_action.core.claims.false_claim_identity import (
    ClaimMeaning,
    is_same,
    may_stand_in,
    statement_in,
    statement_of,
    values_of,
)
from raggate_action.schema.case_run import Claim, Finding, Hallucination
from tests.row_builders import make_row

RETURNS = "Parcels can be returned within 30 days of delivery."
BAGGAGE = {"hold": "Hold baggage may weigh up to 20 kg.", "cabin": "Cabin baggage may weigh up to 8 kg."}


def false(text: str, *, quote: str | None = None, chunk: str | None = "c1") -> ClaimMeaning:
    """A claim that a label makes false, as a row tells it."""
    found = Hallucination(kind="claim", key=text, text=text, chunk_id=chunk, quote=quote)
    return statement_in(found, make_row(0, claims=(Claim(claim_id="1", text=text, verdict="unsupported"),)))


def conflict(text: str, wrong: str, *, at: int = 0, certain: bool = True, chunk: str = "c1") -> Claim:
    """A claim with a finding on `wrong`, against the sentence that begins at `at`."""
    start = text.index(wrong)
    finding = Finding(
        kind="conflict",
        code="number",
        start=start,
        end=start + len(wrong),
        chunk_id=chunk,
        chunk_start=at,
        chunk_end=at + 10,
        reason="the chunk says otherwise",
        certain=certain,
        key=f"{chunk}:{wrong}",
    )
    verdict = "contradicted" if certain else "unverified"
    return Claim(claim_id="1", text=text, verdict=verdict, findings=(finding,))  # type: ignore[arg-type]


REWORDED = [
    ("Parcels can be returned within 60 days.", "You may return a parcel up to 60 days after delivery.", RETURNS),
    ("There is 60 days for members.", "Members get sixty days.", RETURNS),
    ("Members can return within 60 days.", "60 days from delivery is what members have.", RETURNS),
    ("Customers may cancel within 60 days of purchase.", "Clients may cancel up to 60 days after buying.", RETURNS),
    ("The baklava is free of nuts.", "Baklava contains no nuts at all.", "Baklava: filo pastry, walnuts, honey."),
    ("Gift cards are paid out in shops.", "In our shops gift cards can be paid out.", None),
    ("Sale items can be returned at any time.", "You can return sale items whenever you like.", None),
    ("Delivery is free above 50 euros.", "For orders above 50 EUR delivery is free.", None),
    ("Pakete können 60 Tage zurückgegeben werden.", "Sie können Pakete 60 Tage zurückgeben.", None),
]
OTHERS = [
    ("Bags may weigh 20 kg.", "Bags may weigh 25 kg.", None, "the same words and another value"),
    ("Bags may weigh 20 kg.", "Bags may weigh 20 lb.", None, "another unit"),
    ("The fee is $5.", "The fee is 5 euros.", None, "another currency"),
    ("The desk opens on 3 May.", "The desk opens on 4 May.", None, "another day"),
    ("Sale items can be returned.", "Sale items cannot be returned.", None, "the contrary"),
    ("The baklava is free of nuts.", "The moussaka is free of nuts.", "Baklava: walnuts. Moussaka: pine nuts.", "dish"),
    (
        "Shipping is free for members.",
        "Gift wrapping is free for members.",
        "Shipping and gift wrapping cost 3.",
        "of two",
    ),
    ("Returns are accepted in shops.", "Shops sell train tickets.", None, "another subject with a word in common"),
    ("Gift wrapping costs 5 euros.", "Express costs 5 euros.", "Standard shipping costs 3 euros.", "the value alone"),
    ("Bags may weigh 25 kg.", "Bags may weigh 25 kg for 99 euros.", None, "one value more"),
    ("Refunds are paid at once.", "Refunds are paid within 3 days.", None, "a value where there was none"),
]


@pytest.mark.parametrize(("before", "after", "quote"), REWORDED)
def test_a_rewording_is_the_same_falsehood(before: str, after: str, quote: str | None) -> None:
    assert is_same(false(before, quote=quote), false(after, quote=quote))
    assert is_same(false(after, quote=quote), false(before, quote=quote))


@pytest.mark.parametrize(("before", "after", "quote", "why"), OTHERS)
def test_another_falsehood_is_not(before: str, after: str, quote: str | None, why: str) -> None:
    assert not is_same(false(before, quote=quote), false(after, quote=quote)), why
    if why != "one value more":
        assert not is_same(false(after, quote=quote), false(before, quote=quote)), why


def test_two_falsehoods_against_two_sentences_of_one_chunk_are_two() -> None:
    hold = false("Hold baggage on all our flights may weigh up to 25 kg.", quote=BAGGAGE["hold"])
    cabin = false("Cabin baggage on all our flights may weigh up to 25 kg.", quote=BAGGAGE["cabin"])
    assert not is_same(hold, cabin)
    assert is_same(hold, false("On our flights hold baggage weighs at most 25 kilograms.", quote=BAGGAGE["hold"]))


def test_the_same_wrong_value_against_the_same_sentence_is_the_same_whatever_the_words() -> None:
    one = statement_of(conflict("Send it back inside of 60 days.", "60 days"))
    assert is_same(
        one, statement_of(conflict("Sixty days: that is how long a purchase may be brought in.", "Sixty days"))
    )
    assert not is_same(one, statement_of(conflict("Send it back inside of 90 days.", "90 days")))
    assert not is_same(one, statement_of(conflict("Sixty days is the guarantee on watches.", "Sixty days", at=90)))


def test_far_apart_in_the_evidence_only_nearly_the_same_words_are_the_same() -> None:
    one = false("Parcels can be returned within 60 days.")
    assert not is_same(one, false("Parcels are kept within reach for 60 days.", chunk="c2"))
    assert is_same(one, false("Parcels can be returned within 60 days.", chunk="c2"))


@pytest.mark.parametrize(
    ("claim", "stands"),
    [
        pytest.param(conflict("Perhaps 60 days are fine.", "60 days", certain=False), True, id="worded softer"),
        pytest.param(Claim(claim_id="1", text="It may be 60 days, roughly."), True, id="no finding sees it any more"),
        pytest.param(Claim(claim_id="1", text="Parcels can be returned for 30 days."), False, id="another value"),
        pytest.param(Claim(claim_id="1", text="Parcels are never taken back after 60 days."), False, id="a denial"),
        pytest.param(Claim(claim_id="1", text="The desk is open for 60 minutes."), False, id="another thing"),
        pytest.param(Claim(claim_id="1", text=""), True, id="a claim that nobody can read may be any"),
    ],
)
def test_what_may_stand_still(claim: Claim, stands: bool) -> None:  # noqa: FBT001
    past = statement_of(conflict("Parcels can be returned within 60 days.", "60 days"))
    assert may_stand_in(past, statement_of(claim)) is stands


def test_what_cannot_be_read_is_never_the_same() -> None:
    nothing: Any = ClaimMeaning()
    assert not is_same(nothing, nothing)
    assert may_stand_in(nothing, statement_of(Claim(claim_id="1", text="Tea is hot.")))


def test_a_further_suspect_value_of_a_claim_that_was_false_before_is_not_found_again() -> None:
    before = statement_of(conflict("Bags may weigh 25 kg.", "25 kg"))
    claim = conflict("Bags may weigh up to 25 kg for 99 euros.", "25 kg")
    fee = Finding(kind="absent", code="money", start=claim.text.index("99"), end=len(claim.text) - 1, reason="nowhere")
    assert is_same(before, statement_of(claim))
    assert values_of(claim.findings[0], claim.text) <= before.values
    assert not values_of(fee, claim.text) <= before.values
