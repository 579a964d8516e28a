"""Complements, reckoned values and conditions: what only looks like a contradiction, and what looks right and is none."""

from __future__ import annotations

import pytest

from raggate_action.core.evidence_checks.checks import ClaimInAnswer, findings_on
from raggate_action.core.evidence_checks.index import IndexCache
from raggate_action.schema.case_run import Finding


def check(claim: str, *texts: str, question: str = "") -> list[Finding]:
    shown = IndexCache("en").shown([(f"c{number}", text) for number, text in enumerate(texts, 1)])
    return list(findings_on(ClaimInAnswer(claim, 0, (), question), shown, language="en"))


def blocking(found: list[Finding]) -> list[str]:
    return [f"{f.kind} {f.code}{' certain' if f.certain else ''}" for f in found if not f.advisory]


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        pytest.param("Bags over 32 kg are not accepted.", "Bags up to 32 kg are accepted.", id="over and up to"),
        pytest.param("The lounge does not open before 8:00.", "The lounge opens from 8:00 on.", id="before and from"),
        pytest.param("Vouchers are valid until 3 May.", "After 3 May, vouchers are no longer valid.", id="until and after"),
        pytest.param("Guests under 18 may not sit at the bar.", "Guests aged at least 18 may sit at the bar.", id="under and at least"),
        pytest.param("A dog may not travel unless it stays in a carrier.", "A dog may travel if it stays in a carrier.", id="unless and if"),
        pytest.param("All rooms except the cellar are heated.", "The cellar is not heated, unlike all other rooms.", id="all except"),
        pytest.param("Owners must keep the receipt.", "No owners are exempt from keeping the receipt.", id="no one is exempt"),
        pytest.param("Returning opened boxes is not allowed for customers.", "For customers: do not return opened boxes.", id="an instruction"),
        pytest.param("A deposit is paid back only if the event was called off.", "Then a deposit is not paid back.", id="the other case, asked for"),
        pytest.param("The pass includes ten visits.", "The pass includes ten visits and not more.", id="and not more"),
    ],
)  # fmt: skip
def test_the_complement_is_no_contradiction(text: str, claim: str) -> None:
    assert blocking(check(claim, text)) == []


@pytest.mark.parametrize(
    ("text", "claim", "found"),
    [
        pytest.param("Bags over 32 kg are not accepted.", "Bags over 32 kg are accepted.", "conflict polarity", id="the negation is gone"),
        pytest.param("Bags up to 32 kg are accepted.", "Bags up to 32 kg are not accepted.", "conflict polarity", id="a negation came"),
        pytest.param("Bags up to 32 kg are accepted.", "Bags over 32 kg are accepted.", "conflict polarity", id="the other side of the bound"),
        pytest.param("Leave is granted if a replacement was found.", "Leave is granted unless a replacement was found.", "conflict polarity", id="unless for if"),
        pytest.param("Leave is granted if a replacement was found.", "Leave is granted even if no replacement was found.", "conflict polarity", id="even if no"),
        pytest.param("Not all rooms have a balcony.", "All rooms have a balcony.", "conflict polarity certain", id="all for not all"),
    ],
)  # fmt: skip
def test_one_reversal_is_a_contradiction_and_certain_only_without_a_bound(text: str, claim: str, found: str) -> None:
    assert blocking(check(claim, text)) == [found]


@pytest.mark.parametrize(
    ("text", "claim", "question"),
    [
        # 10 - 5
        pytest.param("Basic has 5 seats. Team has 10 seats.", "Team has 5 seats more.", "", id="a difference"),
        # 12 * 12.50
        pytest.param("It costs $12.50 per month.", "It costs $150 per year.", "", id="per month and per year"),
        # 30 - 20
        pytest.param("A single parent receives 30 sick days. A parent receives 20 sick days.", "A parent receives 10 sick days fewer than a single parent.", "", id="days fewer"),
        # 2 * 300
        pytest.param("The portion of steak is 300 g.", "Doubled, the portion of steak comes to 600 g.", "What would twice the portion be?", id="doubled"),
        # 13 January + 45 days: 18 days are left of January, 45 - 18 = 27 February
        pytest.param("Mailboxes can be restored within 45 days of deletion.", "They can be restored until 27 Feb 2025.", "It was deleted on January 13, 2025. Until when?", id="a date and a span"),
        # 18:30 - 8:00
        pytest.param("The desk is open from 8:00 to 18:30.", "The desk is open for 10.5 hours a day.", "How many hours a day is the desk open?", id="hours between two times"),
        # 12 * 14.90; the period stands in the head of the table
        pytest.param("| Item | Price per month |\n|---|---|\n| the household cover | EUR 14.90 |", "The household cover comes to EUR 178.80 a year.", "", id="per month in the head of a table"),
        # 30 * 1.8 + 32
        pytest.param("Store it below 30 °C.", "Store it below 86 °F.", "", id="degrees"),
        # 50 - 5
        pytest.param("The share is 5 per cent. The share in staging is 50 %.", "They are 45 percentage points apart.", "How far apart are the shares?", id="per cent"),
        # 140 - 120
        pytest.param("Power banks up to 120 Wh are allowed.", "140 Wh is 20 watt-hours above the limit.", "I have 140 Wh. How far is that from the limit?", id="watt-hours"),
        # 100 - 10
        pytest.param("The charge is 10 percent of the bill.", "It is 90 % of the bill.", "What is the bill minus the charge?", id="what is left of a hundred"),
    ],
)  # fmt: skip
def test_a_value_that_can_be_worked_out_blocks_nothing(text: str, claim: str, question: str) -> None:
    assert blocking(check(claim, text, question=question)) == []


