"""Files that are new: nothing that is there already is touched."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from raggate_action.errors import UsageError
from raggate_action.suite_files.problems import path_text


class NewFile(NamedTuple):
    """A file to be written, or one that is there and stays as it is."""

    path: Path
    text: str
    is_there: bool


def planned(files: Mapping[Path, str], *, needed: frozenset[Path]) -> tuple[NewFile, ...]:
    """What will be written.

    Args:
        files: Path -> text.
        needed: Files that belong together: one of them that is there already would be another's.

    Raises:
        UsageError: One of `needed` is there, or a folder cannot be made where a file is.
    """
    for path in files:
        if path in needed and path.exists():
            raise UsageError(
                f"{path_text(path)} is there already, and nothing is overwritten",
                hint="Name another folder, as in `raggate-action init eval`, or move the file away.",
            )
        blocked = next((each for each in path.parents if each.exists() and not each.is_dir()), None)
        if blocked is not None:
            raise UsageError(f"{path_text(blocked)} is no folder", hint="Move it away, or name another folder.")
    return tuple([NewFile(path, text, path.exists()) for path, text in files.items()])


def write_new(files: tuple[NewFile, ...]) -> None:
    """Write those that are not there; a file that came to be there meanwhile stays as it is.

    Raises:
        UsageError: A file cannot be written.
    """
    for new in files:
        if new.is_there:
            continue
        try:
            new.path.parent.mkdir(parents=True, exist_ok=True)
            with new.path.open("x", encoding="utf-8") as stream:
                stream.write(new.text)
        except OSError as error:
            raise UsageError(
                f"{path_text(new.path)} cannot be written: {error.strerror or error}",
                hint="Check that you may write there.",
            ) from None
