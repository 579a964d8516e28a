"""The evidence bench counts what it says, and the rules stop the faults it makes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from bench.evidence_checks.declining import (
    ANSWER,
    DECLINE,
    HALVES,
    LOOKALIKE,
    MEANT,
    MODEL_HALVES,
    READINGS,
    Wording,
    blind_wordings,
    fresh_declines,
    judged,
    model_table,
    model_wordings,
    unseen_wordings,
    wordings,
)
from bench.evidence_checks.faults import Right, faults_of, findings, right_answers, stopped_by
from bench.evidence_checks.labelled import NUMBERS, bootstrap, is_held_out, measure, wilson
from bench.evidence_checks.measure import main
from bench.evidence_checks.rewordings import records

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
    assert [m.supported for m in measured] == [True, False, False]


def test_the_table_counts_any_file_of_that_form(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "mine.jsonl"
    file.write_text("".join(json.dumps(r) + "\n" for r in ROWS))
    monkeypatch.setattr(sys, "argv", ["measure.py", str(file)])
    assert main() == 0
    out = capsys.readouterr().out
    assert "3 rows of 3 documents, 2 grounded." in out
    assert "| **absent number, date, money, ...** | 0/2 0.0 % [0.0, 100.0] | 1/1 100.0 % [100.0, 100.0] |" in out
    always = "2/2 100.0 % [100.0, 100.0] | 1/1 100.0 % [100.0, 100.0]"
    assert f"| always flag | {always} | {wilson(1, 3)} | 10 % | 0.50 |" in out


def test_it_says_when_the_labelled_files_are_not_there(tmp_path: Path) -> None:
    code = f"import bench.evidence_checks.measure as m, pathlib; m.DATA = pathlib.Path({str(tmp_path)!r}); m.main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.startswith("Not there, not measured: wice_claims.jsonl")


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


# Declines. Lower bounds, so that a rule may get better; what the counts were when this was written is in the docs.

wordings_read = cache(wordings)


def declining(kind: str, *, held_out: bool | None = None) -> list[Wording]:
    return [w for w in wordings_read() if w.kind == kind and held_out in {None, w.held_out}]


def test_the_wordings_are_all_read() -> None:
    assert Counter(w.kind for w in wordings_read()) == {DECLINE: 252, LOOKALIKE: 105, ANSWER: 100}
    assert {w.reading for w in wordings_read()} <= {"declined", "undecided", "answered"}


@pytest.mark.parametrize("held_out", [False, True])
def test_a_right_decline_is_hardly_ever_a_hallucination(*, held_out: bool) -> None:
    # One in a hundred: a wording that nobody thought of makes a right answer fail a release.
    rows = declining(DECLINE, held_out=held_out)
    assert sum(w.hallucination for w in rows) <= 0.01 * len(rows)


def test_most_declines_are_recognised_for_certain() -> None:
    # What is undecided is left to people: if that were most of them, the gate would measure nothing.
    assert sum(w.reading == "declined" for w in declining(DECLINE, held_out=False)) >= 114
    assert sum(w.reading == "declined" for w in declining(DECLINE, held_out=True)) >= 108
    assert sum(w.reading == "declined" for w in fresh_declines()) >= 47


@pytest.mark.parametrize("kind", [LOOKALIKE, ANSWER])
def test_nothing_that_answers_is_taken_for_a_decline(kind: str) -> None:
    # None at all: it would release an invented answer as a decline.
    assert [w.answer for w in declining(kind) if w.reading == "declined"] == []


def test_what_answers_is_told_to_answer_nine_times_in_ten() -> None:
    # In a language with rules; in others nothing can be told. Undecided hides a hallucination.
    known = [w for kind in (LOOKALIKE, ANSWER) for w in declining(kind) if w.language != "other"]
    assert sum(w.reading == "answered" for w in known) >= 0.9 * len(known)


def test_the_language_of_the_suite_changes_nothing_about_declining() -> None:
    for w in wordings_read()[::9]:
        assert judged(w.question, w.answer, "de") == judged(w.question, w.answer, "es") == (w.reading, w.hallucination)


def test_the_documents_hold_these_counts() -> None:
    docs = (ROOT / "docs/evidence-checks.md").read_text()
    names = {DECLINE: "declines", LOOKALIKE: "answers that look like a decline", ANSWER: "answers"}
    for kind, name in names.items():
        for held_out, half in ((False, "seen"), (True, "held out at first")):
            rows = declining(kind, held_out=held_out)
            shares = [wilson(sum(w.reading == reading for w in rows), len(rows)) for reading in READINGS]
            assert f"| {name} | {half} | {' | '.join(shares)} |" in docs


def test_declines_written_after_the_rules_are_in_the_documents_as_counted() -> None:
    rows = fresh_declines()
    counts = [sum(w.reading == reading for w in rows) for reading in READINGS]
    told = "of sixty declines {} were recognised, {} undecided and {} counted as a hallucination".format(*counts)
    assert told in " ".join((ROOT / "docs/evidence-checks.md").read_text().split())


@pytest.mark.parametrize("half", HALVES)
def test_the_halves_written_before_the_rules_of_the_question_are_in_the_documents(half: str) -> None:
    docs = (ROOT / "docs/evidence-checks.md").read_text()
    for kind, name in ((DECLINE, "declines"), (LOOKALIKE, "answers that look like a decline")):
        rows = [w for w in blind_wordings(half) if w.kind == kind]
        shares = [wilson(sum(w.reading == reading for w in rows), len(rows)) for reading in READINGS]
        assert f"| {name} | {half.replace('_', ' ')} | {' | '.join(shares)} |" in docs
        if kind == LOOKALIKE:
            assert all(w.reading != "declined" for w in rows)
        else:
            # What is known to be wrong, and named in the documents, is held: no more than that.
            assert sum(w.hallucination for w in rows) <= {"chats_dev": 0, "chats_last_count": 3}.get(half, 1)


@pytest.mark.parametrize("half", MODEL_HALVES)
def test_the_manners_of_chat_models_are_in_the_documents_as_counted(
    half: str, capsys: pytest.CaptureFixture[str]
) -> None:
    model_table(half, model_wordings(half))
    docs = (ROOT / "docs/evidence-checks.md").read_text().splitlines()
    assert capsys.readouterr().out.splitlines() == [line for line in docs if line.startswith(f"| {half} | ")]


def test_every_part_of_the_evidence_bench_is_run() -> None:
    (recipe,) = [part for part in (ROOT / "Makefile").read_text().split("\n\n") if part.startswith("bench-evidence:")]
    for part in ("measure", "reworded", "faults", "declining", "speed"):
        assert f"bench/evidence_checks/{part}.py" in recipe
    rows = list(records())
    assert {"complement", "derived", "address", "invented_address", "wrong_sum"} <= {row["kind"] for row in rows}
    assert {row["set"] for row in rows} == {"dev", "held", "fresh"}


def test_the_bench_of_declines_prints_what_it_counts() -> None:
    command = [sys.executable, "bench/evidence_checks/declining.py"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    rows = declining(DECLINE, held_out=True)
    read = [wilson(sum(w.reading == reading for w in rows), len(rows)) for reading in READINGS]
    assert f"| decline | all | {' | '.join(read)} |" in done.stdout
    blind = [w for half in HALVES for w in blind_wordings(half)]
    missed = [w for w in (*wordings_read(), *fresh_declines(), *blind) if w.reading != MEANT[w.kind]]
    unseen = [w for w in unseen_wordings() if (w.kind == DECLINE) != (w.unexpected == "declined")]
    assert done.stdout.count("\n- ") == len(missed) + len(unseen)
    assert " ".join(missed[0].answer.split()) in done.stdout
