"""Expressions and answers that would never end, as people meet them: real processes, real files, a real app."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from raggate_action.isolation.time_limit import EXPRESSION_S
from tests.command_line import raggate
from tests.integration.servers import scripted_app
from tests.unit.test_ask_and_judge import HEAVY

MARKERS = r"\[(?P<ids>(?:\w+\s?)+)\]"
# One value in thirty lists of two, each the one before twice, and a look at all that are in it: a billion looks.
EXPRESSION = " | ".join(["[@, @]"] * 30) + " | " + "[?" * 30 + "x" + "]" * 30
# The machine may be busy; without a bound this does not end.
WITHIN_S = 60


def write(folder: Path, traces: dict[str, Any], **suite: Any) -> None:
    """A suite of these recorded traces, unless it names a target of its own."""
    recorded = {"suite": "s", "cases": ["cases.jsonl"], "target": {"kind": "recorded", "traces": "traces.jsonl"}}
    folder.joinpath("raggate.json").write_text(json.dumps({**recorded, **suite}))
    cases = [{"case_id": case_id, "question": "Tea?"} for case_id in traces]
    folder.joinpath("cases.jsonl").write_text("\n".join(json.dumps(case) for case in cases))
    lines = [json.dumps({"case_id": case_id, **trace}) for case_id, trace in traces.items()]
    folder.joinpath("traces.jsonl").write_text("\n".join(lines))


def run(folder: Path) -> tuple[int, str]:
    """Exit code and what was said on stderr, in bounded time."""
    began = time.monotonic()
    done = raggate("run", "raggate.json", "--out", "run", cwd=folder)
    assert time.monotonic() - began < WITHIN_S
    return done.returncode, done.stderr


def rows(folder: Path) -> dict[str, Any]:
    lines = (folder / "run/cases.jsonl").read_text().splitlines()
    return {row["case_id"]: row for row in map(json.loads, lines)}


def test_expressions_have_five_seconds() -> None:
    assert EXPRESSION_S == 5


def test_a_catastrophic_citation_marker_is_a_usage_error_that_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("raggate_action.isolation.suite_patterns.EXPRESSION_S", 0.5)
    write(
        tmp_path,
        {"a": {"answer": "Tea is hot [" + "a" * 60, "context": [{"chunk_id": "c1", "text": "Tea."}]}},
        citation_markers=[MARKERS],
    )
    code, said = run(tmp_path)
    assert code == 2
    assert f"citation_markers: {MARKERS!r} was still at work on one answer after 0.5 s" in said


def test_the_same_marker_is_no_mistake_on_an_answer_it_can_read(tmp_path: Path) -> None:
    context = [{"chunk_id": "c1", "text": "Tea is hot."}]
    write(tmp_path, {"a": {"answer": "Tea is hot. [c1]", "context": context}}, citation_markers=[MARKERS])
    assert run(tmp_path)[0] == 0
    assert rows(tmp_path)["a"]["claims"][0]["citations"] == ["c1"]


def test_a_mapping_without_end_is_a_usage_error_that_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("raggate_action.replies.mapping.EXPRESSION_S", 0.5)
    with scripted_app() as app:
        target = {"kind": "http", "url": app.url, "response": {"answer": "answer", "candidates": EXPRESSION}}
        write(tmp_path, {"a": {}, "b": {}}, target=target)
        code, said = run(tmp_path)
    assert code == 2
    assert "target: response: candidates: [@, @] | " in said
    assert "was still at work on one reply after 0.5 s" in said


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        pytest.param("Tea is hot. " * 2_500_000, "it has 30,000,000 characters", id="thirty million characters"),
        pytest.param({"text": "x", "claims": [{"text": "x"}] * 40_000}, "it makes 40,000 claims", id="40,000 claims"),
        pytest.param({"text": "x", "claims": [{"text": "x"}] * 100_000}, "it holds more than 100,000 values", id="100,000"),
    ],
)  # fmt: skip
def test_an_answer_of_any_size_is_done_with_at_once(tmp_path: Path, answer: Any, error: str) -> None:
    write(tmp_path, {"a": {"answer": answer}, "b": {"answer": "Tea is hot.", "context": []}})
    code, _said = run(tmp_path)
    assert code == 1
    found = rows(tmp_path)
    assert error in found["a"]["error"]
    assert found["a"]["first_failed_stage"] == "target"
    assert found["b"]["outcomes"]["target"]["kind"] == "passed"


def test_a_deadline_ends_judging_and_what_it_cut_is_unmeasured(tmp_path: Path) -> None:
    write(tmp_path, {f"q{n}": HEAVY for n in range(40)}, deadline_s=1)
    code, said = run(tmp_path)
    assert code == 3, said
    found = rows(tmp_path)
    cut = [row for row in found.values() if row["state"] == "unmeasured"]
    assert len(found) == 40
    assert len(cut) >= 30
    assert {row["outcomes"]["target"]["reason"] for row in cut} == {"cut"}
