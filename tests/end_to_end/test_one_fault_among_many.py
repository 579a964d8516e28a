"""One fault that is certain and new blocks, however many good answers stand beside it; no share would notice it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import raggate
from tests.open_lines import open_text

PLANS = 32
BAD = 17
SUITE = """\
suite: tariffs
evidence: [evidence.jsonl]
cases: [cases.jsonl]
target: {kind: recorded, traces: traces.jsonl}
"""
Trace = dict[str, Any]


def said(number: int) -> str:
    return f"The plan Delta {number} costs {100 + number} euros a month and can be cancelled within {10 + number} days."


def good(number: int) -> Trace:
    """A whole sentence of the right one of two chunks, with its citation."""
    other = (number + 1) % PLANS
    context = [f"plan-{number}", f"plan-{other}"]
    return {"case_id": f"case-{number}", "answer": f"{said(number)} [plan-{number}]", "context": context}


EMPTY = {"answer": ""}
DECLINED = {"answer": "I'm sorry, I don't know."}
NEVER_RETRIEVED = {"answer": f"{said(BAD)} [plan-3]"}
OTHER_CHUNK = {"answer": f"{said(BAD)} [plan-{BAD + 1}]"}


def lines(rows: list[dict[str, Any]]) -> str:
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def judged(
    folder: Path,
    out: str,
    *,
    bad: Trace | None = None,
    size: int = PLANS,
    cases: dict[int, dict[str, Any]] | None = None,
    traces: dict[int, Trace] | None = None,
    policy: str = "",
    baseline: str | None = None,
    declared: bool = True,
) -> subprocess.CompletedProcess[str]:
    """A run over recorded traces that are all good but for what is given by number."""
    numbers = range(size)
    changed = {**({BAD: bad} if bad else {}), **(traces or {})}
    citations = "pipeline: {citations: true}\n" if declared else ""
    (folder / "raggate.yaml").write_text(SUITE + citations + policy)
    (folder / "evidence.jsonl").write_text(lines([{"chunk_id": f"plan-{n}", "text": said(n)} for n in numbers]))
    asked = [{"case_id": f"case-{n}", "question": f"What is Delta {n}?"} | (cases or {}).get(n, {}) for n in numbers]
    (folder / "cases.jsonl").write_text(lines(asked))
    (folder / "traces.jsonl").write_text(lines([good(n) | changed.get(n, {}) for n in numbers]))
    against = ["--baseline", baseline] if baseline is not None else []
    return raggate("run", "--out", out, *against, cwd=folder)


def failed_gates(folder: Path, out: str) -> set[str]:
    run = json.loads((folder / out / "run.json").read_text())
    return {gate["gate"] for gate in run["gates"] if gate["status"] == "failed" and gate["level"] == "block"}


def reason_of(folder: Path, out: str, name: str) -> str:
    run = json.loads((folder / out / "run.json").read_text())
    gate = next(gate for gate in run["gates"] if gate["gate"] == name)
    problem = gate["offenders"][0]["problem"]
    return f"{problem['code']}: {problem['detail']}"


def gates_fold(page: str) -> str:
    return page.partition("<details><summary>Gates that failed or moved (")[2].partition("</details>")[0]


@pytest.mark.parametrize(
    ("bad", "gate", "problem"),
    [
        pytest.param(EMPTY, "newly_unanswered", "no-claims: the answer is empty", id="an empty answer"),
        pytest.param(DECLINED, "newly_unanswered", "declined: the case expects an answer", id="a decline"),
        pytest.param(NEVER_RETRIEVED, "newly_miscited", "citation-not-in-context", id="a citation never retrieved"),
        pytest.param(
            OTHER_CHUNK, "newly_miscited", f"plan-{BAD + 1} does not support", id="a chunk that does not say it"
        ),
    ],
)
def test_one_new_fault_among_thirty_one_good_answers_blocks(
    tmp_path: Path, bad: Trace, gate: str, problem: str
) -> None:
    before = judged(tmp_path, "main-run")
    assert before.returncode == 0, before.stdout + before.stderr
    after = judged(tmp_path, "head-run", bad=bad, baseline="main-run")
    assert after.returncode == 1, after.stdout + after.stderr
    assert failed_gates(tmp_path, "head-run") == {gate}
    page = (tmp_path / "head-run" / "comment.md").read_text()
    assert f"`case-{BAD}`" in page
    assert "1 of 32 cases" in page
    assert problem in reason_of(tmp_path, "head-run", gate)
    # No other gate sees it, and it is no news against a baseline that has it too.
    for out, policy in (("off", f"gates: {{{gate}: {{level: 'off'}}}}\n"), ("one", f"gates: {{{gate}: {{max: 1}}}}\n")):
        judged(tmp_path, f"main-{out}", policy=policy)
        allowed = judged(tmp_path, out, bad=bad, baseline=f"main-{out}", policy=policy)
        assert allowed.returncode == 0, allowed.stdout + allowed.stderr
    again = judged(tmp_path, "again", bad=bad, baseline="off")
    assert again.returncode == 0, again.stdout + again.stderr


@pytest.mark.parametrize(
    ("bad", "waived"),
    [
        pytest.param(EMPTY, "answered", id="an empty answer"),
        pytest.param(NEVER_RETRIEVED, "citation_support", id="a citation never retrieved"),
    ],
)
def test_who_answers_for_the_case_may_release_it(tmp_path: Path, bad: Trace, waived: str) -> None:
    judged(tmp_path, "main-run")
    waiver = f"{{case: case-{BAD}, gate: {waived}, reason: known, owner: '@us', expires: 2099-01-01}}"
    after = judged(tmp_path, "head-run", bad=bad, baseline="main-run", policy=f"waivers: [{waiver}]\n")
    assert after.returncode == 0, after.stdout + after.stderr


def test_a_decline_that_is_expected_is_none(tmp_path: Path) -> None:
    """The evidence cannot answer: the case passed as a decline and passes as a decline in other words."""
    cases = {BAD: {"question": "Is Delta 99 made of brass?", "expect": "abstain"}}
    judged(tmp_path, "main-run", bad=DECLINED, cases=cases)
    other_words = {"answer": "Unfortunately I have no information about that."}
    after = judged(tmp_path, "head-run", bad=other_words, cases=cases, baseline="main-run")
    assert after.returncode == 0, after.stdout + after.stderr
    assert failed_gates(tmp_path, "head-run") == set()


def test_the_same_fault_in_other_words_is_not_new(tmp_path: Path) -> None:
    judged(tmp_path, "main-run", bad=NEVER_RETRIEVED)
    reworded = {"answer": f"Well, {said(BAD)} [plan-3]"}
    after = judged(tmp_path, "head-run", bad=reworded, baseline="main-run")
    assert failed_gates(tmp_path, "head-run") == set(), after.stdout


def test_two_new_certain_hallucinations_among_a_hundred_cases_block(tmp_path: Path) -> None:
    """Two of a hundred are within the rate of 2 %; both cases have nothing to be answered from."""
    cases = {n: {"expect": "abstain"} for n in (5, 6)}
    declined = {5: DECLINED, 6: DECLINED}
    assert judged(tmp_path, "main-run", size=100, cases=cases, traces=declined).returncode == 0
    after = judged(tmp_path, "head-run", size=100, cases=cases, baseline="main-run")
    assert after.returncode == 1, after.stdout + after.stderr
    assert failed_gates(tmp_path, "head-run") == {"new_hallucinations"}
    page = (tmp_path / "head-run" / "comment.md").read_text()
    assert open_text(page).lines[2] == (
        "2 answers told what the evidence cannot answer (0 new allowed). Repair: prompt, abstention, generation policy."
        " case-5, case-6"
    )
    gates = gates_fold(page)
    assert "| new hallucinations | – | 2 of 100 cases | – | – | none new | ❌ failed |" in gates
    assert gates.count("❌ failed") == 1, "no other gate sees them"
    assert "2 new hallucinations" in page
    one_allowed = "gates: {new_hallucinations: {max: 1}}\n"
    bound = judged(tmp_path, "bound", size=100, cases=cases, baseline="main-run", policy=one_allowed)
    assert bound.returncode == 1, bound.stdout
    two_allowed = one_allowed.replace("1", "2")
    # What the change itself allows is not allowed by the baseline.
    weaker = judged(tmp_path, "weaker", size=100, cases=cases, baseline="main-run", policy=two_allowed)
    assert (weaker.returncode, failed_gates(tmp_path, "weaker")) == (1, {"policy_weakened"}), weaker.stdout
    compared = raggate("report", "weaker", "--baseline", "main-run", cwd=tmp_path)
    assert (compared.returncode, compared.stdout) == (1, (tmp_path / "weaker" / "comment.md").read_text())
    judged(tmp_path, "main-two", size=100, cases=cases, traces=declined, policy=two_allowed)
    fine = judged(tmp_path, "fine", size=100, cases=cases, baseline="main-two", policy=two_allowed)
    assert fine.returncode == 0, fine.stdout


def test_a_falling_mean_score_stands_with_the_gates_that_failed(tmp_path: Path) -> None:
    """Thirty of a hundred cases lose their tool, which takes 0.2 from each: the mean falls from 1.00 to 0.94."""
    cases = {n: {"expected_tools": ["search"]} for n in range(100)}
    called = {n: {"tool_calls": ["search"]} for n in range(100)}
    judged(tmp_path, "main-run", size=100, cases=cases, traces=called)
    lost: dict[int, Trace] = {n: {"tool_calls": []} for n in range(30)}
    judged(tmp_path, "head-run", size=100, cases=cases, traces=called | lost, baseline="main-run")
    run = json.loads((tmp_path / "head-run" / "run.json").read_text())
    gate = next(gate for gate in run["gates"] if gate["gate"] == "score_drop")
    assert (gate["status"], gate["level"]) == ("failed", "warn")
    page = (tmp_path / "head-run" / "comment.md").read_text()
    # The fault behind it stands in the open, and the gate in the fold.
    assert open_text(page).lines[2] == (
        "30 answers did not call a required tool. Repair: the agent's policy, tools, speed. case-0 and 29 more"
    )
    row = "| score drop | – | 1.00 to 0.94 (0.06 lower), 100 cases | – | – | ≤ 0.05 lower | ⚠️ warns |"
    assert row in gates_fold(page)
    assert row in (tmp_path / "head-run" / "summary.md").read_text()


def test_citations_that_the_suite_does_not_declare_are_told_and_not_judged(tmp_path: Path) -> None:
    uncited = {n: {"answer": said(n)} for n in range(60)}
    few = uncited | {0: {"answer": f"{said(0)} [plan-0]"}, 1: {"answer": f"{said(1)} [plan-2]"}}
    done = judged(tmp_path, "run", traces=few | {BAD: DECLINED}, size=60, declared=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "59 passed (59 verified) · 1 failed" in done.stdout
    note = "2 answers cite, and the suite does not declare citations (pipeline: {citations: true}): none is judged."
    assert note in (tmp_path / "run" / "comment.md").read_text()
    told = raggate("explain", "run", "case-1", cwd=tmp_path).stdout
    assert "citation support: not applicable, the suite does not declare citations" in told
    # Nor is a wrong one that the baseline did not have.
    again = judged(
        tmp_path, "again", traces=uncited | {1: few[1], BAD: DECLINED}, size=60, declared=False, baseline="run"
    )
    assert again.returncode == 0, again.stdout + again.stderr


def test_an_app_that_cited_and_does_not_any_more_fails(tmp_path: Path) -> None:
    judged(tmp_path, "main-run")
    stopped = {n: {"answer": said(n)} for n in range(PLANS)}
    after = judged(tmp_path, "head-run", traces=stopped, baseline="main-run")
    assert after.returncode == 1, after.stdout + after.stderr
    assert failed_gates(tmp_path, "head-run") == {"citation_support"}
    rebuilt = raggate("report", "head-run", cwd=tmp_path).stdout
    assert rebuilt == (tmp_path / "head-run" / "comment.md").read_text()
