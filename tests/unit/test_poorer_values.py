"""Values that main's answers give: lost, given otherwise, or given in other words."""

from __future__ import annotations

import re
from typing import Any

import pytest

from raggate_action.core.claims.claim_extraction import Reading
from raggate_action.core.claims.model_context import ShownContext, context_of
from raggate_action.core.claims.suspect_claims import evidence_of
from raggate_action.core.poorer.evasive_answers import is_less_sure
from raggate_action.core.poorer.grounds import grounds_of, has_changed
from raggate_action.core.poorer.poorer_case import AnswerToHold, MainAnswersNow, beside_main, beside_main_in_all
from raggate_action.schema.evidence import EvidenceStore
from raggate_action.schema.main_answers import BesideMain, MainAnswer
from raggate_action.schema.suite import DEFAULT_CITATION_MARKERS
from raggate_action.schema.trace import TracedChunk
from tests.builders import make_chunk, make_store

QUESTION = "What does the bike rental cost?"
CHUNK = (
    "The bike rental costs 12 EUR per day. A deposit of 50 EUR is due. It may be cancelled up to 14 days before. "
    "It opens at 9:30. The discount is 25 %. The long fee is 29.90 EUR. It starts on 3 May 2026. Call 0800 123456."
)
MAIN = "The bike rental costs 12 EUR per day."


def context(*texts: str) -> ShownContext:
    chunks = tuple([TracedChunk(chunk_id=f"c{n}", text=text, version="1") for n, text in enumerate(texts)])
    return context_of(chunks, None, language="en")


def main_answer(
    text: str, *, run: str = "2026-06-01T08:00:00Z", evidence: str = CHUNK, language: str = "en"
) -> MainAnswer:
    return MainAnswer(text=text, run=run, grounds=grounds_of(text, QUESTION, context(evidence), language))


def held(
    answer: str,
    *mains: str | MainAnswer,
    evidence: str | None = CHUNK,
    language: str = "en",
    question: str = QUESTION,
    **more: Any,
) -> BesideMain:
    shown = context() if evidence is None else context(evidence)
    indexes = [index for _id, index in evidence_of(shown, language).chunks]
    reading = Reading(tuple(re.compile(p) for p in DEFAULT_CITATION_MARKERS), language)
    kept = tuple([main_answer(each, language=language) if isinstance(each, str) else each for each in mains])
    to_hold = AnswerToHold(answer, question, lambda: indexes, declined=False, reading=reading, **more)
    return beside_main(to_hold, MainAnswersNow(kept, kept, "2026-06-01T08:00:00Z"))


def states(beside: BesideMain, *, shown: bool = False) -> list[str]:
    return [f"{each.state} {each.value}".strip() for each in beside.reasons if shown or not each.shown]


@pytest.mark.parametrize(
    ("main", "answer", "value"),
    [
        (MAIN, "The bike rental has a daily fee, and a deposit is due.", "12 EUR"),
        ("Cancel it up to 14 days before.", "It may be cancelled some time before.", "14 days"),
        ("Cancel it up to fourteen days before.", "It may be cancelled some time before.", "fourteen days"),
        ("It opens at 9:30.", "It opens in the morning.", "9:30"),
        ("The discount is 25 %.", "There is a discount on it.", "25 %"),
        ("It starts on 3 May 2026.", "It starts in spring this year.", "3 May 2026"),
        ("Call 0800 123456 to book it.", "Call us to book it.", "0800 123456"),
    ],
)
def test_a_value_that_main_gives_and_its_evidence_holds_is_lost(main: str, answer: str, value: str) -> None:
    found = held(answer, main)
    assert states(found) == [f"lost-value {value}"]
    assert found.reasons[0].main == main
    assert found.reasons[0].here == answer


PUMP = (
    "The pump takes part number XJ-900-B. Error E1042 means a leak, error E1077 a broken fan. Its settings are in "
    "/etc/acme/pump.conf. Start it with --dry-run. Your order no. is 4711-22. Ask Anna Schmidt at Helix for help."
)


