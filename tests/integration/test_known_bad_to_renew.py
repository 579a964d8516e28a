"""Documents change after known-bad answers were written: the gate stays green, and says which of them are to renew."""

from __future__ import annotations

import json
from pathlib import Path

from tests.command_line import raggate

SUITE = """\
suite: support
evidence: [evidence.jsonl]
cases: [cases.jsonl]
target: {kind: recorded, traces: traces.jsonl}
"""
BEFORE, AFTER = "Parcels can be returned within 28 days.", "Parcels can be returned within 60 days."


def write_evidence(folder: Path, version: str, text: str) -> None:
    (folder / "evidence.jsonl").write_text(json.dumps({"chunk_id": "returns", "version": version, "text": text}))


def write_answer(folder: Path, answer: str, version: str) -> None:
    trace = {"case_id": "good", "answer": answer, "context": [{"chunk_id": "returns", "version": version}]}
    (folder / "traces.jsonl").write_text(json.dumps(trace))


def known_bad(name: str, **shown: str) -> dict[str, object]:
    context = [{"chunk_id": "returns", "version": "v1", **shown}]
    trace = {"answer": "Parcels can be returned within 35 days.", "context": context}
    bad = {"case_id": name, "question": "How long?", "released": False, "blocked_at": "answer faithfulness"}
    return {**bad, "trace": trace}


def test_a_changed_document_is_no_fault_of_a_known_bad_case(tmp_path: Path) -> None:
    (tmp_path / "raggate.yaml").write_text(SUITE)
    cases = [{"case_id": "good", "question": "How long?"}, known_bad("whole", text=BEFORE), known_bad("ids")]
    (tmp_path / "cases.jsonl").write_text("\n".join(map(json.dumps, cases)))
    write_evidence(tmp_path, "v1", BEFORE)
    write_answer(tmp_path, BEFORE, "v1")
    first = raggate("run", cwd=tmp_path)
    assert first.returncode == 0, first.stdout
    assert "known-bad to renew" not in first.stdout
    assert "2 of 2 known-bad cases blocked" in raggate("explain", cwd=tmp_path).stdout

    write_evidence(tmp_path, "v2", AFTER)
    write_answer(tmp_path, AFTER, "v2")
    done = raggate("run", cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    line = "known-bad to renew: 1: a text that the answer was given from has changed or is gone. raggate-action explain"
    assert f"  note: {line}" in done.stdout
    comment = (tmp_path / "raggate-run" / "comment.md").read_text()
    assert comment.count("**known-bad to renew: 1**") == 1
    told = raggate("explain", cwd=tmp_path).stdout
    assert "ids: known bad, to renew: the trace does not show it: the text of returns is not at hand any more\n" in told
    assert "1 of 1 known-bad case blocked" in told
