"""What the commands that label share: the terminal as it is now, lines on it, and writes that Ctrl-C waits for."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from raggate_action.cli.terminal import shows_colour
from raggate_action.report.label_screen import Screen
from raggate_action.schema.judges import Judges
from raggate_action.suite_files import LoadedSuite

LONGEST_NAME: Final = 80
# What a shell calls a command that Ctrl-C ended.
INTERRUPTED: Final = 130


def labels_file(loaded: LoadedSuite) -> str:
    """The file of labels that a suite names, or the usual one."""
    judges = loaded.suite.judges
    return judges.calibration if judges is not None else str(Judges.model_fields["calibration"].default)


def current_screen() -> Screen:
    """The present size of the terminal, which may change during a session."""
    size = shutil.get_terminal_size()
    return Screen(size.columns, size.lines, shows_colour(os.environ))


def print_lines(lines: Iterable[str], end: str = "") -> None:
    """Print lines, and see that they stand there before a key is waited for."""
    sys.stdout.writelines(f"{line}\n" for line in lines)
    sys.stdout.write(end)
    sys.stdout.flush()


def git_name(folder: Path) -> str | None:
    """Who works here, as git knows it; None where git does not."""
    try:
        found = subprocess.run(
            ["git", "config", "user.name"], cwd=folder, capture_output=True, text=True, check=False, timeout=10
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return found.stdout.strip()[:LONGEST_NAME] or None


@contextlib.contextmanager
def interrupt_delayed() -> Iterator[None]:
    """Delay Ctrl-C until a write has ended, so that no label is lost."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
