"""A document that says otherwise now, or moved, on purpose: the waivers that are printed let the run through as it is."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from raggate_action.cli.main import main
from raggate_action.errors import ExitCode

TEXTS = {
    "parking": "Parking costs {price} euros per hour. A day ticket costs 12 euros.",
    "hours": "The museum opens at 9:00 and closes at 18:00.",
    "cafe": "The cafe serves lunch from 11:30 to 14:00.",
    "tours": "Guided tours take 45 minutes and start at the entrance.",
}
# Two cases rest on the one document.
ASKED = {
    "how-much-is-parking-per-hour": ("How much is parking per hour?", "parking"),
    "what-does-parking-cost": ("What does an hour of parking cost?", "parking"),
    "when-does-the-museum-open": ("When does the museum open?", "hours"),
    "when-is-lunch": ("When is lunch served?", "cafe"),
    "how-long-is-a-tour": ("How long is a tour?", "tours"),
}
BY_HAND = "".join(
    f'- {{case: {name}, gate: context_recall, reason: "new price", owner: "@team", expires: 2099-01-01}}\n'
    for name, (_question, document) in ASKED.items()
    if document == "parking"
)
SUITE = "suite: museum\ncases: [cases.yaml]\ntarget: {kind: recorded, traces: traces.jsonl}\n"


def answers(folder: Path, *, price: int = 3, lost: str = "") -> None:
    """What the app answers, each time in the words of its document; of the case `lost` in those of another one."""
    lines = []
    for name, (_question, own) in ASKED.items():
        document = "tours" if name == lost else own
        text = TEXTS[document].format(price=price)
        said = f"{text.split('. ')[0].rstrip('.')}."
        context = [{"chunk_id": f"{document}.txt", "text": text}]
        lines.append(json.dumps({"case_id": name, "answer": said, "context": context}))
    (folder / "traces.jsonl").write_text("\n".join(lines) + "\n")


@pytest.fixture
def labelled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A suite with the labels that `accept --write` makes of a good run, and the run `base` by them."""
    monkeypatch.chdir(tmp_path)
    cases = [{"case_id": name, "question": question} for name, (question, _document) in ASKED.items()]
    (tmp_path / "cases.yaml").write_text(yaml.safe_dump(cases, sort_keys=False))
    (tmp_path / "raggate.yaml").write_text(SUITE)
    answers(tmp_path)
    assert main(["run", "raggate.yaml", "--out", "first"]) == ExitCode.RELEASE
    assert main(["accept", "first", "--write"]) == 0
    assert main(["run", "raggate.yaml", "--out", "base"]) == ExitCode.RELEASE
    return tmp_path


def run(folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """The exit code, and the line on what to repair first."""
    capsys.readouterr()
    code = main(["run", "raggate.yaml", "--baseline", "base", "--out", "head"])
    said = "".join(capsys.readouterr())
    comment = (folder / "head/comment.md").read_text()
    for piece in pieces(said):
        assert f"`{piece}`" in comment
    return code, next((line for line in said.splitlines() if "repair first:" in line), "")


def pieces(said: str) -> list[str]:
    """What a line offers to copy: the whole key, or items of the list that the suite has."""
    return re.findall(r"waivers: \[\{.*?\}\]|- \{case: .*?\}", said)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"price": 4}, "2 asked for words that the document says otherwise now"),
        ({"lost": "when-is-lunch"}, "1 lost a required source before the prompt"),
    ],
)
def test_the_whole_key_pasted_once_lets_the_run_through(
    labelled: Path, capsys: pytest.CaptureFixture[str], change: dict[str, Any], said: str
) -> None:
    answers(labelled, **change)
    code, line = run(labelled, capsys)
    assert code == ExitCode.BLOCK
    assert said in line
    (piece,) = pieces(line)
    (labelled / "raggate.yaml").write_text(f"{SUITE}{piece}\n")
    assert run(labelled, capsys) == (ExitCode.RELEASE, "")


def test_no_case_is_named_that_would_be_refused(labelled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nor is the way that is named a dead end: without its labels the case takes new ones."""
    answers(labelled, price=4)
    assert run(labelled, capsys)[0] == ExitCode.BLOCK
    main(["accept", "head"])
    notes = capsys.readouterr().err
    assert "--case" not in notes
    assert "if the answer of how-much-is-parking-per-hour is right all the same: take out the labels" in notes
    cases = yaml.safe_load((labelled / "cases.yaml").read_text())
    for case in cases[:2]:
        for label in ("required_source_ids", "required_quotes", "required_points"):
            del case[label]
    (labelled / "cases.yaml").write_text(yaml.safe_dump(cases, sort_keys=False))
    assert main(["run", "raggate.yaml", "--out", "again"]) == ExitCode.RELEASE
    assert main(["accept", "again", "--write"]) == 0
    assert yaml.safe_load((labelled / "cases.yaml").read_text())[0]["required_quotes"] == [
        "Parking costs 4 euros per hour."
    ]


def test_items_complete_the_waivers_that_a_suite_has(labelled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The quotes are waived by hand; the points that fail for the same words are still the document's, not the prompt's."""
    answers(labelled, price=4)
    (labelled / "raggate.yaml").write_text(f"{SUITE}waivers:\n{BY_HAND}")
    code, line = run(labelled, capsys)
    assert code == ExitCode.BLOCK
    assert "2 asked for words that the document says otherwise now (0 allowed): label the case anew" in line
    assert "prompt" not in line
    items = pieces(line)
    assert len(items) == 2
    (labelled / "raggate.yaml").write_text(f"{SUITE}waivers:\n{BY_HAND}" + "".join(f"{item}\n" for item in items))
    assert run(labelled, capsys) == (ExitCode.RELEASE, "")


def test_no_waiver_is_printed_where_another_fault_would_block_all_the_same(
    labelled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers(labelled, price=4)
    traces = (labelled / "traces.jsonl").read_text()
    (labelled / "traces.jsonl").write_text(traces.replace("take 45 minutes", "take 90 minutes", 1))
    code, line = run(labelled, capsys)
    assert code == ExitCode.BLOCK
    assert "label the case anew" in line
    assert pieces(line) == []


def test_another_point_that_is_left_out_is_the_prompts(labelled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its value did not stand in the words that are others now."""
    cases = (labelled / "cases.yaml").read_text()
    other = '    - {id: "ticket", answer_phrases: ["day ticket"]}\n'
    points = next(line for line in cases.splitlines(keepends=True) if '"3-euros"' in line)
    (labelled / "cases.yaml").write_text(cases.replace(points, points + other))
    answers(labelled, price=4)
    (labelled / "raggate.yaml").write_text(f"{SUITE}waivers:\n{BY_HAND}")
    code, line = run(labelled, capsys)
    assert code == ExitCode.BLOCK
    assert "2 left out a required point (0 allowed, none new): repair prompt; answer policy" in line
