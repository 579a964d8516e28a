"""A first run: what answers tell by themselves is a warning, and never blocks."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import raggate
from tests.faq_suites import answer, write_faq

CANNED = "Our opening hours are on the website."


def half(number: int) -> str:
    text = answer(number)
    return text[: len(text) // 2]


def first_run(folder: Path, said: Callable[[int], str], *, policy: str = "") -> tuple[int, str, dict[str, Any] | None]:
    """Exit code, comment, and the gate as run.json has it."""
    write_faq(folder, said, cases=10, policy=policy)
    code = raggate("run", "--out", "first", cwd=folder).returncode
    gates = json.loads((folder / "first/run.json").read_text())["gates"]
    gate = next((each for each in gates if each["gate"] == "poorer"), None)
    return code, (folder / "first/comment.md").read_text(), gate


def test_one_sentence_for_all_warns_in_comment_summary_run_and_explain(tmp_path: Path) -> None:
    spelled = (CANNED, CANNED.upper(), "Our opening hours are on the website")
    code, comment, gate = first_run(tmp_path, lambda n: spelled[n % 3] if n < 4 else answer(n))
    assert code == 0
    line = (
        "> - **4 answers gave the same text as others, though the evidence shown differs**: `q0` and 3 more "
        f"(“{CANNED}”). Without a baseline this only warns."
    )
    assert comment.splitlines().count(line) == 1
    assert line.removeprefix("> ") in (tmp_path / "first/summary.md").read_text()
    assert gate is not None
    assert (gate["level"], gate["status"], gate["passed"], gate["scored"]) == ("warn", "failed", 6, 10)
    assert {key: gate["measured"].get(key, 0) for key in ("same_for_all", "cut", "hits")} == {
        "same_for_all": 4,
        "cut": 0,
        "hits": 4,
    }
    assert gate["offenders"][0] == {
        "case_id": "q0", "gate": "poorer", "problem": {"code": "same-for-all", "detail": CANNED},
    }  # fmt: skip
    told = "poorer: other questions have the same answer, though the evidence shown differs"
    assert told in raggate("explain", "first", "q3", cwd=tmp_path).stdout
    assert told not in raggate("explain", "first", "q4", cwd=tmp_path).stdout
    again = raggate("report", "first", cwd=tmp_path)
    assert (again.returncode, again.stdout) == (0, comment)


def test_answers_that_are_cut_warn(tmp_path: Path) -> None:
    code, comment, gate = first_run(tmp_path, lambda n: half(n) if n < 2 else answer(n))
    assert code == 0
    assert gate is not None
    assert gate["measured"]["cut"] == 2
    assert "**2 answers stopped before the end**: `q0` and 1 more (“" in comment
    assert "poorer: the answer stops before its end" in raggate("explain", "first", "q1", cwd=tmp_path).stdout
    assert raggate("report", "first", cwd=tmp_path).stdout == comment


DECLINES = (
    "I cannot say.", "That is beyond what I was told.", "Nothing here covers that point.",
    "My sources are silent on this.",
)  # fmt: skip


@pytest.mark.parametrize(
    "said",
    [
        answer,
        lambda _number: "Yes.",
        lambda _number: "It can be cancelled free of charge.",
        lambda _number: "Free of charge until the evening before.",
        *[lambda _number, text=text: text for text in DECLINES],
    ],
)  # fmt: skip
def test_honest_answers_are_not_told(tmp_path: Path, said: Callable[[int], str]) -> None:
    _code, comment, gate = first_run(tmp_path, said)
    assert gate is None
    assert "same for all" not in comment


def test_opening_hours_asked_in_three_ways_are_not_told(tmp_path: Path) -> None:
    write_faq(tmp_path, cases=5)
    asked = ("When do you open?", "What are your opening hours?", "From when is the shop open?", "When may I come?")
    lines: dict[str, list[dict[str, Any]]] = {
        "cases.jsonl": [{"case_id": f"q{n}", "question": asked[n]} for n in range(4)],
        "traces.jsonl": [
            {"case_id": f"q{n}", "answer": "Come whenever it suits.", "context": ["c0", f"c{n + 1}"]} for n in range(4)
        ],
    }
    for name, records in lines.items():
        (tmp_path / name).write_text("\n".join(map(json.dumps, records)) + "\n")
    assert raggate("run", "--out", "first", cwd=tmp_path).returncode == 0
    assert "same for all" not in (tmp_path / "first/comment.md").read_text(), "all of them were shown one chunk"


def test_a_run_with_a_baseline_tells_by_the_baseline_alone(tmp_path: Path) -> None:
    assert first_run(tmp_path, lambda _number: CANNED)[0] == 0
    assert raggate("run", "--out", "head", "--baseline", "first", cwd=tmp_path).returncode == 0
    assert '"alone"' in (tmp_path / "first/cases.jsonl").read_text()
    assert '"alone"' not in (tmp_path / "head/cases.jsonl").read_text()
    assert "same for all" not in (tmp_path / "head/comment.md").read_text()


def test_without_texts_no_word_is_told_and_off_is_off(tmp_path: Path) -> None:
    _code, comment, gate = first_run(tmp_path, lambda _number: CANNED, policy="texts: ids\n")
    assert "`q0` and 9 more. Without a baseline" in comment
    assert gate is not None
    assert gate["offenders"][0]["problem"] == {"code": "same-for-all", "detail": ""}
    assert first_run(tmp_path, lambda _number: CANNED, policy="gates: {poorer: {level: off}}\n")[2] is None
    waived = "waivers: [{gate: poorer, reason: r, owner: '@us', expires: 2099-01-01}]\n"
    assert first_run(tmp_path, lambda _number: CANNED, policy=waived)[2] is None
