"""The bench measures the same work on both sides: floor and gates agree case by case on what it generates."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from bench.floor import joined, passes
from bench.generate import FAULTS, VERSIONS, generate
from bench.speed import Cost, cost_of, least, pass_count
from raggate_action.core.gates.case_row import evaluate_reply
from raggate_action.run_store import RunDirectory
from raggate_action.schema.case import Case, PlacedCase
from raggate_action.schema.outcome import StageName
from raggate_action.schema.trace import STAGES, Answered, Trace
from tests.builders import make_rules
from tests.stored_runs import make_run, make_started

CASES = 500
PIPELINE = {"stages": STAGES, "versions": list(VERSIONS), "chunk_versions": True, "citations": True}
KINDS = ["structured", "prose", "paraphrased", "shared"]
PROSE = {"prose", "paraphrased", "shared"}


@pytest.mark.parametrize("kind", KINDS)
def test_floor_and_gates_pass_the_same_cases(tmp_path: Path, kind: str) -> None:
    planted = generate(tmp_path, cases=CASES, kind=kind, seed=3)
    rules = make_rules(pipeline=PIPELINE)
    stages: set[StageName | None] = set()
    failing = 0
    for case, trace in joined(tmp_path):
        placed = PlacedCase(Case.model_validate_json(json.dumps(case)), 0, "digest", "cases.jsonl", 1)
        reply = Answered(trace=Trace.model_validate_json(json.dumps(trace)), labelled=True)
        row = evaluate_reply(placed, reply, rules, custom=None, finished_at="").row
        assert passes(case, trace) == (row.state == "passed"), f"{row.case_id}: {row.outcomes}"
        stages.add(row.first_failed_stage)
        failing += row.state != "passed"
    assert failing == planted.total()
    assert 0.12 < failing / CASES < 0.24
    everywhere = {
        "admissibility", "candidate retrieval", "context selection", "answer completeness", "citation support",
        "behaviour",
    }  # fmt: skip
    # In prose nobody vouches for, nothing is known to be unsupported.
    assert stages == everywhere | {None} | (set() if kind in PROSE else {"answer faithfulness"})


@pytest.mark.parametrize("kind", KINDS)
def test_traces_have_the_size_and_shape_that_is_measured(tmp_path: Path, kind: str) -> None:
    generate(tmp_path, cases=CASES, kind=kind, seed=3)
    lines = (tmp_path / "traces.jsonl").read_bytes().splitlines()
    mean = sum(map(len, lines)) / len(lines)
    assert (3300 if kind in PROSE else 4200) < mean < (4000 if kind in PROSE else 4800)
    for line in lines[:50]:
        trace = json.loads(line)
        assert len(trace["candidates"]) == 10
        assert [len(chunk["text"].split()) for chunk in trace["context"]] == [80] * 4
    claims = {len(json.loads(line)["answer"]["claims"]) for line in lines} if kind == "structured" else {3, 4, 5}
    assert claims - {0} == {3, 4, 5}
    assert [json.loads(line)["case_id"] for line in lines] == [f"case-{n:06d}" for n in range(CASES)]


def test_every_fault_is_planted(tmp_path: Path) -> None:
    planted = generate(tmp_path, cases=CASES, kind="structured", seed=3)
    assert set(planted) == set(FAULTS)


def test_the_floor_prints_how_many_pass(tmp_path: Path) -> None:
    planted = generate(tmp_path, cases=200, kind="structured", seed=9)
    script = Path(__file__).parents[2] / "bench" / "floor.py"
    done = subprocess.run([sys.executable, str(script), str(tmp_path)], check=True, capture_output=True, text=True)
    assert done.stdout == f"{200 - planted.total()} of 200 pass\n"


def test_the_pass_count_is_read_from_the_stored_run(tmp_path: Path) -> None:
    RunDirectory.create(tmp_path, make_started()).finish(make_run(), [], {})
    assert pass_count(tmp_path) == "2 of 2 pass"


def test_a_process_is_measured_by_itself(tmp_path: Path) -> None:
    said = tmp_path / "said"
    idle = cost_of([sys.executable, "-c", "import time; time.sleep(0.1); print('done')"], said)
    busy = cost_of([sys.executable, "-c", "b = bytearray(200 << 20); x = [n * n for n in range(2_000_000)]"], said)
    assert idle.wall_s >= 0.1
    assert busy.cpu_s > idle.cpu_s > 0
    # No more can be said here: this process, which may be large itself, is the least a child is told to have had.
    assert busy.peak_mib > 200
    with pytest.raises(SystemExit, match="ended with 3"):
        cost_of([sys.executable, "-c", "raise SystemExit(3)"], said)


def test_the_least_is_taken_of_each_figure() -> None:
    assert least([Cost(3, 1, 2, 9, 5), Cost(4, 3, 1, 7, 4), Cost(5, 2, 3, 8, 6)]) == Cost(3, 1, 1, 7, 4)
