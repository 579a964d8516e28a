"""The facts of a right answer: the same for everybody who is asked about them."""

from __future__ import annotations

import pytest

from raggate_action.core.text.reference_facts import facts_of


@pytest.mark.parametrize(
    ("reference", "facts"),
    [
        pytest.param("40 EUR", ("40 EUR",), id="a value alone"),
        pytest.param(
            "The fee is 20 EUR and the deposit is refunded. Dogs stay free.",
            ("The fee is 20 EUR", "the deposit is refunded.", "Dogs stay free."),
            id="propositions of one sentence",
        ),
        pytest.param("Cats and dogs may stay.", ("Cats and dogs may stay.",), id="one proposition of two subjects"),
        pytest.param(
            "Refunds are possible:\n- within thirty days\n- with a receipt",
            ("Refunds are possible: within thirty days", "Refunds are possible: with a receipt"),
            id="items behind what introduces them",
        ),
        pytest.param(
            "Soup is vegan. We cannot rule out traces of nuts.",
            ("Soup is vegan.", "We cannot rule out traces of nuts."),
            id="that something cannot be told is a fact",
        ),
        pytest.param("Please ask the front desk.", ("Please ask the front desk.",), id="whom to ask is a fact"),
        pytest.param("It is free. Thank you for asking!", ("It is free.",), id="a courtesy is none"),
        pytest.param("It is free. Can I help you with anything else?", ("It is free.",), id="a question is none"),
        pytest.param("Thank you!", ("Thank you!",), id="nothing but a courtesy"),
        pytest.param("It is free. It is free.", ("It is free.",), id="each once"),
        pytest.param("| Dish | Price |\n|---|---|\n| Soup | 6 EUR |", ("Dish: Soup; Price: 6 EUR",), id="a row"),
        pytest.param(
            "返金は30日以内に行われます。送料は無料です。",
            ("返金は30日以内に行われます。", "送料は無料です。"),
            id="ja",
        ),
        pytest.param(" \n", (), id="nothing"),
    ],
)
def test_facts(reference: str, facts: tuple[str, ...]) -> None:
    assert facts_of(reference, "en") == facts
    assert facts_of(reference, "en") == facts_of(reference, "en")
