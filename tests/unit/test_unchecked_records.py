"""Records that a run makes for every case are not checked when they are made: here they are, read back."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.generate import generate
from raggate_action.cli.main import main
from raggate_action.run_store import read_rows
from raggate_action.run_store.case_lines import row_line
from tests.example_files import EXAMPLES

KINDS = ("structured", "failing", "prose")


@pytest.mark.parametrize("suite", [*KINDS, "helpdesk", "deploy_policy"])
def test_rows_hold_what_their_schema_asks_for(suite: str, tmp_path: Path) -> None:
    file = EXAMPLES / suite / "raggate.yaml"
    if suite in KINDS:
        generate(tmp_path, cases=40, kind=suite, seed=2)
        file = tmp_path / "raggate.yaml"
    assert main(["run", str(file), "--out", str(tmp_path / "out")]) in {0, 1}
    lines = (tmp_path / "out" / "cases.jsonl").read_bytes()
    assert b"".join([row_line(row, withheld=False) for row in read_rows(tmp_path / "out")]) == lines
