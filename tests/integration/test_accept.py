"""`accept`: a good run becomes labels in a file beside the suite; nothing else changes, and nothing doubtful counts."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from raggate_action.cli.main import main
from raggate_action.errors import ExitCode
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.outcome import Failed
from raggate_action.suite_files import load_suite
from tests.forked import Forks

CHUNKS: list[dict[str, Any]] = [
    {
        "chunk_id": "c1",
        "document_id": "policy.md",
        "text": "Refunds are paid within 30 days of delivery. Gifts are kept.",
    },
    {"chunk_id": "c2", "text": "Parcels weigh at most 20 kg. Larger ones go by freight."},
    {"chunk_id": "c3", "text": "The staff pays 49 EUR for a headset.", "principals": ["staff"]},
    {"chunk_id": "c4", "text": "| Dish | Price |\n|---|---|\n| Soup | 6 EUR |"},
]
ANSWERS = {
    "refund": "Refunds are paid within 30 days of delivery [c1].",
    "weight": "Parcels weigh at most 20 kg. Larger ones go by freight.",
    "invented": "Parcels weigh at most 40 kg.",
    "declined": "I do not know.",
    "staff": "The staff pays 49 EUR for a headset.",
    "loose": "It depends on many things.",
}
QUESTIONS = {
    "refund": "When is my money back?",
    "weight": "How heavy may a parcel be?",
    "invented": "Are parcels heavy?",
    "declined": "Who is the king?",
    "staff": "What does a headset cost?",
    "loose": "Is it dear?",
}
YAML = "# Mine.\n" + "".join(
    f"- case_id: {name}  # {number}\n  question: {question}\n" + ("  principals: [staff]\n" if name == "staff" else "")
    for number, (name, question) in enumerate(QUESTIONS.items())
)


def lines(entries: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(entry) + "\n" for entry in entries)


def project(folder: Path, name: str = "cases.yaml", *, text: str = YAML, store: bool = True, **suite: Any) -> None:
    evidence = {"evidence": ["evidence.jsonl"]} if store else {}
    target = {"kind": "recorded", "traces": "traces.jsonl"}
    folder.joinpath("raggate.yaml").write_text(
        json.dumps({"suite": "s", "cases": [name], "target": target, "texts": "quotes", **evidence, **suite})
    )
    folder.joinpath(name).write_text(text)
    folder.joinpath("evidence.jsonl").write_text(lines(CHUNKS))
    ask(folder, {})


def ask(folder: Path, changed: dict[str, str], *, own: list[dict[str, Any]] | None = None) -> None:
    shown: dict[str, list[Any]] = {"staff": ["c3", "c4"]}
    traces = [
        {"case_id": name, "answer": answer, "context": shown.get(name, ["c1", "c2"]) if own is None else own}
        for name, answer in {**ANSWERS, **changed}.items()
    ]
    folder.joinpath("traces.jsonl").write_text(lines(traces))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def rows(folder: Path) -> dict[str, CaseRun]:
    found = [
        CaseRun.model_validate_json(line) for line in (folder / "raggate-run/cases.jsonl").read_text().splitlines()
    ]
    return {row.case_id: row for row in found}


class Said:
    """What `accept` printed: the labels, and what is beside them."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *arguments: str) -> None:
        capsys.readouterr()
        self.code = main(["accept", "raggate-run", *arguments])
        self.text, self.notes = capsys.readouterr()

    @property
    def added(self) -> list[str]:
        return self.text.splitlines()


