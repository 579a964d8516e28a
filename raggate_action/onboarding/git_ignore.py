"""The lines that keep run directories out of a git repository: they hold answers, and nobody wants them in a commit."""

from __future__ import annotations

import subprocess
from pathlib import Path

from raggate_action.errors import UsageError
from raggate_action.suite_files.problems import path_text

RUN_FOLDERS = ("raggate-run", "raggate-case")
_TIMEOUT_S = 10


def lines_to_ignore(folder: Path) -> tuple[str, ...]:
    """The lines that `.gitignore` at the top lacks; none outside a git repository, or where git cannot be asked.

    Args:
        folder: Where runs write their directories.
    """
    if not (repository_top(folder) / ".git").exists():
        return ()
    return tuple([f"{name}/" for name in RUN_FOLDERS if _would_be_committed(folder, name)])


def _would_be_committed(folder: Path, name: str) -> bool:
    """Whether git would take a directory of this name into a commit."""
    command = ["git", "check-ignore", "--quiet", f"{name}/"]
    try:
        # 0 is ignored, 1 is not; anything else says that git does not work here.
        return subprocess.run(command, cwd=folder, capture_output=True, check=False, timeout=_TIMEOUT_S).returncode == 1
    except (OSError, subprocess.TimeoutExpired):
        return False


def add_lines(path: Path, lines: tuple[str, ...]) -> None:
    """Put lines at the end of a file, which is made where it is missing.

    Raises:
        UsageError: It cannot be written, or is a link to another place.
    """
    if path.is_symlink():
        raise UsageError(f"{path_text(path)} is a link", hint=f"Add to it yourself: {' '.join(lines)}")
    try:
        before = path.read_bytes() if path.exists() else b""
        gap = b"\n" if before and not before.endswith(b"\n") else b""
        with path.open("ab") as stream:
            stream.write(gap + "".join(f"{line}\n" for line in lines).encode())
    except OSError as error:
        raise UsageError(
            f"{path_text(path)} cannot be written: {error.strerror or error}",
            hint=f"Add to it yourself: {' '.join(lines)}",
        ) from None


def repository_top(folder: Path) -> Path:
    """The top of the repository that a folder belongs to; the folder itself outside a repository."""
    here = folder.resolve()
    return next((each for each in (here, *here.parents) if (each / ".git").exists()), here)
