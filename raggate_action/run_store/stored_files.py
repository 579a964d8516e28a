"""Where the files of a stored run are read from, and how much of them is taken in at once.

A stored run may come from a stranger, as an archive: nothing of it is read without a bound. Length alone bounds
little, for a validator spends some hundred bytes on every value: so the marks between values are counted as well.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import IO, NamedTuple, Protocol, TypeAlias

from raggate_action.errors import RunStoreError
from raggate_action.run_store.run_files import BUFFER_BYTES, store_errors


class RunFiles(Protocol):
    """The files of one stored run, by name."""

    @property
    def where(self) -> str:
        """What messages call the place."""

    def open(self, name: str) -> IO[bytes] | None:
        """The file `name` from its beginning, to be closed by the caller; None when there is none.

        Reading may raise `OSError`, which readers turn into an error that names the file.

        Raises:
            RunStoreError: It cannot be read, or is no plain file.
        """


class DirectoryFiles(NamedTuple):
    """The files of a directory; links in it are followed, for it is the user's own."""

    path: Path

    @property
    def where(self) -> str:
        """The directory's path."""
        return str(self.path)

    def open(self, name: str) -> IO[bytes] | None:
        """The file `name` of the directory; None when there is none. See `RunFiles.open`."""
        file = self.path / name
        with store_errors(file):
            try:
                # A pipe of that name must not be waited for.
                descriptor = os.open(file, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
            except FileNotFoundError:
                return None
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                os.close(descriptor)
                raise RunStoreError(f"{file} is not a regular file", hint="Give a directory that `run` has written.")
            return open(descriptor, "rb", buffering=BUFFER_BYTES)  # noqa: PTH123 (a descriptor, not a path)


RunSource: TypeAlias = Path | RunFiles


class Bound(NamedTuple):
    """The most that is taken in at once.

    Attributes:
        length: Bytes.
        marks: Commas and opening brackets, those inside texts counted too; no JSON has more values than that.
    """

    length: int
    marks: int


# An app's reply has at most 32 MiB; a row of 500,000 values takes some 350 MB of memory to refuse.
LINE = Bound(32 * 1024 * 1024, 500_000)
# A suite of 500,000 cases lists them with as many marks.
DOCUMENT = Bound(64 * 1024 * 1024, 2_000_000)
_HINT = "raggate writes no such file: make the run again."


def files_of(source: RunSource) -> RunFiles:
    """The files of a run that is given as a directory or as its files."""
    return DirectoryFiles(source) if isinstance(source, Path) else source


def file_label(files: RunFiles, name: str) -> str:
    """What messages call the file `name`."""
    return f"{files.where}/{name}"


def read_document(files: RunFiles, name: str) -> bytes | None:
    """The whole file `name`; None when there is none.

    Raises:
        RunStoreError: It cannot be read, or is larger than `DOCUMENT`.
    """
    stream = files.open(name)
    if stream is None:
        return None
    where = file_label(files, name)
    with store_errors(where), stream:
        content = stream.read(DOCUMENT.length + 1)
    refuse_larger(DOCUMENT, content, where, "the file")
    return content


def read_beginning(files: RunFiles, name: str, length: int) -> bytes | None:
    """The first `length` bytes of the file `name`, or all where it has fewer; None when there is none.

    Raises:
        RunStoreError: It cannot be read.
    """
    stream = files.open(name)
    if stream is None:
        return None
    with store_errors(file_label(files, name)), stream:
        return stream.read(length)


def read_lines(files: RunFiles, name: str, *, at_most: int | None = None) -> Iterator[tuple[str, bytes]]:
    """Every line of the file `name` with its end, which the last one may lack, and what messages call the line.

    Args:
        files: The run's files.
        name: A file of lines.
        at_most: So many lines are read; None reads all.

    Raises:
        RunStoreError: There is no such file, it cannot be read, or a line is larger than `LINE`.
    """
    where = file_label(files, name)
    stream = files.open(name)
    if stream is None:
        raise RunStoreError(f"{where}: No such file or directory", hint="The run is not whole: make it again.")
    with store_errors(where), stream:
        lines = iter(partial(stream.readline, LINE.length + 1), b"")
        for number, line in enumerate(islice(lines, at_most), start=1):
            here = f"{where}:{number}"
            # A short line cannot have too many marks, and nearly every line is short.
            if len(line) > LINE.marks:
                refuse_larger(LINE, line, here, "the line")
            yield here, line


def refuse_larger(bound: Bound, content: bytes, where: str, what: str) -> None:
    """See that what was read is within its bound.

    Raises:
        RunStoreError: It is not.
    """
    if len(content) > bound.length:
        raise RunStoreError(f"{where}: {what} has more than {bound.length // 1024 // 1024} MiB", hint=_HINT)
    if sum(map(content.count, (b",", b"[", b"{"))) > bound.marks:
        raise RunStoreError(f"{where}: {what} has more than {bound.marks:,} values", hint=_HINT)
