"""A suite gets judges, or others: what they are the first to see is not held against the app's change."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from raggate_action.judging_jobs.claims_job import CLAIMS
from tests.claims_prompts import prompt_in
from tests.command_line import raggate
from tests.fake_chat.actions import filtered
from tests.fake_chat.server import fake_chat
from tests.judged_suites import (
    fooled,
    judging,
    lie,
    lines,
    member,
    rows_of,
    truth,
    write_answers,
    write_labels,
    write_suite,
)
from tests.row_builders import named
from tests.stored_comparison import compared

ANSWERS = {f"q{number}": truth(number) for number in range(30)} | {"bad": lie(30)}


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
    assert [each for each in newly_judged.changes if each.move in {"new", "fixed"}] == []
    # One claim of thirty-one is false: 30 of 31 reach the bar of 95 %.
    assert first.returncode == 0, first.stdout
    found = compared(tmp_path / "second")
    told = found.of("hallucination_rate")
    assert (found.regressed, told.new, told.same, named(found, "new_hallucinations")) == (1, 1, 1, ("q7",))
    assert found.again is None
    assert second.returncode == 1
    run = json.loads((tmp_path / "second/run.json").read_text())
    judging_ = run["judging"]
    assert (judging_["answers"], judging_["decided"], judging_["faulty"]) == (31, 31, 2)
    # The one answer that changed was asked about; the others were said before.
    assert (judging_["reused"], judging_["calls"]) == (30, 1)
    assert judging_["cost_usd"] > 0
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


TRIAL = "labels.judgements.jsonl"
READ = "Trial read from the file"
CHANGED = "is not the file that the baseline's run found, and judge bob counts by what it says"


def asked_about_labels(run: Path) -> int:
    counted: dict[str, Any] = json.loads((run / "run.json").read_text())["panel"]["trial"]
    return int(counted["calls"])


def armed(run: Path) -> list[str]:
    return [each["judge"] for each in json.loads((run / "run.json").read_text())["panel"]["cards"] if each["armed"]]


def run(folder: Path, out: str, *arguments: str) -> str:
    raggate("run", "raggate.json", "--out", out, *arguments, cwd=folder)
    return (folder / out / "comment.md").read_text()


def test_a_trial_that_the_change_itself_brings_is_said_to_arm_its_judge(tmp_path: Path) -> None:
    answers = {f"q{number}": truth(number) for number in range(4)}
    with fake_chat({"ada": judging(), "bob": judging()}) as chat:
        write_suite(tmp_path, answers, [member("ada", chat)])
        write_labels(tmp_path, right=40, faults=30)
        run(tmp_path, "base")
        write_suite(tmp_path, {**answers, "q1": lie(1)}, [member("bob", chat)])
        raggate("judges", "check", "--suite", "raggate.json", cwd=tmp_path)
        # The judge finds everything in order; the file beside the labels says that it does not.
        chat.script["bob"] = judging(fooled)
        comment = run(tmp_path, "head", "--baseline", "base")
        assert (armed(tmp_path / "head"), asked_about_labels(tmp_path / "head")) == (["bob"], 0)
        assert READ in comment
        assert CHANGED in comment
        # Whoever asks the judge sees what it is worth.
        asked = run(tmp_path, "asked", "--baseline", "base", "--no-reuse")
        assert armed(tmp_path / "asked") == []
        assert READ not in asked
    assert raggate("report", "head", cwd=tmp_path).stdout == comment


def test_a_trial_that_the_base_branch_read_is_said_to_be_read_and_nothing_more(tmp_path: Path) -> None:
    answers = {f"q{number}": truth(number) for number in range(4)}
    with fake_chat({"bob": judging()}) as chat:
        write_suite(tmp_path, answers, [member("bob", chat)])
        write_labels(tmp_path, right=40, faults=30)
        raggate("judges", "check", "--suite", "raggate.json", cwd=tmp_path)
        first = run(tmp_path, "base")
        second = run(tmp_path, "head", "--baseline", "base")
        third = run(tmp_path, "part", "--baseline", "base", "--case", "q1")
        for name, comment in (("base", first), ("head", second), ("part", third)):
            assert (armed(tmp_path / name), asked_about_labels(tmp_path / name)) == (["bob"], 0), name
            assert READ in comment, name
            assert CHANGED not in comment, name


@pytest.mark.parametrize("left_out", ["a plant", "a label"])
def test_a_trial_that_lacks_an_outcome_is_asked_again_whole(tmp_path: Path, left_out: str) -> None:
    with fake_chat({"bob": judging()}) as chat:
        write_suite(tmp_path, {"q1": truth(1), "q2": truth(2)}, [member("bob", chat)])
        write_labels(tmp_path, right=40, faults=30)
        raggate("judges", "check", "--suite", "raggate.json", cwd=tmp_path)
        said = [json.loads(line) for line in (tmp_path / TRIAL).read_text().splitlines()]
        gone = CLAIMS.plants[0].id if left_out == "a plant" else "label-0"
        (tmp_path / TRIAL).write_text(lines([each for each in said if each["id"] != gone]))
        part = raggate("run", "raggate.json", "--out", "part", "--case", "q1", cwd=tmp_path)
        assert armed(tmp_path / "part") == []
        assert "it is used whole or not at all" in part.stderr
        comment = run(tmp_path, "head")
        assert (armed(tmp_path / "head"), asked_about_labels(tmp_path / "head")) == (["bob"], 7 + len(CLAIMS.plants))
        assert READ not in comment


def test_a_label_that_a_filter_stops_has_an_outcome_and_leaves_the_trial_whole(tmp_path: Path) -> None:
    def stopped(body: Any) -> Any:
        return filtered() if truth(1000) in prompt_in(body).answer else judging()(body)

    with fake_chat({"bob": stopped}) as chat:
        write_suite(tmp_path, {"q1": truth(1), "q2": truth(2)}, [member("bob", chat)])
        write_labels(tmp_path, right=60, faults=30)
        raggate("judges", "check", "--suite", "raggate.json", cwd=tmp_path)
        said = [json.loads(line) for line in (tmp_path / TRIAL).read_text().splitlines()]
        assert [each["lost"] for each in said if each.get("lost")] == [{"code": "judge-filtered", "detail": ""}]
        comment = run(tmp_path, "head")
        assert (armed(tmp_path / "head"), asked_about_labels(tmp_path / "head")) == (["bob"], 1)
        assert READ in comment
