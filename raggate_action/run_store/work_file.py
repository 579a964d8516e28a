"""Everything that a run knows before it ends, in one SQLite file: `report` and `--resume` read it.

    cases         position | row, trace                     a finished case: its lines of `cases.jsonl`, `traces.jsonl`
    by_baseline   position | line                           the same case by the baseline's suite, if it is otherwise
    answers       position, ask | trace, reason, detail,    an answer whose case has no row yet, and the verdicts on it;
                    latency_ms, labelled, verdicts          `reason` and `detail` stand in place of a trace
    judgements    number | key, lost, before, line          what a judge said; `before` counts the comparisons since
    main_answers  case_id | line                            what the baseline's app answered

What stands before the bar is the key. A row takes the place of its case's answers in one commit. At the end the lines
become the files of the run directory, in suite order, and the work file is removed.

The file is hidden, so that an upload of the directory leaves it out, and its owner's alone: answers stand in it with
all their chunks, and judges with their words. An answer that holds what its asker may not read never waits.

A kill loses nothing that was committed, for the system has it then. A power cut may lose the last commits, but does not
damage the file: it has a write-ahead log (`-wal`, `-shm` beside it) and is synced at each checkpoint.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any, Final

from pydantic import TypeAdapter

from raggate_action.errors import RunStoreError
from raggate_action.run_store.run_files import BY_BASELINE, ROWS, TRACES, open_new, remove
from raggate_action.run_store.stored_files import LINE, DirectoryFiles, RunFiles, refuse_larger
from raggate_action.schema.json_lines import json_line
from raggate_action.schema.later import Judgement
from raggate_action.schema.trace import Answered, NoTrace, Reply, TargetFailure, Trace
from raggate_action.schema.verdicts import Verdicts

WORK: Final = ".work.sqlite3"
_OWNERS_ALONE = 0o600
_ANSWER: Final = "trace BLOB, reason TEXT, detail BLOB, latency_ms REAL, labelled INTEGER, verdicts BLOB"
_TABLES: Final = (
    "CREATE TABLE cases (position INTEGER PRIMARY KEY, row BLOB NOT NULL, trace BLOB)",
    "CREATE TABLE by_baseline (position INTEGER PRIMARY KEY, line BLOB NOT NULL)",
    f"CREATE TABLE answers (position INTEGER, ask INTEGER, {_ANSWER}, PRIMARY KEY (position, ask))",
    "CREATE TABLE judgements (number INTEGER PRIMARY KEY, key TEXT, lost INTEGER, before INTEGER, line BLOB NOT NULL)",
    "CREATE INDEX judgements_by_key ON judgements (key)",
    "CREATE TABLE main_answers (case_id BLOB PRIMARY KEY, line BLOB NOT NULL)",
)
_ALL_BY_BASELINE: Final = "rows by the baseline's suite"
_LINES: Final = {
    ROWS: "SELECT position, row FROM cases ORDER BY position",
    TRACES: "SELECT position, trace FROM cases WHERE trace IS NOT NULL ORDER BY position",
    BY_BASELINE: "SELECT position, line FROM by_baseline ORDER BY position",
    _ALL_BY_BASELINE: "SELECT position, coalesce(line, row) FROM cases LEFT JOIN by_baseline USING (position)"
    " UNION ALL SELECT position, line FROM by_baseline WHERE position NOT IN (SELECT position FROM cases)",
}
_DAMAGED = "The run directory is damaged: run again without --resume, or remove the file."
_HINTS = {
    "SQLITE_FULL": "The disk is full: free some space and go on with --resume.",
    "SQLITE_CORRUPT": _DAMAGED,
    "SQLITE_NOTADB": _DAMAGED,
}


@cache
def _verdicts() -> TypeAdapter[Verdicts]:
    return TypeAdapter(Verdicts)


def _judgement(line: bytes) -> Judgement:
    from raggate_action.schema.judgement import Judgement

    return Judgement.model_validate_json(line)


class WorkFile:
    """The work file of a run, or a nameless one, of which nothing stays; in memory is only a page cache."""

    def __init__(self, path: Path | None = None) -> None:
        """Open a file that is there; `at` sees to that.

        Args:
            path: The file; None is a nameless one.

        Raises:
            RunStoreError: It cannot be opened, is damaged, or was not written by this version of raggate.
        """
        self._label = str(path or "a temporary file")
        self._is_open = True
        try:
            self._database = database = _connected(path)
            if path is None:
                database.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
            else:
                database.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
            if not _layout(database):
                database.executescript(f"BEGIN; {'; '.join(_TABLES)}; COMMIT")
            _refuse_strange(database, self._label)
        except sqlite3.Error as error:
            raise _store_error(self._label, error) from None

    @classmethod
    def at(cls, directory: Path) -> WorkFile:
        """The work file of a run directory: the one that a run left when it stopped, else a new one.

        Raises:
            RunStoreError: It is a link or no file, or cannot be made, or see `__init__`.
        """
        if not _is_there(directory):
            os.close(open_new(directory / WORK, _OWNERS_ALONE))
        return cls(directory / WORK)

    # Finished cases

    def add_case(self, position: int, row: bytes, trace: bytes | None) -> None:
        """Keep a finished case in place of its answers; it outlives a kill from the next commit on.

        Args:
            position: Its place in the suite's order.
            row: Its line of `cases.jsonl`.
            trace: Its line of `traces.jsonl`; None where it left none.

        Raises:
            RunStoreError: It cannot be written, or an earlier one could not.
        """
        self._write("DELETE FROM answers WHERE position = ?", position)
        self._write("INSERT INTO cases VALUES (?, ?, ?)", position, row, trace)

    def lines(self, name: str) -> Iterator[tuple[str, bytes]]:
        """The lines that will be a file of the run directory, in suite order, and what messages call each."""
        return _lines(self._database, self._label, name)

    def add_by_baseline(self, position: int, line: bytes) -> None:
        """Keep how a case comes out by the baseline's suite; it is safe with the next commit."""
        self._write("INSERT OR REPLACE INTO by_baseline VALUES (?, ?)", position, line)

    def has_by_baseline(self, position: int) -> bool:
        """Whether it is kept."""
        return any(self._each("SELECT 1 FROM by_baseline WHERE position = ?", position))

    def lines_by_baseline(self) -> Iterator[tuple[str, bytes]]:
        """Every case as it comes out by the baseline's suite; behind them those of cases that only that has."""
        return _lines(self._database, self._label, _ALL_BY_BASELINE)

    # Answers that are not rows yet

    def positions(self) -> list[int]:
        """The cases that wait for their row, in suite order."""
        return [each for (each,) in self._each("SELECT position FROM answers WHERE ask = 0 ORDER BY position")]

    def has_reply(self, position: int, ask: int) -> bool:
        """Whether a case waits with the answer to an ask, the first being 0."""
        return any(self._each("SELECT 1 FROM answers WHERE position = ? AND ask = ?", position, ask))

    def add_reply(self, position: int, reply: Reply, ask: int = 0) -> None:
        """A case has been asked, and its row has to wait: outlives a kill once this returns.

        Raises:
            RunStoreError: It cannot be written.
        """
        values: tuple[object, ...]
        match reply:
            case Answered(trace, latency_ms, labelled):
                values = (json_line(trace, whole=True), None, None, latency_ms, labelled)
            case TargetFailure(error, latency_ms):
                values = (None, None, error.encode(errors="replace"), latency_ms, None)
            case NoTrace(reason, detail):
                values = (None, reason, detail.encode(errors="replace"), None, None)
        self._write("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, NULL)", position, ask, *values)
        self.commit()

    def reply(self, position: int, ask: int = 0) -> Reply:
        """What the target gave for a case that waits."""
        select = "SELECT trace, reason, detail, latency_ms, labelled FROM answers WHERE position = ? AND ask = ?"
        [(trace, reason, detail, latency_ms, labelled)] = self._each(select, position, ask)
        if trace is not None:
            return Answered(Trace.model_validate_json(trace), latency_ms, bool(labelled))
        return NoTrace(reason, detail.decode()) if reason else TargetFailure(detail.decode(), latency_ms)

    def add_verdicts(self, position: int, verdicts: Verdicts, ask: int = 0) -> None:
        """The verdicts on an answer that waits have come. As `add_reply`."""
        line = json_line(verdicts, whole=True)
        self._write("UPDATE answers SET verdicts = ? WHERE position = ? AND ask = ?", line, position, ask)
        self.commit()

    def verdicts(self, position: int, ask: int = 0) -> Verdicts | None:
        """The verdicts on an answer that waits; None while there are none."""
        select = "SELECT verdicts FROM answers WHERE position = ? AND ask = ? AND verdicts IS NOT NULL"
        return next((_verdicts().validate_json(line) for (line,) in self._each(select, position, ask)), None)

    # What judges said

    def add_judgement(self, judgement: Judgement) -> None:
        """Keep a judgement. As `add_reply`."""
        line = json_line(judgement, whole=True)
        insert = "INSERT INTO judgements (key, lost, before, line) VALUES (?, ?, 0, ?)"
        self._write(insert, judgement.key, judgement.lost is not None, line)
        self.commit()

    def judgement(self, key: str) -> Judgement | None:
        """What was said first to this very question; None where nothing that counts was."""
        select = "SELECT line FROM judgements WHERE key = ? AND lost = 0 AND before = 0 ORDER BY number LIMIT 1"
        return next((_judgement(line) for (line,) in self._each(select, key)), None)

    def judgements(self) -> Iterator[Judgement]:
        """Every judgement, in the order they were said."""
        for (line,) in self._each("SELECT line FROM judgements WHERE before = 0"):
            yield _judgement(line)

    def judgements_by(self, rank: Callable[[Judgement], tuple[Any, ...]]) -> Iterator[Judgement]:
        """The same in order of their ranks, which alone stand in memory."""
        select = "SELECT number, line FROM judgements WHERE before = 0"
        ranks = [(rank(_judgement(line)), number) for number, line in self._each(select)]
        for _rank, number in sorted(ranks):
            [(line,)] = self._each("SELECT line FROM judgements WHERE number = ?", number)
            yield _judgement(line)

    def set_aside(self, lines: Iterable[bytes]) -> None:
        """Begin another comparison: what was said is earlier now, and so are these lines of the one before."""
        self._write("UPDATE judgements SET before = before + 1")
        for line in lines:
            self._write("INSERT INTO judgements (before, line) VALUES (1, ?)", line)
        self.commit()

    def judged_before(self) -> Iterator[bytes]:
        """The lines of earlier comparisons, the last comparison's first."""
        select = "SELECT line FROM judgements WHERE before > 0 ORDER BY before, number"
        return (line for (line,) in self._each(select))

    # What the baseline's app answered

    def add_main_answer(self, case_id: str, line: bytes) -> None:
        """Keep what it answered to a case."""
        self._write("INSERT OR REPLACE INTO main_answers VALUES (?, ?)", case_id.encode(errors="replace"), line)

    def main_answer(self, case_id: str) -> bytes | None:
        """What it answered to a case; None where nothing is kept."""
        select = "SELECT line FROM main_answers WHERE case_id = ?"
        return next((line for (line,) in self._each(select, case_id.encode(errors="replace"))), None)

    def commit(self) -> None:
        """Hand everything that was added to the system.

        Raises:
            RunStoreError: It cannot be written; nothing can be added any more.
        """
        try:
            self._database.commit()
        except sqlite3.Error as error:
            raise self._failed(error) from None

    def close(self) -> None:
        """Let go of the file, which stays; what was added is committed. Closing twice is closing once."""
        if self._is_open:
            self.commit()
            self._is_open = False
        self._database.close()

    def remove(self, directory: Path) -> None:
        """The run is complete: remove the file."""
        # What is removed next need not be safe on disk.
        self._write("PRAGMA synchronous = OFF")
        self.close()
        remove_work_file(directory)

    def _write(self, statement: str, *values: object) -> None:
        try:
            self._database.execute(statement, values)
        except sqlite3.Error as error:
            raise self._failed(error) from None

    def _each(self, statement: str, *values: object) -> Iterator[Any]:
        return _rows(self._database, self._label, statement, *values)

    def _failed(self, error: sqlite3.Error) -> RunStoreError:
        """Nothing may be added to half a batch: what was committed is there for a resume."""
        self._is_open = False
        self._database.close()
        return _store_error(self._label, error)


