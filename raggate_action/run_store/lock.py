"""One run directory has one writer, from the first look into it to the last file."""

from __future__ import annotations

import errno
import fcntl
import os
from pathlib import Path
from typing import Self

from raggate_action.errors import RunStoreError
from raggate_action.run_store.run_files import store_errors


class WriterLock:
    """Keeps other processes from writing into a run directory.

    The system holds it for the open directory itself and ends it with the process, however that ends: there is no
    file that a killed run could leave behind.
    """

    def __init__(self, file: int) -> None:
        """Take over the open directory; `take` is the way in."""
        self._file = file

    @classmethod
    def take(cls, directory: Path) -> Self:
        """Be the only writer of `directory`, which is there.

        Raises:
            RunStoreError: Another process is, or the directory cannot be opened.
        """
        with store_errors(directory):
            file = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            # Some network file systems have no such locks: no other error keeps the run from starting.
            if error.errno in (errno.EACCES, errno.EAGAIN):
                os.close(file)
                raise RunStoreError(
                    f"another process is writing its run into {directory}",
                    hint="Wait until it has finished, or choose another directory with --out.",
                ) from error
        return cls(file)

    def release(self) -> None:
        """Let others write; releasing twice is releasing once."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
