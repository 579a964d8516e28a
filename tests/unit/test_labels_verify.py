"""What a point's label verifies, and what it does not: a claim that says more than its sources is only not refuted."""

from __future__ import annotations

import random
from typing import Any

import pytest

from raggate_action.core.claims.word_overlap import is_plainly_within, words_beyond
from raggate_action.core.gates.diagnosis import Diagnosis
from raggate_action.core.text.text import Text
from raggate_action.schema.outcome import Failed, Passed, Unmeasured
from tests.builders import judge, make_case, make_chunk, make_rules, make_store, make_trace

CHUNKS = {
    "returns": (
        "Parcels can be returned within 30 days of delivery. The label for the parcel is free of charge.",
        "How long do I have to return a parcel?",
        ["30 days"],
        ["within 30 days"],
    ),
    "dosage": (
        "Adults take one tablet of 400 mg every six hours. The leaflet names the side effects.",
        "How much may an adult take?",
        ["400 mg"],
        ["one tablet of 400 mg"],
    ),
    "tenancy": (
        "The tenant pays a deposit of 1200 euros. Pets are kept with the consent of the landlord.",
        "How high is the deposit?",
        ["1200 euros"],
        ["a deposit of 1200 euros"],
    ),
    "deploys": (
        "Production deploys require a linked rollback plan before rollout. Hotfixes go out on Fridays.",
        "What does a production deploy need?",
        ["rollback plan"],
        ["a linked rollback plan"],
    ),
    "library": (
        "Books can be borrowed for four weeks and renewed twice.",
        "How long can I keep a book?",
        ["four weeks"],
        ["borrowed for four weeks"],
    ),
    "bins": (
        "Mill Lane: paper is collected on Wednesdays, glass is collected on Fridays.",
        "When is glass collected?",
        ["glass is collected"],
        ["glass is collected on Fridays"],
    ),
    "tariff": (
        "A small parcel costs 5 euros, a large parcel costs 8 euros.",
        "What does a large parcel cost?",
        ["parcel costs"],
        ["a large parcel costs 8 euros"],
    ),
    "software": (
        "Opened software can be returned within 14 days if the seal is intact.",
        "Can I return opened software?",
        ["14 days"],
        ["within 14 days"],
    ),
}


def judged(name: str, answer: Any, **case: Any) -> Diagnosis:
    text, question, said, support = CHUNKS[name]
    point = {"id": name, "answer_phrases": said, "support_phrases": support}
    store = make_store(make_chunk(name, text))
    asked = {"question": question, "required_points": [point], **case}
    return judge(make_case(**asked), make_trace(answer=answer, context=[name]), make_rules(store))


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("returns", "30 days only if you are a club member."),
        ("returns", "You have at least 30 days to return a parcel."),
        ("returns", "You can return it after 30 days."),
        ("returns", "You can return it within 30 days, except sale items."),
        ("returns", "You can return it within 30 days until Christmas."),
        ("returns", "You can return it within 30 days and keep the voucher."),
        ("returns", "You have 30 days, and 60 days for shoes."),
        ("returns", "You have over 30 days to return a parcel."),
        ("returns", "You can return a parcel once per 30 days."),
        ("dosage", "An adult may take 400 mg with alcohol."),
        ("dosage", "An adult may take at most 400 mg."),
        ("dosage", "An adult may take 400 mg and a child 200 mg."),
        ("tenancy", "The landlord pays a deposit of 1200 euros to the agency."),
        ("tenancy", "The deposit is 1200 euros if the flat is furnished."),
        ("deploys", "A production deploy needs a rollback plan unless the manager agrees."),
        ("deploys", "Only weekend deploys need a rollback plan."),
        ("library", "You can keep a book for four weeks without a card."),
        ("library", "Students can keep a book for four weeks."),
        # The question says so, and no source.
        ("library", "You can keep a book for four weeks."),
        ("deploys", "A production deploy needs a linked rollback plan."),
        ("bins", "Glass is collected on Wednesdays."),
        ("tariff", "A large parcel costs 5 euros."),
        ("software", "Opened software can be returned within 14 days."),
    ],
)
def test_what_says_more_than_its_sources_is_only_not_refuted(name: str, answer: str) -> None:
    diagnosis = judged(name, answer)
    assert "supported" not in [claim.verdict for claim in diagnosis.claims]


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("returns", "You can return it within 30 days."),
        ("returns", "You have 30 days to return it."),
        ("returns", "Yes, you can return a parcel within 30 days of delivery."),
        ("returns", "Returning a parcel is possible within 30 days of delivery."),
        ("returns", "According to our policy, parcels may be returned for 30 days [returns]."),
        ("returns", "Up to 30 days."),
        ("returns", "You've got thirty days, that is 30 days, to return the parcel."),
        ("dosage", "An adult takes 400 mg every six hours."),
        ("dosage", "One tablet of 400 mg."),
        ("tenancy", "It is 1200 euros."),
        ("tenancy", "The deposit you pay is 1200 euros."),
        ("deploys", "A linked rollback plan is required before rollout."),
        ("library", "You may borrow it for four weeks."),
        ("library", "A book may be borrowed for four weeks and be renewed twice."),
        ("bins", "In Mill Lane glass is collected on Fridays."),
        ("bins", "Glass is collected on Fridays, paper on Wednesdays."),
        ("tariff", "A large parcel costs 8 euros."),
        ("tariff", "A large parcel costs 8 euros, a small parcel 5 euros."),
        ("software", "Opened software can be returned within 14 days if the seal is intact."),
    ],
)
def test_what_says_no_more_than_its_sources_is_verified(name: str, answer: str) -> None:
    diagnosis = judged(name, answer)
    assert [(claim.verdict, claim.note) for claim in diagnosis.claims] == [("supported", None)]


