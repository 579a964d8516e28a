"""A stored run's answers, evaluated once more by another suite: as that suite's own run evaluates them."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from raggate_action.run.baseline.evaluated_again import evaluate_again, why_left
from raggate_action.run.run_session import SuiteChecks, rulebook
from raggate_action.run_store import read_run, read_traces, rows_of, with_traces
from raggate_action.schema.base import parse_moment
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.comparison import Comparison
from raggate_action.schema.target import RecordedTarget
from raggate_action.suite_files import load_suite
from tests.command_line import raggate
from tests.row_builders import named
from tests.stored_comparison import compared

TEXTS = {"fee": "The fee is 40 euros a month.", "term": "The term is two years."}
NOBODY = RecordedTarget(kind="recorded", traces="traces.jsonl")
CHECK = "raise SystemExit('the check was started')\n"


def lines(rows: list[dict[str, Any]]) -> str:
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def write(folder: Path, cases: dict[str, dict[str, Any]], *, texts: str = "full", **versions: str) -> None:
    suite = {"suite": "s", "cases": ["cases.jsonl"], "target": {"kind": "recorded", "traces": "traces.jsonl"}}
    (folder / "raggate.json").write_text(json.dumps(suite | {"texts": texts, "evidence": ["evidence.jsonl"]}))
    asked = [{"case_id": name, "question": f"What is the {name}?", **more} for name, more in cases.items()]
    (folder / "cases.jsonl").write_text(lines(asked))
    chunks = [
        {
            "chunk_id": name,
            "version": versions.get(name, "v1"),
            "text": text + (" Since May." if name in versions else ""),
        }
        for name, text in TEXTS.items()
    ]
    (folder / "evidence.jsonl").write_text(lines(chunks))
    traces = [{"case_id": name, "answer": text, "context": [name]} for name, text in TEXTS.items()]
    (folder / "traces.jsonl").write_text(lines(traces))


def run(folder: Path, out: str) -> dict[str, CaseRun]:
    raggate("run", "raggate.json", "--out", out, cwd=folder)
    return {row.case_id: row for row in rows_of(folder / out, read_run(folder / out))}


def run_over(folder: Path) -> Comparison:
    raggate("run", "raggate.json", "--out", "head", "--baseline", "base", cwd=folder)
    return compared(folder / "head")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A row names the file of its case as the suite's was named."""
    monkeypatch.chdir(tmp_path)


def again(folder: Path, stored: str) -> dict[str, CaseRun]:
    """The rows of a stored run by the suite as it is now, as far as nobody has to be asked."""
    loaded = load_suite(Path("raggate.json"), environment={}, target=NOBODY)
    before, cases = read_run(folder / stored), {placed.case.case_id: placed for placed in loaded.cases}
    pairs = with_traces(rows_of(folder / stored, before), read_traces(folder / stored))
    found: dict[str, CaseRun] = {}
    asyncio.run(
        evaluate_again(
            ((cases[row.case_id], row, trace) for row, trace in pairs),
            loaded.cases,
            rulebook(loaded, parse_moment(before.as_of)),
            SuiteChecks(loaded),
            lambda row, made: found.update({row.case_id: made}),
            evidence_digest=before.provenance.evidence_digest,
        )
    )
    return found


def test_a_changed_case_is_evaluated_as_its_own_run_evaluates_it(tmp_path: Path) -> None:
    write(tmp_path, {"fee": {}, "term": {}})
    before = run(tmp_path, "base")
    assert {row.state for row in before.values()} == {"passed"}
    assert again(tmp_path, "base") == before
    write(tmp_path, {"fee": {"must_contain": ["VAT"]}, "term": {}})
    head = run(tmp_path, "head")
    assert head["fee"].state == "failed"
    assert again(tmp_path, "base") == {
        name: row.model_copy(update={"finished_at": before[name].finished_at}) for name, row in head.items()
    }


@pytest.mark.parametrize("texts", ["full", "quotes"])
def test_an_answer_is_judged_with_the_evidence_it_was_given_or_not_at_all(tmp_path: Path, texts: str) -> None:
    """The app reports ids alone, so no passage is kept: the store gives those whose version is as it was."""
    write(tmp_path, {"fee": {}, "term": {}}, texts=texts)
    before = run(tmp_path, "base")
    write(tmp_path, {"fee": {}, "term": {}}, texts=texts, fee="v2")
    found = again(tmp_path, "base")
    assert (found["term"], why_left(before["fee"], found["fee"])) == (before["term"], "text")


def test_no_check_is_started_and_its_case_is_told(tmp_path: Path) -> None:
    write(tmp_path, {"fee": {}, "term": {}})
    run(tmp_path, "base")
    (tmp_path / "checks.py").write_text(CHECK)
    write(tmp_path, {"fee": {"custom_check": "checks:check"}, "term": {}})
    assert set(again(tmp_path, "base")) == {"term"}


@pytest.mark.parametrize(("phrase", "regressed"), [("VAT", 0), ("euros", 1)])
def test_a_case_with_a_new_label_compares_by_that_label(tmp_path: Path, phrase: str, regressed: int) -> None:
    """What main's answer lacks as well is no change of the app; what it has and this one has not is one."""
    write(tmp_path, {"fee": {}, "term": {}})
    run(tmp_path, "base")
    write(tmp_path, {"fee": {"must_contain": [phrase]}, "term": {}})
    traces = [
        {"case_id": name, "answer": text.replace("euros", "EUR"), "context": [name]} for name, text in TEXTS.items()
    ]
    (tmp_path / "traces.jsonl").write_text(lines(traces))
    found = run_over(tmp_path)
    assert (found.compared, found.changed.cases, found.regressed) == (2, 0, regressed)
    assert named(found, "newly_missed") == (("fee",) if regressed else ())
    again = raggate("report", "head", "--baseline", "base", cwd=tmp_path)
    assert again.stdout == (tmp_path / "head/comment.md").read_text()


def test_a_case_that_asks_something_else_is_not_compared(tmp_path: Path) -> None:
    write(tmp_path, {"fee": {}, "term": {}})
    run(tmp_path, "base")
    write(tmp_path, {"fee": {"question": "How much is it?"}, "term": {}})
    found = run_over(tmp_path)
    assert (found.compared, found.changed.named, found.again) == (1, ("fee",), None)


def test_a_new_check_is_asked_of_the_baselines_answer_too(tmp_path: Path) -> None:
    """It finds fault with both answers, so the app has not changed."""
    write(tmp_path, {"fee": {}, "term": {}})
    run(tmp_path, "base")
    (tmp_path / "checks.py").write_text("def check(case, trace):\n    return ['not in dollars']\n")
    write(tmp_path, {"fee": {"custom_check": "checks:check"}, "term": {}})
    head = run_over(tmp_path)
    assert head.again is not None
    assert (head.compared, head.regressed, head.again.compared, head.again.cases) == (2, 0, 1, 0)
    [line] = (tmp_path / "head/baseline.jsonl").read_text().splitlines()
    assert json.loads(line)["outcomes"]["behaviour"]["problems"][0]["detail"] == "not in dollars"
