"""A fault of ours at one case: that case is unmeasured, the others are judged, and a crash is no way past the gate."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from raggate_action.core.counting.case_state import is_faulted
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.trace import Trace
from raggate_action.targets import read_reply
from raggate_action.version import ISSUES
from tests.command_line import raggate
from tests.end_to_end.test_commands import http_suite
from tests.integration.servers import scripted_app
from tests.weaker_suites import Project, project, write

BROKEN = "q3"
SECRET = "Only the board knows that the plan Delta is sold to Gamma in the spring of next year."  # noqa: S105 - what its asker may not read
# Where a fault may strike while one case is judged, and what it strikes there.
WHILE_JUDGING = {
    "the draft": "raggate_action.run.judging_steps.draft",
    "its gates": "raggate_action.core.gates.case_row.gate",
    "disclosure": "raggate_action.core.gates.case_row.without_forbidden",
    "known faults": "raggate_action.core.comparison.hallucination_changes.with_baseline_keys",
    "the count": "raggate_action.core.counting.tally.has_issues",
    "the journal": "raggate_action.run_store.run_directory.stored_trace_line",
}
NOT_MEASURED = "> - **Not measured: {} in raggate** (no such fault is allowed): a fault in raggate: {}"
REPORT = "**Way out:** report the fault; the log has the address."
WHILE_COMPARING = {
    "the comparison": "raggate_action.core.comparison.certain_regressions.newly_unanswered",
    "the baseline's row": "raggate_action.core.comparison.baseline_index.suspects_in",
}


def strike(
    monkeypatch: pytest.MonkeyPatch, place: str, case_id: str = BROKEN, error: type[BaseException] = IndexError
) -> None:
    """Have a function raise where it is called about a case, with words of its answer in the error."""
    holder, _dot, name = place.rpartition(".")
    try:
        owner: Any = import_module(holder)
    except ModuleNotFoundError:
        module, _dot, kind = holder.rpartition(".")
        owner = getattr(import_module(module), kind)
    struck: Callable[..., Any] = getattr(owner, name)

    words = f"{SECRET} ::error::x"

    def raises(*args: Any, **kwargs: Any) -> Any:
        if case_id in map(_case_id, args) and not any(is_faulted(arg) for arg in args if isinstance(arg, CaseRun)):
            raise error(words)
        return struck(*args, **kwargs)

    monkeypatch.setattr(owner, name, raises)


def _case_id(arg: Any) -> str | None:
    """The case that an argument is of; of claims the one whose words they are."""
    of_case = getattr(arg, "case", getattr(arg, "row", arg))
    if isinstance(arg, tuple) and arg and hasattr(arg[0], "claim_id"):
        return f"q{re.findall('Delta ([0-9]+) can', arg[0].text)[0]}"
    return getattr(getattr(of_case, "case", of_case), "case_id", None)


def plans(**more: Any) -> Project:
    found = project(60, **more)
    chunks = {**found.chunks, "board": {"text": SECRET, "permitted": False}}
    return found._replace(chunks=chunks)


def run(folder: Path, *more: str | Path) -> subprocess.CompletedProcess[str]:
    return raggate("run", "raggate.json", "--out", "out", *more, cwd=folder)


def rows(folder: Path) -> dict[str, dict[str, Any]]:
    lines = (folder / "out" / "cases.jsonl").read_text().splitlines()
    return {row["case_id"]: row for row in map(json.loads, lines)}


def comment(folder: Path) -> str:
    return (folder / "out" / "comment.md").read_text()


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of the base branch, which measured every case."""
    folder = tmp_path_factory.mktemp("base")
    write(folder, plans())
    assert run(folder).returncode == 0
    return folder


def without_moments(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name != "finished_at"}