@pytest.mark.parametrize(
    ("main", "answer", "counts", "shown"),
    [
        ("The pump takes part number XJ-900-B.", "The pump takes a part of its own.", ["XJ-900-B"], []),
        ("The pump takes part number XJ-900-B.", "The pump takes the part xj 900 b.", [], []),
        ("Error E1042 means a leak.", "The error means a leak.", ["E1042"], []),
        ("Error E1042 means a leak.", "Error E1077 means a leak.", [], ["E1042"]),
        ("Error E1042 means a leak.", "Error E1043 means a leak.", ["E1042 → E1043"], ["E1042"]),
        ("Error `E1042` means a leak.", "The error means a leak.", ["E1042"], []),
        ("Error `E1042` means a leak.", "A leak gives error E1042.", [], []),
        ("Your order no. is 4711-22.", "Your order is known.", ["4711-22"], []),
        ("Its settings are in /etc/acme/pump.conf.", "Its settings are in a file.", ["/etc/acme/pump.conf"], []),
        ("Start it with --dry-run.", "Start it without writing.", ["--dry-run"], []),
        ("You can ask Anna Schmidt for help.", "You can ask for help.", [], []),
        ("It meets COVID-19 and A4 rules.", "It meets the rules.", [], []),
        ("Error E1042 means a leak [E1077].", "Error E1042 means a leak [2].", [], []),
    ],
)
def test_codes_and_paths_count(main: str, answer: str, counts: list[str], shown: list[str]) -> None:
    found = held(answer, main_answer(main, evidence=PUMP), evidence=PUMP, question="What should I do now?")
    reasons = [each for each in found.reasons if each.value]
    assert [each.value for each in reasons if not each.shown] == counts
    assert [each.value for each in reasons if each.shown] == shown


@pytest.mark.parametrize(
    ("main", "answer"),
    [
        (MAIN, "Renting a bike is twelve euros a day."),
        (MAIN, "12,00 EUR a day is the price of a bike."),
        (MAIN, "A day costs €12."),
        ("The long fee is 29.90 EUR.", "The long fee is about 30 EUR."),
        ("The long fee is about 30 EUR.", "The long fee is 29.90 EUR."),
        ("Cancel it up to 14 days before.", "It may be cancelled up to two weeks before."),
        ("It opens at 9:30.", "It opens at half past nine (9.30 am)."),
        ("The discount is 25 %.", "You save a quarter with the discount."),
        ("It starts on 3 May 2026.", "It starts on 2026-05-03."),
        ("It starts on 3 May 2026.", "It starts on May 3rd."),
        ("Call 0800 123456 to book it.", "Book it by phone: 0800/123 456."),
    ],
)
def test_other_spellings_roundings_and_units_lose_nothing(main: str, answer: str) -> None:
    assert states(held(answer, main)) == []


def test_nothing_is_lost_that_evidence_or_other_answers_of_main_do_not_bear_out() -> None:
    vague = "The bike rental has a daily fee."
    invented = main_answer("The bike rental costs 13 EUR per day.")
    assert states(held(vague, invented)) == []
    assert states(held(vague, MAIN, "A bike is rented by the day.")) == []
    assert states(held(vague, MAIN, MAIN, "A bike is rented by the day.")) == ["lost-value 12 EUR"], (
        "all but one of three"
    )
    assert states(held("You pay it by the day.", MAIN, question="Is 12 EUR per day right?")) == []


def test_a_value_beside_another_of_its_kind_is_only_shown() -> None:
    found = held("The bike rental costs a fee, and 50 EUR are due as a deposit.", MAIN)
    assert states(found) == []
    assert states(found, shown=True) == ["lost-value 12 EUR"]


def test_number_words_of_a_language_that_is_not_read_are_unknown() -> None:
    assert (
        states(held("Die Radmiete kostet zwölf Euro am Tag.", "Die Radmiete kostet 12 Euro am Tag.", language="de"))
        == []
    )
    assert states(held("Wynajem kosztuje dwanaście.", "Wynajem kosztuje 12 EUR.", language="pl")) == []


