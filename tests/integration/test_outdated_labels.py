"""A label whose passage is shown again and says otherwise is out of date: unmeasured, never the app's fault."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from raggate_action.run.decision_text_and_exit_code import outcome_lines
from tests.weaker_suites import Json, Outcome, Project, fact, project, pull_request, run

OPENS, LOANS = "The library opens at 9:00 on weekdays.", "Books may be borrowed for {} days. A reminder costs nothing."
LUNCH = "The cafe serves lunch from noon on."
POINT = {"id": "loan", "answer_phrases": ["28 days", "four weeks"]}
PHRASE = {"must_contain": ["28 days"]}


def library(
    label: Json, *, answer: str = "Books may be borrowed for {} days.", days: int = 28, **loans: Any
) -> Project:
    """Ten questions without an evidence store, one of them about loans; `loans` is the chunk that it shows."""
    opens: Json = {"chunk_id": "opens.md", "text": OPENS, **{key: "1" for key in loans if key == "version"}}
    chunk = {"chunk_id": "loans.md", "text": LOANS.format(days), **loans}
    cases = {f"opens-{n}": {"question": f"When does it open, friend {n}?"} for n in range(9)}
    answers = {name: {"answer": OPENS, "context": [opens]} for name in cases}
    answers["loan"] = {"answer": answer.format(days), "context": [opens, chunk]}
    asked = {"question": "For how long may I borrow a book?", **label}
    return Project({}, {**cases, "loan": asked}, {}, answers)


def told(found: Outcome) -> str:
    return "\n".join([*outcome_lines(found.reporting), found.comment[:900]])


@pytest.mark.parametrize(
    "label",
    [
        pytest.param(PHRASE, id="a phrase"),
        pytest.param({"must_contain": [{"any": ["28 days", "four weeks"]}]}, id="one of two phrases"),
        pytest.param({"required_points": [POINT]}, id="a point"),
        pytest.param({"required_quotes": ["Books may be borrowed for 28 days."]}, id="a quote"),
        pytest.param(
            {"required_quotes": ["Books may be borrowed for 28 days."], "required_points": [POINT], **PHRASE}, id="all"
        ),
    ],
)
@pytest.mark.parametrize(
    ("before", "now"),
    [
        pytest.param({}, {"text": LOANS.format(35)}, id="the text alone"),
        pytest.param({"version": "1"}, {"version": "2", "text": "Take a book home for 35 days."}, id="rewritten"),
        pytest.param({"chunk_id": "l#1"}, {"chunk_id": "l#2", "text": LOANS.format(35)}, id="cut otherwise"),
        pytest.param(
            {"chunk_id": "0a1b2c3d4e5f"},
            {"chunk_id": "f5e4d3c2b1a0", "text": LOANS.format(35)},
            id="no ids, only texts",
        ),
        pytest.param(
            {"chunk_id": "a", "document_id": "loans.md", "version": "2026-11"},
            {"chunk_id": "b", "document_id": "loans.md", "version": "2026-12", "text": "Take a book home for 35 days."},
            id="a new version of the document",
        ),
    ],
)
def test_it_is_one_line_and_no_fault(tmp_path: Path, label: Json, before: Json, now: Json) -> None:
    answer = "You may keep a book for 35 days." if "home" in now["text"] else LOANS.format(35).partition(".")[0] + "."
    base = library(label, **before)
    head = library(label, answer=answer, **now)
    found = pull_request(tmp_path, base, head)
    assert found.kind == "release", told(found)
    (line,) = [each for each in found.comment.splitlines() if "out of date" in each]
    assert "35 days" in line
    assert "`loan`" in line
    assert "`raggate-action accept` replaces" in line


@pytest.mark.parametrize(
    ("chunk", "kind"),
    [
        pytest.param({"text": "Books may be borrowed for four weeks."}, "release", id="the document is reworded"),
        pytest.param({"chunk_id": "cafe.md", "text": LUNCH}, "block", id="another document is shown"),
    ],
)
def test_what_a_source_must_say_may_be_reworded(tmp_path: Path, chunk: Json, kind: str) -> None:
    """The claim makes its point in the new words, which no support phrase has."""
    label = {"required_points": [{**POINT, "support_phrases": ["28 days"]}]}
    answer = "Books may be borrowed for four weeks, and free of charge."
    base = library(label, answer="You may borrow a book for {} days.")
    found = pull_request(tmp_path, base, library(label, answer=answer, **chunk))
    assert found.kind == kind, told(found)


@pytest.mark.parametrize(
    ("head", "why"),
    [
        pytest.param(library(PHRASE, answer="For as long as you like."), "left out", id="shown unchanged"),
        pytest.param(library(PHRASE, answer=OPENS, chunk_id="cafe.md", text=LUNCH), "left out", id="not shown"),
        pytest.param(
            library(PHRASE, answer="For 35 days.", text="Borrow each book for 28 days. A reminder: 35 days."),
            "left out", id="shown in other words",
        ),
        pytest.param(
            library(PHRASE, answer="Books may be borrowed for 42 days.", text=LOANS.format(35)),
            "", id="another value than the document's",
        ),
        pytest.param(
            library(PHRASE, answer="Books may be borrowed for 35 days.", chunk_id="branch.md", text=LOANS.format(35)),
            "left out", id="another document that says nearly the same",
        ),
    ],
)  # fmt: skip
def test_what_the_app_gets_wrong_still_fails(tmp_path: Path, head: Project, why: str) -> None:
    found = pull_request(tmp_path, library(PHRASE), head)
    assert found.kind == "block", told(found)
    assert why in found.comment
    assert "out of date" not in found.comment


def test_a_source_that_is_gone_still_fails(tmp_path: Path) -> None:
    """Whatever another document says in its place."""
    label = {"required_source_ids": ["loans.md"], "required_quotes": ["Books may be borrowed for 28 days."]}
    head = library(label, answer="Books may be borrowed for 35 days.", chunk_id="new.md", text=LOANS.format(35))
    found = pull_request(tmp_path, library(label), head)
    assert found.kind == "block", told(found)
    assert "If its source moved, label the case anew" in found.comment
    assert "waivers:" not in found.comment


def test_of_several_cases_the_budget_decides(tmp_path: Path) -> None:
    def two(days: int) -> Project:
        found = library(PHRASE, days=days)
        return found.but(cases={"again": found.cases["loan"]}, answers={"again": found.answers["loan"]})

    found = pull_request(tmp_path, two(28), two(35))
    assert (found.kind, found.gates) == ("inconclusive", ("unmeasured",)), told(found)
    assert (
        "**Labels out of date: 2 cases not measured** (1 allowed): the document says otherwise now: " in found.comment
    )
    assert found.comment.partition("<details>")[0].count("35 days") == 1


def test_until_it_is_replaced_it_stays_out_of_date(tmp_path: Path) -> None:
    """The next change is held against a baseline that no longer shows what the label says."""
    run(tmp_path / "first", library(PHRASE))
    done = run(tmp_path / "second", library(PHRASE, days=35), baseline=tmp_path / "first/run")
    assert done.reporting.run.unmeasured == 1
    third = run(tmp_path / "third", library(PHRASE, days=35), baseline=tmp_path / "second/run")
    assert (third.reporting.run.decision.kind, third.reporting.run.unmeasured) == ("release", 1)
    wrong = run(tmp_path / "wrong", library(PHRASE, answer=OPENS, days=35), baseline=tmp_path / "second/run")
    assert wrong.reporting.run.unmeasured == 1


@pytest.mark.parametrize("days", [28, 35])
def test_the_new_label_is_no_weaker_demand(tmp_path: Path, days: int) -> None:
    """Replaced in the change that brings the new document it releases; beside the old document it is weaker."""
    head = library({"must_contain": ["35 days"]}, answer="Books may be borrowed for 35 days.", days=days)
    found = pull_request(tmp_path, library(PHRASE), head)
    assert found.kind == ("release" if days == 35 else "block"), told(found)


def test_under_ids_alone_no_word_is_repeated(tmp_path: Path) -> None:
    base, head = (library(PHRASE, days=days) for days in (28, 35))
    ids = {"texts": "ids"}
    found = pull_request(tmp_path, base._replace(suite=ids), head._replace(suite=ids))
    assert found.reporting.run.unmeasured == 1
    assert "out of date" in found.comment
    stored = (tmp_path / "head" / "run" / "cases.jsonl").read_text() + found.comment
    assert "35 days" not in stored
    assert "borrowed for" not in stored


@pytest.mark.parametrize(
    ("shown", "kind"), [pytest.param("c3", "release", id="shown"), pytest.param("note", "block", id="not shown")]
)
def test_with_an_evidence_store_the_suite_is_read_all_the_same(tmp_path: Path, shown: str, kind: str) -> None:
    quoted = project(20)
    base = quoted.but(cases={"q3": {"question": "How long may Delta 3 be returned?", "required_quotes": [fact(3)]}})
    new = fact(3).replace("33 days", "14 days")
    answer = {"answer": new if shown == "c3" else "It is sold in all shops of the town.", "context": [shown]}
    found = pull_request(tmp_path, base, base.but(chunks={"c3": {"text": new}}, answers={"q3": answer}))
    assert found.kind == kind, told(found)
    assert ("out of date" in found.comment) == (kind == "release")


@pytest.mark.parametrize("old", [None, {"text": fact(3), "current": False}], ids=["run out", "superseded"])
def test_a_required_source_that_is_over_is_no_demand(tmp_path: Path, old: Json | None) -> None:
    """Nobody can show it; its label has to be replaced."""
    base = project(20)
    new = {"c3-v2": {"text": fact(3)}, "c3": old or {"text": fact(3), "valid_until": "2020-01-01T00:00:00Z"}}
    head = base.but(chunks=new, answers={"q3": {"answer": fact(3), "context": ["c3-v2"]}})
    found = pull_request(tmp_path, base, head)
    assert found.kind == "release", told(found)
    assert "the document says otherwise now: c3 is no longer in force. `q3`" in found.comment


@pytest.mark.parametrize("version", ["2026-12", "2026-11"])
def test_equal_answers_are_one_line_above_any_repair(tmp_path: Path, version: str) -> None:
    """The app repeats what the new document no longer says; of another answer nothing of the kind is said."""
    base = library(PHRASE, version="2026-11")
    found = pull_request(
        tmp_path, base, library(PHRASE, days=35, answer="Books may be borrowed for 28 days.", version=version)
    )
    assert found.kind == "block", told(found)
    lines = found.comment.splitlines()
    repair = next(number for number, each in enumerate(lines) if "Repair: " in each)
    line = "> - **The same answer as on the baseline:** `loan`; `loans.md: 2026-11 → 2026-12`."
    assert (line in lines[:repair]) == (version == "2026-12")
    assert "  - this run, as on the baseline: Books may be borrowed for 28 days." in lines
    assert found.comment.partition("<details>")[0].count("Books may be borrowed for 28 days.") == 1
    other = library(PHRASE, days=35, answer="Books may be borrowed for 42 days.", version=version)
    assert "The same answer" not in pull_request(tmp_path / "other", base, other).comment
