"""Labels are read with the suite, and an entry that leaves a doubt is told with its place."""

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
    text = "\n".join(line if isinstance(line, str) else f"- {json.dumps(line)}" for line in lines)
    (folder / "labels.yaml").write_text(text)
    return load_suite(folder / "raggate.yaml", environment={}).calibration


def problem(folder: Path, *lines: Any) -> str:
    with pytest.raises(SuiteError) as told:
        labels(folder, *lines)
    return str(told.value)


def test_an_empty_verdict_is_no_label_and_is_counted(folder: Path) -> None:
    empty = [{"claim_id": f"k{n}", "text": f"Claim {n}.", "verdict": None} for n in (2, 3)]
    first, second = labels(
        folder, {**ANSWER, "claims": [*ANSWER["claims"], *empty]}, {**ANSWER, "id": "a2", "claims": empty}
    )
    assert ([claim.claim_id for claim in first.labelled], second.labelled) == (["k1"], ())
    (folder / "traces.jsonl").write_text("")
    told = raggate("check", "raggate.yaml", cwd=folder).stdout
    assert "judges: 1, beside 1 labelled claim, 0 of them faulty; 4 empty verdicts in the file of labels\n" in told


@pytest.mark.parametrize("content", [None, "", "\n \n"])
def test_no_file_and_an_empty_one_are_no_labels(folder: Path, content: str | None) -> None:
    if content is not None:
        (folder / "labels.yaml").write_text(content)
    assert load_suite(folder / "raggate.yaml", environment={}).calibration == ()


def test_a_suite_without_judges_reads_no_labels(folder: Path) -> None:
    (folder / "raggate.yaml").write_text(SUITE.partition("judges:")[0])
    assert labels(folder, "this is no label") == ()


def test_the_file_is_where_the_suite_says(folder: Path) -> None:
    (folder / "raggate.yaml").write_text(f"{SUITE}  calibration: labels/people.json\n")
    (folder / "labels").mkdir()
    (folder / "labels" / "people.json").write_text(json.dumps([ANSWER]))
    assert len(load_suite(folder / "raggate.yaml", environment={}).calibration) == 1
    assert label_judgements_path(folder / "labels/people.json") == folder / "labels/people.judgements.jsonl"
    (folder / "raggate.yaml").write_text(f"{SUITE}  calibration: cases.txt\n")
    (folder / "cases.txt").write_text("a")
    with pytest.raises(SuiteError, match=r"labels are a list in a file of one of \.yaml, \.yml, \.json"):
        load_suite(folder / "raggate.yaml", environment={})


def changed(**fields: Any) -> dict[str, Any]:
    return {**ANSWER, **fields}


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (
            [ANSWER, "", ANSWER],
            "labels.yaml:3:10: the id `a1` was given on line 1 already; write another one",
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
        (["not: a list"], "labels.yaml:1:1: unknown key `not`"),
    ],
)
def test_an_entry_in_doubt_is_told_with_its_place(folder: Path, lines: list[Any], expected: str) -> None:
    told = problem(folder, *lines)
    assert expected in told
    assert told.startswith("labels.yaml:")
    assert len(told.splitlines()) == 1


def test_a_folder_in_its_place_cannot_be_read(folder: Path) -> None:
    (folder / "labels.yaml").mkdir()
    with pytest.raises(SuiteError, match=r"labels\.yaml:1:1: cannot be read: Is a directory"):
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


def test_entries_with_a_job_stand_between_the_others_and_are_told_apart(folder: Path) -> None:
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
        ({**HELD, "id": "a1"}, "labels.yaml:2:10: the id `a1` was given on line 1 already; write another one"),
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
        ({**HELD, "items": HELD["items"][:1] * 2}, "two of them are called `criterion-1`; give each an id of its own"),
        ({**HELD, "items": [{**HELD["items"][0], "text": " "}]}, "the criterion is empty; write its words"),
        ({**HELD, "answer": " "}, "the answer is empty; write the answer that was labelled"),
        ({**HELD, "items": []}, "`items` is an empty list; write at least one entry"),
        ({**HELD, "claims": []}, "unknown key `claims`"),
    ],
)
def test_an_entry_with_a_job_in_doubt_is_told_with_its_place(folder: Path, line: Any, expected: str) -> None:
    told = problem(folder, ANSWER, line)
    assert expected in told
    assert told.startswith("labels.yaml:2:")
    assert len(told.splitlines()) == 1


def test_check_suite_counts_the_labels_of_every_job(folder: Path) -> None:
    labels(folder, ANSWER, HELD, FACTS)
    (folder / "traces.jsonl").write_text("")
    done = raggate("check", "raggate.yaml", cwd=folder)
    assert (
        "judges: 1, beside 1 labelled claim, 0 of them faulty; 1 labelled fact, 1 of them not stated; "
        "2 labelled criteria, 0 of them unmet; 1 empty verdict in the file of labels\n"
    ) in done.stdout, done.stderr
