"""A baseline that another version of raggate judged: what nobody changed in the app shows nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fuzz.stored_runs import tie
from tests.command_line import raggate
from tests.end_to_end.test_one_fault_among_many import BAD, failed_gates, good, judged, lines
from tests.stored_comparison import compared

FALSE = {"answer": f"The plan Delta {BAD} costs 917 euros a month. [plan-{BAD}]", "context": [f"plan-{BAD}"]}
Row = dict[str, Any]


def lines_of(file: Path) -> list[Row]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def as_older(run: Path, change: Callable[[Row], None] = lambda _row: None) -> None:
    """Make a run one that an older version judged, by rules that saw otherwise."""
    header = json.loads((run / "run.json").read_text())
    header["provenance"]["raggate_version"] = "0.0.9"
    (run / "run.json").write_text(json.dumps(header, indent=2))
    rows = lines_of(run / "cases.jsonl")
    for row in rows:
        change(row)
    (run / "cases.jsonl").write_text(lines(rows))
    tie(run)


def blind(row: Row) -> None:
    """Rules that found no hallucination."""
    if row["hallucinations"]:
        row |= {"hallucinations": [], "state": "passed", "first_failed_stage": None}
        for gate, outcome in row["outcomes"].items():
            if outcome["kind"] == "failed":
                row["outcomes"][gate] = {"kind": "passed"}


def moved(folder: Path, out: str) -> tuple[int, ...]:
    found = compared(folder / out)
    told = found.of("hallucination_rate")
    return (found.compared, found.regressed, found.total("fixed"), found.total("unknown"), told.new, told.fixed)


def test_an_upgrade_that_sees_more_shows_nothing_new(tmp_path: Path) -> None:
    judged(tmp_path, "main-run", bad=FALSE)
    as_older(tmp_path / "main-run", blind)
    judged(tmp_path, "head-run", bad=FALSE, baseline="main-run")
    assert moved(tmp_path, "head-run") == (32, 0, 0, 0, 0, 0)
    assert failed_gates(tmp_path, "head-run") <= {"hallucination_rate"}
    comment = (tmp_path / "head-run/comment.md").read_text()
    assert (
        "- 32 answers of the baseline were evaluated again by this run's suite; the baseline was made by raggate `0.0.9`"
        in comment
    )
    assert "- 1 hallucination was already there on the baseline (`case-17`)\n" in comment
    assert "> - **1 answer contradicted the evidence** (0 allowed, none new). Repair: prompt, " in comment
    assert "| hallucination rate | – | 3.1 % (1 of 32 cases) | 3.1 % | = | ≤ 2 % | ❌ failed |" in comment
    # The same decision from the two directories.
    again = raggate("report", "head-run", "--baseline", "main-run", cwd=tmp_path)
    assert again.stdout == comment


def test_a_fault_of_the_app_is_new_all_the_same(tmp_path: Path) -> None:
    judged(tmp_path, "main-run")
    as_older(tmp_path / "main-run")
    judged(tmp_path, "head-run", bad=FALSE, baseline="main-run")
    assert moved(tmp_path, "head-run") == (32, 1, 0, 0, 1, 0)
    assert "new_hallucinations" in failed_gates(tmp_path, "head-run")


def test_what_is_not_at_hand_compares_with_nothing(tmp_path: Path) -> None:
    """The chunk behind one answer has changed since, and nobody can tell what it said then."""
    judged(tmp_path, "main-run", bad=FALSE)
    as_older(tmp_path / "main-run", blind)
    header = json.loads((tmp_path / "main-run/run.json").read_text())
    header["provenance"]["evidence_digest"] = "another"
    (tmp_path / "main-run/run.json").write_text(json.dumps(header, indent=2))
    judged(tmp_path, "head-run", bad=FALSE, baseline="main-run")
    assert moved(tmp_path, "head-run") == (0, 0, 0, 0, 0, 0)
    comment = (tmp_path / "head-run/comment.md").read_text()
    assert "The baseline's answers could not be evaluated again (" in comment.partition("<details>")[0]
    found = json.loads((tmp_path / "head-run/comparison.json").read_text())
    assert (found["again"]["cases"], found["gates"], found["again"]["compared"]) == (32, [], 0)
    rate = "| hallucination rate | – | 3.1 % (1 of 32 cases) | – | – | ≤ 2 % | ❌ failed |"
    assert rate in comment, "no count of other rules stands beside ours"
    assert "> - **1 answer contradicted the evidence** (0 allowed). Repair: prompt, " in comment, (
        "nobody knows what is new"
    )
    summary = (tmp_path / "head-run/summary.md").read_text()
    assert rate in summary
    assert "| faithfulness | 31/32 | 96.9 % | – | – | ≥ 95 % | ✅ passed |" in summary
    assert "| hallucination rate | 3.1 % | – |" in summary


def test_a_chunk_is_as_it_was_by_its_version(tmp_path: Path) -> None:
    judged(tmp_path, "main-run", bad=FALSE)
    as_older(tmp_path / "main-run", blind)
    run = tmp_path / "main-run"
    header = json.loads((run / "run.json").read_text())
    header["provenance"]["evidence_digest"] = "another"
    (run / "run.json").write_text(json.dumps(header, indent=2))
    rows = lines_of(run / "cases.jsonl")
    for row in rows[:5]:
        row["context_versions"] = ["v1"] * len(row["context"])
    (run / "cases.jsonl").write_text(lines(rows))
    tie(run)
    # Only the chunks of the first cases have a version, and still the one they had.
    judged(tmp_path, "probe")
    chunks = [chunk | {"version": "v1"} for chunk in lines_of(tmp_path / "evidence.jsonl")]
    (tmp_path / "evidence.jsonl").write_text(lines(chunks))
    raggate("run", "--out", "head-run", "--baseline", "main-run", cwd=tmp_path)
    found = json.loads((tmp_path / "head-run/comparison.json").read_text())
    assert (found["again"]["compared"], found["again"]["cases"]) == (5, 27)
    assert moved(tmp_path, "head-run") == (5, 0, 0, 0, 0, 0)


def test_without_traces_only_what_needs_no_rules_is_compared(tmp_path: Path) -> None:
    down = {"answer": "", "error": "boom"}
    judged(tmp_path, "main-run", bad=down)
    as_older(tmp_path / "main-run")
    (tmp_path / "main-run/traces.jsonl").unlink()
    judged(tmp_path, "head-run", bad=good(BAD), baseline="main-run")
    assert moved(tmp_path, "head-run") == (1, 0, 1, 0, 0, 0), "an app that crashed and answers now"


def test_over_a_baseline_in_a_format_that_is_read_no_more_it_is_a_first_run(tmp_path: Path) -> None:
    judged(tmp_path, "main-run")
    header = json.loads((tmp_path / "main-run/run.json").read_text())
    (tmp_path / "main-run/run.json").write_text(json.dumps({**header, "schema_version": 1}))
    judged(tmp_path, "head-run", baseline="main-run")
    told = "was stored by an older raggate, and is not read: the base branch's next run makes a new baseline."
    assert told in (tmp_path / "head-run/comment.md").read_text()
    assert not (tmp_path / "head-run/comparison.json").exists()
