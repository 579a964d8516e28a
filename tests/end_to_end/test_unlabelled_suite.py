"""Twenty questions without labels, half of the answers wrong in words of their own: released, and not called right."""

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
CHUNK = "Parcels can be returned within 30 days of delivery."
RIGHT = "You have a month or so to hand it back once it has reached you."
WRONG = "There is no way to hand it back once it has reached you."
CASES, ABSTAIN = 20, 3


def write_suite(folder: Path) -> None:
    cases, traces = [], []
    for n in range(CASES):
        asked = {"case_id": f"q{n}", "question": "May I return this?"}
        cases.append(asked | ({"expect": "abstain"} if n < ABSTAIN else {}))
        answer = "I don't know." if n < ABSTAIN else RIGHT if n % 2 else WRONG
        traces.append({"case_id": f"q{n}", "answer": answer, "context": ["returns"]})
    (folder / "raggate.yaml").write_text(SUITE)
    (folder / "evidence.jsonl").write_text(json.dumps({"chunk_id": "returns", "text": CHUNK}))
    (folder / "cases.jsonl").write_text("\n".join(map(json.dumps, cases)))
    (folder / "traces.jsonl").write_text("\n".join(map(json.dumps, traces)))


def test_a_green_that_knows_little_says_so(tmp_path: Path) -> None:
    write_suite(tmp_path)
    checked = raggate("check", cwd=tmp_path)
    labels = "labels: sources 0 of 20, points 0 of 20, abstain 3 of 20, known bad 0, phrases or tools 0 of 20"
    assert labels in checked.stdout

    done = raggate("run", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    first, why, following, *_rest = done.stdout.splitlines()
    passed = "20 passed (3 verified, 17 not refuted: no fault found, but not proven)"
    assert f"RELEASE · support · {passed} · 0 failed · 0 not measured" in first
    assert why.strip() == ("why: every gate passed except faithfulness, which measured nothing")
    blind = "next: this suite cannot see a wrong answer in good form (no case says what is right). "
    assert following.startswith(f"  {blind}raggate-action accept proposes labels. Keep this run as the baseline")
    comment = (tmp_path / "raggate-run" / "comment.md").read_text()
    assert passed in comment
    assert (
        "> - **Next:** this suite cannot see a wrong answer in good form (no case says what is right). `raggate-ac"
        in comment
    )
    assert "⚠️ warns" not in comment, "a low share is no fault"
    assert "every gate passed:" not in comment

    (tmp_path / "raggate.yaml").write_text(SUITE + "gates: {verified: {level: block, min: 50%}}\n")
    strict = raggate("run", "--out", "strict", cwd=tmp_path)
    assert strict.returncode == 1
    assert "why: verified failed: 3 of 20 verified (15.0 %), the bar is ≥ 50 %; first: q3: You have" in strict.stdout
