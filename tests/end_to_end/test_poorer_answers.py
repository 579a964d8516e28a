"""Forty unlabelled questions and a good baseline: what the base branch answered is the measure, without a key."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from tests.command_line import raggate
from tests.faq_suites import answer, write_faq

CANNED = "Our opening hours are on the website."


def half(number: int) -> str:
    text = answer(number)
    return text[: len(text) // 2]


def compared(folder: Path, said: Callable[[int], str], *, cases: int = 40, policy: str = "") -> CompletedProcess[str]:
    write_faq(folder, cases=cases)
    assert raggate("run", "--out", "main", cwd=folder).returncode == 0
    write_faq(folder, said, cases=cases, policy=policy)
    return raggate("run", "--out", "head", "--baseline", "main", cwd=folder)


def poorer(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "head/comparison.json").read_text())["poorer"]
    return found


def box(comment: str) -> str:
    """The kind of the alert on top of a comment."""
    return comment.partition("> [!")[2].partition("]")[0]


def failed(folder: Path) -> list[str]:
    run = json.loads((folder / "head/run.json").read_text())
    return [gate["gate"] for gate in run["gates"] if gate["status"] == "failed" and gate["level"] == "block"]


def test_the_same_answer_to_all_questions_blocks_and_the_comment_ends_with_the_way_out(tmp_path: Path) -> None:
    done = compared(tmp_path, lambda _number: CANNED)
    assert done.returncode == 1, done.stdout
    assert failed(tmp_path) == ["poorer"]
    assert poorer(tmp_path)["states"]["same-for-all"] == 40
    comment = (tmp_path / "head/comment.md").read_text()
    assert "**40 poorer than on the baseline** (4 allowed): " in comment
    assert CANNED in comment
    assert '`waivers: [{gate: poorer, reason: "why it is right", owner: "@you", expires: ' in comment
    again = raggate("report", "head", "--baseline", "main", cwd=tmp_path)
    assert (again.returncode, again.stdout) == (1, comment)
    assert raggate("report", "head", cwd=tmp_path).stdout == comment


def test_every_answer_cut_in_half_blocks(tmp_path: Path) -> None:
    done = compared(tmp_path, half)
    assert done.returncode == 1, done.stdout
    assert failed(tmp_path) == ["poorer"]
    # One half ends with the first sentence.
    assert poorer(tmp_path)["states"] == {"cut": len([n for n in range(40) if not half(n).strip().endswith(".")])}


@pytest.mark.parametrize("cases", [10, 40])
def test_an_unchanged_app_is_released_and_nothing_is_told(tmp_path: Path, cases: int) -> None:
    done = compared(tmp_path, answer, cases=cases)
    assert done.returncode == 0, done.stdout
    found = poorer(tmp_path)
    assert (found["compared"], found["poorer"], found["listed"]) == (cases, 0, [])
    assert "poorer" not in (tmp_path / "head/comment.md").read_text().lower()


# Of 40 answers four may be poorer, more than two warn; of 10 one may.
@pytest.mark.parametrize(
    ("cases", "bad", "status", "told"),
    [
        (40, 5, 1, "**5 poorer than on the baseline** (4 allowed): 5 answers stopped before the end: `q0` and 4 more."),
        (40, 4, 0, "**4 poorer than on the baseline** (4 allowed): 4 answers stopped before the end: `q0` and 3 more."),
        (40, 2, 0, "**Poorer than on the baseline:** 2 answers stopped before the end: `q0` and 1 more."),
        (10, 2, 1, "**2 poorer than on the baseline** (1 allowed): 2 answers stopped before the end: `q0` and 1 more."),
        (10, 1, 0, "**1 poorer than on the baseline** (1 allowed): 1 answer stopped before the end: `q0`."),
    ],
)
def test_the_share_decides_and_below_it_the_comment_still_says_so(
    tmp_path: Path, cases: int, bad: int, status: int, told: str
) -> None:
    done = compared(tmp_path, lambda number: half(number) if number < bad else answer(number), cases=cases)
    assert done.returncode == status, done.stdout
    comment = (tmp_path / "head/comment.md").read_text()
    assert told in comment
    warns = not status and "allowed" in told
    assert (box(comment), "> - **poorer** only warns: too few answers for a block.\n" in comment) == (
        "CAUTION" if status else "WARNING" if warns else "TIP",
        warns,
    )


def test_a_waiver_accepts_the_change_or_one_case_until_its_day(tmp_path: Path) -> None:
    def waived(fields: str) -> str:
        return f"waivers: [{{gate: poorer, {fields}reason: a shorter style, owner: '@us'}}]\n"

    assert compared(tmp_path, half, policy=waived("expires: 2099-01-01, ")).returncode == 0
    assert poorer(tmp_path)["waived"] == 39
    assert "nothing that counts; 39 waived" in (tmp_path / "head/comment.md").read_text()

    def two(number: int) -> str:
        return half(number) if number in {3, 4} else answer(number)

    assert compared(tmp_path, two, cases=10).returncode == 1
    assert compared(tmp_path, two, cases=10, policy=waived("case: q3, expires: 2099-01-01, ")).returncode == 0
    expired = compared(tmp_path, two, cases=10, policy=waived("case: q3, expires: 2020-01-01, "))
    assert expired.returncode == 1
    assert "expired" in (tmp_path / "head/comment.md").read_text()


def test_the_gate_can_warn_or_be_off(tmp_path: Path) -> None:
    assert compared(tmp_path, half, policy="gates: {poorer: {level: warn}}\n").returncode == 1, "a weaker suite"
    accepted = "waivers: [{gate: policy_weakened, reason: r, owner: o, expires: 2099-01-01}]\n"
    assert compared(tmp_path, half, policy="gates: {poorer: {level: warn}}\n" + accepted).returncode == 0
    assert "**poorer** only warns: its level is `warn`." in (tmp_path / "head/comment.md").read_text()


def test_without_texts_the_reasons_have_no_words(tmp_path: Path) -> None:
    write_faq(tmp_path, policy="texts: ids\n")
    assert raggate("run", "--out", "main", cwd=tmp_path).returncode == 0
    write_faq(tmp_path, half, policy="texts: ids\n")
    assert raggate("run", "--out", "head", "--baseline", "main", cwd=tmp_path).returncode == 1
    for path in sorted((tmp_path / "head").iterdir()):
        if path.name != "traces.jsonl" and path.is_file():
            assert "per person" not in path.read_text(), path.name
            assert "free of" not in path.read_text(), path.name


def test_a_lost_price_blocks_where_main_has_two_answers_and_is_told_where_it_has_one(tmp_path: Path) -> None:
    def vague(number: int) -> str:
        return answer(number).replace(f"{11 + number} EUR per person", "a fee for every person")

    done = compared(tmp_path, vague)
    assert done.returncode == 0, "recorded answers, and one answer of main's: nobody can tell chance from change"
    assert poorer(tmp_path)["unsure"] == 40
    comment = (tmp_path / "head/comment.md").read_text()
    assert "40 answers lost a value" in comment
    assert (box(comment), "**Release**" in comment) == ("WARNING", True)
    assert "> - **poorer** only warns: recorded answers cannot be retried.\n" in comment

    write_faq(tmp_path)
    assert raggate("run", "--out", "next", "--baseline", "main", cwd=tmp_path).returncode == 0
    write_faq(tmp_path, vague)
    done = raggate("run", "--out", "head", "--baseline", "next", cwd=tmp_path)
    assert done.returncode == 1, done.stdout
    assert failed(tmp_path) == ["poorer"]
    assert poorer(tmp_path)["recorded"] == 40
    assert (
        "on the baseline “The parcel post in Bremen costs 11 EUR per person.”"
        in (tmp_path / "head/comment.md").read_text()
    )


def test_what_main_answered_is_carried_from_baseline_to_baseline_while_the_evidence_is_the_same(tmp_path: Path) -> None:
    write_faq(tmp_path, cases=3)
    assert raggate("run", "--out", "run0", cwd=tmp_path).returncode == 0
    for number in range(1, 7):
        done = raggate("run", "--out", f"run{number}", "--baseline", f"run{number - 1}", cwd=tmp_path)
        assert done.returncode == 0, done.stdout
    lines = [json.loads(line) for line in (tmp_path / "run6/traces.jsonl").read_text().splitlines()]
    assert [len(line["earlier"]) for line in lines] == [4, 4, 4]
    assert len({each["run"] for each in lines[0]["earlier"]}) == 4
    evidence = (tmp_path / "evidence.jsonl").read_text()
    (tmp_path / "evidence.jsonl").write_text(evidence.replace("costs 11 EUR", "costs now 11 EUR"))
    assert raggate("run", "--out", "run7", "--baseline", "run6", cwd=tmp_path).returncode == 0
    lines = [json.loads(line) for line in (tmp_path / "run7/traces.jsonl").read_text().splitlines()]
    assert [len(line.get("earlier", [])) for line in lines] == [0, 4, 4]
