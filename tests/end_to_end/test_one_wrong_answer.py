"""One wrong answer among thirty-one right ones is blocked without labels, and the comment names what is wrong."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from tests.command_line import raggate
from tests.open_lines import open_text

SUITE = """\
suite: tariffs
evidence: [evidence.jsonl]
cases: [cases.jsonl]
target: {kind: recorded, traces: traces.jsonl}
"""
PLANS = 32
WRONG = 17


def chunk_text(number: int) -> str:
    return f"The plan Delta {number} costs {100 + number} euros a month and can be cancelled within {10 + number} days."


def answer_to(number: int, *, wrong: bool) -> str:
    said = chunk_text(number)
    return said.replace(f"{100 + number} euros", f"{900 + number} euros") if wrong else said


def lines(rows: list[dict[str, object]]) -> str:
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def judged(
    folder: Path, *, wrong: int | None, out: str, baseline: str | None = None
) -> subprocess.CompletedProcess[str]:
    """A run over recorded traces, of which one may be wrong."""
    ids = [f"plan-{number}" for number in range(PLANS)]
    traces: list[dict[str, object]] = [
        {"case_id": case_id, "answer": f"{answer_to(n, wrong=n == wrong)} [{case_id}]", "context": [case_id]}
        for n, case_id in enumerate(ids)
    ]
    (folder / "raggate.yaml").write_text(SUITE)
    (folder / "evidence.jsonl").write_text(lines([{"chunk_id": i, "text": chunk_text(n)} for n, i in enumerate(ids)]))
    (folder / "cases.jsonl").write_text(
        lines([{"case_id": i, "question": f"What is Delta {n}?"} for n, i in enumerate(ids)])
    )
    (folder / "traces.jsonl").write_text(lines(traces))
    against = ["--baseline", baseline] if baseline is not None else []
    return raggate("run", "--out", out, *against, cwd=folder)


def test_one_wrong_answer_among_thirty_one_right_ones_blocks(tmp_path: Path) -> None:
    before = judged(tmp_path, wrong=None, out="main-run")
    assert before.returncode == 0, before.stdout + before.stderr
    after = judged(tmp_path, wrong=WRONG, out="head-run", baseline="main-run")
    assert after.returncode == 1, after.stdout + after.stderr
    comment = (tmp_path / "head-run" / "comment.md").read_text()
    shown = open_text(comment).lines
    assert shown[2] == "1 answer contradicted the evidence. Repair: prompt, abstention, generation policy. plan-17"
    assert shown[3:7] == (
        "plan-17: What is Delta 17?",
        "baseline: The plan Delta 17 costs 117 euros a month and can be cancelled within 27 days. [plan-17]",
        "this run: The plan Delta 17 costs 917 euros a month and can be cancelled within 27 days. [plan-17]",
        f"evidence: plan-17 “{chunk_text(WRONG)}”",
    )
    assert "costs **917** euros" in comment, "the word that changed"
    assert (len(shown) <= 22, open_text(comment).words <= 220) == (True, True), shown
    assert "\n".join(shown).count("plan-17: ") == 1, "told once"
    assert [line for line in shown if "917" in line] == [shown[5]], "its answer is quoted once"
    assert "Poorer answers" not in comment, "a case that fails a stage is told there"


def test_the_same_answers_again_are_no_news(tmp_path: Path) -> None:
    """A false alarm that stands on both sides cancels; here even the wrong answer does."""
    judged(tmp_path, wrong=WRONG, out="main-run")
    again = judged(tmp_path, wrong=WRONG, out="head-run", baseline="main-run")
    run = json.loads((tmp_path / "head-run" / "run.json").read_text())
    gate = next(gate for gate in run["gates"] if gate["gate"] == "new_suspects")
    assert gate["status"] == "passed", again.stdout


def test_advice_stands_on_the_page_of_its_case_alone(tmp_path: Path) -> None:
    """A condition that the claim adds is advice: it is in no line of comment and summary."""
    judged(tmp_path, wrong=None, out="main-run")
    traces = [json.loads(line) for line in (tmp_path / "traces.jsonl").read_text().splitlines()]
    traces[3]["answer"] = answer_to(3, wrong=False).replace("days.", "days unless it was a gift.") + " [plan-3]"
    traces[WRONG]["answer"] = answer_to(WRONG, wrong=True) + f" [plan-{WRONG}]"
    (tmp_path / "traces.jsonl").write_text(lines(traces))
    raggate("run", "--out", "head-run", "--baseline", "main-run", cwd=tmp_path)
    comment, summary = ((tmp_path / "head-run" / name).read_text() for name in ("comment.md", "summary.md"))
    assert "was a gift" not in comment + summary
