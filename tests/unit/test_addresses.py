"""Addresses of an answer that nothing shown holds, and those that something does in another spelling."""

from __future__ import annotations

import pytest

from raggate_action.core.evidence_checks.claim_check import findings_on
from raggate_action.core.evidence_checks.evidence_index import IndexCache
from raggate_action.core.text.text import Text
from tests.builders import judge, make_case, make_chunk, make_rules, make_store, make_trace

TEXT = (
    "Write to help@acme.example or call +49 89 5550 0240. Details: https://docs.acme.example/guide/start. Skip the "
    "check with --no-check, set `max_length` in /etc/acme/app.conf."
)


def absent(claim: str, *, question: str = "", text: str = TEXT, beside: tuple[str, ...] = ()) -> list[tuple[str, bool]]:
    shown = IndexCache("en").shown([("c1", text)], metadata=beside)
    found = findings_on(Text(claim), shown, question=question)
    return [(f"{f.code} {claim[f.start : f.end]}", f.advisory) for f in found if f.kind == "absent"]


@pytest.mark.parametrize(
    "claim",
    [
        pytest.param("Write to Help@Acme.example.", id="e-mail in other capitals"),
        pytest.param("Dial 0049 (0)89 55500240 for it.", id="country code and trunk zero"),
        pytest.param("Dial 089/5550-0240 for it.", id="a national number"),
        pytest.param("See <https://docs.acme.example/guide/start/>.", id="a slash at the end"),
        pytest.param("See http://www.docs.acme.example/guide for more.", id="the page above it"),
        pytest.param("Skip the check with `--no-check`.", id="an option in code"),
        pytest.param("Set `max_length` in `/etc/acme/app.conf`.", id="identifier and path"),
        pytest.param("It opened on 01.03.2025 and 2019-2021 was closed.", id="dates are no phone numbers"),
        pytest.param(
            "Sales were 1.200.000 and and/or 24/7 in 3-5 days.", id="nor are other numbers, nor and/or a path"
        ),
    ],
)
def test_an_address_in_another_spelling_is_held(claim: str) -> None:
    kinds = ("url", "email", "phone", "path", "option", "identifier")
    assert [name for name, _ in absent(claim) if name.split()[0] in kinds] == []


def test_the_number_that_begins_the_next_sentence_is_no_part_of_a_phone_number() -> None:
    text = "Lost cards: +44 113 555 0144. 20 GB of data a month are in the plan."
    assert absent("The plan includes 20 GB of data a month.", text=text) == []
    assert absent("Lost cards: +44 113 555 0144.", text=text) == []
    assert absent("Lost cards: +44 113 555 0145. 20 GB are in it.", text=text) == [("phone +44 113 555 0145", False)]


@pytest.mark.parametrize(
    ("claim", "found"),
    [
        pytest.param("Write to sales@acme.example.", ("email sales@acme.example", False), id="e-mail"),
        pytest.param("Call +49 89 5550 0241 for it.", ("phone +49 89 5550 0241", False), id="phone"),
        pytest.param("See https://docs.acme.example/guide/stop.", ("url https://docs.acme.example/guide/stop", False), id="URL"),
        pytest.param("Skip it with --ignore-check then.", ("option --ignore-check", True), id="option warns"),
        pytest.param("Set `min_length` first.", ("identifier min_length", True), id="identifier warns"),
        pytest.param("Edit /etc/acme/web.conf first.", ("path /etc/acme/web.conf", True), id="path warns"),
    ],
)  # fmt: skip
def test_an_invented_address_is_one_finding(claim: str, found: tuple[str, bool]) -> None:
    assert absent(claim) == [found]


def test_the_question_the_metadata_and_the_suites_own_hold_addresses_too() -> None:
    claim = "Write to sales@acme.example."
    assert absent(claim, question="Is sales@acme.example right?") == []
    assert absent(claim, beside=("contact: sales@acme.example",)) == []


@pytest.mark.parametrize(
    ("fields", "own", "found"),
    [
        pytest.param({}, (), ["email"], id="nothing holds it"),
        pytest.param({"metadata": "mailto:sales@acme.example"}, (), [], id="the chunk's metadata"),
        pytest.param({}, ("sales@acme.example",), [], id="the suite's own"),
    ],
)
def test_a_referral_to_an_invented_address_is_a_claim_beside_one(
    fields: dict[str, str], own: tuple[str, ...], found: list[str]
) -> None:
    store = make_store(make_chunk("c1", "Refunds are paid within 30 days.", **fields))
    answer = "Refunds are paid within 30 days. Please contact sales@acme.example."
    rules = make_rules(store)
    rules = rules._replace(reading=rules.reading._replace(own_addresses=own))
    claims = judge(make_case(), make_trace(answer=answer, context=["c1"]), rules).claims
    assert [finding.code for claim in claims for finding in claim.findings] == found
    assert len(claims) == 1 + len(found)