def test_what_is_accepted_is_the_suite_and_its_labels_and_passes_again(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project(folder)
    main(["run"])
    before = load_suite(folder / "raggate.yaml", environment={})
    shown = Said(capsys)
    assert not (folder / "gate").exists(), "shown first"
    assert "add --write to write them to gate/accepted.yaml" in shown.notes
    written = Said(capsys, "--write")
    assert written.text == shown.text
    head, _, entries = (folder / "gate/accepted.yaml").read_text().partition("\n")
    assert head.startswith("# ")
    assert entries == shown.text
    assert (folder / "cases.yaml").read_text() == YAML
    after = {placed.case.case_id: placed.case for placed in load_suite(folder / "raggate.yaml", environment={}).cases}
    refund, weight, staff = (after[case_id] for case_id in ("refund", "weight", "staff"))
    assert refund.required_source_ids == ("policy.md",), "the document outlives the chunk"
    assert refund.required_quotes == ("Refunds are paid within 30 days of delivery.",)
    assert weight.required_source_ids == ("c2",)
    assert weight.required_quotes == ("Parcels weigh at most 20 kg.", "Larger ones go by freight.")
    assert staff.required_source_ids == ("c3",)
    assert not staff.required_quotes, "a case file has other readers than the chunk"
    [point] = refund.points
    assert (point.id, point.value, point.answer_phrases) == ("30-days", "30 days", ())
    labels = {"required_source_ids", "required_quotes", "required_points"}
    for placed in before.cases:
        old, new = placed.case, after[placed.case.case_id]
        assert new.model_dump(exclude=labels) == old.model_dump(exclude=labels)
    for case_id in ("invented", "declined", "loose"):
        assert not after[case_id].required_source_ids
    main(["run"])
    for case_id, row in rows(folder).items():
        kinds = {row.outcomes[gate].kind for gate in ("context_recall", "point_coverage")}
        assert kinds <= ({"passed", "not_applicable"})
        assert ("passed" in kinds) == (case_id in {"refund", "weight", "staff"})
    assert "nothing to accept" in Said(capsys).notes, "what is there is never proposed again"


def test_what_is_doubtful_is_left_out_and_the_reason_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project(folder)
    main(["run"])
    notes = Said(capsys).notes
    assert "left out, failed: invented\n" in notes
    assert "left out, declined, and nobody expected that: declined\n" in notes
    assert re.search(r"left out, says nothing in the words of its evidence, .*: loose\n", notes)
    assert "name it: --case declined\n" in notes, "the failed one, named, would be left out as well"


def test_who_names_a_case_asks_for_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project(folder)
    main(["run"])
    said = Said(capsys, "--case", "declined", "--write")
    assert said.added == ["declined:", "  expect: abstain"]
    main(["run"])
    assert rows(folder)["declined"].state == "passed"
    assert Said(capsys, "--case", "declined").added == []
    invented = Said(capsys, "--case", "invented")
    assert invented.added == [], "what its own evidence speaks against is no label, even if asked for"


def test_a_decline_over_an_empty_context_becomes_what_is_expected(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project(folder)
    ask(folder, {}, own=[])
    main(["run"])
    for name, code in (("declined", "declined-over-nothing"), ("weight", "context-empty")):
        admitted = rows(folder)[name].outcomes["admissibility"]
        assert isinstance(admitted, Failed)
        assert [each.code for each in admitted.problems] == [code]
    capsys.readouterr()
    main(["explain", "raggate-run"])
    said = capsys.readouterr().out
    assert "declined: fails at admissibility: it declined, with no evidence found: if that is right, write" in said
    found = Said(capsys, "--case", "declined", "--write")
    assert found.added == ["declined:", "  expect: abstain"]
    main(["run"])
    assert rows(folder)["declined"].state == "passed"
    assert "no answer in the run" in Said(capsys, "--case", "weight").notes, "it answered from nothing"


def test_a_finding_a_warning_and_a_waiver_keep_a_case_out(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    waiver = {"case": "declined", "gate": "answered", "reason": "r", "owner": "o", "expires": "2099-01-01"}
    project(folder, waivers=[waiver], gates={"behaviour": {"level": "warn"}})
    case = YAML.replace(
        "- case_id: loose", "- case_id: warned\n  question: When?\n  must_contain: [delivery]\n- case_id: loose"
    )
    (folder / "cases.yaml").write_text(case)
    suspect = "Refunds are paid within 30 days of delivery [c1]. Ask Alan Turing in Vienna about 77 more of them."
    reference = "question: How heavy may a parcel be?\n  reference_answer: At most 25 kg."
    (folder / "cases.yaml").write_text(case.replace("question: How heavy may a parcel be?", reference))
    ask(folder, {"refund": suspect, "warned": "Parcels weigh at most 20 kg."})
    main(["run"])
    assert rows(folder)["refund"].state == "passed"
    notes = Said(capsys).notes
    assert "left out, has a finding on a claim: refund\n" in notes
    assert "left out, failed a gate that only warns: warned\n" in notes
    assert "left out, lacks a value of its reference answer: weight\n" in notes
    assert "left out, declined, and nobody expected that: declined\n" in notes
    asked = Said(capsys, "--case", "refund")
    assert '    - "Refunds are paid within 30 days of delivery."' in asked.added, "the sound claim alone"


def test_labels_that_are_there_stay(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = YAML.replace(
        "\n  question: When is", "\n  required_quotes: [Gifts are kept.]\n  required_points: []\n  question: When is"
    )
    project(folder, text=text)
    main(["run"])
    said = Said(capsys, "--case", "refund", "--write")
    assert said.added == []
    assert "left out, has labels already: refund" in said.notes
    assert (folder / "cases.yaml").read_text() == text


def test_without_ids_and_without_a_store_the_quote_is_the_label(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The run keeps no whole chunks: only what it quoted is at hand."""
    project(folder, store=False)
    texts = [{"chunk_id": "0a1b2c3d4e5f", "text": CHUNKS[0]["text"]}, {"chunk_id": "kept", "text": CHUNKS[1]["text"]}]
    ask(folder, {"refund": "Refunds are paid within 30 days of delivery."}, own=texts)
    main(["run"])
    assert "Gifts are kept" not in (folder / "raggate-run/traces.jsonl").read_text()
    Said(capsys, "--write")
    after = {placed.case.case_id: placed.case for placed in load_suite(folder / "raggate.yaml", environment={}).cases}
    assert after["refund"].required_quotes == ("Refunds are paid within 30 days of delivery.",)
    assert after["refund"].required_source_ids == (), "another cut makes another id of it"
    assert after["weight"].required_source_ids == ("kept",)
    main(["run"])
    assert {rows(folder)[case_id].outcomes["context_recall"].kind for case_id in ("refund", "weight")} == {"passed"}


def test_a_case_or_evidence_that_changed_since_is_no_ground_for_labels(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project(folder)
    main(["run"])
    (folder / "cases.yaml").write_text(YAML.replace("When is my money back?", "How do I get it?"))
    assert "left out, is not what it was when the run was made: refund" in Said(capsys).notes
    (folder / "evidence.jsonl").write_text(lines(CHUNKS[:2]))
    assert main(["accept", "raggate-run"]) == ExitCode.USAGE
    assert "the evidence is not what it was when the run was made" in capsys.readouterr().err


def test_an_unknown_case_is_an_error(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project(folder)
    main(["run"])
    assert main(["accept", "raggate-run", "--case", "refnd"]) == ExitCode.USAGE
    assert "case 'refnd' is not in raggate-run" in capsys.readouterr().err


def test_in_a_real_process_the_labels_alone_are_on_stdout(folder: Path, forks: Forks) -> None:
    hostile = {"chunk_id": "c9", "text": "Locks cost ::error::x 15 EUR \x1b[31mred\x1b[0m at once, says the list."}
    project(folder)
    (folder / "evidence.jsonl").write_text(lines([*CHUNKS, hostile]))
    (folder / "traces.jsonl").write_text(lines([{"case_id": "loose", "answer": hostile["text"], "context": ["c9"]}]))
    forks.run("-m", "raggate_action", "run", cwd=folder, env=os.environ)
    done = forks.run("-m", "raggate_action", "accept", "raggate-run", cwd=folder, env=os.environ)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("loose:\n  required_source_ids:\n    - c9\n")
    assert "\x1b" not in done.stdout
    assert "::error" not in done.stdout


MOODY = """
from pathlib import Path

ASKED = Path(__file__).with_name("asked")

def ask(case):
    text = "Refunds are paid within 30 days of delivery."
    context = [{"chunk_id": "c1", "text": text}]
    if case["case_id"] == "moody" and not ASKED.exists():
        ASKED.touch()
        return {"answer": "I do not know.", "context": context}
    return {"answer": text, "context": context}
"""


def test_a_flaky_case_is_accepted_by_nobody_unasked(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A live app without a store: the first answer declines, the next one does not."""
    cases = "- {case_id: moody, question: When is it paid?}\n- {case_id: steady, question: When?}\n"
    project(folder, text=cases, store=False)
    (folder / "moody_app.py").write_text(MOODY)
    suite = json.loads((folder / "raggate.yaml").read_text())
    suite["target"] = {"kind": "function", "function": "moody_app:ask", "concurrency": 1}
    (folder / "raggate.yaml").write_text(json.dumps(suite))
    main(["run"])
    assert {case_id: row.state for case_id, row in rows(folder).items()} == {"moody": "flaky", "steady": "passed"}
    said = Said(capsys)
    assert "left out, answered differently when asked again: moody\n" in said.notes
    assert sum("required_quotes" in line for line in said.added) == 1


def test_labels_by_which_the_answer_itself_would_fail_are_given_up(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # Of two chunks shown, the answer rests on one: half of the context is what its labels would call for.
    project(folder, gates={"context_precision": {"level": "block"}})
    main(["run"])
    added = "\n".join(Said(capsys, "--case", "refund").added)
    assert "required_points" in added
    assert "required_source_ids" not in added
    assert "required_quotes" not in added


def test_a_known_bad_case_is_labelled_by_nobody(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trace = {"answer": ANSWERS["refund"], "context": ["c1", "c2"]}
    bad = {"case_id": "bad", "question": "When is my money back?", "released": False, "trace": trace}
    cases = [{"case_id": name, "question": question} for name, question in QUESTIONS.items()]
    bad |= {"blocked_at": "answer faithfulness"}
    project(folder, "cases.jsonl", text=lines([*cases, bad]))
    main(["run"])
    said = Said(capsys, "--case", "bad")
    assert said.added == []
    assert "known bad" in said.notes
