"""An app that got far slower: one line in the comment, its medians side by side in the summary, and no decision on it."""

from __future__ import annotations

import json
from pathlib import Path

from tests.command_line import raggate

CASES = 10
TEXT = "Parcels can be returned within 30 days of delivery."


def run(folder: Path, latency_ms: float, out: str, *more: str) -> str:
    """A run over recorded answers that took so long; its comment."""
    names = [f"case-{number}" for number in range(CASES)]
    cases = [{"case_id": each, "question": f"How long, {each}?"} for each in names]
    traces = [
        {"case_id": each, "answer": TEXT, "context": [{"chunk_id": "a.md#1", "text": TEXT}], "latency_ms": latency_ms}
        for each in names
    ]
    (folder / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))
    (folder / "traces.jsonl").write_text("".join(json.dumps(trace) + "\n" for trace in traces))
    suite = "suite: shop\ncases: [cases.jsonl]\ntarget: {kind: recorded, traces: traces.jsonl}\n"
    (folder / "raggate.yaml").write_text(suite)
    done = raggate("run", "--out", out, *more, cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return (folder / out / "comment.md").read_text()


def test_a_far_slower_app_is_told_and_released(tmp_path: Path) -> None:
    assert "three times as long" not in run(tmp_path, 110, "main")
    assert "three times as long" not in run(tmp_path, 130, "steady", "--baseline", "main")
    comment = run(tmp_path, 4200, "head", "--baseline", "main")
    line = "**10 of 10 cases** take three times as long as on the baseline or longer: `case-9` (110 ms → 4.2 s) and 9 more."
    assert line in comment
    assert "| latency, median | 4.2 s | 110 ms |" in (tmp_path / "head" / "summary.md").read_text()
