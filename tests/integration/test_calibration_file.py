"""Labels are read with the suite, and a line that leaves a doubt is told with its place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from raggate_action.errors import SuiteError
from raggate_action.suite_files import load_suite
from raggate_action.suite_files.calibration_file import label_judgements_path
from tests.command_line import raggate

SUITE = """\
suite: tea
cases: [cases.yaml]
target: {kind: recorded, traces: traces.jsonl}
judges:
  panel: [{name: owl, lab: Northlab, model: owl-1}]
"""
ANSWER: dict[str, Any] = {
    "id": "a1",
    "question": "How hot?",
    "chunks": [{"chunk_id": "c1", "text": "Green tea is brewed at 80 degrees."}],
    "answer": "At 80 degrees.",
    "claims": [{"claim_id": "k1", "text": "At 80 degrees.", "verdict": "supported"}],
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "raggate.yaml").write_text(SUITE)
    (tmp_path / "cases.yaml").write_text("- {case_id: q1, question: How hot?}\n")
    return tmp_path


def labels(folder: Path, *lines: Any) -> Any:
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    (folder / "calibration.jsonl").write_text(text)
    return load_suite(folder / "raggate.yaml", environment={}).calibration


def problem(folder: Path, *lines: Any) -> str:
    with pytest.raises(SuiteError) as told:
        labels(folder, *lines)
    return str(told.value)


def test_labels_are_read_in_their_order_and_lines_may_be_blank(folder: Path) -> None:
    found = labels(folder, ANSWER, "", {**ANSWER, "id": "a2", "claims": [{**ANSWER["claims"][0], "drawn": "random"}]})
    assert [(answer.id, answer.claims[0].drawn) for answer in found] == [("a1", "chosen"), ("a2", "random")]


@pytest.mark.parametrize("content", [None, "", "\n \n"])
def test_no_file_and_no_line_are_no_labels(folder: Path, content: str | None) -> None:
    if content is not None:
        (folder / "calibration.jsonl").write_text(content)
    assert load_suite(folder / "raggate.yaml", environment={}).calibration == ()


def test_a_suite_without_judges_reads_no_labels(folder: Path) -> None:
    (folder / "raggate.yaml").write_text(SUITE.partition("judges:")[0])
    assert labels(folder, "this is no label") == ()


def test_the_file_is_where_the_suite_says(folder: Path) -> None:
    (folder / "raggate.yaml").write_text(f"{SUITE}  calibration: labels/people.jsonl\n")
    (folder / "labels").mkdir()
    (folder / "labels" / "people.jsonl").write_text(json.dumps(ANSWER))
    assert len(load_suite(folder / "raggate.yaml", environment={}).calibration) == 1
    assert label_judgements_path(folder / "labels/people.jsonl") == folder / "labels/people.judgements.jsonl"


def changed(**fields: Any) -> dict[str, Any]:
    return {**ANSWER, **fields}


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (
            [ANSWER, "", ANSWER],
            "calibration.jsonl:3:8: the id `a1` was given on line 1 already; write another one",
        ),
        (
            [changed(claims=[{"claim_id": "k1", "text": "Hot.", "verdict": "right"}])],
            "`verdict` is 'right'; write one of `supported`, `partial`, `unsupported`, `contradicted`",
        ),
        (
            [changed(claims=[{"claim_id": "k1", "text": " ", "verdict": "supported"}])],
            "the claim is empty; write the words that are labelled",
        ),
        ([changed(claims=ANSWER["claims"] * 2)], "two claims are called `k1`; give each an id of its own"),
        ([changed(chunks=ANSWER["chunks"] * 2)], "two chunks are called `c1`; give each an id of its own"),
        ([changed(claims=[])], "`claims` is an empty list; write at least one entry"),
        ([changed(answer="")], "the answer is empty; write the answer whose claims are labelled"),
        (
            [changed(chunks=[])],
            "the claim is `supported`, and no chunk has a text; write the chunks that were read",
        ),
        ([changed(verdcit="supported")], "unknown key `verdcit`"),
        (["{not json"], "calibration.jsonl:1:2: this is not JSON"),
    ],
)
def test_a_line_in_doubt_is_told_with_its_place(folder: Path, lines: list[Any], expected: str) -> None:
    told = problem(folder, *lines)
    assert expected in told
    assert told.startswith("calibration.jsonl:")
    assert len(told.splitlines()) == 1


def test_a_folder_in_its_place_cannot_be_read(folder: Path) -> None:
    (folder / "calibration.jsonl").mkdir()
    with pytest.raises(SuiteError, match=r"calibration\.jsonl:1:1: cannot be read: Is a directory"):
        load_suite(folder / "raggate.yaml", environment={})


def test_an_unsupported_claim_needs_no_chunk(folder: Path) -> None:
    made_up = {"claim_id": "k1", "text": "At 80 degrees.", "verdict": "unsupported"}
    assert labels(folder, changed(chunks=[], claims=[made_up]))


HELD: dict[str, Any] = {
    "id": "h1",
    "job": "criteria",
    "question": "How hot?",
    "answer": "At 80 degrees.",
    "items": [
        {"item_id": "criterion-1", "text": "names a temperature", "verdict": "yes"},
        {"item_id": "criterion-2", "text": "promises a taste", "must_not": True, "verdict": "no"},
        {"item_id": "criterion-3", "text": "is polite"},
    ],
}
FACTS: dict[str, Any] = {
    **HELD,
    "id": "f1",
    "job": "agreement",
    "items": [{"item_id": "fact-1", "text": "It is brewed at 80 degrees.", "verdict": "contradicted"}],
}


def test_lines_with_a_job_stand_between_the_others_and_are_told_apart(folder: Path) -> None:
    labels(folder, HELD, ANSWER, FACTS, {**ANSWER, "id": "a2", "job": "claims"})
    loaded = load_suite(folder / "raggate.yaml", environment={})
    assert [answer.id for answer in loaded.calibration] == ["a1", "a2"]
    assert [(answer.id, answer.job, [item.text for item in answer.labelled]) for answer in loaded.held] == [
        ("h1", "criteria", ["names a temperature", "promises a taste"]),
        ("f1", "agreement", ["It is brewed at 80 degrees."]),
    ]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ({**HELD, "id": "a1"}, "calibration.jsonl:2:8: the id `a1` was given on line 1 already; write another one"),
        ({**HELD, "job": "manners"}, "`job` is 'manners'; write one of `agreement`, `criteria`"),
        (
            {**FACTS, "items": [{**FACTS["items"][0], "verdict": "yes"}]},
            "of a fact nobody can say `yes`; write one of `stated`, `lacking`, `contradicted`",
        ),
        (
            {**HELD, "items": [{**HELD["items"][0], "verdict": "stated"}]},
            "of a criterion nobody can say `stated`; write one of `yes`, `no`",
        ),
        (
            {**HELD, "items": [{**HELD["items"][0], "verdict": "cannot-tell"}]},
            "`verdict` is 'cannot-tell'; write one of `stated`, `lacking`, `contradicted`, `yes`, `no`",
        ),
        ({**FACTS, "items": [{**FACTS["items"][0], "must_not": True}]}, "a fact is to be stated; leave `must_not` out"),
        ({**HELD, "items": HELD["items"][2:]}, "nobody says anything of it; write the `verdict` on one criterion"),
        ({**HELD, "items": HELD["items"][:1] * 2}, "two of them are called `criterion-1`; give each an id of its own"),
        ({**HELD, "items": [{**HELD["items"][0], "text": " "}]}, "the criterion is empty; write its words"),
        ({**HELD, "answer": " "}, "the answer is empty; write the answer that was labelled"),
        ({**HELD, "items": []}, "`items` is an empty list; write at least one entry"),
        ({**HELD, "claims": []}, "unknown key `claims`"),
    ],
)
def test_a_line_with_a_job_in_doubt_is_told_with_its_place(folder: Path, line: Any, expected: str) -> None:
    told = problem(folder, ANSWER, line)
    assert expected in told
    assert told.startswith("calibration.jsonl:2:")
    assert len(told.splitlines()) == 1


def test_check_suite_counts_the_labels_of_every_job(folder: Path) -> None:
    labels(folder, ANSWER, HELD, FACTS)
    (folder / "traces.jsonl").write_text("")
    done = raggate("check", "raggate.yaml", cwd=folder)
    assert (
        "judges: 1, beside 1 labelled claim, 0 of them faulty; 1 labelled fact, 1 of them not stated; "
        "2 labelled criteria, 0 of them unmet\n"
    ) in done.stdout, done.stderr
