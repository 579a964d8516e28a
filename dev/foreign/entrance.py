"""What the entrances share: an empty folder with an app and documents in it, and commands that are timed and shown."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
# The app's own interpreter, where its packages are; raggate is in another.
THEIRS = os.environ.get("FOREIGN_PYTHON", str(ROOT / ".venv/foreign/bin/python"))
RAGGATE = [sys.executable, "-m", "raggate_action"]
_LONGEST_S = 120
# What the apps answer from: a shop's rules, as somebody would keep them in a repository.
DOCUMENTS = HERE / "documents"


@contextmanager
def empty_folder(app: str) -> Iterator[Path]:
    """A folder with nothing but an app (`rag.py`) and its documents."""
    with tempfile.TemporaryDirectory(prefix="entrance-") as name:
        folder = Path(name) / app.replace("_", "-")
        shutil.copytree(DOCUMENTS, folder / "docs")
        shutil.copy(HERE / "apps" / f"{app}.py", folder / "rag.py")
        shutil.copy(HERE / "apps/reader.py", folder / "reader.py")
        yield folder


def shown(command: list[str], folder: Path, *, words: str = "") -> str:
    """Run a command, print it with what it says and how long it took, and return its output.

    Args:
        command: Program and arguments.
        folder: Where it runs.
        words: How the command is shown, where it is not as typed.
    """
    print(f"$ {words or ' '.join(command)}", flush=True)
    begun = time.monotonic()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=_LONGEST_S, check=False)
    print(done.stdout + done.stderr, end="")
    print(f"[exit {done.returncode}, {time.monotonic() - begun:.1f} s]\n", flush=True)
    return done.stdout + done.stderr


def raggate(folder: Path, *arguments: str) -> str:
    """One command of ours."""
    words = " ".join(["raggate-action", *(each if each != THEIRS else "../venv/bin/python" for each in arguments)])
    return shown([*RAGGATE, *arguments], folder, words=words)


def must(condition: bool, what: str) -> None:
    """End the script where something is not as it has to be."""
    if not condition:
        sys.exit(f"NOT AS IT HAS TO BE: {what}")


def verdict(output: str) -> str:
    """The line with the decision."""
    lines = [line for line in output.splitlines() if line.startswith(("raggate: RELEASE", "raggate: BLOCK"))]
    must(len(lines) == 1, "there is one verdict")
    return lines[0]
