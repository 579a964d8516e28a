"""Two labelled runs with one new, one fixed and one persisting hallucination, told apart claim by claim."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

from tests.command_line import raggate
from tests.stored_comparison import moves

GOLDEN = Path(__file__).parent / "two_runs_comment.md"
EVIDENCE = {
    "returns": "Parcels can be returned within 30 days of delivery.",
    "shipping": "Parcels are shipped within two working days.",
    "gifts": "Gift cards cannot be exchanged for money.",
}
# What each answer claims beside the truth of its own chunk; a phrase no chunk holds makes it unsupported.
BEFORE = {"returns": None, "shipping": "overnight delivery", "gifts": "paid out in shops"}
AFTER = {"returns": "60 days for members", "shipping": None, "gifts": "paid out in shops"}


def trace(case_id: str, invented: str | None) -> dict[str, Any]:
    truth = {"text": EVIDENCE[case_id], "citation_id": case_id, "support_phrases": [EVIDENCE[case_id][:-1]]}
    lie = {"text": f"There is {invented}.", "citation_id": case_id, "support_phrases": [invented]}
    return {
        "case_id": case_id,
        "answer": {"claims": [truth, lie] if invented else [truth]},
        "context": [case_id],
        "latency_ms": 100,
    }


def write(folder: Path) -> None:
    chunks = [{"chunk_id": chunk_id, "text": text} for chunk_id, text in EVIDENCE.items()]
    cases = [{"case_id": case_id, "question": f"About {case_id}?"} for case_id in EVIDENCE]
    (folder / "evidence.jsonl").write_text("".join(json.dumps(chunk) + "\n" for chunk in chunks))
    (folder / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))
    for name, invented in (("before", BEFORE), ("after", AFTER)):
        lines = [json.dumps(trace(case_id, lie)) + "\n" for case_id, lie in invented.items()]
        (folder / f"{name}.jsonl").write_text("".join(lines))
        (folder / f"{name}.yaml").write_text(
            "suite: shop\nevidence: [evidence.jsonl]\ncases: [cases.jsonl]\n"
            f"target: {{kind: recorded, traces: {name}.jsonl, labelled: true}}\npipeline: {{citations: true}}\n"
        )


def test_new_fixed_and_persisting_hallucinations(tmp_path: Path) -> None:
    write(tmp_path)
    assert raggate("run", "before.yaml", "--out", "before", cwd=tmp_path).returncode == 1
    assert raggate("run", "after.yaml", "--out", "after", "--baseline", "before", cwd=tmp_path).returncode == 1
    assert set(moves(tmp_path / "after")) == {
        ("returns", "new", "There is 60 days for members."),
        ("shipping", "fixed", "There is overnight delivery."),
        ("gifts", "same", "There is paid out in shops."),
    }
    comment = (tmp_path / "after" / "comment.md").read_text()
    assert "1 passed (1 verified) · 2 failed · 0 not measured · 1 regression · 1 new hallucination" in comment
    shown = comment.partition("new hallucination")[2]
    assert "There is 60 days for members." in shown
    assert EVIDENCE["returns"][:-1] in comment, "the chunk's own words stand beside the invented claim"
    stable = re.sub(r"`\d{4}-\d\d-\d\dT[\d:.]+Z`", "`(moment)`", re.sub(r"run `[0-9a-f]+`", "run `(digest)`", comment))
    if os.environ.get("RAGGATE_UPDATE_GOLDEN") == "1":
        GOLDEN.write_text(stable)
    assert GOLDEN.read_text() == stable


def test_report_says_the_same_from_the_stored_runs(tmp_path: Path) -> None:
    write(tmp_path)
    raggate("run", "before.yaml", "--out", "before", cwd=tmp_path)
    raggate("run", "after.yaml", "--out", "after", "--baseline", "before", cwd=tmp_path)
    stored = (tmp_path / "after" / "comment.md").read_text()
    for arguments in (["report", "after"], ["report", "after", "--baseline", "before"]):
        done = raggate(*arguments, cwd=tmp_path)
        assert done.stdout == stored, arguments
