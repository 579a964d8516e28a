"""Runs from suite to last file: the same bytes as were kept, and what was kept is read with the same outcome.

`RAGGATE_UPDATE_GOLDEN=1` writes them anew; read the difference before you commit it.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
import time_machine

from tests.golden.whole_runs import DAY, READ, RUNS, Place, files_of, judges, make, read_again, without_times

KEPT = Path(__file__).parent / "runs"
EACH = pytest.mark.parametrize("name", RUNS)


@EACH
def test_a_run_leaves_the_same_bytes(name: str, tmp_path: Path) -> None:
    make(name, tmp_path)
    made = files_of(tmp_path)
    if os.environ.get("RAGGATE_UPDATE_GOLDEN") and made != files_of(KEPT / name):
        shutil.rmtree(KEPT / name, ignore_errors=True)
        for path in made:
            (KEPT / name / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(tmp_path / path, KEPT / name / path)
    kept = files_of(KEPT / name)
    assert list(made) == list(kept)
    for path, text in made.items():
        assert text == kept[path].replace(str(KEPT / name), "<folder>"), path


@EACH
def test_what_was_written_before_is_read_with_the_same_outcome(name: str, tmp_path: Path) -> None:
    folder = tmp_path / name
    shutil.copytree(KEPT / name, folder)
    with time_machine.travel(DAY), judges() as chat:
        place = Place(folder, chat)
        read_again(name, place)
    assert without_times(place.said(), folder) == without_times((KEPT / name / READ).read_text(), KEPT / name)
