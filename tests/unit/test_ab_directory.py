"""The directory of a comparison: whose it is, when it is whole, and what judges said before it."""

from __future__ import annotations

from pathlib import Path

import pytest

from raggate_action.errors import RunStoreError
from raggate_action.run_store import AbDirectory
from raggate_action.schema.ab_run import AbDigests, StartedAb
from raggate_action.schema.judgement import Judgement

STARTED = StartedAb(
    suite="s",
    suite_file="raggate.yaml",
    scope="full",
    run_id="s-1",
    started_at="2026-11-22T10:00:00Z",
    as_of="2026-11-22T10:00:00Z",
    raggate_version="0",
    digests=AbDigests(suite="a", cases="b", rubric="c", prompt="d"),
)


def judgement(case_id: str) -> Judgement:
    return Judgement(id=case_id, job="pair", judge="ada", fingerprint="f", prompt="p", key=f"k-{case_id}")


def said(directory: Path, *case_ids: str) -> None:
    """A comparison that was killed after these were judged."""
    with AbDirectory.open(directory) as opened:
        journal = opened.begin(STARTED, texts="quotes")
        for case_id in case_ids:
            journal.add_judgement(judgement(case_id))


def test_what_judges_said_outlives_one_kill_after_the_other(tmp_path: Path) -> None:
    out = tmp_path / "out"
    said(out, "a", "b")
    said(out, "c")
    with AbDirectory.open(out) as opened:
        opened.begin(STARTED, texts="quotes")
        assert [each.id for each in opened.earlier_verdicts() if each is not None] == ["c", "a", "b"]


def test_nothing_is_touched_before_both_arms_have_answered(tmp_path: Path) -> None:
    out = tmp_path / "out"
    said(out, "a")
    before = {file.name: file.read_bytes() for file in out.iterdir()}
    with AbDirectory.open(out):
        pass
    assert {file.name: file.read_bytes() for file in out.iterdir()} == before


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("notes.txt", "mine", "is not empty and holds no comparison"),
        ("run.json", '{"schema_version": 3, "complete": true, "suite": "s"}', "is not empty and holds no comparison"),
        ("ab.json", '{"kind": "ab-rows", "schema_version": 1}', "is not empty and holds no comparison"),
        ("ab.json", '{"kind": "ab", "schema_version": 2, "complete": true}', "this raggate reads 1"),
        ("ab.json", "not JSON", "is not empty and holds no comparison"),
    ],
)
def test_what_is_not_ours_is_refused_and_left(tmp_path: Path, name: str, content: str, problem: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(RunStoreError, match=problem):
        AbDirectory.open(tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == [name]
    (tmp_path / name).unlink()
    AbDirectory.open(tmp_path).close()


def test_a_link_and_a_second_writer_are_refused(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with pytest.raises(RunStoreError, match="symbolic link"):
        AbDirectory.open(tmp_path / "link")
    with AbDirectory.open(tmp_path / "real"), pytest.raises(RunStoreError, match="another process"):
        AbDirectory.open(tmp_path / "real")
