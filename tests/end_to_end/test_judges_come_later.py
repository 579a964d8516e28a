"""A suite gets judges, or others: what they are the first to see is not held against the app's change."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.command_line import raggate
from tests.fake_chat.server import fake_chat
from tests.judged_suites import judging, lie, member, rows_of, truth, write_answers, write_labels, write_suite

ANSWERS = {f"q{number}": truth(number) for number in range(30)} | {"bad": lie(30)}


def compared(run: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((run / "comparison.json").read_text())
    return found


def test_the_first_run_with_judges_blames_no_change_and_the_next_one_does(tmp_path: Path) -> None:
    gates: dict[str, Any] = {"hallucination_rate": {"max": "5%"}}
    write_suite(tmp_path, ANSWERS, gates=gates)
    raggate("run", "raggate.json", "--out", "plain", cwd=tmp_path)
    gates["judge_cost_usd"] = {"max": 5.0}
    with fake_chat({"ada": judging()}) as chat:
        write_suite(tmp_path, ANSWERS, [member("ada", chat)], gates=gates)
        write_labels(tmp_path, right=40, faults=30)
        first = raggate("run", "raggate.json", "--out", "first", "--baseline", "plain", cwd=tmp_path)
        write_answers(tmp_path, {**ANSWERS, "q7": lie(7)})
        second = raggate("run", "raggate.json", "--out", "second", "--baseline", "first", cwd=tmp_path)
    rows = rows_of(tmp_path / "first")
    assert (rows["bad"]["claims"][0]["judged"], rows["bad"]["state"]) == (True, "failed")
    newly_judged = compared(tmp_path / "first")
    assert (newly_judged["regressed"], newly_judged["new_hallucinations"], newly_judged["now_fixed"]) == (0, 0, 0)
    assert newly_judged["newly_hallucinating"] == []
    # One claim of thirty-one is false: 30 of 31 reach the bar of 95 %.
    assert first.returncode == 0, first.stdout
    found = compared(tmp_path / "second")
    assert (found["regressed"], found["new_hallucinations"], found["newly_hallucinating"]) == (1, 1, ["q7"])
    assert found["persisting_hallucinations"] == 1
    assert found["other_panel"] is None
    assert second.returncode == 1
    run = json.loads((tmp_path / "second/run.json").read_text())
    judging_ = run["judging"]
    assert (judging_["answers"], judging_["decided"], judging_["faulty"]) == (31, 31, 2)
    # The one answer that changed was asked about; the others were said before.
    assert (judging_["reused"], judging_["calls"]) == (30, 1)
    assert judging_["cost_usd"] > 0
    assert judging_["corrected"]["method"] == "rogan-gladen"
    cost = next(gate for gate in run["gates"] if gate["gate"] == "judge_cost_usd")
    assert (cost["status"], cost["measured"]["amount"]) == ("passed", judging_["cost_usd"])


def test_rows_are_read_and_counted_again_as_they_were(tmp_path: Path) -> None:
    """What is rebuilt from files alone has the same bytes, judges or not."""
    answers = {"good": truth(1), "bad": lie(2)}
    with fake_chat({"ada": judging()}) as chat:
        write_suite(tmp_path, answers, [member("ada", chat)])
        write_labels(tmp_path, right=40, faults=30)
        raggate("run", "raggate.json", "--out", "base", cwd=tmp_path)
        raggate("run", "raggate.json", "--out", "head", "--baseline", "base", cwd=tmp_path)
    written = (tmp_path / "head/comment.md").read_text()
    assert raggate("report", "head", cwd=tmp_path).stdout == written
    assert raggate("report", "head", "--baseline", "base", cwd=tmp_path).stdout == written
