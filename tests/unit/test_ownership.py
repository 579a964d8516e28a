from __future__ import annotations

import os
from pathlib import Path

import pytest

from raggate_action.run_store.ownership import give_to_owner_of

OWNER = (1001, 121)
ROOT = (0, 0)

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")


def owner(path: Path) -> tuple[int, int]:
    found = path.lstat()
    return found.st_uid, found.st_gid


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A checkout of user 1001, into which root wrote `out/run`, beside a file of its own."""
    workspace = tmp_path / "workspace"
    (workspace / "out/run/inner").mkdir(parents=True)
    for name in ("out/run/run.json", "out/run/inner/page.html", "mine"):
        (workspace / name).touch()
    os.chown(workspace, *OWNER)
    return workspace


def test_what_we_wrote_belongs_to_the_checkouts_owner(workspace: Path) -> None:
    give_to_owner_of(workspace, workspace / "out/run")
    given = ["out", "out/run", "out/run/run.json", "out/run/inner", "out/run/inner/page.html"]
    assert {name: owner(workspace / name) for name in given} == dict.fromkeys(given, OWNER)
    assert owner(workspace / "mine") == ROOT


def test_a_link_out_of_the_checkout_gives_nothing_away(workspace: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "file").touch()
    (workspace / "link").symlink_to(outside)
    (workspace / "out/run/link").symlink_to(outside / "file")
    give_to_owner_of(workspace, workspace / "link")
    give_to_owner_of(workspace, workspace / "out/run")
    assert (owner(outside), owner(outside / "file")) == (ROOT, ROOT)
    assert owner(workspace / "out/run/link") == OWNER


@pytest.mark.parametrize("name", [".", "gone", "../elsewhere"])
def test_the_checkout_itself_and_what_is_not_in_it_stay_as_they_are(name: str, workspace: Path) -> None:
    give_to_owner_of(workspace, workspace / name)
    assert owner(workspace / "out/run") == ROOT