@pytest.mark.parametrize(
    "phone",
    [
        "+1 212 555 0147", "(212) 555-0147", "1-800-555-0199", "1 (800) 555-0199", "212.555.0147",
        "+44 113 555 0144", "(020) 7946 0958", "0800 1111", "+49 89 5550 0240", "089/5550-0240", "0049 (0)89 55500240",
        "01 23 45 67 89", "+33 1 23 45 67 89", "+34 912 345 678", "+41 (0)44 668 18 00", "06-12345678",
        "(03) 9123 4567", "(11) 4567-8901", "+91 98765 43210", "03-1234-5678", "(0321) 5551234", "+353 1 234 5678",
    ],
)  # fmt: skip
def test_an_invented_phone_number_is_found_in_any_countrys_form(phone: str) -> None:
    assert absent(f"Call {phone} for it.", text="The desk is upstairs.") == [(f"phone {phone}", False)]
    assert absent(f"Call {phone} for it.", text=f"Our desk: {phone}, all day.") == []


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        pytest.param("The bridge was rebuilt (1991-2000).", "Workers rebuilt the bridge from 1991 to 2000.", id="years"),
        pytest.param("The bridge was rebuilt from 1991 to 2000.", "Workers rebuilt the bridge (1991-2000).", id="years of the evidence"),
        pytest.param("Her office (1950 - 1962) was long.", "She held office from 1950 to 1962.", id="years with blanks"),
        pytest.param("Both (1914-1918 and 1939-1945) are in it.", "The wars of 1914 to 1918 and 1939 to 1945.", id="two spans of years"),
        pytest.param("His terms (1991/92-2000/01) were long.", "He served from 1991/92 to 2000/01.", id="split years"),
        pytest.param("(1) 1991-2000: the bridge.", "The bridge was closed from 1991 to 2000.", id="years behind a list number"),
        pytest.param("Smith (1991) 200 3000 sheep.", "Smith (1991) counted 200 or 3000 sheep.", id="a year in brackets"),
        pytest.param("It stands there (1191-1204).", "It stands on pages 1191 to 1204.", id="pages"),
        pytest.param("They won (25-21 23-25 25-19).", "The sets were 25-21, 23-25 and 25-19.", id="a score by sets"),
        pytest.param("They won (06-04 06-03).", "The sets were 06-04 and 06-03.", id="a score with noughts"),
        pytest.param("It began on 05-12-2024.", "It began on 5 December 2024.", id="a date with hyphens"),
        pytest.param("It began then (2024-12-05).", "It began on 5 December 2024.", id="an ISO date"),
        pytest.param("It began then (05.12.2024).", "It began on 5 December 2024.", id="a dotted date"),
        pytest.param("It ran 03.-05.12.2024.", "It ran from 3 to 5 December 2024.", id="days of a month"),
        pytest.param("It ran 05.12.-08.12.2024.", "It ran from 5.12. to 8.12.2024.", id="two days"),
        pytest.param("It ran 05-12-2024 - 08-12-2024.", "It ran from 05-12-2024 to 08-12-2024.", id="two dates with hyphens"),
        pytest.param("The desk is open 0800-1730.", "The desk is open from 0800 to 1730.", id="hours"),
        pytest.param("The desk is open 09.30 - 17.00.", "The desk is open from 09.30 to 17.00.", id="hours with stops"),
        pytest.param("The desk is open 08-12 13-17.", "The desk is open from 08 to 12 and 13 to 17.", id="hours with a break"),
        pytest.param("Sales (1.200.000) rose.", "Sales of 1.200.000 rose.", id="thousands with stops"),
        pytest.param("Sales (10 000 000) rose.", "Sales of 10 000 000 rose.", id="thousands with blanks"),
        pytest.param("It lies there (52.520008, 13.404954).", "It lies at 52.520008, 13.404954.", id="a place on the map"),
        pytest.param("It knows C++11/14/17/20.", "It knows C++11, C++14, C++17 and C++20.", id="versions"),
        pytest.param("The seasons 01/02-03/04 were lost.", "The seasons from 01/02 to 03/04 were lost.", id="seasons"),
    ],
)  # fmt: skip
def test_what_only_looks_like_a_phone_number_is_none(claim: str, text: str) -> None:
    assert [name for name, _ in absent(claim, text=text) if name.startswith("phone")] == []