@pytest.mark.parametrize(
    ("text", "claim", "question", "found"),
    [
        pytest.param("It costs $12.50 per month.", "It costs $160 per year.", "", "absent money", id="12 * 12.50 is 150"),
        pytest.param("The board is 18 inches wide.", "The board is 600 mm wide.", "", "absent unit", id="18 in are 457 mm"),
        pytest.param("Mailboxes can be restored within 45 days of deletion.", "They can be restored until 9 March 2025.", "It was deleted on January 13, 2025. Until when?", "absent date", id="45 days end in February"),
        pytest.param("The hat costs $12. The bag costs $8.", "Hat and bag together cost $25.", "", "absent money", id="12 + 8 is 20"),
        pytest.param("Take 100 mg of it twice a day.", "Take 100 g of it twice a day.", "", "conflict unit certain", id="a dose"),
    ],
)  # fmt: skip
def test_a_wrong_sum_or_conversion_is_found(text: str, claim: str, question: str, found: str) -> None:
    assert found in blocking(check(claim, text, question=question))


def test_another_statement_with_as_many_of_the_words_bears_the_value_out() -> None:
    rows = ("The share for families is 70 % of the fee.", "The share is 30 % of the fee.")
    assert blocking(check("The share comes to 30 % of the fee.", *rows)) == []
    assert blocking(check("The share for families is 30 % of the fee.", *rows)) == ["conflict percent"]


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        pytest.param("It closes on 3 May 2026.", "It closes on 3 May.", id="a date without its year"),
        pytest.param("Valid from 01.03.2025 on.", "It is valid from 1 March 2025 on.", id="a dotted date"),
        pytest.param("It was born on 1 March 2025.", "It was born on 2025.03.01.", id="a dotted date, year first"),
        pytest.param("The desk opens at 9:30 am.", "The desk opens at 09.30 h.", id="a time with h"),
        pytest.param("The shop opens at 7 in the evening.", "The shop opens at 7 pm.", id="7 for 7 pm"),
        pytest.param("The index stood at 102.5 points.", "The index stood at 102. 5 points.", id="a stray blank"),
        pytest.param("Sales were 1.3 billion dollars.", "Sales were 1. 3 billion dollars.", id="a stray blank before a scale"),
        pytest.param("Sales were 3,000,000.", "Sales were 3 mln.", id="mln"),
        pytest.param("He won the title in 2017.", "He won the Euro 2017.", id="a championship"),
        pytest.param("Records of 1994 were kept.", "Records of the 1990s were kept.", id="a decade"),
        pytest.param("He wrote: we didn't see the risk.", 'He wrote "we did not see the risk".', id="a contraction in a quotation"),
    ],
)  # fmt: skip
def test_the_same_value_in_another_spelling(text: str, claim: str) -> None:
    assert blocking(check(claim, text)) == []


