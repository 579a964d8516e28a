"""`explain` at a terminal: which cases fail, and of one of them the chunks and the baseline's answer too."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import parse

import pytest

from raggate_action import run_suite
from tests.command_line import raggate
from tests.end_to_end.test_one_fault_among_many import BAD, judged, lines, said
from tests.integration.test_report_file import page_of
from tests.integration.test_report_formats import printed
from tests.opened_report import listed_in

NEVER = {"answer": f"{said(BAD)} [plan-3]", "context": [f"plan-{BAD}", f"plan-{BAD + 1}"]}
SIZE = 32


def explain(folder: Path, *arguments: str) -> str:
    done = raggate("explain", *arguments, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


def with_evidence(folder: Path, change: dict[str, Any]) -> None:
    """The store of a run, one chunk of it changed before the run reads it again."""
    chunks = [json.loads(line) for line in (folder / "evidence.jsonl").read_text().splitlines()]
    changed = [chunk | change if chunk["chunk_id"] == f"plan-{BAD + 1}" else chunk for chunk in chunks]
    (folder / "evidence.jsonl").write_text(lines(changed))


def test_the_failing_cases_are_listed_and_one_is_shown_with_its_chunks_and_the_answer_before(tmp_path: Path) -> None:
    judged(tmp_path, "main-run", size=SIZE)
    judged(tmp_path, "head-run", bad=NEVER, size=SIZE, baseline="main-run")
    assert explain(tmp_path, "main-run") == f"0 of {SIZE} cases fail\n"
    why, listed, total = explain(tmp_path, "head-run").splitlines()
    assert why.startswith("the run is BLOCK: ")
    assert listed.startswith(
        f"case-{BAD}: fails at citation support: cited and not in the context: plan-3 cited for “The"
    )
    assert total == f"1 of {SIZE} cases fail; name one to see it in full"
    shown = explain(tmp_path, "head-run", f"case-{BAD}")
    assert f"Answer of the baseline\n  {said(BAD)} [plan-{BAD}]\n" in shown
    assert f"Evidence shown\n  plan-{BAD}: {said(BAD)}\n  plan-{BAD + 1}: {said(BAD + 1)}\n" in shown


def test_a_passing_case_that_blocks_the_run_is_named_with_why(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """A phone number that no chunk has, in an answer that passes its own gates."""
    invented = {"answer": f"{said(BAD)} [plan-{BAD}] Call +44 20 7946 0018.", "context": [f"plan-{BAD}"]}
    judged(tmp_path, "main-run", size=SIZE)
    judged(tmp_path, "head-run", bad=invented, size=SIZE, baseline="main-run")
    why, listed, total = explain(tmp_path, "head-run").splitlines()
    assert why.startswith(f"the run is BLOCK: new_suspects failed: 1 of {SIZE} cases, no new ones")
    assert listed.startswith(f"case-{BAD}: blocks: new suspects: ")
    assert total == f"1 of {SIZE} cases fail; name one to see it in full"
    alone = explain(tmp_path, "head-run", f"case-{BAD}")
    assert "Blocks: new suspects: " in alone
    head = str(tmp_path / "head-run")
    assert (
        json.loads(printed(capsysbinary, head, "--format", "badge"))["message"] == f"block, {SIZE - 1} of {SIZE} passed"
    )
    found = json.loads(printed(capsysbinary, head, "--format", "sarif"))["runs"][0]["results"]
    assert [(each["ruleId"], each["message"]["text"]) for each in found] == [
        ("new_suspects", f"Case case-{BAD} is named by new suspects, which blocks the run.")
    ]
    # A case that a blocking gate names is failed in every list.
    failed = {
        each.get("name"): each.find("failure") for each in parse(tmp_path / "head-run/junit.xml").iter("testcase")
    }
    named = failed.pop(f"case-{BAD}")
    assert named is not None
    assert (named.get("type"), named.get("message")) == (
        "failed",
        "new suspects: the phone number “+44 20 7946 0018” is in no shown chunk",
    )
    assert {name for name, why in failed.items() if why is not None} == {"decision"}
    shown = listed_in(page_of(tmp_path / "head-run"))
    state, words = shown.pop(f"case-{BAD}")
    assert state == "failed"
    assert "new suspects: " in words
    assert {state for state, _words in shown.values()} == {"passed"}


def test_a_chunk_that_is_another_by_now_is_not_shown_as_what_was_answered_from(tmp_path: Path) -> None:
    judged(tmp_path, "head-run", bad=NEVER, size=SIZE)
    with_evidence(tmp_path, {"text": "Something else altogether."})
    shown = explain(tmp_path, "head-run", f"case-{BAD}")
    assert "Something else" not in shown
    assert f"Evidence shown\n  plan-{BAD}\n  plan-{BAD + 1}\n" in shown


def test_no_chunk_is_shown_that_its_asker_may_not_read(tmp_path: Path) -> None:
    judged(tmp_path, "probe", bad=NEVER, size=SIZE)
    with_evidence(tmp_path, {"permitted": False})
    raggate("run", "--out", "head-run", cwd=tmp_path)
    shown = explain(tmp_path, "head-run", f"case-{BAD}")
    assert f"  plan-{BAD}: {said(BAD)}\n" in shown
    assert said(BAD + 1) not in shown
    assert f"its asker may not read plan-{BAD + 1} in context" in shown


def test_what_was_answered_before_is_not_repeated_once_its_asker_may_not_read_it(tmp_path: Path) -> None:
    """The plan was public when the baseline answered; by now it is not, and the app declines."""
    judged(tmp_path, "main-run")
    chunks = [json.loads(line) for line in (tmp_path / "evidence.jsonl").read_text().splitlines()]
    hidden = [chunk | {"permitted": False} if chunk["chunk_id"] == f"plan-{BAD}" else chunk for chunk in chunks]
    traces = [json.loads(line) for line in (tmp_path / "traces.jsonl").read_text().splitlines()]
    for trace in traces:
        if f"plan-{BAD}" in trace["context"]:
            trace |= {"answer": "I don't know.", "context": ["plan-3"]}
    (tmp_path / "evidence.jsonl").write_text(lines(hidden))
    (tmp_path / "traces.jsonl").write_text(lines(traces))
    raggate("run", "--out", "head-run", "--baseline", "main-run", cwd=tmp_path)
    comparison = json.loads((tmp_path / "head-run/comparison.json").read_text())
    assert comparison["answers"][f"case-{BAD}"] == "(withheld: its asker may not read this)"
    for file in (tmp_path / "head-run").iterdir():
        assert said(BAD)[:30] not in file.read_text(), file.name
    assert said(BAD)[:30] not in explain(tmp_path, "head-run", f"case-{BAD}")
    shown = raggate("report", "head-run", "--baseline", "main-run", cwd=tmp_path).stdout
    assert shown == (tmp_path / "head-run/comment.md").read_text()


def test_what_the_app_fails_with_is_listed_whole_once_for_it_ends_in_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "raggate.yaml").write_text(
        "suite: down\ncases: [c.yaml]\nconfirm: 0\ntarget: {kind: function, function: 'a:b'}\n"
    )
    (tmp_path / "c.yaml").write_text(
        "- {case_id: a, question: q}\n- {case_id: b, question: q}\n- {case_id: c, question: q}\n"
    )
    advice = f"{'the index is not there, ' * 10}write one with make index"

    def app(case: dict[str, Any]) -> dict[str, Any]:
        if case["case_id"] != "c":
            raise LookupError(advice)
        return {"answer": "Tea is served hot.", "context": [{"chunk_id": "tea", "text": "Tea is served hot."}]}

    run_suite(tmp_path / "raggate.yaml", target=app, out=tmp_path / "run")
    _why, first, second, *_ = explain(tmp_path, "run").splitlines()
    assert first.startswith("a: fails at target: the app failed: LookupError: the index is not there")
    assert advice in first
    assert advice not in second
    assert second.endswith("…")
