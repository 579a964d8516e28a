"""A falsehood that changes its words between two runs, as a release process sees it: by commands, on files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from raggate_action.schema.change import Move
from tests.end_to_end.test_one_fault_among_many import BAD, failed_gates, judged, said
from tests.stored_comparison import compared
from tests.stored_comparison import moves as stored_moves

TRUE = said(BAD)
# The chunk says 117 euros.
FIRM = f"The plan Delta {BAD} costs 917 euros a month."
REWORDED = f"The plan Delta {BAD} costs 917 EUR every month and can be cancelled."
OTHER = f"The plan Delta {BAD} costs 817 euros a month."
SOFT = f"As far as I know, the plan Delta {BAD} perhaps costs around 917 euros every month."


def answer(text: str) -> dict[str, Any]:
    return {"answer": f"{text} [plan-{BAD}]", "context": [f"plan-{BAD}"]}


def moves(folder: Path, out: str) -> list[tuple[str, str]]:
    return [(move, words) for _case_id, move, words in stored_moves(folder / out)]


def passing(folder: Path, out: str, move: Move) -> list[str]:
    return [each.case_id for each in compared(folder / out).states(move)]


@pytest.fixture
def false_on_main(tmp_path: Path) -> Path:
    done = judged(tmp_path, "main-run", bad=answer(FIRM))
    rows = [json.loads(line) for line in (tmp_path / "main-run/cases.jsonl").read_text().splitlines()]
    assert [len(row["hallucinations"]) for row in rows if row["hallucinations"]] == [1], done.stdout + done.stderr
    return tmp_path


def key_in(folder: Path, out: str) -> str:
    rows = [json.loads(line) for line in (folder / out / "cases.jsonl").read_text().splitlines()]
    (key,) = [each["key"] for row in rows for each in row["hallucinations"]]
    return str(key)


def test_a_rewording_is_neither_new_nor_fixed_and_keeps_its_key(false_on_main: Path) -> None:
    judged(false_on_main, "head-run", bad=answer(REWORDED), baseline="main-run")
    assert moves(false_on_main, "head-run") == [("same", REWORDED.removesuffix(" and can be cancelled."))]
    assert "new_hallucinations" not in failed_gates(false_on_main, "head-run")
    assert key_in(false_on_main, "head-run") == key_in(false_on_main, "main-run")
    comment = (false_on_main / "head-run/comment.md").read_text()
    assert "0 regressions · 0 new hallucinations" in comment
    assert "Fixed:" not in comment


def test_the_same_words_with_another_value_are_new_and_block(false_on_main: Path) -> None:
    judged(false_on_main, "head-run", bad=answer(OTHER), baseline="main-run")
    assert moves(false_on_main, "head-run") == [("fixed", FIRM), ("new", OTHER)]
    assert "new_hallucinations" in failed_gates(false_on_main, "head-run")


def test_a_conflict_in_softer_words_does_not_pass_again(false_on_main: Path) -> None:
    judged(false_on_main, "head-run", bad=answer(SOFT), baseline="main-run")
    assert passing(false_on_main, "head-run", "fixed") == []
    assert passing(false_on_main, "head-run", "unknown") == [f"case-{BAD}"]
    assert moves(false_on_main, "head-run") == [("unknown", FIRM)]
    comment = (false_on_main / "head-run/comment.md").read_text()
    assert "pass again" not in comment
    assert (
        f"**Not confirmed as fixed:** 1 hallucination of the baseline may still be there (`case-{BAD}`); not counted as "
        f"fixed: 1 passing case: `case-{BAD}`."
    ) in comment


def test_who_answers_for_a_falsehood_waives_it_by_its_id_in_whatever_words(tmp_path: Path) -> None:
    judged(tmp_path, "main-run")
    judged(tmp_path, "head-run", bad=answer(FIRM), baseline="main-run")
    key = key_in(tmp_path, "head-run")
    assert f"`{key}`" in (tmp_path / "head-run/comment.md").read_text()
    waiver = f"{{case: case-{BAD}, gate: faithfulness, hallucination: '{key}', reason: r, owner: '@us', expires: 2099-01-01}}"
    policy = f"waivers: [{waiver}]\ngates: {{citation_support: {{level: warn}}}}\n"
    reworded = judged(tmp_path, "next-run", bad=answer(REWORDED), baseline="main-run", policy=policy)
    assert reworded.returncode == 0, reworded.stdout + reworded.stderr
    other = judged(tmp_path, "other-run", bad=answer(OTHER), baseline="main-run", policy=policy)
    assert other.returncode == 1, "another value is another falsehood"


def test_the_truth_is_fixed(false_on_main: Path) -> None:
    judged(false_on_main, "head-run", baseline="main-run")
    assert passing(false_on_main, "head-run", "fixed") == [f"case-{BAD}"]
    assert passing(false_on_main, "head-run", "unknown") == []
    assert moves(false_on_main, "head-run") == [("fixed", FIRM)]


def test_the_helpers_are_what_they_are_taken_for() -> None:
    assert said(BAD) == f"The plan Delta {BAD} costs 117 euros a month and can be cancelled within 27 days."
    assert not [text for text in (FIRM, REWORDED, OTHER, SOFT) if text in TRUE]
