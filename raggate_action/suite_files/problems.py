"""Everything found wrong in the files of a suite, gathered so that all of it is reported at once; how it is shown."""

from __future__ import annotations

import difflib
import os
import shlex
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import NamedTuple

from raggate_action.errors import SuiteError

LISTED_AT_MOST = 100


class Mark(NamedTuple):
    """A place in a file; both numbers count from 1, columns in characters. Column 0 means the line as a whole."""

    line: int
    column: int


START = Mark(1, 1)


class PlacedProblem(NamedTuple):
    """One thing that is wrong: where, and what was found with what to write instead."""

    file: str
    mark: Mark
    text: str

    def __str__(self) -> str:
        column = f":{self.mark.column}" if self.mark.column else ""
        return f"{self.file}:{self.mark.line}{column}: {self.text}"


class FileProblems:
    """The problems of one file. Those past the number ever shown are counted, not kept.

    Attributes:
        file: The file as people are shown it.
        more: How many were counted only.
    """

    def __init__(self, file: str) -> None:
        self.file = file
        self.more = 0
        self._kept: list[PlacedProblem] = []

    def add(self, mark: Mark, text: str) -> None:
        """Note one problem."""
        if self.full:
            self.more += 1
        else:
            self._kept.append(PlacedProblem(self.file, mark, text))

    def extend(self, faults: Iterable[tuple[Mark, str]]) -> None:
        """Note problems, each with its place."""
        for mark, text in faults:
            self.add(mark, text)

    def count(self, number: int) -> None:
        """Count problems that are not shown."""
        self.more += number

    @property
    def full(self) -> bool:
        """Whether further problems of this file can only be counted, so that explaining them is wasted."""
        return len(self._kept) >= LISTED_AT_MOST

    @property
    def kept(self) -> tuple[PlacedProblem, ...]:
        """The problems kept, in the order they were found."""
        return tuple(self._kept)

    def __len__(self) -> int:
        return len(self._kept) + self.more

    def __str__(self) -> str:
        """A line each, by their places."""
        return "\n".join([*map(str, sorted(self._kept)), *([f"and {self.more:,} more"] if self.more else [])])


class Problems:
    """The problems of all files of a suite.

    Args:
        top: Files below it are called by their path from there; None calls every file as people see it from here.
    """

    def __init__(self, top: Path | None = None) -> None:
        self._top = top
        self._files: dict[str, FileProblems] = {}

    def within(self, path: Path) -> FileProblems:
        """The problems of the file at `path`."""
        inside = self._top is not None and path.is_relative_to(self._top)
        file = path.relative_to(self._top).as_posix() if inside and self._top else path_text(path)
        return self._files.setdefault(file, FileProblems(file))

    def __len__(self) -> int:
        return sum(len(file) for file in self._files.values())

    def error(self, suite: Path) -> SuiteError:
        """Every problem as one error, sorted by file and place: a line each, at most 100 and then how many more.

        Args:
            suite: The suite file, for the command that checks it again.
        """
        lines = [str(problem) for problem in sorted({p for file in self._files.values() for p in file.kept})]
        more = sum(file.more for file in self._files.values()) + max(0, len(lines) - LISTED_AT_MOST)
        lines = lines[:LISTED_AT_MOST] + ([f"and {more} more"] if more else [])
        again = f"raggate-action check {shlex.quote(f'./{suite}' if str(suite).startswith('-') else str(suite))}"
        return SuiteError("\n".join(lines), hint=f"Correct these lines, then run `{again}`.")


def path_text(path: Path) -> str:
    """A path as people are shown it: relative to the working directory where it lies inside, else as given."""
    inside = os.path.relpath(path, Path.cwd())
    outside = inside.split(os.sep, 1)[0] == os.pardir
    return name_text(Path(path if outside else inside).as_posix(), cut=False)


_MOST_CHARACTERS = 60
# Of two words: `version` is not a misspelt `question`.
_ALIKE = 0.7
# Comparing with more would take seconds for one message.
COMPARED_AT_MOST = 5000


def value_text(value: object) -> str:
    """A found value, as in `'soon'`, `12` or `nothing`; characters that cannot be seen are escaped."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(_shortened(value)) if isinstance(value, str) else _shortened(str(value))


def name_text(name: str, *, cut: bool = True) -> str:
    """A found key or id, for use between backticks."""
    return repr(_shortened(name) if cut else name)[1:-1].replace("`", "'")


def _shortened(text: str) -> str:
    return text if len(text) <= _MOST_CHARACTERS else text[: _MOST_CHARACTERS - 3] + "..."


def nearest_word(word: str, known: Collection[str]) -> str | None:
    """The known word most like `word`; None without a similar word, or with too many to compare."""
    if len(known) > COMPARED_AT_MOST or len(word) > 10 * _MOST_CHARACTERS:
        return None
    found = difflib.get_close_matches(word, known, n=1, cutoff=_ALIKE)
    return found[0] if found else None


def nearest_word_or(word: str, known: Collection[str], *, otherwise: str) -> str:
    """The end of a message about an unknown word: the one that was meant, else `otherwise`."""
    near = nearest_word(word, known)
    return f"did you mean `{name_text(near)}`?" if near else otherwise


def word_list(words: Collection[str]) -> str:
    """Known words as a message lists them."""
    return ", ".join(f"`{word}`" for word in words)
