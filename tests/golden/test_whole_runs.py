"""Runs from suite to last file: the same bytes as were kept, and what was kept is read with the same outcome.

`RAGGATE_UPDATE_GOLDEN=1` writes them anew; read the difference before you commit it.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from raggate_action.report.render import render_comment, render_summary
from raggate_action.run.stored_runs import stored_reporting
from tests.golden.whole_runs import RUNS, files_of, make, read

KEPT, PRINTED = Path(__file__).parent / "runs", "printed.txt"
RENEWS = os.environ.get("RAGGATE_UPDATE_GOLDEN") == "1"


@pytest.mark.parametrize("name", RUNS)
def test_a_run_leaves_the_same_bytes_and_what_was_kept_is_read_with_the_same_outcome(name: str, tmp_path: Path) -> None:
    printed = make(name, tmp_path)
    for comment in tmp_path.glob("*/comment.md"):
        told = stored_reporting(comment.parent)
        assert render_comment(told) == comment.read_text()
        assert render_summary(told) == (comment.parent / "summary.md").read_text()
    made, kept = files_of(tmp_path), KEPT / name
    if RENEWS and made != files_of(kept):
        # Whole, for a run names the digests of its files.
        shutil.rmtree(kept, ignore_errors=True)
        for path in made:
            (kept / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(tmp_path / path, kept / path)
    for stored in kept.glob("*/"):
        shutil.rmtree(tmp_path / stored.name)
        shutil.copytree(stored, tmp_path / stored.name)
    printed += f"\nRead again:\n{read(name, tmp_path)}"
    if RENEWS:
        (kept / PRINTED).write_text(printed)
    assert files_of(kept) == made
    assert (kept / PRINTED).read_text() == printed