def test_the_note_says_whose_value_is_another_ones() -> None:
    (claim,) = judged("bins", "Glass is collected on Wednesdays.").claims
    assert claim.note == "it says “Wednesdays”, which its source says of something else than the point “bins”"


def test_a_condition_left_out_makes_the_point_and_verifies_nothing() -> None:
    diagnosis = judged("software", "Opened software can be returned within 14 days.")
    assert [claim.note for claim in diagnosis.claims] == [
        "the claim follows a sentence of software and leaves out “if the seal is intact”"
    ]
    assert isinstance(diagnosis.outcomes["point_coverage"], Passed)


def test_the_note_says_which_words_stand_in_no_source() -> None:
    (claim,) = judged("returns", "30 days only if you are a club member.").claims
    assert claim.note is not None
    assert "“club member”" in claim.note
    assert "“only if”" in claim.note
    assert claim.findings == ()


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        pytest.param("You can return it within 30 days.", Passed, id="verified"),
        pytest.param("Send your order back, you have 30 days.", Passed, id="not refuted, in words of its own"),
        pytest.param("You cannot return it within 30 days.", Unmeasured, id="a finding stands against it"),
        pytest.param("You can return it.", Failed, id="matched by no claim"),
    ],
)
def test_a_point_is_made_by_a_claim_that_is_not_refuted(answer: str, expected: type) -> None:
    assert isinstance(judged("returns", answer).outcomes["point_coverage"], expected)


def test_a_refuted_claim_makes_no_point() -> None:
    point = {"id": "p", "answer_phrases": ["30 days"], "support_phrases": ["no chunk says this"]}
    diagnosis = judged("returns", "You can return it within 30 days.", required_points=[point])
    assert [claim.verdict for claim in diagnosis.claims] == ["unsupported"]
    assert isinstance(diagnosis.outcomes["point_coverage"], Failed)


@pytest.mark.parametrize(
    ("question", "answer", "verdict"),
    [
        ("Can I return sale items within 30 days?", "Yes, you can return sale items within 30 days.", "unverified"),
        ("Can I return a parcel within 30 days?", "Yes, you can return a parcel within 30 days.", "supported"),
        ("May shops return parcels within 30 days?", "Yes, shops may return parcels within 30 days.", "unverified"),
        ("Is the label free for 30 days?", "Yes, the label is free for 30 days.", "unverified"),
    ],
)
def test_yes_to_a_question_says_no_more_than_its_source_does(question: str, answer: str, verdict: str) -> None:
    assert [claim.verdict for claim in judged("returns", answer, question=question).claims] == [verdict]


def test_a_claim_in_another_language_is_held_by_its_words() -> None:
    chunk = make_chunk("de", "Pakete können innerhalb von 30 Tagen nach der Lieferung zurückgegeben werden.")
    rules = make_rules(make_store(chunk), language="de")
    point = {"id": "p", "answer_phrases": ["30 Tagen"], "support_phrases": ["innerhalb von 30 Tagen"]}
    case = make_case(question="Wie lange kann ich ein Paket zurückgeben?", required_points=[point])

    def verdict(answer: str) -> str:
        return judge(case, make_trace(answer=answer, context=["de"]), rules).claims[0].verdict

    assert verdict("Sie können es innerhalb von 30 Tagen zurückgeben.") == "supported"
    assert verdict("Nur Mitglieder können es innerhalb von 30 Tagen zurückgeben.") == "unverified"
    assert verdict("Sie können es nicht innerhalb von 30 Tagen zurückgeben.") == "unverified"


