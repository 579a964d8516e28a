"""The version of an app in a local repository is the commit that its suite lies in."""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path

import pytest

from raggate_action.run_store import read_stored
from tests.command_line import raggate


def git(folder: Path, *arguments: str) -> str:
    who = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
    return subprocess.run(["git", *who, *arguments], cwd=folder, capture_output=True, text=True, check=True).stdout


def suite(folder: Path) -> None:
    answer = {"case_id": "a", "answer": "Thirty days.", "context": [{"chunk_id": "c", "text": "Thirty days."}]}
    (folder / "traces.jsonl").write_text(json.dumps(answer) + "\n")
    (folder / "cases.jsonl").write_text(json.dumps({"case_id": "a", "question": "How long?"}) + "\n")
    (folder / "raggate.yaml").write_text(
        "suite: s\ncases: [cases.jsonl]\ntarget: {kind: recorded, traces: traces.jsonl}\n"
    )


def commit_of(folder: Path, out: str, *more: str, **environment: str) -> str | None:
    done = raggate("run", str(folder / "raggate.yaml"), "--out", out, *more, cwd=folder.parent, **environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return read_stored(folder.parent / out).provenance.git_sha


def test_the_commit_of_the_suites_folder_is_the_version_of_a_run(tmp_path: Path) -> None:
    app = tmp_path / "app"
    app.mkdir()
    suite(app)
    assert commit_of(app, "outside") is None
    git(app, "init", "-q")
    assert commit_of(app, "unborn") is None, "a repository without a commit"
    git(app, "add", "-A")
    git(app, "commit", "-qm", "first")
    head = git(app, "rev-parse", "HEAD").strip()
    assert commit_of(app, "clean") == head[:11]
    (app / "notes.txt").write_text("not tracked\n")
    assert commit_of(app, "untracked") == head[:11]
    (app / "raggate.yaml").write_text((app / "raggate.yaml").read_text() + "\n")
    assert commit_of(app, "changed", "--baseline", "clean") == f"{head[:11]}+"
    assert commit_of(app, "workflow", GITHUB_SHA="f" * 40) == "f" * 40
    comment = (tmp_path / "changed/comment.md").read_text()
    assert f"commit `{head[:11]}+` · baseline `{head[:11]}` decided" in comment
    history = raggate("report", "changed", "--history", cwd=tmp_path).stdout
    assert f"{head[:11]}+" in history
    assert "unknown" not in history


@pytest.mark.parametrize("script", ["exit 1\n", "sleep 60\n"], ids=["it fails", "it hangs"])
def test_a_git_that_does_not_work_is_neither_an_error_nor_waited_for(tmp_path: Path, script: str) -> None:
    app, programs = tmp_path / "app", tmp_path / "programs"
    for each in (app, programs):
        each.mkdir()
    suite(app)
    (app / ".git").mkdir()
    (programs / "git").write_text(f"#!/bin/sh\n{script}")
    (programs / "git").chmod(0o755)
    started = time.monotonic()
    assert commit_of(app, "run", PATH=f"{programs}:/usr/bin:/bin") is None
    assert time.monotonic() - started < 30
