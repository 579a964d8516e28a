"""An author's label does not decide for a claim that denies what its phrases say."""

from __future__ import annotations

from typing import Any

import pytest

from raggate_action.core.claims.polarity import deny_alike
from tests.builders import judge, make_case, make_chunk, make_rules, make_store, make_trace

TEXT = "A deploy requires a linked rollback plan. Friday deploys must not start without approval."


def verdict(text: str, phrase: str) -> tuple[str, list[str]]:
    claim: dict[str, Any] = {"claim_id": "a", "text": text, "citation_ids": ["c1"], "support_phrases": [phrase]}
    trace = make_trace(answer={"text": text, "claims": [claim]}, context=["c1"])
    (found,) = judge(make_case(), trace, make_rules(make_store(make_chunk("c1", TEXT)))).claims
    return found.verdict, [f"{finding.kind} {finding.code}" for finding in found.findings]


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        pytest.param("A deploy needs a linked rollback plan.", "a linked rollback plan", id="it affirms"),
        pytest.param("No deploy starts without a linked rollback plan.", "a linked rollback plan", id="twice denied"),
        pytest.param("Friday deploys need approval.", "must not start without approval", id="the source denies twice"),
        pytest.param("No, Friday deploys mustn't start without approval.", "must not start without approval", id="no, which answers"),
    ],
)  # fmt: skip
def test_a_label_decides_where_claim_and_source_agree(text: str, phrase: str) -> None:
    assert verdict(text, phrase) == ("supported", [])


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        pytest.param("It is never the case that a deploy requires a linked rollback plan.", "a linked rollback plan", id="never the case"),
        pytest.param("A deploy may start without a linked rollback plan.", "a linked rollback plan", id="without"),
        pytest.param("A deploy doesn't require a linked rollback plan.", "requires a linked rollback plan", id="doesn't"),
    ],
)  # fmt: skip
def test_a_claim_that_denies_what_its_label_says_stays_open(text: str, phrase: str) -> None:
    assert verdict(text, phrase) == ("unverified", ["conflict polarity"])


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Guests use the network at no cost.", "Guests use the network free of charge."),
        ("An interpreter comes without extra charge.", "An interpreter comes free of charge."),
        ("There is nothing to pay for the television.", "The television is free."),
        ("Arrive no later than 7:00.", "Arrive by 7:00."),
        ("No more than two visitors may come.", "At most two visitors may come."),
        ("Return it no sooner than Monday.", "Return it on Monday at the earliest."),
        ("Not only parents but also grandparents may stay.", "Parents and grandparents may stay."),
    ],
)
def test_a_price_or_a_bound_told_by_a_negation_denies_nothing(claim: str, source: str) -> None:
    assert deny_alike(claim, source)
    assert deny_alike(source, claim)


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Parking is at no cost.", "Entry is free, parking has a cost of 5 euros."),
        ("Guests have no access at no cost.", "Guests have access free of charge."),
        ("Parking is not free.", "Parking is free."),
        ("You are free to park at no charge.", "You are free to park for a charge."),
        ("No more than two visitors are let in by the ward.", "More than two visitors are let in by the ward."),
        ("Arrive no later than 7:00.", "Arrive later than 7:00."),
        ("There is nothing to pay.", "There is a deposit to pay."),
        ("Not only parents may stay.", "Only parents may stay."),
    ],
)
def test_it_denies_beside_what_says_the_contrary(claim: str, source: str) -> None:
    assert not deny_alike(claim, source)
    assert not deny_alike(source, claim)