def test_labels_decide_about_the_values_they_name() -> None:
    assert states(held("It has a daily fee.", MAIN, labels=lambda: ("12 EUR",))) == []


def test_another_value_in_the_same_statement_is_told_with_both() -> None:
    found = held("The bike rental costs 15 EUR per day.", MAIN)
    assert states(found) == ["changed-value 12 EUR → 15 EUR"]
    assert found.reasons[0].sharp


@pytest.mark.parametrize(
    "answer",
    [
        "The bike rental costs 29.90 EUR per day.",
        "Somebody else charges 15 EUR for a boat.",
    ],
)
def test_values_of_the_evidence_and_other_statements_are_no_changes(answer: str) -> None:
    assert not [each for each in held(answer, MAIN).reasons if each.state == "changed-value"]


def test_without_evidence_two_runs_of_main_have_to_agree() -> None:
    bare = MainAnswer(text=MAIN, run="2026-06-01T08:00:00Z")
    other = MainAnswer(text=MAIN, run="2026-06-02T08:00:00Z")
    once, twice = (
        held("The bike rental costs 15 EUR per day.", *mains, evidence=None) for mains in ((bare,), (bare, other))
    )
    assert (states(once), states(once, shown=True)) == ([], ["changed-value 12 EUR → 15 EUR"])
    assert states(twice) == ["changed-value 12 EUR → 15 EUR"]
    assert not twice.reasons[0].sharp


def test_all_asks_have_to_lose_it() -> None:
    vague, right = held("It has a daily fee.", MAIN), held("It is twelve euros.", MAIN)
    other = held("It has a fee; 50 EUR are due as a deposit.", MAIN)
    assert states(beside_main_in_all([vague, vague]) or vague) == ["lost-value 12 EUR"]
    assert states(beside_main_in_all([vague, right]) or vague) == []
    assert states(beside_main_in_all([vague, other]) or vague) == [], "in one of them another amount is left"
    assert states(beside_main_in_all([vague, None]) or vague) == ["lost-value 12 EUR"]


def changed(main: MainAnswer, *now: TracedChunk, store: EvidenceStore | None = None) -> bool:
    return has_changed(main, QUESTION, context_of(now, None, language="en"), store, "en")


def test_evidence_has_changed_where_the_chunk_of_a_value_has_another_text_or_version() -> None:
    main = main_answer(MAIN)
    assert main.grounds is not None
    assert [chunk.chunk_id for chunk in main.grounds.chunks] == ["c0"]
    assert not changed(main, TracedChunk(chunk_id="c0", text=CHUNK, version="1"))
    assert not changed(main), "that it is not shown ends nothing"
    assert changed(main, TracedChunk(chunk_id="c0", text="It costs 15 EUR."))
    same, newer = make_chunk("c0", CHUNK, version="1"), make_chunk("c0", CHUNK, version="2")
    assert not changed(main, store=make_store(same))
    assert changed(main, store=make_store(newer))
    assert changed(main, store=make_store(make_chunk("c9", CHUNK)))


@pytest.mark.parametrize(
    ("now", "has"),
    [
        pytest.param(("x1", "The bike rental costs 15 EUR per day.", None), True, id="another value, another id"),
        pytest.param(("x1", "The bike rental has its cost by the day.", None), True, id="the value is gone"),
        pytest.param(("x1", "Opening hours are on the door.", "2"), True, id="another version of the document"),
        pytest.param(("x1", CHUNK, None), False, id="the same text by another id"),
        pytest.param(("x1", "Opening hours are on the door.", None), False, id="another part of the document"),
        pytest.param(("x1", "Opening hours are on the door.", "1"), False, id="another part, the same version"),
    ],
)
def test_evidence_has_changed_where_its_source_says_the_same_otherwise(
    now: tuple[str, str, str | None], *, has: bool
) -> None:
    before = TracedChunk(chunk_id="c0", text=CHUNK, version="1", document_id="prices.md")
    grounds = grounds_of(MAIN, QUESTION, context_of((before,), None, language="en"), "en")
    main = MainAnswer(text=MAIN, run="2026-06-01T08:00:00Z", grounds=grounds)
    chunk_id, text, version = now
    shown = TracedChunk(chunk_id=chunk_id, text=text, version=version, document_id="prices.md")
    assert changed(main, shown) is has
    assert not changed(main, shown.model_copy(update={"document_id": "other.md"}))


