"""`docs/judge-rows.md` cannot lie: its file is read, its columns and bounds are the program's, its commands are there."""

from __future__ import annotations

import re
from pathlib import Path

from raggate_action.cli.parser import parse_arguments
from raggate_action.core.decision.ab_gate import LARGEST_CHANCE, LEAST_QUESTIONS
from raggate_action.suite_files import judge_rows_file
from raggate_action.suite_files.judge_rows_file import read_rows_file
from tests.command_line import raggate

ROOT = Path(__file__).parents[2]
DOCUMENT = (ROOT / "docs/judge-rows.md").read_text()
SAMPLE = re.findall(r"^```csv\n(.*?)^```", DOCUMENT, re.DOTALL | re.MULTILINE)


def test_the_file_shown_is_read_without_a_remark(tmp_path: Path) -> None:
    (sample,) = SAMPLE
    (tmp_path / "rows.csv").write_text(sample)
    found = read_rows_file(tmp_path / "rows.csv")
    assert found.remarks == ()
    assert [row.winner for row in found.rows] == ["treatment", "control"]
    done = raggate("ab", "--rows", "rows.csv", cwd=tmp_path)
    assert done.returncode == 0
    assert "1 is a tie" in done.stdout


def test_every_column_is_told_and_no_other() -> None:
    table = DOCUMENT.partition("| column |")[2].partition("\n\n")[0]
    first_cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("|") and "---" not in line]
    told = {name for cell in first_cells for name in re.findall(r"`([a-zA-Z_]+)`", cell)}
    needed = table.partition("judges of one model")[0]
    told |= set(re.findall(r"`(judge_model|judge_harness)`", needed))
    assert told - {"X_A", "X_B"} == judge_rows_file.KNOWN


def test_the_bounds_are_the_programs() -> None:
    words = " ".join(DOCUMENT.split())
    bounds = f"{judge_rows_file.LARGEST_FILE // 1024 // 1024} MiB, {judge_rows_file.MOST_ROWS:,} rows and {judge_rows_file.MOST_JUDGES} judges"
    assert f"{bounds}, a cell {judge_rows_file.LONGEST_CELL:,} characters" in words
    assert f"at most {judge_rows_file.MOST_DIMENSIONS} pairs" in words
    assert f"p at most {LARGEST_CHANCE}" in words
    assert LEAST_QUESTIONS == 10
    assert "Under ten questions nothing is claimed" in words


def test_every_command_line_shown_is_one() -> None:
    lines = re.findall(r"^raggate-action (ab --rows [^#\n]*)", DOCUMENT, re.MULTILINE)
    assert len(lines) == 3
    for line in lines:
        options = parse_arguments(line.split())
        assert options is not None
        assert options.rows == Path("judge_rows.csv")
