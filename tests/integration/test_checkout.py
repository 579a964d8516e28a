"""Which files of a workspace came with the checkout, told by git's own index."""

from __future__ import annotations

import subprocess
import zlib
from pathlib import Path

import pytest

from raggate_action.github.checkout import (
    checked_out_commit,
    checkout_of,
    parents_in,
    path_in_checkout,
    was_checked_out,
)

NAMES = ("sub/traces.jsonl", "own.jsonl", "gr\u00fcn.jsonl")


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q")
    for name in NAMES:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    git(tmp_path, "add", "--all")
    return tmp_path


@pytest.mark.parametrize("version", [2, 3])
def test_what_git_has_checked_out_is_told_from_what_a_job_has_made(workspace: Path, version: int) -> None:
    if version == 3:
        # Only entries with further flags make git write the third version.
        git(workspace, "update-index", "--skip-worktree", "own.jsonl")
    assert (workspace / ".git/index").read_bytes()[4:8] == bytes([0, 0, 0, version])
    for name in NAMES:
        assert was_checked_out(workspace, name)
    # The end of a path, its beginning, and one that is not there.
    for name in ("traces.jsonl", "sub", "wn.jsonl", "new.jsonl", "sub/traces.jsonl.gz"):
        assert not was_checked_out(workspace, name)


@pytest.mark.parametrize(
    "index", [None, b"", b"no index", b"DIRC\0\0\0\4"], ids=["none", "empty", "other", "version 4"]
)
def test_without_an_index_to_tell_a_file_is_taken_for_the_repository_s(tmp_path: Path, index: bytes | None) -> None:
    if index is not None:
        (tmp_path / ".git").mkdir()
        (tmp_path / ".git" / "index").write_bytes(index)
    assert was_checked_out(tmp_path, "traces.jsonl")


def test_a_place_is_seen_from_the_top_of_the_checkout(tmp_path: Path) -> None:
    assert path_in_checkout(tmp_path, tmp_path / "app" / ".." / "x.jsonl") == "x.jsonl"
    assert path_in_checkout(tmp_path / "app", tmp_path / "x.jsonl") is None


def commit_made(folder: Path, message: str = "x") -> str:
    git(folder, "-c", "user.name=d", "-c", "user.email=d@example.org", "commit", "-qm", message, "--allow-empty")
    done = subprocess.run(["git", "rev-parse", "HEAD"], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.mark.parametrize("detached", [False, True])
def test_the_commit_that_is_checked_out_is_read(workspace: Path, *, detached: bool) -> None:
    commit = commit_made(workspace)
    if detached:
        git(workspace, "checkout", "-q", "--detach")
    assert checked_out_commit(workspace) == commit


@pytest.mark.parametrize(
    "head", [None, "", "ref: refs/heads/none", "ref: refs/../../../HEAD", "ref: /etc/passwd", "HEAD"]
)
def test_no_commit_is_made_up(tmp_path: Path, head: str | None) -> None:
    if head is not None:
        (tmp_path / ".git").mkdir()
        (tmp_path / ".git" / "HEAD").write_text(head)
        (tmp_path / "HEAD").write_text("a" * 40)
    assert checked_out_commit(tmp_path) is None


def test_the_parents_of_a_commit_of_this_job_are_read_off_its_file(workspace: Path) -> None:
    first = commit_made(workspace)
    git(workspace, "checkout", "-qb", "topic")
    topic = commit_made(workspace, "topic")
    git(workspace, "checkout", "-q", "--detach", first)
    own = commit_made(workspace, "own")
    assert (parents_in(workspace, first), parents_in(workspace, own)) == ((), (first,))
    git(workspace, "-c", "user.name=d", "-c", "user.email=d@example.org", "merge", "-q", "topic", "-m", f"parent {own}")
    merge = checked_out_commit(workspace)
    assert merge is not None
    assert parents_in(workspace, merge) == (own, topic)
    git(workspace, "gc", "-q")
    assert parents_in(workspace, merge) == (), "packed away: GitHub is asked"


@pytest.mark.parametrize("content", [b"", b"no zlib", zlib.compress(b"commit 0\0" + b"\0" * 10**8)])
def test_a_file_that_is_no_commit_has_no_parents(tmp_path: Path, content: bytes) -> None:
    place = tmp_path / ".git/objects/aa" / ("a" * 38)
    place.parent.mkdir(parents=True)
    place.write_bytes(content)
    assert parents_in(tmp_path, "a" * 40) == ()


def test_a_folder_is_in_the_nearest_checkout_of_the_workspace(tmp_path: Path) -> None:
    for name in (".git", "top/.git", "top/app/.git"):
        (tmp_path / name).mkdir(parents=True)
    inner, top = tmp_path / "top/app", tmp_path / "top"
    assert checkout_of(top, inner / "deep") == inner
    assert checkout_of(top, top / "other") == top
    assert checkout_of(top, top / ".." / "elsewhere") == top, "never above the workspace"
    assert checkout_of(tmp_path / "bare", tmp_path / "bare") == tmp_path / "bare"
