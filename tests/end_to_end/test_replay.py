"""A stored run judged again from its own traces, and the limits a run keeps to: real processes, real files."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from raggate_action.schema.run import StartedRun
from tests.command_line import raggate
from tests.stored_runs import leave_rows

APP = """\
import json, sys

for line in sys.stdin:
    case = json.loads(line)
    number = int(case["case_id"].removeprefix("q"))
    reply = {
        "case_id": case["case_id"],
        "answer": {"text": "Tea is hot. [tea]", "claims": [{"text": "Tea is hot.", "citation_ids": ["tea"]}]},
        "candidates": ["tea", "soup"],
        "context": [{"chunk_id": "tea", "version": "v2"}],
        "versions": {"index": "i1"},
        "tool_calls": [{"name": "search", "arguments": {"q": "tea"}}],
    }
    if number == 1:
        reply["case_id"] = "q9"
    if number == 2:
        reply = {"error": "the index is down"}
    if number == 3:
        reply = {"answer": 7}
    if number == 4:
        reply["answer"] = "I do not know."
    if number == 5:
        reply["answer"]["claims"][0]["citation_ids"] = ["soup"]
    if number == 6:
        reply["tool_calls"] = []
    if number == 7:
        reply["case_id"] = None
    if number == 8:
        reply["answer"] = "Soup comes with bread. Tea is green [tea]."
    if number == 9:
        del reply["candidates"]
    sys.stdout.write(json.dumps(reply) + "\\n")
    sys.stdout.flush()
"""
CHECKS = """\
import time

def hangs(case, trace):
    time.sleep(60)
