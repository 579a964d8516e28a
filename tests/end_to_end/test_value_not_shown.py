"""Values that nothing shown holds, over a whole run: they fail its cases; what five answers give is the app's own."""

from __future__ import annotations

import json
from pathlib import Path

from tests.command_line import raggate

SUITE = """\
suite: library
cases: [cases.jsonl]
target: {kind: recorded, traces: traces.jsonl}
"""
PASSAGE = "Books may be borrowed for 28 days."
RIGHT = "You may keep a book for 28 days."
WRONG = "You may keep a book for 35 days."
FOOTER = " Our desk replies within 48 hours."


def write_suite(folder: Path, answers: list[str]) -> None:
    cases = [{"case_id": f"q{n}", "question": "How long may I keep a book?"} for n in range(len(answers))]
    context = [{"chunk_id": "c", "text": PASSAGE}]
    traces = [{"case_id": f"q{n}", "answer": answer, "context": context} for n, answer in enumerate(answers)]
    (folder / "raggate.yaml").write_text(SUITE)
    (folder / "cases.jsonl").write_text("\n".join(map(json.dumps, cases)))
    (folder / "traces.jsonl").write_text("\n".join(map(json.dumps, traces)))


def test_a_value_that_five_answers_give_is_to_be_looked_at_and_that_of_four_fails(tmp_path: Path) -> None:
    """Six answers, five with the footer, of which one gives a wrong number as well."""
    write_suite(tmp_path, [*[RIGHT + FOOTER] * 4, WRONG + FOOTER, RIGHT])
    done = raggate("run", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    line = "1 passed (0 verified, 1 not refuted: no fault found, but not proven) · 1 failed · 4 to look at · 0 not measured"
    assert f"BLOCK · library · {line}" in done.stdout
    comment = (tmp_path / "raggate-run" / "comment.md").read_text()
    assert "**1 answer gave a value that nothing shown holds**" in comment
    assert "the amount “35” is in no shown chunk" in comment
    rows = [json.loads(row) for row in (tmp_path / "raggate-run" / "cases.jsonl").read_text().splitlines()]
    assert [row["state"] for row in rows] == ["passed"] * 4 + ["failed", "passed"], "in suite order, settled"
    assert raggate("report", cwd=tmp_path).returncode == 0
    assert (tmp_path / "raggate-run" / "comment.md").read_text() == comment

    write_suite(tmp_path, [*[RIGHT + FOOTER] * 4, RIGHT])
    fewer = raggate("run", "--out", "fewer", cwd=tmp_path)
    assert "· 4 failed · 0 not measured" in fewer.stdout


def test_what_the_baseline_has_too_is_told_as_known(tmp_path: Path) -> None:
    write_suite(tmp_path, [WRONG, RIGHT])
    assert raggate("run", "--out", "base", cwd=tmp_path).returncode == 1
    again = raggate("run", "--baseline", "base", cwd=tmp_path)
    assert "1 answer gave a value that nothing shown holds (0 allowed, none new)" in again.stdout
    write_suite(tmp_path, [WRONG, WRONG])
    worse = raggate("run", "--baseline", "base", "--out", "worse", cwd=tmp_path)
    assert "2 answers gave a value that nothing shown holds (1 new)" in worse.stdout
    assert "1 regression" in worse.stdout


def test_one_key_of_the_suite_makes_it_a_warning(tmp_path: Path) -> None:
    write_suite(tmp_path, [WRONG, RIGHT])
    (tmp_path / "raggate.yaml").write_text(SUITE + "gates: {new_suspects: {level: warn}}\n")
    done = raggate("run", cwd=tmp_path)
    assert done.returncode == 0
    assert (
        "1 passed (0 verified, 1 not refuted: no fault found, but not proven) · 0 failed · 1 to look at" in done.stdout
    )
    assert "Other answers that the evidence speaks against (1)" in (tmp_path / "raggate-run/comment.md").read_text()
    (tmp_path / "raggate.yaml").write_text(SUITE + "gates: {new_suspects: {level: off}}\n")
    assert "to look at" not in raggate("run", cwd=tmp_path).stdout
