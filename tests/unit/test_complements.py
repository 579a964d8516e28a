"""Complements, reckoned values and conditions: what only looks like a contradiction, and what looks right and is none."""

from __future__ import annotations

import pytest

from raggate_action.core.evidence_checks.claim_check import findings_on
from raggate_action.core.evidence_checks.evidence_index import IndexCache
from raggate_action.core.text.text import Text
from raggate_action.schema.case_run import Finding


def check(claim: str, *texts: str, question: str = "") -> list[Finding]:
    shown = IndexCache("en").shown([(f"c{number}", text) for number, text in enumerate(texts, 1)])
    return list(findings_on(Text(claim), shown, question=question))


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


@pytest.mark.parametrize(
    ("text", "claim", "question", "right", "wrong", "alone"),
    [
        ("A berth costs 48 euros a night. Club sailors pay 13 euros less.", "Club sailors pay {} euros.", "", "35", "37", True),
        ("The small kiln holds 24 tiles. The large kiln holds 16 tiles more.", "The large kiln holds {} tiles.", "", "40", "42", True),
        ("Each hive gives 14 kg of honey. The club keeps 6 hives.", "The hives give {} kg of honey.", "", "84", "86", True),
        ("Renting the hall costs 35 euros per hour. The course lasts 4 hours.", "Renting the hall costs {} euros.", "What does the hall cost for the course?", "140", "150", True),
        ("The choir has 60 singers. 45 % of the singers are altos.", "{} of the singers are altos.", "", "27", "31", True),
        ("The saddle costs 250 euros. Members get 20 % off the saddle.", "Members get the saddle for {} euros.", "", "200", "210", True),
        ("The toll was raised from 8 to 10 euros in March.", "The toll was raised by {} euros in March.", "", "2", "3", False),
        ("The toll was raised from 8 to 10 euros in March.", "The toll was raised by {} % in March.", "", "25", "35", True),
        ("Membership fell from 320 to 240 last year.", "Membership fell by {} last year.", "", "80", "90", False),
        ("The quorum fell from 40 members to 30 members last year.", "The quorum fell by {} % last year.", "", "25", "35", True),
        ("A foal gets 15 ml. Grown horses get double the dose.", "Grown horses get {} ml.", "", "30", "40", True),
        ("The guided walk costs 18 euros. Students pay half.", "Students pay {} euros.", "", "9", "8", True),
        ("The guided walk costs 18 euros. The walk costs students half.", "The walk costs students {} euros.", "", "9", "8", True),
        ("The show runs from 3 May to 24 May 2026.", "The show runs for {} days.", "", "21", "25", True),
        ("The bulbs are planted on 4 October 2026. They are lifted 20 days later.", "The bulbs are lifted on {} October 2026.", "", "24", "27", False),
        ("The crew has 4 cooks, 7 stewards and 12 sailors.", "The crew has {} members.", "", "23", "25", False),
        ("The crew has 4 cooks, 7 stewards, 12 sailors and 2 pilots in all.", "The crew has {} members in all.", "", "25", "28", False),
        ("The organ was built in 1880. The organ was restored in 1950 at the age of many years.", "The organ was restored at the age of {} years.", "", "70", "65", True),
        ("Doors open at 18:30. The concert starts 45 minutes later.", "The concert starts at {}.", "", "19:15", "19:45", True),
        ("Each ferry carries 40 cars. The line runs 3 ferries.", "The ferries carry {} cars.", "", "120", "130", False),
        ("12 of the 48 allotments are free.", "{} % of the allotments are free.", "", "25", "30", True),
        ("The paperback costs 16 euros. The e-book costs 7 euros less.", "The e-book costs {} euros.", "", "9", "11", False),
        ("Volunteers work 6 hours per week. The season has 8 weeks.", "Volunteers work {} hours.", "", "48", "50", True),
        ("The piano loan is 4800 euros. It is paid back in 24 equal instalments; each instalment is due on Friday.", "Each instalment is {} euros.", "", "200", "250", True),
        ("The tower is 90 metres high. The mast adds 12 metres to the tower.", "The tower with the mast is {} metres high.", "", "102", "112", True),
        ("The blue slope is 600 metres long. The red slope is 250 metres longer.", "The red slope is {} metres long.", "", "850", "900", True),
        ("A cabin for two costs 300 euros. Single use costs 40 % more.", "Single use costs {} euros.", "", "420", "430", True),
        ("In 2024 the vet saw 900 dogs. In 2025 the vet saw 150 dogs more.", "In 2025 the vet saw {} dogs.", "", "1050", "1100", True),
        ("The tank holds 80 litres. The reserve is a quarter of the tank.", "The reserve is {} litres.", "", "20", "25", False),
        ("Every tray holds 12 seedlings, and a crate has 5 trays.", "A crate holds {} seedlings.", "", "60", "70", False),
        ("The old engine uses 9 litres. The new engine uses 2 litres fewer.", "The new engine uses {} litres.", "", "7", "8", True),
        ("The standard skipass costs 50 euros per day. Children under 12 pay 30 % less.", "Children under 12 pay {} euros per day.", "", "35", "36", True),
        ("The library fine is 2 euros for each day. The book was 9 days late.", "The library fine is {} euros.", "", "18", "20", True),
        ("The founder was born in 1931 and died in 2009.", "The founder was {} years old.", "", "78", "68", True),
        ("The patrol lasts 12 hours and is shared by 3 rangers.", "The patrol lasts {} hours for each ranger.", "", "4", "5", True),
        ("Guests pay 20 euros. Members pay 5 euros less.", "Members pay {} euros.", "", "15", "17", True),
        ("The old bus has 10 seats. The new bus has 5 seats more.", "The new bus has {} seats.", "", "15", "17", True),
        ("The fee was raised from 10 to 12 euros.", "The fee was raised by {} euros.", "", "2", "3", True),
        ("The fee was raised from 10 to 12 euros.", "The fee was raised by {} %.", "", "20", "25", True),
        ("The fee was raised from 10 to 12 euros.", "The fee rose by {} euros.", "", "2", "3", True),
        ("Adults pay 14 euros. Children pay 5 euros.", "Two adults pay {} euros.", "What do two adults pay?", "28", "26", True),
        ("A resident's parking permit costs 30.70 euros a year.", "Two parking permits cost {} euros a year.", "", "61.40", "71.40", True),
        ("One night costs 80 euros.", "3 nights cost {} euros.", "What do 3 nights cost?", "240", "250", True),
        ("Requests are retried three times with exponential backoff, beginning at 200 ms.", "It retries 3 times, waiting {} ms before the second.", "", "400", "500", False),
    ],
)  # fmt: skip
def test_a_value_that_follows_from_the_evidence_never_blocks_alone_and_one_beside_it_does(
    text: str, claim: str, question: str, right: str, wrong: str, *, alone: bool
) -> None:
    assert not any(f.certain or f.sharp for f in check(claim.format(right), text, question=question))
    # What does not block alone did not before either: a plain number, or one that a word of the evidence may mean.
    assert any(f.certain or f.sharp for f in check(claim.format(wrong), text, question=question)) == alone


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        pytest.param("Parcels over 30 kg cost 12 euros. More than 7 parcels need a van.", "Parcels over 30 kg cost 19 euros.", id="more than is a bound"),
        pytest.param("Section 5 holds. The fee is 12 euros. Late guests pay 3 euros more.", "The fee is 17 euros.", id="the number of a section"),
        pytest.param("The lift holds 8 people. The cabin is heated by gas.", "The lift holds 16 people.", id="nothing reckons"),
        pytest.param("The pass costs 40 euros per month. The office has 3 desks.", "The pass costs 120 euros per month.", id="a count of something else"),
        pytest.param("A permit costs 30.70 euros.", "A permit costs 61.40 euros.", id="the claim counts nothing"),
    ],
)  # fmt: skip
def test_a_coincidence_that_no_word_reckons_stays_certain(text: str, claim: str) -> None:
    assert any(f.certain for f in check(claim, text))


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
        pytest.param("The claims line is open from 8 am to 6 pm: 0800 555 0142.", "Call from 8:00 to 18:00.", id="a colon behind p.m."),
        pytest.param("From 18:00: wine and music.", "Wine is served from 6 pm.", id="a colon behind a time"),
        pytest.param("The server needs at least 2048 MiB of memory.", "It needs 2 GiB of RAM.", id="binary units"),
        pytest.param("Sales were 3,000,000.", "Sales were 3 mln.", id="mln"),
        pytest.param("The desk is closed on Mondays from noon.", "The desk is closed on Monday from noon.", id="a weekday in the plural"),
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
    assert blocking(check("The outdoor pool opens on June 30 at the latest.", text)) == [
        "conflict date certain",
        "absent date",
    ]
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
        pytest.param("Refunds are paid within 30 days, except for sale items.", "Refunds are paid within 30 days.", "Refunds are paid within 30 days.", "Refunds are paid within 30 days, except for sale items.", id="dropped"),
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
    (turned,) = check("The doors open after.", "The doors open before.")
    assert (value.sharp, turned.sharp) == (True, False)


