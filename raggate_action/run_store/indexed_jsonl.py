"""A file of our own lines that is appended to while a run goes on: each is with the system once it is added.

In memory are only the places of lines, which whoever keeps the file remembers by what it looks them up by.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from pydantic import ValidationError

from raggate_action.errors import RunStoreError
from raggate_action.run_store.run_files import BUFFER_BYTES, open_existing, open_new, store_errors, write_whole
from raggate_action.schema.base import Record
from raggate_action.schema.json_lines import json_line

RecordT = TypeVar("RecordT", bound=Record)
_OWNERS_ALONE = 0o600


class Place(NamedTuple):
    """Where a line stands, in bytes."""

    start: int
    length: int


class PlacedLines(Generic[RecordT]):
    """Lines of one kind of record, appended and read by place; they outlive a kill of this process."""

    def __init__(self, path: Path | None, record: type[RecordT], *, owners_alone: bool, whole: bool = True) -> None:
        """Nothing is written yet, and no file is made.

        Args:
            path: Where the file will be; None is a nameless one, of which nothing stays.
            record: What a line holds.
            owners_alone: Nobody else may read the file.
            whole: See `json_line`; False where no number of a record can be infinite, which is quicker.
        """
        self._path = path
        self._record = record
        self._owners_alone = owners_alone
        self._whole = whole
        self._file = -1
        self._end = 0

    def add(self, record: RecordT) -> Place:
        """Append a line; the first makes the file.

        Raises:
            RunStoreError: It cannot be written.
        """
        content = json_line(record, whole=self._whole)
        if self._file < 0:
            self._file = self._begun()
        with store_errors(self._label):
            write_whole(self._file, content)
        return self._next(len(content))

    def read(self, place: Place) -> RecordT:
        """The line at a place."""
        with store_errors(self._label):
            return self._record.model_validate_json(os.pread(self._file, place.length, place.start))

    def recovered(self) -> Iterator[tuple[RecordT, Place]]:
        """Go on with the file of a run that stopped: its lines and places; a last partial line is cut off.

        Raises:
            RunStoreError: A line before the last was not written by us.
        """
        file = open_existing(self._path) if self._path is not None else None
        if file is None:
            return
        self._file = file
        # The descriptor stays open: it is appended to afterwards.
        with store_errors(self._label), open(file, "rb", buffering=BUFFER_BYTES, closefd=False) as stream:
            for number, content in enumerate(stream, start=1):
                if not content.endswith(b"\n"):
                    break
                yield self._parsed(content, number), self._next(len(content))
            os.ftruncate(file, self._end)

    def close(self) -> None:
        """Let go of the file, which stays. Closing twice is closing once."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    @property
    def _label(self) -> Path | str:
        return self._path or "a temporary file"

    def _next(self, length: int) -> Place:
        place = Place(self._end, length)
        self._end += length
        return place

    def _begun(self) -> int:
        with store_errors(self._label):
            if self._path is None:
                with tempfile.TemporaryFile() as file:
                    return os.dup(file.fileno())
            begun = open_new(self._path)
            if self._owners_alone:
                os.fchmod(begun, _OWNERS_ALONE)
            return begun

    def _parsed(self, content: bytes, number: int) -> RecordT:
        try:
            return self._record.model_validate_json(content)
        except ValidationError:
            self.close()
            raise RunStoreError(
                f"{self._path}:{number}: this line was not written by raggate",
                hint="The run directory is damaged: run again without --resume.",
            ) from None
