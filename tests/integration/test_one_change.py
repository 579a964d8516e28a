"""One fact from the gate that finds it to every place where somebody reads it: a required source that is lost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from raggate_action.report.remarks import remarks
from raggate_action.run.stored_runs import stored_reporting
from raggate_action.schema.change import ChangeCount
from raggate_action.schema.outcome import Failed
from tests.command_line import raggate
from tests.row_builders import named
from tests.stored_comparison import compared

SUITE: dict[str, Any] = {
    "suite": "desk",
    "target": {"kind": "recorded", "traces": "traces.jsonl"},
    "evidence": ["evidence.jsonl"],
    "cases": ["cases.jsonl"],
    "gates": {"context_recall": {"min": "50%"}, "known_bad_blocked": {"level": "off"}},
}


def lines(records: list[dict[str, Any]]) -> str:
    return "".join(f"{json.dumps(each)}\n" for each in records)


def run(folder: Path, context: str, *options: str) -> Any:
    """Eight cases that require a source, the last answered from this chunk."""
    chunks = [{"chunk_id": name, "text": f"The desk says {name} word for word."} for name in ("refunds", "note")]
    cases = [{"case_id": f"c{n}", "question": f"What of {n}?", "required_source_ids": ["note"]} for n in range(7)]
    cases.append({"case_id": "lost", "question": "What of refunds?", "required_source_ids": ["refunds"]})
    traces = [
        {"case_id": each["case_id"], "answer": "The desk says note word for word.", "context": ["note"]}
        for each in cases
    ]
    traces[-1] |= {"answer": f"The desk says {context} word for word.", "context": [context]}
    (folder / "raggate.json").write_text(json.dumps(SUITE))
    for name, records in (("evidence", chunks), ("cases", cases), ("traces", traces)):
        (folder / f"{name}.jsonl").write_text(lines(records))
    return raggate("run", "raggate.json", *options, cwd=folder)


def test_a_lost_source_is_one_change_in_every_place(tmp_path: Path) -> None:
    base = run(tmp_path, "refunds", "--out", "base")
    assert base.returncode == 0, base.stdout + base.stderr
    done = run(tmp_path, "note", "--out", "head", "--baseline", "base")
    assert done.returncode == 1, done.stdout + done.stderr
    head = tmp_path / "head"
    reporting = stored_reporting(head)
    # The gate on the case finds it.
    (row,) = reporting.listed.failing
    outcome = row.outcomes["context_recall"]
    assert isinstance(outcome, Failed)
    problem = outcome.problems[0]
    assert (problem.code, "refunds" in problem.detail) == ("source-missing", True)
    # The comparison has it twice: by the gate that fails first, and by the gate on the run that blocks for it.
    found = compared(head)
    assert [(each.gate, each.problem) for each in found.changes if each.case_id == "lost"] == [
        ("context_recall", problem),
        ("newly_missed", problem),
    ]
    assert found.of("newly_missed") == ChangeCount(new=1, blocking=1, of=8)
    assert (named(found, "newly_missed"), found.lost_sources) == (("lost",), frozenset({"lost"}))
    # The run's gate names it, and the decision names the gate.
    (gate,) = reporting.run.named_gates
    assert (gate.gate, [(each.case_id, each.problem) for each in gate.offenders]) == (
        "newly_missed",
        [("lost", problem)],
    )
    assert reporting.run.decision.reasons == ("newly_missed",)
    # And everybody reads the same words.
    words = problem.detail
    comment, page = (head / "comment.md").read_text(), (head / "report.html").read_text()
    assert "**1 case lost a required source before the prompt** (0 new allowed)" in comment
    assert "`lost`. If its source moved, label the case anew" in comment
    assert words in page
    assert words in (head / "junit.xml").read_text()
    assert "lost" in (head / "findings.sarif").read_text()
    assert any("lost" in str(each.title) for each in remarks(reporting))
    assert words in raggate("explain", "head", "lost", cwd=tmp_path).stdout
