"""Files that root writes into somebody else's checkout belong to that somebody afterwards."""

from __future__ import annotations

import os
from pathlib import Path


def give_to_owner_of(workspace: Path, directory: Path) -> None:
    """Give `directory`, what it holds and what leads to it to whom the checkout belongs.

    A runner cleans its checkouts as itself and cannot remove what root left there. Nothing happens unless we are
    root, and nothing outside the checkout is touched: a directory may be a link that came with the pull request.
    """
    if os.geteuid() != 0:
        return
    workspace, directory = workspace.resolve(), directory.resolve()
    if not directory.is_relative_to(workspace) or directory == workspace:
        return
    try:
        owner = workspace.stat()
        for path in (*_between(workspace, directory), *directory.rglob("*")):
            if path.lstat().st_uid == 0:
                os.lchown(path, owner.st_uid, owner.st_gid)
    except OSError:
        # Some file systems know no owners; whoever can write there can also clean up.
        return


def _between(workspace: Path, directory: Path) -> list[Path]:
    """`directory` and the directories above it that are below `workspace`."""
    return [path for path in (directory, *directory.parents) if path != workspace and path.is_relative_to(workspace)]