def work_lines(files: RunFiles, name: str) -> Iterator[tuple[str, bytes]]:
    """The lines of a run that did not end, as `WorkFile.lines`; none where its work file is not at hand.

    Raises:
        RunStoreError: It is a link or no file, cannot be read, is damaged, or holds too large a line.
    """
    if not isinstance(files, DirectoryFiles) or not _is_there(files.path):
        return
    label = str(files.path / WORK)
    try:
        database = _connected(files.path / WORK, mode="ro")
        database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LINE.length)
        with closing(database):
            if _layout(database):
                _refuse_strange(database, label)
                for where, line in _lines(database, label, name):
                    refuse_larger(LINE, line, where, "the line")
                    yield where, line
    except sqlite3.Error as error:
        raise _store_error(label, error) from None


def _lines(database: sqlite3.Connection, label: str, name: str) -> Iterator[tuple[str, bytes]]:
    for position, line in _rows(database, label, _LINES[name]):
        yield f"{label}: case {position} in {name}", line


def _rows(database: sqlite3.Connection, label: str, statement: str, *values: object) -> Iterator[Any]:
    try:
        yield from database.execute(statement, values)
    except sqlite3.Error as error:
        raise _store_error(label, error) from None


def _connected(path: Path | None, mode: str = "rw") -> sqlite3.Connection:
    where = "" if path is None else f"{path.absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(where, uri=True, check_same_thread=False)


