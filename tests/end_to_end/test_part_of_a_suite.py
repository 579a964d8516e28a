"""A pull request runs a part of the suite: the same traces are decided as the whole suite's run decides them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.command_line import raggate
from tests.open_lines import open_text

PLANS = 100
LOST = {3, 10, 20, 33}
SUITE = """\
suite: tariffs
evidence: [evidence.jsonl]
cases: [cases.jsonl]
target: {kind: recorded, traces: traces.jsonl}
"""
PART = "scopes: {pr: {tags: [smoke], failing_on_base: true}}\n"


def said(number: int) -> str:
    return f"The plan Delta {number} costs {100 + number} euros a month."


def lines(rows: list[dict[str, Any]]) -> str:
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def write(folder: Path, lost: set[int], *, policy: str = "") -> None:
    numbers = range(PLANS)
    (folder / "raggate.yaml").write_text(SUITE + PART + policy)
    (folder / "evidence.jsonl").write_text(lines([{"chunk_id": f"plan-{n}", "text": said(n)} for n in numbers]))
    cases: list[dict[str, Any]] = [
        {"case_id": f"case-{n}", "question": f"What is Delta {n}?", "required_source_ids": [f"plan-{n}"]}
        | ({"tags": ["smoke"]} if n % 10 == 0 else {})
        for n in numbers
    ]
    (folder / "cases.jsonl").write_text(lines(cases))
    traces = [
        {"case_id": f"case-{n}", "answer": said(n), "context": [f"plan-{n}"]}
        if n not in lost
        else {"case_id": f"case-{n}", "answer": said(n + 1), "context": [f"plan-{n + 1}"]}
        for n in numbers
    ]
    (folder / "traces.jsonl").write_text(lines(traces))


def test_the_same_traces_in_a_smaller_scope_are_released_as_in_full(tmp_path: Path) -> None:
    write(tmp_path, LOST)
    full = raggate("run", "--out", "main-run", cwd=tmp_path)
    assert full.returncode == 0, full.stdout + full.stderr
    assert "96 passed (96 verified) · 4 failed" in full.stdout
    part = raggate("run", "--scope", "pr", "--out", "head-run", "--baseline", "main-run", cwd=tmp_path)
    assert part.returncode == 0, part.stdout + part.stderr
    assert "8 passed (8 verified) · 4 failed · 0 not measured · 0 regressions" in part.stdout
    page = (tmp_path / "head-run" / "comment.md").read_text()
    assert "12 of 100 cases were run; of 88 others the baseline's outcome is carried over." in page
    # No gate failed or moved, so the comment has no table of them; the job summary has.
    assert "Gates that failed or moved" not in page
    summary = (tmp_path / "head-run" / "summary.md").read_text()
    assert "| context recall | 96/100 | 96.0 % | 96/100 | = | ≥ 95 % | ✅ passed, 88 carried |" in summary
    assert open_text(page).lines[2] == (
        "4 cases lost a required source before the prompt (5 allowed, none new). Repair: reranker or context gate."
        " case-3 and 3 more"
    )
    # What is carried is written into no row, and is not needed again to say the same.
    assert len((tmp_path / "head-run" / "cases.jsonl").read_text().splitlines()) == 12
    assert raggate("report", "head-run", cwd=tmp_path).stdout == page
    # Two of the cases run fall: the whole suite would be at 94 of 100.
    write(tmp_path, LOST | {40, 50})
    fallen = raggate("run", "--scope", "pr", "--out", "fallen-run", "--baseline", "main-run", cwd=tmp_path)
    assert fallen.returncode == 1, fallen.stdout + fallen.stderr
    assert "newly_missed failed: 2 of 8 cases" in fallen.stdout
    page = (tmp_path / "fallen-run" / "comment.md").read_text()
    assert open_text(page).lines[2] == (
        "6 cases lost a required source before the prompt (2 new). Repair: reranker or context gate."
        " case-40 and 5 more."
        " If its source moved, label the case anew"
    )
    assert "12 of 100 cases were run; of 88 others the baseline's outcome is carried over." in page
    fold = page.partition("<details><summary>Gates that failed or moved (2 of 14)</summary>")[2]
    assert fold.partition("</details>")[0].splitlines()[4:-1] == [
        "| context recall | 94/100 | 94.0 % | 96/100 | -2.0 pts | ≥ 95 % | ❌ failed, 88 carried |",
        "| newly missed | – | 2 of 8 cases | – | – | none new | ❌ failed |",
        "",
        "12 more stand in the job summary.",
    ]
    # A run over its own baseline carries all the same.
    own = raggate("run", "--scope", "pr", "--out", "main-run", "--baseline", "main-run", cwd=tmp_path)
    assert own.stdout.splitlines()[:2] == fallen.stdout.splitlines()[:2], own.stderr


LOWERED = "gates: {context_recall: {min: 90%}}\n"


def test_a_lowered_bar_is_decided_by_the_whole_suite_in_a_part_of_it_too(tmp_path: Path) -> None:
    """By the baseline's bar of 95 % the whole suite passes at 96 of 100. Where two more fall, no lower bar hides it."""
    write(tmp_path, LOST)
    assert raggate("run", "--out", "main-run", cwd=tmp_path).returncode == 0
    part = ("run", "--scope", "pr", "--baseline", "main-run", "--out")
    write(tmp_path, LOST, policy=LOWERED)
    same = raggate(*part, "same-run", cwd=tmp_path)
    assert same.returncode == 0, same.stdout + same.stderr
    assert "`gates.context_recall.min` `0.95` → `0.9`" in (tmp_path / "same-run" / "comment.md").read_text()
    write(tmp_path, LOST | {40, 50}, policy=LOWERED)
    worse = raggate(*part, "worse-run", cwd=tmp_path)
    assert worse.returncode == 1, worse.stdout + worse.stderr
    # What is newly missed comes first; the bar itself is a reason as well.
    assert "newly_missed failed: 2 of 8 cases" in worse.stdout
    run = json.loads((tmp_path / "worse-run" / "run.json").read_text())
    assert run["decision"]["reasons"] == ["newly_missed", "context_recall"]
    assert {each["gate"]: (each["passed"], each["scored"]) for each in run["gates"] if each["status"] == "failed"} == {
        "newly_missed": (6, 8),
        "context_recall": (6, 12),
    }
    page = (tmp_path / "worse-run" / "comment.md").read_text()
    assert "| context recall | 6/12 | 50.0 % | 96/100 | -2.0 pts | ≥ 90 % | ❌ failed |" in page
    assert (
        "**The suite is not the baseline's:** `gates.context_recall.min` `0.95` → `0.9`."
        " By the baseline's suite this is a block."
    ) in page
    assert raggate("report", "worse-run", cwd=tmp_path).stdout == (tmp_path / "worse-run" / "comment.md").read_text()


def test_a_bar_lowered_under_what_the_whole_suite_misses_blocks_in_a_part_that_misses_nothing_new(
    tmp_path: Path,
) -> None:
    """By the baseline's bar of 95 % the 94 of 100 that are carried and run do not pass, whatever was run again."""
    write(tmp_path, LOST | {40, 50})
    assert raggate("run", "--out", "main-run", cwd=tmp_path).returncode == 1
    write(tmp_path, LOST | {40, 50}, policy=LOWERED)
    for scope, out in (("full", "full-run"), ("pr", "part-run")):
        done = raggate("run", "--scope", scope, "--baseline", "main-run", "--out", out, cwd=tmp_path)
        assert done.returncode == 1, done.stdout + done.stderr
        assert "policy_weakened" in done.stdout