def test_a_date_without_a_year_can_be_absent() -> None:
    assert blocking(check("It closes on 3 May.", "It closes on 4 June.")) == ["absent date"]


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        pytest.param("swimming starts on may 30, weather permitting.", "The first day of swimming is May 30.", id="on may 30"),
        pytest.param("swimming starts on may 30 each year.", "Swimming begins on 30 May.", id="the day first"),
        pytest.param("Please hand it in by 30 may at noon.", "The last day is May 30.", id="by 30 may"),
        pytest.param("Deadline: may 30, noon.", "The last day is May 30.", id="behind a colon"),
        pytest.param("The fair is on the 15th of march.", "The fair begins on March 15.", id="the 15th of march"),
        pytest.param("Open january to march and again in may.", "It is open from January to March and in May.", id="months alone"),
        pytest.param("The contract ends in december 2025.", "The contract ends in December of 2025.", id="a month and a year"),
        pytest.param("Freibad: 30. Mai bis 15. September.", "The outdoor pool is open from May 30 to September 15.", id="German"),
        pytest.param("Piscine : ouverte dès le 1er août.", "The pool is open from August 1.", id="French"),
        pytest.param("Piscina: abierta el 30 de mayo.", "The pool is open from May 30.", id="Spanish"),
    ],
)  # fmt: skip
def test_a_month_in_lower_case_or_in_another_language_is_held(text: str, claim: str) -> None:
    assert blocking(check(claim, text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "You may 30 days later withdraw from the contract.",
        "Of all guests up to 30 may stay for the night.",
        "The club may, 30 members agreeing, close the pool.",
        "The band will march 30 km before it may rest.",
    ],
)
def test_the_verb_may_is_no_month(text: str) -> None:
    assert blocking(check("The last day is May 30.", text)) == ["absent date"]


def test_a_day_in_lower_case_is_compared_as_a_date() -> None:
    text = "The outdoor pool opens on may 30 at the latest."
    assert blocking(check("The outdoor pool opens on June 30 at the latest.", text)) == ["conflict date certain", "absent date"]
    # The duty of the verb is still read.
    may = "Guests may stay 30 days at the lodge."
    assert blocking(check("Guests may not stay 30 days at the lodge.", may)) == ["conflict polarity certain"]


def test_parties_who_each_act_are_exchanged_across_and() -> None:
    text = "Alice reviews the code and Bob signs the release."
    assert blocking(check("Bob reviews the code and Alice signs the release.", text)) == ["conflict role certain"]
    lists = "Apples, ripe pears and plums are sold here."
    assert blocking(check("Plums, ripe pears and apples are sold here.", lists)) == []


@pytest.mark.parametrize(
    ("text", "claim", "claims", "says"),
    [
        pytest.param("Refunds are paid within 30 days, except for sale items.", "Refunds are paid within 30 days.", "Refunds are paid within 30 days.", "except for sale items", id="dropped"),
        pytest.param("Refunds are paid within 30 days.", "Refunds are paid within 30 days, except for sale items.", "except for sale items", "Refunds are paid within 30 days.", id="added"),
    ],
)  # fmt: skip
def test_a_condition_that_came_or_went_is_noted_with_both_spans(text: str, claim: str, claims: str, says: str) -> None:
    (note,) = check(claim, text)
    assert (note.code, note.advisory) == ("condition", True)
    assert (claim[note.start : note.end], text[note.chunk_start : note.chunk_end]) == (claims, says)


def test_only_kinds_that_right_answers_hardly_ever_have_block_alone() -> None:
    plan = "The plan costs $20 a month."
    value, *_absent = check("The plan costs $30 a month.", plan)
    (turned,) = check("Bags over 32 kg are accepted there.", "Bags over 32 kg are not accepted there.")
    assert (value.sharp, turned.sharp) == (True, False)


@pytest.mark.parametrize(
    ("text", "claim", "question", "sharp"),
    [
        pytest.param("Refunds are paid by card.", "There is also a fee of EUR 47.", "How are refunds paid?", True, id="out of the blue"),
        pytest.param("Basic costs $10. Team costs $25.", "Both plans together cost $47.", "", False, id="together"),
        pytest.param("Basic costs $10 a month.", "Basic costs $135 a year.", "", False, id="for another period"),
        pytest.param("Basic costs $10 a month.", "You also pay $135 a month for setting up.", "", True, id="for the same period"),
        pytest.param("The bonus is 4 % of the salary.", "The bonus is then $90.", "My salary is $2,000. How much is the bonus?", False, id="with a number of the question"),
        pytest.param("The pack of 20 tablets costs $7.", "That one is sold at $9.", "What does the pack of 20 tablets cost?", True, id="with a number that the evidence has"),
    ],
)  # fmt: skip
def test_an_absent_amount_blocks_alone_only_where_nothing_reads_as_if_it_were_worked_out(
    text: str, claim: str, question: str, *, sharp: bool
) -> None:
    found = [f for f in check(claim, text, question=question) if f.code == "money"]
    assert [(f.kind, f.advisory, f.sharp) for f in found] == [("absent", False, sharp)]
