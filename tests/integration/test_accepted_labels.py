"""`gate/accepted.yaml`: read as every file of a suite, weaker than a case's own labels, replaced entry by entry."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from raggate_action.cli.main import main
from raggate_action.errors import SuiteError
from raggate_action.schema.case import Case
from raggate_action.suite_files import LoadedSuite, load_suite
from tests.integration.test_accept import ANSWERS, CHUNKS, Said, ask, lines, project, rows

OWN = """\
- case_id: refund
  question: When is my money back?
- case_id: weight
  question: How heavy may a parcel be?
  required_quotes: [Parcels weigh at most 20 kg.]
"""
LABELS = {"required_quotes": ["Gifts are kept."], "required_points": [{"id": "20-kg", "answer_phrases": ["20 kg"]}]}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def accepted(folder: Path, text: str) -> Path:
    path = folder / "gate/accepted.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


def loaded(folder: Path) -> LoadedSuite:
    return load_suite(folder / "raggate.yaml", environment={})


def cases(folder: Path) -> dict[str, Case]:
    return {placed.case.case_id: placed.case for placed in loaded(folder).cases}


def test_a_case_has_them_as_if_they_were_its_own(folder: Path) -> None:
    labels: dict[str, Any] = {**LABELS, "required_source_ids": ["c1"], "expect": "answer"}
    project(folder, text=json.dumps([{"case_id": "a", "question": "?", **labels}]))
    own = loaded(folder)
    project(folder, text=json.dumps([{"case_id": "a", "question": "?"}]))
    bare = loaded(folder)
    accepted(folder, f"a: {json.dumps(labels)}")
    beside = loaded(folder)
    assert [each.case for each in beside.cases] == [each.case for each in own.cases]
    assert beside.cases.cases_digest == own.cases.cases_digest != bare.cases.cases_digest


def test_its_own_label_counts_and_check_says_where_both_stand(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project(folder, text=OWN)
    accepted(folder, "weight:\n" + "".join(f"  {name}: {json.dumps(label)}\n" for name, label in LABELS.items()))
    weight = cases(folder)["weight"]
    assert weight.required_quotes == ("Parcels weigh at most 20 kg.",)
    assert [point.id for point in weight.points] == ["20-kg"]
    assert main(["check"]) == 0
    said = capsys.readouterr().out
    assert "case `weight` has `required_quotes` of its own in cases.yaml:5; that in gate/accepted.yaml:2 does" in said


def test_a_case_or_a_source_that_is_gone_is_told_and_no_error(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project(folder, text=OWN)
    accepted(folder, "weigth: {required_quotes: [Gifts are kept.]}\nold: {expect: abstain}\n"
             "refund: {required_source_ids: [c1, c9]}\n")  # fmt: skip
    assert main(["check"]) == 0
    said = capsys.readouterr().out
    assert "gate/accepted.yaml:1: labels of `weigth`, which is no case of the suite; did you mean `weight`?" in said
    assert "gate/accepted.yaml:3: `required_source_ids` names `c9`, which is not in the evidence; " in said
    assert "gate/accepted.yaml:2: labels of `old`, which is no case of the suite; delete them if" in said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# None.\n", ""),
        ("{}\n", ""),
        ("refund: {}\n", ""),
        ("- refund\n", "1:1: this is a list; write case ids, each with its labels"),
        ("refund: yes\n", "1:9: the case is 'yes'; write a mapping"),
        ("{refund: {expect: abstain}}\n", "1:2: `refund` stands within a line"),
        ("refund: {expect: abstein}\n", "1:18: `expect` is 'abstein'; did you mean `abstain`?"),
        ("refund:\n  required_point: [a]\n", "2:3: unknown key `required_point`; did you mean `required_points`?"),
        ("refund:\n  question: What?\n", "2:3: unknown key `question`; known here: `required_source_ids`"),
        ("refund:\n  required_points: [{id: a, answer: [b]}]\n", "2:29: unknown key `answer`"),
        ("refund:\n  required_quotes: [a b]\n", "2:21: `required_quotes` has 'a b', which is shorter"),
        ("refund: {}\nrefund: {}\n", "2:1: key `refund` is written twice"),
    ],
)
def test_it_is_read_as_strictly_as_every_file(folder: Path, text: str, said: str) -> None:
    project(folder, text=OWN)
    accepted(folder, text)
    if not said:
        assert loaded(folder).cases.has("refund")
        return
    with pytest.raises(SuiteError) as found:
        loaded(folder)
    (line,) = str(found.value).splitlines()
    assert line.startswith(f"gate/accepted.yaml:{said}")


def test_it_is_no_file_of_cases(folder: Path) -> None:
    accepted(folder, "refund: {expect: abstain}\n")
    project(folder, "gate/cases.yaml", text=OWN)
    suite = json.loads((folder / "raggate.yaml").read_text())
    (folder / "raggate.yaml").write_text(json.dumps({**suite, "cases": ["./gate/*.yaml"]}))
    assert cases(folder)["refund"].expect == "abstain"


def test_a_named_case_gets_its_entry_anew_and_all_else_stays(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project(folder)
    first, last = "# Ours.\nloose: {}  # nothing to say\n", "# Looked at: Ada.\nweight:\n  required_source_ids: ['c2']"
    file = accepted(folder, f"{first}refund:\n  required_points: [fast]\n  # by hand\n\n{last}")
    main(["run"])
    unasked = Said(capsys, "--write")
    assert "left out, has labels already: refund, weight, loose" in unasked.notes
    assert "staff:" in unasked.added
    assert not {"loose:", "weight:"}.intersection(unasked.added)
    assert file.read_text() == f"{first}refund:\n  required_points: [fast]\n  # by hand\n\n{last}\n{unasked.text}"
    file.write_text(f"{first}refund:\n  required_points: [fast]\n  # by hand\n\n{last}")
    said = Said(capsys, "--case", "refund", "--write")
    assert '- {id: "30-days"' in said.text
    assert file.read_text() == f"{first}{said.text}  # by hand\n\n{last}\n"
    main(["run"])
    assert rows(folder)["refund"].state == "passed"
    assert Said(capsys, "--case", "refund").added == [], "the same once more"


def test_an_entry_out_of_date_is_replaced_and_a_case_s_own_label_is_not(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The document says 35 days now, under another name, and so does the app."""
    own = "- {case_id: mine, question: When is my refund paid?, must_contain: [30 days]}\n"
    project(folder, text=f"- {{case_id: refund, question: When is my money back?}}\n{own}")

    def answered(days: int) -> None:
        text = str(CHUNKS[0]["text"]).replace("30", str(days))
        chunk = {**CHUNKS[0], "text": text, "document_id": f"policy-{days}.md"}
        (folder / "evidence.jsonl").write_text(lines([chunk, *CHUNKS[1:]]))
        said = ANSWERS["refund"].replace("30", str(days))
        ask(folder, {"refund": said, "mine": said}, own=[{"chunk_id": "c1"}])

    answered(30)
    main(["run"])
    Said(capsys, "--case", "refund", "--write")
    main(["run", "--out", "main"])
    answered(35)
    assert main(["run", "--baseline", "main"]) == 3
    assert {row.state for row in rows(folder).values()} == {"unmeasured"}
    said = Said(capsys, "--write")
    assert "left out, has labels of its own that are out of date: correct them in its file: mine" in said.notes
    assert '    - "Refunds are paid within 35 days of delivery."' in said.added
    head, _, entries = (folder / "gate/accepted.yaml").read_text().partition("\n")
    assert head.startswith("# ")
    assert entries == said.text
    main(["run", "--baseline", "main"])
    assert {name: row.state for name, row in rows(folder).items()} == {"refund": "passed", "mine": "unmeasured"}
