"""Which rules `make test` turns off: those of the packages that a checkout changes, and all where that cannot be told."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.rule_switches import SWITCHES
from tests.thorough import CORE, ROOT, SWITCHED_BY, rules_of_changes

ENV = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    **{f"GIT_{who}_{what}": "a@b.test" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
    "GIT_CONFIG_GLOBAL": os.devnull,
}


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=folder, env=ENV, check=True, capture_output=True)


def write(folder: Path, *files: str) -> None:
    for file in files:
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text((path.read_text() if path.exists() else "") + "x = 1\n")


def commit(folder: Path, *files: str) -> None:
    write(folder, *files)
    git(folder, "add", "--all")
    git(folder, "commit", "-qm", "c")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q", "-b", "main")
    commit(tmp_path, f"{CORE}/gates/a.py", f"{CORE}/text/b.py", "raggate_action/schema/c.py", "tests/unit/test_a.py")
    commit(tmp_path, f"{CORE}/panel/d.py")
    return tmp_path


def packages(folder: Path) -> set[str] | None:
    found = rules_of_changes(folder).packages
    return None if found is None else set(found)


def test_on_the_main_branch_the_last_commit_counts_then_what_is_not_committed(checkout: Path) -> None:
    assert packages(checkout) == {"panel"}
    (checkout / "notes.txt").write_text("not ours")
    assert packages(checkout) == {"panel"}
    write(checkout, f"{CORE}/text/b.py")
    assert packages(checkout) == {"text"}
    write(checkout, f"{CORE}/gates/new.py")
    assert packages(checkout) == {"text", "gates"}
    git(checkout, "add", "--all")
    assert packages(checkout) == {"text", "gates"}


def test_on_a_branch_all_of_its_commits_count_and_none_of_the_main_branch(checkout: Path) -> None:
    git(checkout, "switch", "-qc", "ours")
    commit(checkout, f"{CORE}/gates/a.py")
    commit(checkout, "raggate_action/schema/c.py", "tests/unit/test_a.py")
    git(checkout, "switch", "-q", "main")
    commit(checkout, f"{CORE}/decision/e.py")
    git(checkout, "switch", "-q", "ours")
    assert packages(checkout) == {"gates"}
    # A file that is gone, and one that has gone elsewhere.
    (checkout / CORE / "panel/d.py").unlink()
    git(checkout, "mv", f"{CORE}/text/b.py", f"{CORE}/support_b.py")
    assert packages(checkout) == {"gates", "panel", "text", "support_b"}
    git(checkout, "commit", "-qam", "c")
    assert packages(checkout) == {"gates", "panel", "text", "support_b"}
    git(checkout, "update-ref", "refs/remotes/origin/main", "HEAD~1")
    assert packages(checkout) == {"panel", "text", "support_b"}


@pytest.mark.parametrize("file", ["tests/rule_switches.py", "tests/builders.py", min(SWITCHED_BY)])
def test_where_tables_and_builders_change_all_are_turned_off(checkout: Path, file: str) -> None:
    write(checkout, file)
    assert packages(checkout) is None


def test_where_git_cannot_tell_all_are_turned_off(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    nowhere = tmp_path_factory.mktemp("nowhere")
    assert packages(nowhere) is None
    # As a runner checks out: one commit.
    git(nowhere, "clone", "-q", "--depth", "1", checkout.as_uri(), "shallow")
    found = rules_of_changes(nowhere / "shallow")
    assert found.packages is None
    assert found.why == "all, for git does not tell what has changed"


def test_where_no_rule_has_changed_that_is_said(checkout: Path) -> None:
    write(checkout, "tests/unit/test_a.py")
    found = rules_of_changes(checkout)
    assert found.packages == frozenset()
    assert found.why.startswith("those of the packages of the core that changed since ")
    assert found.why.endswith(": none")
    assert not found.has("gates.diagnosis")


def test_every_switch_is_one_of_a_package_of_the_core() -> None:
    folders = {path.name for path in (ROOT / CORE).iterdir() if path.is_dir()}
    assert {switch.module.partition(".")[0] for switch in SWITCHES} <= folders
    assert all((ROOT / file).is_file() for file in SWITCHED_BY)