def test_an_answer_that_declines_where_main_answers_is_less_sure() -> None:
    assert "less-sure" in states(held("I could not find what the bike rental costs.", MAIN))
    assert "less-sure" not in states(held("I could not find it.", "I do not know what it costs."))


@pytest.mark.parametrize(
    ("question", "main", "honest", "declining"),
    [
        pytest.param(
            "When are visiting hours?",
            "Visits on the intensive care unit are possible from 16:00 to 18:00.",
            "On the intensive care unit visits are possible from 16:00 to 18:00. We will call you back within one hour.",
            "We cannot say when visits are possible. We will call you back within one hour.",
            id="a promise of service",
        ),
        pytest.param(
            "Is the wifi free?",
            "The wireless network is free of charge for guests.",
            "The wireless network is provided to guests at no cost.",
            "No cost is stated for the wireless network.",
            id="a price told by a negation",
        ),
        pytest.param(
            "What should I bring?",
            "Please bring your insurance card, your identity card and a list of your medicines.",
            "For your admission please have with you your insurance card, your identity card and a list of your medicines.",
            "Sorry, I have no list of what to bring.",
            id="a request",
        ),
    ],
)
def test_an_answer_with_words_of_declines_is_no_less_sure(
    question: str, main: str, honest: str, declining: str
) -> None:
    reading = Reading(patterns=(), language="en")
    assert is_less_sure(honest, [main], question, reading) is None
    assert is_less_sure(declining, [main], question, reading) is not None


def test_a_denial_is_an_answer_and_one_that_can_be_read_either_way_is_doubtful() -> None:
    main = "Water damage is excluded from the bike rental."
    honest = held("The bike rental does not cover water damage.", main)
    assert [each for each in honest.reasons if each.state == "less-sure" and not each.doubtful] == []
    evasive = held("I am afraid I have no information about that.", main)
    assert [each.doubtful for each in evasive.reasons if each.state == "less-sure"] == [False]


@pytest.mark.parametrize(
    ("language", "main", "gone", "other", "same"),
    [
        (
            "de",
            "Die Radmiete kostet 12 Euro am Tag.",
            "Die Radmiete hat ihren Preis.",
            "Die Radmiete kostet 15 Euro am Tag.",
            ("Die Radmiete kostet zwölf Euro am Tag.", "Die Radmiete kostet 12,00 € pro Tag."),
        ),
        (
            "fr",
            "La location coûte 12 euros par jour.",
            "La location est payante.",
            "La location coûte 15 euros par jour.",
            ("La location coûte douze euros par jour.", "La location coûte 12,00 € par jour."),
        ),
        (
            "es",
            "El alquiler cuesta 12 euros al día.",
            "El alquiler es de pago.",
            "El alquiler cuesta 15 euros al día.",
            ("El alquiler cuesta doce euros al día.", "El alquiler cuesta 12,00 € al día."),
        ),
    ],
)
def test_values_are_held_in_other_languages(
    language: str, main: str, gone: str, other: str, same: tuple[str, ...]
) -> None:
    before = main_answer(main, evidence=main, language=language)
    found = [held(answer, before, evidence=main, language=language) for answer in (gone, other, *same)]
    assert [[each.state for each in beside.reasons if not each.shown] for beside in found] == [
        ["lost-value"],
        ["changed-value"],
        [],
        [],
    ]