@pytest.mark.parametrize(
    ("text", "claim", "question", "sharp"),
    [
        pytest.param("Refunds are paid by card.", "There is also a fee of EUR 47.", "How are refunds paid?", True, id="out of the blue"),
        pytest.param("Basic costs $10. Team costs $25.", "Both plans together cost $47.", "", False, id="together"),
        pytest.param("Basic costs $10 a month.", "Basic costs $135 a year.", "", False, id="for another period"),
        pytest.param("Basic costs $10 a month.", "You also pay $135 a month for setting up.", "", True, id="for the same period"),
        pytest.param("The bonus is 4 % of the salary.", "The bonus is then $90.", "My salary is $2,000. How much is the bonus?", True, id="a number of the question excuses itself alone"),
        pytest.param("The pack of 20 tablets costs $7.", "That one is sold at $9.", "What does the pack of 20 tablets cost?", True, id="with a number that the evidence has"),
    ],
)  # fmt: skip
def test_an_absent_amount_blocks_alone_only_where_nothing_reads_as_if_it_were_worked_out(
    text: str, claim: str, question: str, *, sharp: bool
) -> None:
    found = [f for f in check(claim, text, question=question) if f.code == "money"]
    assert [(f.kind, f.advisory, f.sharp) for f in found] == [("absent", False, sharp)]
