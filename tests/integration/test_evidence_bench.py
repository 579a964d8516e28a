"""The evidence bench counts what it says, and the rules stop the faults it makes."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from bench.evidence_checks import labelled
from bench.evidence_checks.declining import (
    ANSWER,
    DECLINE,
    LOOKALIKE,
    READINGS,
    UNREAD,
    Wording,
    judged,
    tables,
    wordings,
)
from bench.evidence_checks.faults import Right, faults_of, findings, right_answers, stopped_by
from bench.evidence_checks.labelled import NUMBERS, is_held_out, measure
from bench.evidence_checks.reworded import records
from bench.table import Options, bootstrap, wilson

ROOT = Path(__file__).parents[2]
RIGHTS = right_answers()
FAULTS = {
    "negation dropped or added", "number changed", "unit changed", "empty answer", "wrong citation",
    "citation never retrieved", "forbidden chunk", "superseded version", "roles swapped", "two invented additions",
    "number of the other item", "off topic, points given",
}  # fmt: skip


def row(number: int, answer: str, *, grounded: int) -> dict[str, object]:
    chunks = ["The fee is $5 per month.", "Refunds are paid within 30 days."]
    return {"id": f"r{number}", "doc_id": f"d{number}", "chunks": chunks, "answer": answer, "grounded": grounded}


ROWS = [
    row(1, "Refunds are paid within 30 days.", grounded=1),
    row(2, "The fee is $47 per month.", grounded=0),
    row(3, "Payment back takes a month at most.", grounded=1),
]


def test_rows_are_measured_one_by_one() -> None:
    measured = measure(ROWS)
    assert [m.flagged(*NUMBERS) for m in measured] == [False, True, False]
    assert [m.claims == m.quoted for m in measured] == [True, False, False]


def test_the_tables_count_the_files_that_are_there_and_name_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "wice_claims.jsonl").write_text("".join(json.dumps(r) + "\n" for r in ROWS))
    monkeypatch.setattr(labelled, "DATA", tmp_path)
    whole, _held_out, *missing = labelled.tables(Options())
    assert whole.title == "wice_claims.jsonl: 3 rows of 3 documents, 2 grounded"
    numbers = ["0/2 0.0 % [0.0, 100.0]", "1/1 100.0 % [100.0, 100.0]", "1/1 100.0 % [20.7, 100.0]", "100 %"]
    assert next(iter(whole.rows)) == ["**absent number, date, money, ...**", *numbers]
    assert ["not measured" in each.title for each in missing] == [True, True]


def test_wilson_as_in_the_textbook() -> None:
    # 10 of 100 at z = 1.96: 0.0552 to 0.1744 (Newcombe 1998, method 3).
    assert wilson(10, 100) == "10/100 10.0 % [5.5, 17.4]"
    assert wilson(0, 0) == "0 of 0"


def test_a_bootstrap_draws_documents_not_rows() -> None:
    # Ten documents of ten rows each, three of them all hits: of ten drawn 1 to 6 are such (none in 2.8 % of draws, more
    # than 6 in 1.1 %, by the binomial distribution), while 100 rows for themselves would give 21 to 39.
    rows = [(f"document {number}", number < 3) for number in range(10) for _ in range(10)]
    assert bootstrap(rows) == "30/100 30.0 % [10.0, 60.0]"
    assert bootstrap([]) == "0 of 0"
    # Nothing was hit: three over the number of documents, the rule of three.
    assert bootstrap([(str(number), False) for number in range(30)]) == "0/30 0.0 % [0.0, 10.0]"


def test_halves_are_told_by_document() -> None:
    halves = Counter(is_held_out(f"document {number}") for number in range(1000))
    assert 440 < halves[True] < 560


def test_there_are_enough_right_answers_and_every_fault_is_made() -> None:
    assert len({right.name.rpartition("/")[0] for right in RIGHTS}) >= 31
    assert len({right.name.partition("/")[0] for right in RIGHTS}) >= 8
    assert {bad.fault for right in RIGHTS for bad in faults_of(right, RIGHTS)} == FAULTS


@pytest.mark.parametrize("right", RIGHTS, ids=lambda right: right.name)
def test_no_near_verbatim_right_answer_is_suspect(right: Right) -> None:
    assert [found for found in findings(right, right.answer, right.source) if not found.advisory] == []


def test_ten_of_the_twelve_faults_are_stopped_more_often_than_not() -> None:
    """Alone, or as one of two cases: of what right answers in other words may have, one case only warns."""
    made: Counter[str] = Counter()
    stopped: Counter[str] = Counter()
    for right in RIGHTS:
        for bad in faults_of(right, RIGHTS):
            made[bad.fault] += 1
            stopped[bad.fault] += stopped_by(right, bad).how in {"alone", "with another case"}
    often = [fault for fault in made if stopped[fault] > 0.75 * made[fault]]
    # A wrong citation is a finding beside the gates; of two invented additions, one pair in three is nothing but words.
    assert len(often) >= 10, {fault: f"{stopped[fault]} of {made[fault]}" for fault in made}


# Declines. Lower bounds, so that a rule may get better.

FIRST = ("seen", "held out at first")
LATER = ("dev", "last count", "chats dev", "chats last count")


def declining(kind: str, *parts: str) -> list[Wording]:
    return [w for w in wordings() if w.kind == kind and w.part in (parts or FIRST)]


def shares(rows: list[Wording]) -> str:
    return " | ".join(wilson(sum(w.reading == reading for w in rows), len(rows)) for reading in READINGS)


def test_the_wordings_are_all_read() -> None:
    assert Counter(w.kind for w in wordings() if w.part in FIRST) == {DECLINE: 252, LOOKALIKE: 105, ANSWER: 100}
    assert len(wordings()) == 1512
    assert {w.reading for w in wordings()} <= {"declined", "undecided", "answered"}


@pytest.mark.parametrize("part", FIRST)
def test_a_right_decline_is_hardly_ever_a_hallucination(part: str) -> None:
    # One in a hundred: a wording that nobody thought of makes a right answer fail a release.
    rows = declining(DECLINE, part)
    assert sum(w.hallucination for w in rows) <= 0.01 * len(rows)


def test_most_declines_are_recognised_for_certain() -> None:
    # What is undecided is left to people: if that were most of them, the gate would measure nothing.
    for part, least in (("seen", 114), ("held out at first", 108), ("fresh", 47)):
        assert sum(w.reading == "declined" for w in declining(DECLINE, part)) >= least


@pytest.mark.parametrize("kind", [LOOKALIKE, ANSWER])
def test_nothing_that_answers_is_taken_for_a_decline(kind: str) -> None:
    # None at all: it would release an invented answer as a decline.
    assert [w.answer for w in declining(kind) if w.reading == "declined"] == []


def test_what_answers_is_told_to_answer_nine_times_in_ten() -> None:
    # In a language with rules; in others nothing can be told. Undecided hides a hallucination.
    known = [w for kind in (LOOKALIKE, ANSWER) for w in declining(kind) if w.language != "other"]
    assert sum(w.reading == "answered" for w in known) >= 0.9 * len(known)


def test_the_language_of_the_suite_changes_nothing_about_declining() -> None:
    for w in declining(DECLINE)[::9] + declining(LOOKALIKE)[::9]:
        assert judged(w.question, w.answer, "de") == judged(w.question, w.answer, "es") == (w.reading, w.hallucination)


NAMES = {DECLINE: "declines", LOOKALIKE: "answers that look like a decline", ANSWER: "answers"}


def test_what_nobody_may_look_at_is_printed_by_no_bench() -> None:
    (table,) = tables(Options(verbatim=True))
    told = "\n".join(table.lines)
    assert len(told.splitlines()) > 50
    assert [w for w in wordings() if w.part in UNREAD and w.wording_id in told] == []


def test_the_rewordings_are_of_every_kind_and_set() -> None:
    rows = records()
    assert len(rows) == 13_069
    assert {"complement", "derived", "address", "invented_address", "wrong_sum"} <= {row["kind"] for row in rows}
    assert {row["set"] for row in rows} == {"dev", "held", "fresh"}