"""
EVIDENCE = [
    {"chunk_id": "tea", "version": "v2", "text": "Tea is hot. Tea is green."},
    {"chunk_id": "soup", "version": "v7", "text": "Soup comes with bread."},
    {"chunk_id": "rule", "version": "2026-06-01", "text": "Ask first."},
]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "app.py").write_text(APP)
    (tmp_path / "checks.py").write_text(CHECKS)
    (tmp_path / "evidence.jsonl").write_text("".join(json.dumps(chunk) + "\n" for chunk in EVIDENCE))
    cases: list[dict[str, Any]] = [
        {"case_id": f"q{n}", "question": "Is tea hot?", "required_source_ids": ["tea"], "expected_tools": ["search"]}
        for n in range(10)
    ]
    cases[0] |= {"released": True, "required_source_ids": ["tea", "rule"]}
    bad = {"case_id": "bad", "question": "?", "released": False, "blocked_at": "answer completeness"}
    cases.append(bad | {"trace": {"answer": "", "context": [{"chunk_id": "tea", "version": "v2"}]}})
    write_suite(tmp_path, cases)
    return tmp_path


def write_suite(place: Path, cases: list[dict[str, Any]], target: dict[str, Any] | None = None, **more: Any) -> None:
    command = {"kind": "command", "command": [sys.executable, "app.py"]}
    (place / "cases.json").write_text(json.dumps(cases))
    suite = {"suite": "tea", "cases": ["cases.json"], "evidence": ["evidence.jsonl"], "target": target or command}
    (place / "raggate.yaml").write_text(json.dumps({**suite, "pipeline": {"citations": True}, **more}))


def outcomes(directory: Path) -> dict[str, Any]:
    rows = [json.loads(line) for line in (directory / "cases.jsonl").read_text().splitlines()]
    kept = ("state", "outcomes", "first_failed_stage", "score", "issues", "hallucinations", "error", "latency_ms")
    return {row["case_id"]: {name: row.get(name) for name in kept} for row in rows}


def stored(directory: Path) -> dict[str, Any]:
    run: dict[str, Any] = json.loads((directory / "run.json").read_text())
    return run


def test_a_run_s_own_traces_give_every_case_the_same_outcomes(place: Path) -> None:
    first = raggate("run", cwd=place)
    assert first.returncode == 1, first.stderr
    again = raggate("run", "--traces", "raggate-run/traces.jsonl", cwd=place)
    assert again.returncode == 1, again.stderr

    before, after = outcomes(place / "raggate-run"), outcomes(place / "raggate-replay")
    assert before == after
    stages = {case_id: row["first_failed_stage"] for case_id, row in before.items()}
    assert stages == {
        "q0": "candidate retrieval", "q1": "admissibility", "q2": "target", "q3": "target", "q4": "answer completeness",
        "q5": "citation support", "q6": "behaviour", "q7": None, "q8": None, "q9": None, "bad": "answer completeness",
    }  # fmt: skip
    assert stored(place / "raggate-replay")["notes"] == stored(place / "raggate-run")["notes"]
    counts = [stored(place / name)["counts"] for name in ("raggate-run", "raggate-replay")]
    # The app was asked again what a file would only repeat.
    assert [each.pop("asked_again") for each in counts] == [6, 0]
    assert counts[0] == counts[1]


def test_a_run_never_replaces_the_traces_it_judges(place: Path) -> None:
    assert raggate("run", cwd=place).returncode == 1
    before = (place / "raggate-run" / "traces.jsonl").read_bytes()
    done = raggate("run", "--traces", "raggate-run/traces.jsonl", "--out", "raggate-run", cwd=place)
    assert done.returncode == 2
    assert "the traces to be judged lie in raggate-run, whose files this run replaces" in done.stderr
    assert (place / "raggate-run" / "traces.jsonl").read_bytes() == before


def test_the_release_report_names_the_versions_of_the_sources_required(place: Path) -> None:
    raggate("run", cwd=place)
    report = stored(place / "raggate-run")["release_report"]
    assert report["source_traces"] == ["q0"]
    assert report["required_policy_versions"] == ["2026-06-01", "v2"]


def test_a_run_of_named_cases_is_no_baseline(place: Path) -> None:
    assert raggate("run", "--case", "q6", "--case", "q7", cwd=place).returncode in {0, 1}
    assert stored(place / "raggate-case")["case_filter"] == ["q6", "q7"]
    done = raggate("run", "--baseline", "raggate-case", cwd=place)
    assert done.returncode == 2
    assert "the baseline raggate-case is a run of 2 cases named by --case" in done.stderr
    assert not (place / "raggate-run").exists()

    assert raggate("run", cwd=place).returncode == 1
    assert "named by --case" in raggate("report", "raggate-run", "--baseline", "raggate-case", cwd=place).stderr
    assert raggate("report", "raggate-case", "--baseline", "raggate-run", cwd=place).returncode in {0, 1}


def test_a_check_has_the_time_its_target_has(place: Path) -> None:
    target = {"kind": "command", "command": [sys.executable, "app.py"], "timeout_s": 0.5}
    write_suite(place, [{"case_id": "q0", "question": "?", "custom_check": "checks:hangs"}], target)
    raggate("run", cwd=place)
    behaviour = outcomes(place / "raggate-run")["q0"]["outcomes"]["behaviour"]
    assert behaviour["kind"] == "unmeasured"
    assert "checks:hangs did not end within 0.5 s" in behaviour["detail"]


def test_a_check_ends_at_the_deadline_of_the_run(place: Path) -> None:
    (place / "traces.jsonl").write_text('{"case_id": "q0", "answer": "x", "context": ["tea"]}\n')
    cases = [{"case_id": "q0", "question": "?", "custom_check": "checks:hangs"}, {"case_id": "q1", "question": "?"}]
    write_suite(place, cases, {"kind": "recorded", "traces": "traces.jsonl"}, deadline_s=0.5)
    assert raggate("run", cwd=place).returncode == 3
    rows = outcomes(place / "raggate-run")
    assert {name: (row["state"], row["outcomes"]["target"]["reason"]) for name, row in rows.items()} == {
        "q0": ("unmeasured", "cut"),
        # It waits for no check of another case, and has no trace.
        "q1": ("unmeasured", "trace"),
    }


def test_a_report_on_a_run_under_way_says_so(place: Path) -> None:
    assert raggate("run", cwd=place).returncode == 1
    run, rows = place / "raggate-run" / "run.json", place / "raggate-run" / "cases.jsonl"
    stored, lines = json.loads(run.read_text()), rows.read_bytes().splitlines(keepends=True)
    began = {key: stored[key] for key in StartedRun.model_fields if key != "files"}
    run.write_text(json.dumps({**began, "complete": False}))
    rows.unlink()
    leave_rows(place / "raggate-run", lines[:1])
    done = raggate("report", "raggate-run", cwd=place)
    assert done.returncode == 0, done.stderr
    assert f"**This run did not finish:** 1 of {len(lines)} cases had finished" in done.stdout
    assert "**Inconclusive**" in done.stdout
    assert raggate("explain", "raggate-run", "q0", cwd=place).returncode == 0
    refused = raggate("run", "--out", "next", "--baseline", "raggate-run", cwd=place)
    assert refused.returncode == 2
    assert "the run in raggate-run is not finished: it is still being written or was stopped" in refused.stderr


def test_check_suite_looks_for_what_a_run_will_need(place: Path) -> None:
    write_suite(place, [{"case_id": "q0", "question": "?"}], {"kind": "recorded", "traces": "gone.jsonl"})
    done = raggate("check", cwd=place)
    assert done.returncode == 2
    assert "`traces` names `gone.jsonl`, which does not exist" in done.stderr


@pytest.mark.parametrize("command", ["run", "record"])
def test_a_place_that_cannot_be_written_is_said_before_the_app_is_asked(place: Path, command: str) -> None:
    (place / "app.py").write_text("open('asked', 'w')\n")
    (place / "file").write_text("in the way")
    for out in ("file/in", "/proc/raggate/out"):
        done = raggate(command, "--out", out, cwd=place)
        assert done.returncode == 2
        assert out in done.stderr
        assert "File exists" in done.stderr or "a file stands there" in done.stderr or "No such file" in done.stderr
        assert "with --out" in done.stderr
    assert not (place / "asked").exists()
