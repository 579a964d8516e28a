"""What `make test` leaves to `make test-all`: kills of a run, drawn examples, much of a kind, rules turned off.

`make test` sets THOROUGH=0. `make test-all` has all of it, as has pytest started by hand.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path, PurePosixPath
from typing import NamedTuple, TypeVar

T = TypeVar("T")
ROOT = Path(__file__).parents[1]
THOROUGH = os.environ.get("THOROUGH", "1") != "0"
KILLS = 20 if THOROUGH else 5
CORE = PurePosixPath("raggate_action/core")
# What turns rules off, beside the tables and builders at the top of `tests`: any of these may change any switch.
SWITCHED_BY = {
    "tests/unit/test_every_rule_matters.py",
    "tests/unit/test_examples_show_rules_off.py",
    "tests/unit/test_fault_check.py",
}


def examples(number: int) -> int:
    """How many examples of a law are drawn, of so many in `make test-all`."""
    return number if THOROUGH else max(number // 3, min(number, 5))


def some(whole: Sequence[T]) -> Sequence[T]:
    """Every third of many that are alike, and all in `make test-all`."""
    return whole if THOROUGH else whole[::3]


class Turned(NamedTuple):
    """The rules that are turned off.

    Attributes:
        packages: Those below `core` whose rules they are; None for all.
        why: In words.
    """

    packages: frozenset[str] | None
    why: str

    def has(self, module: str) -> bool:
        """Whether rules of this module, named below `core` with dots, are turned off."""
        return self.packages is None or module.partition(".")[0] in self.packages


@cache
def turned_off() -> Turned:
    """In `make test` the rules of the packages that have changed."""
    return Turned(None, "all") if THOROUGH else rules_of_changes(ROOT)


def rules_of_changes(root: Path) -> Turned:
    """The rules of the packages that a repository's checkout changes; all where git cannot tell."""
    try:
        base, files = _changes(root)
    except (OSError, subprocess.CalledProcessError):
        return Turned(None, "all, for git does not tell what has changed")
    paths = [PurePosixPath(file) for file in files]
    if any(path.parent == PurePosixPath("tests") or str(path) in SWITCHED_BY for path in paths):
        return Turned(None, f"all, for what turns them off has changed since {base[:7]}")
    packages = {path.relative_to(CORE).parts[0].removesuffix(".py") for path in paths if path.is_relative_to(CORE)}
    names = ", ".join(sorted(packages)) or "none"
    return Turned(frozenset(packages), f"those of the packages of the core that changed since {base[:7]}: {names}")


def _changes(root: Path) -> tuple[str, list[str]]:
    """The commit that a checkout is held against, and the files that differ from it.

    That is where it left the main branch; on the main branch itself its last commit, or the one before that where
    nothing is uncommitted.
    """

    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}

    def git(*arguments: str) -> list[str]:
        done = subprocess.run(["git", *arguments], cwd=root, env=env, capture_output=True, text=True, check=True)
        return done.stdout.splitlines()

    (head,) = git("rev-parse", "HEAD")
    base = head
    for main in ("origin/main", "main"):
        with suppress(subprocess.CalledProcessError):
            (base,) = git("merge-base", "HEAD", main)
            break
    where = ("--", "raggate_action", "tests")
    new = git("ls-files", "--others", "--exclude-standard", *where)
    uncommitted = [*git("diff", "--name-only", "--no-renames", "HEAD", *where), *new]
    if base == head and not uncommitted:
        (base,) = git("rev-parse", "--verify", "HEAD^")
    return base, [*git("diff", "--name-only", "--no-renames", base, *where), *new]
