"""A document says otherwise now: `accept` replaces the labels that are out of date, and the change is released."""

from __future__ import annotations

import json
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
}
# Two cases rest on the one document.
ASKED = {
    "when-does-the-museum-open": ("When does the museum open?", "hours"),
    "how-much-is-parking-per-hour": ("How much is parking per hour?", "parking"),
    "what-does-parking-cost": ("What does an hour of parking cost?", "parking"),
    "when-is-lunch": ("When is lunch served?", "cafe"),
}
OF_PARKING = [name for name, (_question, document) in ASKED.items() if document == "parking"]


def answers(folder: Path, price: int) -> None:
    """What the app answers, each time the first sentence of its document."""
    lines = []
    for name, (_question, document) in ASKED.items():
        text = TEXTS[document].format(price=price)
        context = [{"chunk_id": f"{document}.txt", "text": text}]
        lines.append(json.dumps({"case_id": name, "answer": f"{text.split('. ')[0].rstrip('.')}.", "context": context}))
    (folder / "traces.jsonl").write_text("\n".join(lines) + "\n")


def test_what_is_out_of_date_is_replaced_and_released(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    cases: list[dict[str, Any]] = [
        {"case_id": name, "question": question} for name, (question, _document) in ASKED.items()
    ]
    for case in cases[1:3]:
        case["must_contain"] = ["per hour"]
    (tmp_path / "cases.yaml").write_text(json.dumps(cases))
    file = tmp_path / "gate/accepted.yaml"
    suite = "suite: museum\ncases: [cases.yaml]\ntarget: {kind: recorded, traces: traces.jsonl}\n"
    (tmp_path / "raggate.yaml").write_text(suite)
    answers(tmp_path, 3)
    assert main(["run", "--out", "first"]) == ExitCode.RELEASE
    assert main(["accept", "first", "--write"]) == 0
    assert main(["run", "--out", "base"]) == ExitCode.RELEASE
    before = file.read_text()
    answers(tmp_path, 4)
    assert main(["run", "--baseline", "base", "--out", "head"]) == ExitCode.INCONCLUSIVE
    capsys.readouterr()
    assert main(["accept", "head", "--write"]) == 0
    assert "labels of 2 cases written" in capsys.readouterr().err
    now = yaml.safe_load(file.read_text())
    for name in OF_PARKING:
        assert now[name]["required_quotes"] == ["Parking costs 4 euros per hour."]
        assert [point["id"] for point in now[name]["required_points"]] == ["4-euros"]
    untouched = [line for line in before.splitlines() if "lunch" in line or "opens" in line]
    assert [line for line in file.read_text().splitlines() if "lunch" in line or "opens" in line] == untouched
    assert main(["run", "--baseline", "base", "--out", "again"]) == ExitCode.RELEASE
    assert "3 euros" not in file.read_text()
