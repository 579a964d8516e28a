"""The cases of a suite, read from their files when they are wanted and not kept."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple

from pydantic import ValidationError

from raggate_action.errors import SuiteError
from raggate_action.json_lines import case_id_of
from raggate_action.schema.case import Case, PlacedCase
from raggate_action.suite_files.case_table import CaseFile, CaseTable, Row

_OPEN_AT_MOST = 16


class CaseEntry(NamedTuple):
    """A case as an index lists it.

    Attributes:
        case_id: Its id.
        digest: Its digest, see `case_digest`.
        position: Place in the suite's order, from 0.
        weight: Its weight.
        file: Path of its file, relative to the working directory where possible.
        line: Line it starts on, from 1.
    """

    case_id: str
    digest: str
    position: int
    weight: float
    file: str
    line: int


class CaseFiles:
    """All cases of a suite in the suite's order: heavier first, then as the files and the cases in them stand.

    What stands in YAML, JSON or CSV is kept as records; lines of JSONL are read again each time.

    Attributes:
        cases_digest: Digest over all case digests in the suite's order.
    """

    def __init__(self, table: CaseTable) -> None:
        self._table = table
        self._order = table.by_weight()
        self.cases_digest = table.digest_in(self._order)

    def __len__(self) -> int:
        return len(self._table)

    def has(self, case_id: str) -> bool:
        """Whether the suite has a case of this id; by its hash, which no two ids of a suite share in practice."""
        return bool(self._table.candidates(case_id))

    def index(self) -> Iterator[CaseEntry]:
        """Every case by id, without its content.

        Raises:
            SuiteError: A file has changed since it was checked.
        """
        with _open_lines() as lines:
            for position in range(len(self)):
                number = self._number(position)
                row = self._table.row(number)
                file = self._table.files[row.file]
                case_id = lines.case_id(file, row.offset) if file.by_line else self._table.kept[row.offset].case_id
                yield CaseEntry(case_id, self._table.digest(number), position, row.weight, file.shown, row.line)

    def load(self, positions: Iterable[int] | None = None) -> Iterator[PlacedCase]:
        """The cases at `positions`, in the order given; all of them, in the suite's order, when None.

        Raises:
            SuiteError: A file has changed since it was checked.
            IndexError: There is no such position.
        """
        with _open_lines() as lines:
            for position in range(len(self)) if positions is None else positions:
                number = self._number(position)
                row = self._table.row(number)
                file = self._table.files[row.file]
                case = lines.case(file, row) if file.by_line else self._table.kept[row.offset]
                yield PlacedCase(case, position, self._table.digest(number), file.shown, row.line)

    def _number(self, position: int) -> int:
        if not 0 <= position < len(self):
            raise IndexError(position)
        return self._order[position] if self._order is not None else position


class _Stream:
    """An open file, and where in it the next read begins: `tell` would ask the system each time."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        self.at = 0


class LineReader:
    """Reads single lines of files; a few files stay open, and reading on from the last line needs no seek."""

    def __init__(self) -> None:
        self._streams: OrderedDict[Path, _Stream] = OrderedDict()

    def case(self, file: CaseFile, row: Row) -> Case:
        """The case of a row."""
        try:
            return Case.model_validate_json(self._line(file, row.offset))
        except ValidationError:
            raise _changed(file) from None

    def case_id(self, file: CaseFile, offset: int) -> str:
        """The id of the case whose line begins at `offset`."""
        case_id = case_id_of(self._line(file, offset))
        if case_id is None:
            raise _changed(file)
        return case_id

    def close(self) -> None:
        """Close what is open."""
        while self._streams:
            self._streams.popitem()[1].file.close()

    def _line(self, file: CaseFile, offset: int) -> bytes:
        stream = self._streams.get(file.path) or self._open(file)
        if stream.at != offset:
            stream.file.seek(offset)
        line = stream.file.readline()
        stream.at = offset + len(line)
        return line

    def _open(self, file: CaseFile) -> _Stream:
        try:
            if stamp_of(file.path) != file.stamp:
                raise _changed(file)
            stream = _Stream(file.path.open("rb"))
        except OSError:
            raise _changed(file) from None
        if len(self._streams) >= _OPEN_AT_MOST:
            self._streams.popitem(last=False)[1].file.close()
        self._streams[file.path] = stream
        return stream


@contextmanager
def _open_lines() -> Iterator[LineReader]:
    reader = LineReader()
    try:
        yield reader
    finally:
        reader.close()


def stamp_of(path: Path) -> tuple[int, int]:
    """What tells that a file is still the one that was checked: its size and its time of change."""
    status = path.stat()
    return status.st_size, status.st_mtime_ns


def _changed(file: CaseFile) -> SuiteError:
    return SuiteError(f"{file.shown} has changed since it was checked", hint="Run the command again.")