def _layout(database: sqlite3.Connection) -> tuple[str, ...]:
    # SQLite before 3.33 does not know it as `sqlite_schema`.
    return tuple([sql for (sql,) in database.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")])


def _refuse_strange(database: sqlite3.Connection, label: str) -> None:
    """See that a file is whole and holds our tables alone: another's might do something when they are read."""
    if _layout(database) != _TABLES or database.execute("PRAGMA quick_check(1)").fetchall() != [("ok",)]:
        database.close()
        raise RunStoreError(f"{label} was not written by this version of raggate", hint=_DAMAGED)


def _store_error(label: str, error: sqlite3.Error) -> RunStoreError:
    hint = _HINTS.get(getattr(error, "sqlite_errorname", ""), "Check the directory given with --out.")
    return RunStoreError(f"{label}: {error}", hint=hint)


def _files(directory: Path) -> list[Path]:
    return [directory / f"{WORK}{end}" for end in ("", "-wal", "-shm", "-journal")]


def _is_there(directory: Path) -> bool:
    """Whether a directory has a work file; SQLite would follow a link and wait for a pipe."""
    for path in _files(directory):
        if os.path.lexists(path) and not stat.S_ISREG(path.lstat().st_mode):
            raise RunStoreError(
                f"{path} is not a regular file", hint="Remove it, or choose another directory with --out."
            )
    return (directory / WORK).exists()


def remove_work_file(directory: Path) -> None:
    """Remove the work file of a run directory, if there is one."""
    for path in _files(directory):
        remove(path)