PLAN = (
    "Payment-service production deploys require a linked rollback plan before rollout. Rollback drills must keep the"
    " previous artifact available for 30 minutes."
)


@pytest.mark.parametrize(
    ("text", "phrases", "verdict"),
    [
        pytest.param(
            "Rollback drills must keep the previous artifact available for 90 minutes.",
            ["the previous artifact available"],
            "contradicted",
            id="another value than the sentence's",
        ),
        pytest.param(
            "Rollback drills must not keep the previous artifact available for 30 minutes.",
            ["the previous artifact available"],
            "contradicted",
            id="the sentence denied",
        ),
        pytest.param(
            "A linked rollback plan is required before rollout.", ["linked rollback plan"], "supported", id="as it is"
        ),
        pytest.param(
            "The deploy may start without a linked rollback plan.",
            ["linked rollback plan"],
            "unverified",
            id="denied in other words",
        ),
    ],
)
def test_a_certain_conflict_stands_against_an_authors_label(text: str, phrases: list[str], verdict: str) -> None:
    claim = {"text": text, "citation_ids": ["c1"], "support_phrases": phrases, "answer_point": "plan"}
    trace = make_trace(answer={"text": text, "claims": [claim]}, context=["c1"])
    diagnosis = judge(make_case(required_points=["plan"]), trace, make_rules(make_store(make_chunk("c1", PLAN))))
    assert [each.verdict for each in diagnosis.claims] == [verdict]
    # What is only denied in other words is in doubt, and makes no point either.
    outcomes = {"contradicted": Failed, "supported": Passed, "unverified": Unmeasured}
    gates = {type(diagnosis.outcomes[gate]) for gate in ("point_coverage", "faithfulness")}
    assert gates == {outcomes[verdict]}


SHOP = make_chunk("c1", "Parcels can be returned within 30 days of delivery. It takes a label. The owner plays chess.")
HOURS = make_chunk("c2", "# Opening hours\nOn Sundays nobody is at the counter. The parrot is called Rico.")
RULES = make_rules(make_store(SHOP, HOURS, make_chunk("prices", "A standard letter is 85 cents at the counter.")))


def test_values_count_with_their_units() -> None:
    source = ["Delivery takes 3 hours and costs 20 euros."]
    assert words_beyond(Text("Delivery costs 20 euros."), source, language="en") == ()
    assert words_beyond(Text("Delivery takes 20 hours."), source, language="en") == ("20",)


_WORDS_TO_DRAW = [
    "parcels",
    "bags",
    "can",
    "may",
    "be",
    "taken",
    "returned",
    "within",
    "without",
    "no",
    "not",
    "only",
    "the",
    "of",
    "a",
    "and",
    "or",
    "from",
    "by",
    "about",
    "day",
    "days",
    "noon",
    "one",
    "second",
    "hundred",
    "half",
    "cent",
    "per",
    "euro",
    "May",
    "monday",
    "yes,",
    "note",
    "that",
    "in",
    "general",
    "members",
    "member's",
    "cannot",
    "don't",
    "30",
    "5",
    "July",
    "k",
    "m.",
    "`x`",
    "[1]",
    "(all)",
    "two-year,",
    "until",
    "after.",
    "at",
    "least,",
    "most",
    "more",
    "than",
    "possible",
    "get",
    "got",
    "delivery?",
]


def test_the_quick_look_takes_nothing_for_said_that_the_reading_finds_beyond() -> None:
    rng = random.Random(19)
    agreed = 0
    for _ in range(20_000):
        sources = [" ".join(rng.choices(_WORDS_TO_DRAW, k=rng.randint(3, 14))) for _ in range(2)]
        said = " ".join(sources).split()
        claim = " ".join(rng.choices([*said, *_WORDS_TO_DRAW[:20]], k=rng.randint(1, 5)))
        if is_plainly_within(claim, sources):
            agreed += 1
            assert words_beyond(Text(claim), sources, language="en") == (), (claim, sources)
            assert words_beyond(Text(claim), sources, language="de") == (), (claim, sources)
    assert agreed > 50


def test_the_quick_look_spares_the_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    reading = "raggate_action.core.claims.word_overlap.words_beyond"
    monkeypatch.setattr(reading, lambda *_args, **_more: pytest.fail("read in full"))
    found = judged("deploys", "Production deploys require a linked rollback plan.")
    assert [claim.verdict for claim in found.claims] == ["supported"]
