"""Answers that come too late, and the first call of a run, which may find the app cold."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import raggate
from tests.end_to_end.test_commands import run_json
from tests.integration.servers import scripted_app
from tests.open_lines import open_text

# Its first answer of each process comes late; it writes down which cases it was asked.
COLD_APP = """
import json, sys, time
for number, line in enumerate(sys.stdin):
    case = json.loads(line)
    with open("asked", "a") as file:
        file.write(case["case_id"] + "\\n")
    if not number:
        time.sleep(0.6)
    print(json.dumps({"case_id": case["case_id"], "answer": "Tea is hot.", "context": [{"chunk_id": "c1", "text": "Tea."}]}))
    sys.stdout.flush()
"""


def write_suite(folder: Path, target: dict[str, Any], *, cases: int, limit_ms: int | None) -> None:
    limit = {} if limit_ms is None else {"max_latency_ms": limit_ms}
    listed = [{"case_id": f"q{number}", "question": "tea.", **limit} for number in range(cases)]
    (folder / "cases.json").write_text(json.dumps(listed))
    (folder / "evidence.jsonl").write_text('{"chunk_id": "c1", "text": "Tea."}\n{"chunk_id": "c2", "text": "B."}\n')
    suite = {"suite": "s", "cases": ["cases.json"], "evidence": ["evidence.jsonl"], "target": target}
    (folder / "raggate.yaml").write_text(json.dumps(suite))


def record(folder: Path, name: str, slow: int, *, cases: int) -> None:
    """Recorded traces of which the first so many take 30 s, and the others 0.9."""
    lines = [
        {"case_id": f"q{n}", "answer": "Tea is hot.", "context": [{"chunk_id": "c1", "text": "Tea."}],
         "latency_ms": 30_000 if n < slow else 900}
        for n in range(cases)
    ]  # fmt: skip
    (folder / name).write_text("".join(json.dumps(line) + "\n" for line in lines))


@pytest.mark.parametrize(("slow", "status"), [(0, 0), (5, 0), (6, 1), (30, 1)], ids=str)
def test_more_than_a_twentieth_over_their_limit_block_and_each_is_named(tmp_path: Path, slow: int, status: int) -> None:
    write_suite(tmp_path, {"kind": "recorded", "traces": "base.jsonl"}, cases=100, limit_ms=8000)
    record(tmp_path, "base.jsonl", 0, cases=100)
    record(tmp_path, "head.jsonl", slow, cases=100)
    assert raggate("run", "--out", "base", cwd=tmp_path).returncode == 0
    done = raggate("run", "--traces", "head.jsonl", "--baseline", "base", "--out", "head", cwd=tmp_path)
    assert done.returncode == status, done.stdout
    gates = {gate["gate"]: gate for gate in run_json(tmp_path / "head")["gates"]}
    assert (gates["slow"]["passed"], gates["slow"]["scored"]) == (100 - slow, 100)
    assert gates["behaviour"]["passed"] == 100, "being slow is the matter of one gate"
    comment = (tmp_path / "head" / "comment.md").read_text()
    told = [line for line in open_text(comment).lines if "took too long" in line]
    named = f"q0 and {slow - 1} more"
    line = f"{slow} answers took too long (5 allowed). Repair: the agent's policy, tools, speed. {named}"
    assert told == ([line] if slow else [])
    # The fold names each, and no other; all of them passed on the baseline.
    failing = comment.partition(f"<details><summary>Cases that fail a stage ({slow})</summary>")[2].partition(
        "</details>"
    )[0]
    late = "  - Latency 30000ms &gt; 8000ms"
    assert re.findall(r"^- `(q\d+)` · behaviour · .*\n(.*)", failing, re.MULTILINE) == [
        (f"q{number}", late) for number in range(slow)
    ]
    assert f"0 not measured · {slow} regression" in comment
    shown = "❌ failed" if status else "✅ passed"
    gate = f"| slow | {100 - slow}/100 | {100 - slow}.0 % | 0 | 100/100 | -{slow}.0 pts | ≥ 95 % | {shown} |"
    gates_fold = comment.partition("<details><summary>Gates that failed or moved ")[2].partition("</details>")[0]
    assert (gate in gates_fold) == bool(slow)


@pytest.mark.parametrize(("limit_ms", "calls"), [(300, 2), (None, 1)], ids=["a limit", "none"])
def test_the_first_call_to_a_server_warms_it_up_where_time_is_judged(
    tmp_path: Path, limit_ms: int | None, calls: int
) -> None:
    with scripted_app({"q0": "slow then good"}, slow_s=0.6) as app:
        target = {"kind": "http", "url": app.url, "attempts": 1}
        write_suite(tmp_path, target, cases=4, limit_ms=limit_ms)
        done = raggate("run", cwd=tmp_path)
        assert app.counts == {"q0": calls, "q1": 1, "q2": 1, "q3": 1}
    assert done.returncode == 0, done.stdout
    assert (
        "4 passed (0 verified, 4 not refuted: no fault found, but not proven) · 0 failed · 0 not measured"
        in done.stdout
    )


@pytest.mark.parametrize("concurrency", [1, 2])
def test_each_process_of_a_program_is_warmed_up(tmp_path: Path, concurrency: int) -> None:
    (tmp_path / "app.py").write_text(COLD_APP)
    target = {"kind": "command", "command": [sys.executable, "app.py"], "concurrency": concurrency}
    write_suite(tmp_path, target, cases=6, limit_ms=300)
    done = raggate("run", cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    assert (
        "6 passed (0 verified, 6 not refuted: no fault found, but not proven) · 0 failed · 0 not measured"
        in done.stdout
    )
    asked = (tmp_path / "asked").read_text().split()
    assert len(asked) == 6 + concurrency
    assert set(asked) == {f"q{number}" for number in range(6)}