@pytest.mark.parametrize("where", [*WHILE_JUDGING, *WHILE_COMPARING])
def test_a_fault_at_a_case_that_the_baseline_measured_leaves_the_run_inconclusive(
    where: str, base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, plans())
    strike(monkeypatch, {**WHILE_JUDGING, **WHILE_COMPARING}[where])
    done = run(tmp_path, "--baseline", base / "out")
    assert done.returncode == 3, done.stderr
    found, then = rows(tmp_path), rows(base)
    broken = found.pop(BROKEN)
    assert (broken["state"], broken["outcomes"]["target"]["reason"]) == ("unmeasured", "fault")
    assert not any(broken.get(name) for name in ("answer", "claims", "context", "issues", "hallucinations"))
    assert len(found) == 59
    decided = json.loads((base / "out" / "run.json").read_text())["decided_at"]
    for case_id, row in found.items():
        beside = row.pop("beside_main")
        assert (beside["baseline"], beside["answers"], "reasons" in beside) == (decided, 1, False)
        assert without_moments(row) == without_moments(then[case_id])
    said = comment(tmp_path)
    assert NOT_MEASURED.format("1 of 60 cases, 1 for a fault", f"IndexError in raises. `{BROKEN}`. ") in said
    assert f"{REPORT} Until it is fixed, remove the case from the suite and copy" in said
    assert f"`waivers: [{{case: {BROKEN}, gate: removed, reason: " in said
    assert "  - target: a fault in raggate: IndexError in raises\n" in said
    assert "59 passed" in said
    log = done.stderr
    assert f"case {BROKEN} could not be judged, a fault in raggate" in log
    assert ISSUES in log
    assert "IndexError" in log
    written = "".join(each.read_text() for each in (tmp_path / "out").iterdir() if each.is_file())
    assert not any("spring" in text for text in (log, written))
    assert "::error::" not in log


@pytest.mark.parametrize("where", WHILE_JUDGING)
def test_without_a_baseline_it_counts_against_the_budget(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, plans())
    if where in {"known faults", "its other demands"}:
        pytest.skip("nothing is held against a baseline")
    strike(monkeypatch, WHILE_JUDGING[where])
    done = run(tmp_path)
    assert done.returncode == 0, done.stderr
    assert "1 case could not be judged: a fault in raggate" in comment(tmp_path)
    assert rows(tmp_path)[BROKEN]["state"] == "unmeasured"


def test_in_a_protected_slice_no_budget_covers_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, plans(slices={"by": ["category"], "protected": {"category": ["allergen"]}}))
    strike(monkeypatch, WHILE_JUDGING["its gates"], "q0")
    assert run(tmp_path).returncode == 3
    said = comment(tmp_path)
    assert NOT_MEASURED.format("1 of 60 cases, 1 for a fault", "IndexError in raises. `q0`. ") in said
    assert REPORT in said
    assert "> - **slices** could not be measured; first: category=allergen: 0 of 0" in said


@pytest.mark.parametrize("level", ["off", "warn"])
def test_no_level_lets_a_crash_pass(level: str, base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, plans(gates={"unmeasured": {"level": level, "max": 0.5}}))
    strike(monkeypatch, WHILE_JUDGING["the draft"])
    assert run(tmp_path, "--baseline", base / "out").returncode == 3


def test_a_changed_case_that_crashes_is_no_way_past_the_gate(
    base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = plans()
    cases = {**found.cases, BROKEN: {**found.cases[BROKEN], "question": "How long may one return Delta 3?"}}
    write(tmp_path, found._replace(cases=cases))
    strike(monkeypatch, WHILE_JUDGING["the draft"])
    assert run(tmp_path, "--baseline", base / "out").returncode == 3


def test_faults_at_many_cases_use_up_the_budget(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, plans())
    for case_id in ("q3", "q4", "q5"):
        strike(monkeypatch, WHILE_JUDGING["the draft"], case_id)
    assert run(tmp_path).returncode == 3
    assert "3 cases could not be judged: a fault in raggate" in comment(tmp_path)


def test_a_fault_at_every_case_is_not_the_apps_silence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, project(3))
    for case_id in ("q0", "q1", "q2"):
        strike(monkeypatch, WHILE_JUDGING["the draft"], case_id)
    assert run(tmp_path).returncode == 3
    assert "did not answer" not in comment(tmp_path)


def test_another_case_that_fails_still_blocks(base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, plans(bad=[5]))
    strike(monkeypatch, WHILE_JUDGING["the draft"])
    assert run(tmp_path, "--baseline", base / "out").returncode == 1
    assert "a fault in raggate" in comment(tmp_path)


def test_the_way_out_that_is_named_lets_the_others_go(base: Path, tmp_path: Path) -> None:
    waiver = {
        "case": BROKEN,
        "gate": "removed",
        "reason": "a fault of raggate",
        "owner": "@me",
        "expires": "2999-01-01",
    }
    found = plans(waivers=[waiver])
    cases = {case_id: case for case_id, case in found.cases.items() if case_id != BROKEN}
    write(tmp_path, found._replace(cases=cases, answers={k: v for k, v in found.answers.items() if k != BROKEN}))
    assert run(tmp_path, "--baseline", base / "out").returncode == 0


