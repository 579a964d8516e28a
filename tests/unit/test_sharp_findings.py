"""A conflict is sharp where the claim repeats one sentence of the evidence but for the one slot in which they differ."""

from __future__ import annotations

import pytest

from raggate_action.core.evidence_checks.claim_check import findings_on
from raggate_action.core.evidence_checks.evidence_index import IndexCache
from raggate_action.core.text.text import Text
from raggate_action.schema.case_run import Finding


def conflicts(claim: str, *texts: str) -> list[Finding]:
    shown = IndexCache("en").shown([(f"c{number}", text) for number, text in enumerate(texts, 1)])
    found = findings_on(Text(claim), shown)
    return [finding for finding in found if finding.kind == "conflict"]


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The clinic opens after the holidays.", "The clinic opens before the holidays."),
        ("Children under 12 ride free of charge.", "Children over 12 ride free of charge."),
        ("Guests may bring at most two dogs.", "Guests may bring at least two dogs."),
        ("Staff may never share door codes.", "Staff may share door codes."),
        ("The deposit is refunded unless the room is damaged.", "The deposit is refunded if the room is damaged."),
        ("Members may borrow six books at a time.", "Members may borrow four books at a time."),
        ("The rate rises by 4 % each year.", "The rate rises by 3 % each year."),
    ],
)
def test_the_one_slot_that_differs_is_sharp(claim: str, evidence: str) -> None:
    assert [finding.sharp for finding in conflicts(claim, evidence)] == [True]


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        # Two meaning words shared are too few to say which sentence the claim repeats.
        ("The doors open after.", "The doors open before."),
        # A word more on either side may be what the number hangs on.
        ("Members may usually borrow six books at a time.", "Members may borrow four new books at a time."),
    ],
)
def test_what_differs_in_more_is_not(claim: str, evidence: str) -> None:
    assert [finding for finding in conflicts(claim, evidence) if finding.sharp] == []


def test_a_value_that_another_row_has_stays_a_weaker_finding() -> None:
    evidence = "The Basic plan includes five seats. The Team plan includes nine seats."
    assert not any(finding.sharp for finding in conflicts("The Basic plan includes nine seats.", evidence))


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("A fifth of the guests pay in cash.", "20 % of the guests pay in cash."),
        ("20 % of the guests pay in cash.", "A fifth of the guests pay in cash."),
        ("Half of the fee is refunded on request.", "50 % of the fee is refunded on request."),
        ("Two thirds of members vote by post.", "67 % of members vote by post."),
    ],
)
def test_a_part_in_words_is_its_percentage(claim: str, evidence: str) -> None:
    assert conflicts(claim, evidence) == []


def test_another_part_is_a_conflict() -> None:
    assert [each.sharp for each in conflicts("30 % of the guests pay in cash.", "A fifth of the guests pay in cash.")]
