"""Files that are new: nothing that is there already is touched."""

from __future__ import annotations

import contextlib
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


def planned(files: Mapping[Path, str], *, needed: frozenset[Path], within: tuple[Path, ...]) -> tuple[NewFile, ...]:
    """What will be written.

    Args:
        files: Path -> text.
        needed: Files that belong together: one of them that is there already would be another's.
        within: The folders that were named; below them no link is followed.

    Raises:
        UsageError: One of `needed` is there, a folder cannot be made where a file is, or a link leads elsewhere.
    """
    for path in files:
        if path in needed and (path.exists() or path.is_symlink()):
            raise UsageError(
                f"{path_text(path)} is there already, and nothing is overwritten",
                hint="Name another folder, as in `raggate-action init eval`, or move the file away.",
            )
        below = [each for each in path.parents if each not in within and any(top in each.parents for top in within)]
        link = next((each for each in below if each.is_symlink()), None)
        if link is not None:
            raise UsageError(
                f"{path_text(link)} is a link to another place, where nothing is written",
                hint="Remove the link, or name another folder, as in `raggate-action init eval`.",
            )
        blocked = next((each for each in path.parents if each.exists() and not each.is_dir()), None)
        if blocked is not None:
            raise UsageError(f"{path_text(blocked)} is no folder", hint="Move it away, or name another folder.")
    return tuple([NewFile(path, text, path.exists() or path.is_symlink()) for path, text in files.items()])


def write_new(files: tuple[NewFile, ...]) -> None:
    """Write those that are not there, or none of them: half a suite would be in the way of the next try.

    Raises:
        UsageError: A file cannot be written, or came to be there meanwhile; what was written before it is removed.
    """
    made: list[Path] = []
    try:
        for new in files:
            if not new.is_there:
                _write(new, made)
    except BaseException:
        for path in reversed(made):
            with contextlib.suppress(OSError):
                path.rmdir() if path.is_dir() else path.unlink()
        raise


def _write(new: NewFile, made: list[Path]) -> None:
    """Write one file; what is made for it is added to `made` as it comes to be."""
    try:
        for folder in reversed([each for each in new.path.parents if not each.exists()]):
            folder.mkdir()
            made.append(folder)
        with new.path.open("x", encoding="utf-8") as stream:
            made.append(new.path)
            stream.write(new.text)
    except OSError as error:
        raise UsageError(
            f"{path_text(new.path)} cannot be written: {error.strerror or error}",
            hint="Check that you may write there. Nothing was written.",
        ) from None