@pytest.mark.parametrize("where", ["its gates", "the comparison"])
def test_a_stored_run_says_the_same_again(
    where: str, base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, plans())
    with monkeypatch.context() as struck:
        strike(struck, {**WHILE_JUDGING, **WHILE_COMPARING}[where])
        assert run(tmp_path, "--baseline", base / "out").returncode == 3
    again = raggate("report", "out", cwd=tmp_path)
    assert again.stdout == comment(tmp_path)
    told = raggate("explain", "out", BROKEN, cwd=tmp_path)
    assert told.returncode == 0
    assert "Not measured: a fault in raggate: IndexError" in told.stdout


def test_a_fault_that_shows_when_a_stored_run_is_read_is_that_cases_alone(
    base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, plans())
    assert run(tmp_path, "--baseline", base / "out").returncode == 0
    strike(monkeypatch, WHILE_COMPARING["the comparison"])
    again = raggate("report", "out", "--baseline", base / "out", cwd=tmp_path)
    assert again.returncode == 3
    assert NOT_MEASURED.format("1 of 60 cases, 1 for a fault", f"IndexError in raises. `{BROKEN}`. ") in again.stdout
    assert REPORT in again.stdout


def test_a_fault_by_the_baselines_demands_is_told_and_releases_nothing(
    base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, plans(gates={"behaviour": {"per_case": 0.5}}))
    with monkeypatch.context() as honest:
        assert run(tmp_path, "--baseline", base / "out").returncode == 0
        strike(honest, "raggate_action.core.gates.case_row.check_by_baseline")
        done = run(tmp_path, "--baseline", base / "out")
    assert done.returncode == 3
    assert NOT_MEASURED.format("1 of 60 cases, 1 for a fault", f"IndexError in raises. `{BROKEN}`. ") in comment(
        tmp_path
    )


@pytest.mark.parametrize(("error", "code"), [(KeyboardInterrupt, 130), (MemoryError, 4)])
def test_what_is_no_fault_of_a_case_still_ends_the_run(
    error: type[BaseException], code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, project(6))
    strike(monkeypatch, WHILE_JUDGING["its gates"], error=error)
    assert run(tmp_path).returncode == code


def test_a_fault_outside_a_case_is_a_bug(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, project(6))
    monkeypatch.setattr("raggate_action.run.count_and_decide.decide", lambda *_args, **_more: 1 / 0)
    done = run(tmp_path)
    assert done.returncode == 4
    assert "this is a bug in raggate" in done.stderr


def test_an_app_that_fails_at_a_case_is_no_fault_of_ours(base: Path, tmp_path: Path) -> None:
    found = plans()
    write(tmp_path, found._replace(answers={**found.answers, BROKEN: {"error": "IndexError in app.py"}}))
    done = run(tmp_path, "--baseline", base / "out")
    assert done.returncode == 1
    assert "a fault in raggate" not in comment(tmp_path) + done.stderr


@pytest.mark.parametrize("is_baseline", [False, True])
def test_a_fault_while_a_reply_is_read_is_that_cases_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_baseline: bool
) -> None:
    with scripted_app() as app:
        http_suite(tmp_path, app)
        baseline = ["--baseline", "base"] if is_baseline else []
        if is_baseline:
            assert raggate("run", "--out", "base", cwd=tmp_path).returncode == 0
        known = read_reply.without_blank_error

        def raises(trace: Trace) -> Trace:
            if "point b" in str(trace.answer):
                raise AttributeError(SECRET)
            return known(trace)

        monkeypatch.setattr(read_reply, "without_blank_error", raises)
        done = raggate("run", "--out", "head", *baseline, cwd=tmp_path)
        recorded = raggate("record", "--out", "traces.jsonl", cwd=tmp_path)
    rows = [json.loads(line) for line in (tmp_path / "head/cases.jsonl").read_text().splitlines()]
    assert [(row["case_id"], row["state"]) for row in rows] == [("a", "passed"), ("b", "unmeasured"), ("c", "passed")]
    assert rows[1]["outcomes"]["target"]["reason"] == "fault"
    assert "raggate: case b could not be judged, a fault in raggate:" in done.stderr
    assert ISSUES in done.stderr
    assert SECRET not in done.stdout + done.stderr
    # One of three is within the budget; what the baseline measured is not.
    assert done.returncode == (3 if is_baseline else 0), done.stdout
    assert "b failed: a fault in raggate: AttributeError" in recorded.stderr
