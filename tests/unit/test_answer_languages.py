"""A run says once, by name, which language its answers are in where that keeps faults from being seen."""

from __future__ import annotations

import pytest

from raggate_action.run.answer_languages import AnswerLanguages
from raggate_action.schema.case_run import CaseRun, Claim
from tests.row_builders import make_row

GERMAN = ("Die Gebühr ist am Montag fällig.", "Das Paket wird nicht erstattet.", "Der Saal ist bis zehn Uhr offen.")
ITALIAN = (
    "Il pacco non è incluso nella quota.",
    "Gli ospiti non sono nella sala con il cane.",
    "Non è più nella sala.",
)
ENGLISH = ("The fee is due on Monday.", "The parcel is not refunded.", "The hall is open until ten.")


def rows(*answers: str, itemised: bool = False) -> list[CaseRun]:
    claims = [(Claim(claim_id="1", text=each, start=None if itemised else 0),) for each in answers]
    return [make_row(n, answer=each, claims=made) for n, (each, made) in enumerate(zip(answers, claims, strict=True))]


def note(declared: str, found: list[CaseRun]) -> str | None:
    counted = AnswerLanguages()
    for row in found:
        counted.add(row)
    return counted.note(declared)


def test_answers_of_another_language_than_the_suites_are_told_with_what_to_write() -> None:
    assert note("en", rows(*GERMAN, ENGLISH[0])) == (
        "3 of 4 answers read as German, and the suite's `language` is en: write `language: de`, or their numbers, dates, "
        "negations and bounds are hardly held against the evidence."
    )


def test_answers_of_a_language_whose_words_nobody_knows_are_told_by_its_name() -> None:
    told = note("en", rows(*ITALIAN)) or ""
    assert told.startswith("3 of 3 answers read as Italian, whose words no evidence check knows")
    assert told.endswith("Known are English, French, German, Spanish.")
    assert (note("auto", rows(*ITALIAN)) or "") == told
    assert (note("it", rows()) or "").startswith("The suite's language is Italian, whose words")
    assert (note("xx", rows()) or "").startswith("The suite's language is `xx`, whose words")


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        ("en", rows(*ENGLISH)),
        ("auto", rows(*GERMAN)),
        ("auto", []),
        ("de", rows(*GERMAN)),
        # Two answers are no app's language, nor is half of them, nor what the app itemised.
        ("en", rows(*GERMAN[:2])),
        ("en", rows(*GERMAN, *ENGLISH)),
        ("en", rows(*GERMAN, itemised=True)),
        ("en", []),
    ],
)
def test_nothing_is_told_where_nothing_is_missed(declared: str, found: list[CaseRun]) -> None:
    assert note(declared, found) is None
