"""`ab --rows` on files as they come: what it prints, what it writes, and what it refuses."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from raggate_action.schema.ab_run import RowsReport
from tests.ab_suites import bold, panel, sound, write_ab
from tests.command_line import raggate
from tests.fake_chat.actions import error
from tests.fake_chat.server import fake_chat
from tests.judge_row_files import COLUMNS, cells_of, csv_of, wild_file
from tests.pair_judges import honest, scripted

SHARED = "Returns are free within thirty days."


def test_rows_from_the_wild_as_a_process(tmp_path: Path) -> None:
    wild_file(tmp_path / "judge_data.csv")
    command = [sys.executable, "-m", "raggate_action", "ab", "--rows", "judge_data.csv", "--out", "findings"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == (
        "raggate: 4 judges compared two answers to each of 5 questions, without knowing whose they are, scored on 5 "
        "dimensions from 1 to 5: 19 of 20 rows have scores."
    )
    assert lines[1].startswith("  With 5 questions, fewer than 10, nothing is claimed. The treatment wins 3")
    # Alike in five dimensions: 16 + 15 + 12 + 14 + 7 to 8 + 9 + 17 + 11 + 5, times five, of 19 * 25.
    table = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines[2:9]]
    assert [row[0] for row in table[2:]] == ["kimi", "sonnet", "minimax", "deepseek", "All judges"]
    assert table[-1][1:] == ["320/475", "250/475", "11", "4", "4", "0"]
    assert any(
        line.startswith("  file: Spaces and tabs taken off 45 cells of question_id, question_type, verdict in 15 rows")
        for line in lines
    )
    assert "  file: 1 row of a question and a judge missing: Q17 × kimi; counted as lost." in lines
    assert lines[-1] == "written to findings: ab.json, judge_rows.csv, findings.md"
    assert sorted(path.name for path in (tmp_path / "findings").iterdir()) == [
        "ab.json",
        "findings.md",
        "judge_rows.csv",
    ]

    report = RowsReport.model_validate_json((tmp_path / "findings/ab.json").read_bytes())
    assert (report.aggregate.grid.received, report.aggregate.grid.expected) == (19, 20)
    assert [each.question_id for each in report.aggregate.questions] == ["Q3", "Q8", "Q11", "Q14", "Q17"]
    # Three of four prefer the treatment on Q3; on Q11 three prefer the control and one is undecided.
    assert [each.consensus for each in report.aggregate.questions] == [
        "treatment",
        "treatment",
        "control",
        "tie",
        "treatment",
    ]
    headline = report.aggregate.headline
    assert headline.test is not None
    assert (headline.totals.treatment, headline.totals.control, headline.test.two_sided.value) == (320, 250, 8 / 32)
    assert (headline.rows.treatment, headline.rows.control, headline.rows.tie) == (11, 4, 4)
    assert {each.kind for each in report.findings.derived} == {"note"}
    assert "## Limits" in (tmp_path / "findings/findings.md").read_text()


def test_the_published_table_says_which_columns_are_left_out(tmp_path: Path) -> None:
    header = ["question_id", "judge_name", "baseline_response", "augmented_response", "groundedness_A", "groundedness_B",
              "retrieved_chunks_A", "retrieved_chunks_B", "latency_A", "latency_B", "model_A", "model_B", "tool_calls_A",
              "tool_calls_B", "confidence_A", "confidence_B"]  # fmt: skip
    row = [
        "safe.",
        '"Nuts; not said."',
        "2",
        "5",
        '"c1;c2"',
        '"c1;c2"',
        "1,2",
        "2,4",
        "haiku",
        "haiku",
        "0",
        "1",
        "3",
        "4",
    ]
    lines = [";".join(header), *(";".join([f"Q{n}", judge, *row]) for n in range(3) for judge in ("kimi", "deep"))]
    (tmp_path / "export.csv").write_text("\n".join(lines), encoding="utf-8-sig")
    command = [sys.executable, "-m", "raggate_action", "ab", "--rows", "export.csv", "--out", "findings"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    told = (
        "5 pairs of columns that are no scores from 1 to 5, not read: retrieved_chunks_A/_B, latency_A/_B, model_A/_B, "
        "tool_calls_A/_B, confidence_A/_B."
    )
    assert f"  file: {told}" in done.stdout.splitlines()
    report = RowsReport.model_validate_json((tmp_path / "findings/ab.json").read_bytes())
    assert report.dimensions == ("groundedness",)
    assert {each.totals.difference for each in report.aggregate.judges} == {9}
    assert "`latency_A/_B`" in (tmp_path / "findings/findings.md").read_text()


def test_what_it_writes_it_reads_and_says_the_same_of(tmp_path: Path) -> None:
    wild_file(tmp_path / "judge_data.csv")
    assert raggate("ab", "--rows", "judge_data.csv", "--out", "one", cwd=tmp_path).returncode == 0
    again = raggate("ab", "--rows", "one/judge_rows.csv", "--out", "two", cwd=tmp_path)
    assert again.returncode == 0
    assert "Spaces and tabs" not in again.stdout
    assert (tmp_path / "one/judge_rows.csv").read_bytes() == (tmp_path / "two/judge_rows.csv").read_bytes()
    one, two = (json.loads((tmp_path / name / "ab.json").read_text()) for name in ("one", "two"))
    assert one["aggregate"] == two["aggregate"]
    assert one["findings"] == two["findings"]


def test_a_judge_of_an_arms_lab_is_disclosed_and_left_out_of_a_second_headline(tmp_path: Path) -> None:
    rows = [
        cells_of(f"Q{n}", judge, (3 + n % 2, 3 + n % 2) if judge == "kimi" else (2, 4), judge_lab=lab)
        for n in range(10)
        for judge, lab in (("sonnet", "Anthropic"), ("kimi", "Moonshot"), ("deep", "DeepSeek"))
    ]
    (tmp_path / "rows.csv").write_text(csv_of(rows, (*COLUMNS, "judge_lab")))
    plain = raggate("ab", "--rows", "rows.csv", cwd=tmp_path).stdout
    assert "Without judges" not in plain
    told = raggate("ab", "--rows", "rows.csv", "--control-lab", "anthropic", cwd=tmp_path).stdout
    assert "  The treatment is better." in told
    assert "  Without judges that share a lab (sonnet) no difference is shown. The treatment wins 0 of 10" in told
    assert "  Of 3 judges 1 shares a lab" in told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("question_id,judge_name,clear_A,clear_B\nQ1,owl,9,2\n", "rows.csv:2:1: `clear_A` is '9'; write a whole number from 1 to 5"),
        ("question_id,judge_name,clear_A,clear_B\nQ1,owl,1\n", "rows.csv:2:1: this row has 3 cells, the header 4"),
        ("", "rows.csv:1:1: the file is empty"),
        ("PK\x03\x04\x00\x00", "rows.csv:1:5: this line holds a NUL"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_read_writes_nothing(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "rows.csv").write_text(text)
    done = raggate("ab", "--rows", "rows.csv", "--out", "out", cwd=tmp_path)
    assert done.returncode == 2
    assert told in done.stderr
    assert done.stdout == ""
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("kept", ["run.json", "control.jsonl"])
def test_what_a_run_or_a_comparison_has_written_stays(kept: str, tmp_path: Path) -> None:
    wild_file(tmp_path / "rows.csv")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / kept).write_text("{}")
    done = raggate("ab", "--rows", "rows.csv", "--out", "out", cwd=tmp_path)
    assert done.returncode == 2
    assert f"holds a run or a comparison: {kept} is there" in done.stderr
    assert [file.name for file in (tmp_path / "out").iterdir()] == [kept]


def test_the_file_itself_is_never_written_over(tmp_path: Path) -> None:
    path = wild_file(tmp_path / "judge_rows.csv")
    before = path.read_bytes()
    done = raggate("ab", "--rows", "judge_rows.csv", "--out", ".", cwd=tmp_path)
    assert done.returncode == 2
    assert "judge_rows.csv would be written over by its own rows" in done.stderr
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_an_answer_cannot_write_a_workflow_command_into_the_log(tmp_path: Path) -> None:
    rows = [cells_of("::error::pwned", "##[group]x", (2, 4), "::set-output name=a::b") for _ in range(1)]
    (tmp_path / "rows.csv").write_text(csv_of(rows))
    done = raggate("ab", "--rows", "rows.csv", "--out", "out", cwd=tmp_path)
    assert done.returncode == 0
    assert "::" not in done.stdout
    assert "##[" not in done.stdout


def test_rows_of_ab_come_to_what_ab_has_found(tmp_path: Path) -> None:
    ids = ["q1", "q2", "q3", "q4"]
    control = {case_id: bold(number) for number, case_id in enumerate(ids)} | {"q3": SHARED, "q4": "=cmd|' /C calc'!A0"}
    treatment = {case_id: sound(number) for number, case_id in enumerate(ids)} | {"q3": SHARED}
    knows, other = honest(treatment.values()), honest(control.values(), best=4)
    with fake_chat({"ada": scripted(knows), "bob": scripted(other), "cora": error(500)}) as chat:
        write_ab(tmp_path, control, treatment, panel(chat, "ada", "bob", "cora", attempts=1))
        assert raggate("ab", "raggate.json", "--out", "out", cwd=tmp_path).returncode == 0
    labs = ("--control-lab", "the arms' lab", "--treatment-lab", "the arms' lab")
    done = raggate("ab", "--rows", "out/judge_rows.csv", "--out", "again", *labs, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "  file:" not in done.stdout
    first, again = (json.loads((tmp_path / name / "ab.json").read_text())["aggregate"] for name in ("out", "again"))
    assert {each.pop("gates_passed") for each in again["questions"]} == {None}
    assert {each.pop("gates_passed", None) for each in first["questions"]} != {None}
    # Not in rows, and the intervals' draws go by the suite's seed.
    for made in (first, again):
        made.pop("concerns"), made.pop("unconcerned", None)
        # How judges took planted pairs is in no row.
        for each in made["judges"]:
            each.pop("plants", None)
        for each in made["dimensions"]:
            each["alpha"].pop("low", None), each["alpha"].pop("high", None)
    assert without_nothing(again) == without_nothing(first)
    assert first["grid"]["lost"]
    assert first["identical"] == ["q3"]
    assert (tmp_path / "again/judge_rows.csv").read_bytes() == (tmp_path / "out/judge_rows.csv").read_bytes()


def without_nothing(value: Any) -> Any:
    """A record without what it leaves open, which is written in one of both files alone."""
    if isinstance(value, dict):
        return {key: without_nothing(each) for key, each in value.items() if each is not None}
    return [without_nothing(each) for each in value] if isinstance(value, list) else value
