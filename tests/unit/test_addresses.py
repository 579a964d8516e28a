"""Addresses of an answer that nothing shown holds, and those that something does in another spelling."""

from __future__ import annotations

import pytest

from raggate_action.core.evidence_checks.checks import ClaimInAnswer, findings_on
from raggate_action.core.evidence_checks.index import IndexCache
from tests.builders import judge, make_case, make_chunk, make_rules, make_store, make_trace

TEXT = (
    "Write to help@acme.example or call +49 89 5550 0240. Details: https://docs.acme.example/guide/start. Skip the "
    "check with --no-check, set `max_length` in /etc/acme/app.conf."
)


def absent(claim: str, *, question: str = "", text: str = TEXT, beside: tuple[str, ...] = ()) -> list[tuple[str, bool]]:
    shown = IndexCache("en").shown([("c1", text)], beside=beside)
    found = findings_on(ClaimInAnswer(claim, 0, (), question), shown, language="en")
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
