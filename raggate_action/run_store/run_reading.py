"""Reading a stored run back: strictly, with the file and line of whatever is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from itertools import zip_longest
from typing import NamedTuple, Protocol, TypeVar

from pydantic import ValidationError

from raggate_action.errors import RowsError, RunStoreError
from raggate_action.run_store.run_file import header_of, read_header, see_fits, see_readable
from raggate_action.run_store.run_files import (
    BASELINE,
    BY_BASELINE,
    COMPARISON,
    HISTORY,
    PUBLICATION,
    ROWS,
    RUN,
    SUITE,
    TRACES,
)
from raggate_action.run_store.stored_files import RunFiles, RunSource, file_label, files_of, read_document, read_lines
from raggate_action.run_store.work_file import work_lines
from raggate_action.schema.base import Record
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.history import HISTORY_AT_MOST, HistoryLine
from raggate_action.schema.json_lines import case_id_of
from raggate_action.schema.later import Comparison, MainAnswers, Publication, StoredSuite
from raggate_action.schema.run import Run, StartedRun
from raggate_action.schema.trace import Trace, TraceLine

_MOST_PROBLEMS = 3
# Histories that were put together may have more lines than one.
_HISTORIES = 5
# A file with more problems was made to have them, and listing them would take too long.
_PROBLEMS_LISTED = 1000
_MESSAGE_CHARACTERS = 500
_NOT_WHOLE = "The run is not whole: make it again."
_DAMAGED = "The file was changed or cut after raggate wrote it: make the run again."

AnyRecord = TypeVar("AnyRecord", bound=Record)


class OfCase(Protocol):
    """A line of a case."""

    @property
    def case_id(self) -> str | None:
        """Its case."""


AnyRow = TypeVar("AnyRow", bound=OfCase)
AnyTrace = TypeVar("AnyTrace", bound=OfCase)


class StoredTrace(NamedTuple):
    """A trace as the run directory holds it, with the case it answered; chunk texts may have been left out.

    Attributes:
        case_id: The case.
        trace: Its trace.
        withheld: The answer was kept out of the file.
    """

    case_id: str
    trace: Trace
    withheld: bool = False


def read_run(source: RunSource) -> Run:
    """The run stored in a directory, or in whatever else has its files.

    Raises:
        RunStoreError: There is none, it is not complete, another raggate's format, or it is off schema.
    """
    stored = read_stored(source)
    if isinstance(stored, Run):
        return stored
    raise RunStoreError(
        f"the run in {files_of(source).where} is not finished: it is still being written or was stopped",
        hint="Wait for its end; a run that was stopped goes on by `run --resume`.",
    )


def read_stored(source: RunSource) -> Run | StartedRun:
    """The run in a directory, finished or not.

    Raises:
        RunStoreError: There is none, another raggate's format, or it is off schema.
    """
    files = files_of(source)
    content = read_document(files, RUN)
    if content is None:
        raise RunStoreError(
            f"{files.where} holds no run: {RUN} is missing", hint="Give a directory that `run --out` has written."
        )
    header = header_of(content)
    if header is not None:
        see_readable(files, header)
    where = file_label(files, RUN)
    if header is not None and not header.complete:
        return _parsed(StartedRun, content, where)
    return _parsed(Run, content, where)


def read_started(source: RunSource) -> StartedRun | None:
    """What the stored run began with; None when there is no run, or a complete one. Raises as `read_stored`."""
    header = read_header(source)
    if header is not None:
        see_readable(source, header)
    stored = read_stored(source) if header is not None and not header.complete else None
    return stored if isinstance(stored, StartedRun) else None


def read_rows(source: RunSource) -> Iterator[CaseRun]:
    """The rows of the stored run, one at a time; in suite order once the run is complete.

    Raises:
        RunStoreError: A line is off schema. Of a run that did not end they are read from its work file.
    """
    yield from _records(CaseRun, files_of(source), ROWS)


def rows_named(source: RunSource, cases: AbstractSet[str]) -> Mapping[str, CaseRun]:
    """The rows of these cases of a finished run, by id; no other row is parsed.

    Raises:
        RunStoreError: One is off schema, or a case has no row.
    """
    files = files_of(source)
    see_fits(files, ROWS)
    lines = read_lines(files, ROWS)
    rows = [_parsed(CaseRun, line, where) for where, line in lines if case_id_of(line) in cases]
    found = {row.case_id: row for row in rows}
    if missing := cases - found.keys():
        raise RowsError(f"{file_label(files, ROWS)}: case {min(missing)!r} has no row", hint=_HINT)
    return found


def read_traces(source: RunSource) -> Iterator[StoredTrace]:
    """The traces of the stored run, one at a time, in the order of its rows.

    Raises:
        RunStoreError: As `read_rows`.
    """
    for line in read_trace_lines(source):
        yield StoredTrace(line.case_id or "", line.trace, line.withheld)


def read_trace_lines(source: RunSource) -> Iterator[TraceLine]:
    """The same with all that is kept beside each trace; every line names its case.

    Raises:
        RunStoreError: As `read_rows`.
    """
    for line in _records(TraceLine, files_of(source), TRACES):
        if line.case_id is None:
            raise RunStoreError(f"{file_label(files_of(source), TRACES)}: a line names no case", hint=_DAMAGED)
        yield line


def with_traces(rows: Iterable[AnyRow], traces: Iterable[AnyTrace]) -> Iterator[tuple[AnyRow, AnyTrace | None]]:
    """Each row of a stored run with its trace; both stand in one order, and some rows have none."""
    left = iter(traces)
    trace = next(left, None)
    for row in rows:
        if trace is not None and trace.case_id == row.case_id:
            yield row, trace
            trace = next(left, None)
        else:
            yield row, None


def read_main_answers(source: RunSource, decided_at: str) -> Iterator[MainAnswers]:
    """What the app answered in a stored run, and in those before it that the run has kept, case by case.

    In the order of its rows; cases without an answer give none.

    Args:
        source: Where it is stored.
        decided_at: When it was decided.

    Raises:
        RunStoreError: As `read_rows`.
    """
    from raggate_action.schema.main_answers import MAIN_ANSWERS_AT_MOST, MainAnswer, MainAnswers
    from raggate_action.schema.past_answer import PastReplies

    for line in _records(PastReplies, files_of(source), TRACES):
        if line.case_id is None or line.withheld:
            continue
        own = [
            MainAnswer(text=each.text, run=decided_at, grounds=grounds, false=number in line.false_answers)
            for number, (each, grounds) in enumerate(zip_longest((line, *line.asks), line.grounds))
            if each is not None and each.error is None and each.text.strip()
        ]
        if own:
            yield MainAnswers(case_id=line.case_id, answers=(*own, *line.earlier)[:MAIN_ANSWERS_AT_MOST])


def stored_cases(source: RunSource) -> Iterator[tuple[bytes, bytes | None]]:
    """Each case of a finished run as it is stored, one at a time: the line of its row, and of its trace if it has one.

    Raises:
        RunStoreError: A file is missing, or a line is too large.
    """
    files = files_of(source)
    for name in (ROWS, TRACES):
        see_fits(files, name)
    traces = (line for _where, line in read_lines(files, TRACES))
    trace = next(traces, None)
    for _where, row in read_lines(files, ROWS):
        if trace is not None and case_id_of(trace) == case_id_of(row):
            yield row, trace
            trace = next(traces, None)
        else:
            yield row, None


def read_comparison(source: RunSource) -> Comparison | None:
    """The comparison stored with the run; None when the run had no baseline.

    Raises:
        RunStoreError: It is off schema.
    """
    from raggate_action.schema.comparison import Comparison

    files = files_of(source)
    return _document(Comparison, files, COMPARISON) if see_fits(files, COMPARISON) else None


def read_publication(source: RunSource) -> Publication | None:
    """What became of the run after it was decided; None where nothing was published.

    Raises:
        RunStoreError: It is off schema.
    """
    from raggate_action.schema.origin import Publication

    return _document(Publication, files_of(source), PUBLICATION)


def read_baseline_answers(source: RunSource) -> Iterator[CaseRun]:
    """The rows of the baseline's answers as the run evaluated them again; none where it had not to.

    Raises:
        RunStoreError: As `read_rows`.
    """
    files = files_of(source)
    if see_fits(files, BASELINE):
        yield from parsed_lines(CaseRun, read_lines(files, BASELINE))


def read_suite(source: RunSource) -> StoredSuite:
    """The suite of a stored run, as data.

    Raises:
        RunStoreError: There is none, it is another one than the run was made of, or it is off schema.
    """
    from raggate_action.schema.stored_suite import StoredSuite

    files = files_of(source)
    suite = _document(StoredSuite, files, SUITE) if see_fits(files, SUITE) else None
    if suite is None:
        raise RunStoreError(f"{file_label(files, SUITE)}: No such file or directory", hint=_NOT_WHOLE)
    return suite


def read_by_baseline(source: RunSource, stored: Run, rows: Iterable[CaseRun]) -> Iterator[CaseRun]:
    """The rows of a finished run as they come out by its baseline's suite; behind them those of cases asked once more.

    Args:
        source: Where they are stored.
        stored: The run.
        rows: Its own rows.

    Raises:
        RunStoreError: A row is none of the run's.
    """
    files = files_of(source)
    others = _records(CaseRun, files, BY_BASELINE) if see_fits(files, BY_BASELINE) else iter(())
    other = next(others, None)
    for row in rows:
        if other is not None and (other.position, other.case_id) == (row.position, row.case_id):
            yield other
            other = next(others, None)
        else:
            yield row
    while other is not None:
        if other.position < len(stored.suite_cases):
            raise RowsError(f"{file_label(files, BY_BASELINE)}: case {other.case_id!r} is out of its order", hint=_HINT)
        yield other
        other = next(others, None)


def read_history(source: RunSource) -> tuple[HistoryLine, ...]:
    """The runs of the branch before the stored one, as its file has them; none of a run without a history.

    Raises:
        RunStoreError: A line is off schema.
    """
    files = files_of(source)
    if not see_fits(files, HISTORY):
        return ()
    return tuple(parsed_lines(HistoryLine, read_lines(files, HISTORY, at_most=_HISTORIES * HISTORY_AT_MOST)))


def parsed_lines(record: type[AnyRecord], lines: Iterable[tuple[str, bytes]]) -> Iterator[AnyRecord]:
    """Lines of JSON as records.

    Args:
        record: What each line holds.
        lines: Each with what messages call it.

    Raises:
        RunStoreError: A line is off schema, or the last one lacks its end.
    """
    for where, line in lines:
        if not line.endswith(b"\n"):
            raise RunStoreError(f"{where}: the last line is cut off", hint=_DAMAGED)
        yield _parsed(record, line, where)


def _records(record: type[AnyRecord], files: RunFiles, name: str) -> Iterator[AnyRecord]:
    header = read_header(files)
    see_fits(files, name)
    is_whole = header is None or header.complete
    return parsed_lines(record, read_lines(files, name) if is_whole else work_lines(files, name))


def _document(record: type[AnyRecord], files: RunFiles, name: str) -> AnyRecord | None:
    content = read_document(files, name)
    return None if content is None else _parsed(record, content, file_label(files, name))


def _parsed(record: type[AnyRecord], content: bytes, where: str) -> AnyRecord:
    try:
        return record.model_validate_json(content)
    except ValidationError as error:
        raise RunStoreError(f"{where}: {_problems(error)}", hint=_DAMAGED) from None


def _problems(error: ValidationError) -> str:
    """The first problems on one line. Names in them may come from a stranger: what does not print is shown as `?`."""
    if error.error_count() > _PROBLEMS_LISTED:
        return f"off schema in {error.error_count():,} places"
    found = error.errors(include_url=False, include_context=False, include_input=False)
    listed = [": ".join(filter(None, [".".join(map(str, e["loc"])), e["msg"]])) for e in found[:_MOST_PROBLEMS]]
    text = "; ".join([*listed, f"and {len(found) - len(listed)} more"] if len(found) > len(listed) else listed)
    return "".join([c if c.isprintable() else "?" for c in text[:_MESSAGE_CHARACTERS]])


_HINT = "The run directory was changed after raggate wrote it: make the run again."


def rows_of(source: RunSource, stored: Run | StartedRun) -> Iterator[CaseRun]:
    """The rows of a stored run: exactly the cases in scope, once each; of a run that did not end, some of them.

    Args:
        source: Where the rows are.
        stored: What `run.json` says of the run.

    Raises:
        RowsError: A row is none of a case in scope, a case has two rows or none, or `suite_cases` cannot be true.
        RunStoreError: As `read_rows`.
    """
    files, cases = files_of(source), stored.suite_cases
    _see_suite(stored, file_label(files, RUN))
    where = file_label(files, ROWS)
    left = {place: (case_id, digest) for place, (case_id, digest, in_scope) in enumerate(cases) if in_scope}
    in_scope = len(left)
    for row in read_rows(files):
        if left.pop(row.position, None) != (row.case_id, row.digest):
            what = f"case {row.case_id!r} has a second row, or is none of those the run was to run"
            raise RowsError(f"{where}: {what}", hint=_HINT)
        yield row
    if left and stored.complete and not (isinstance(stored, Run) and stored.cancelled):
        lack = "case has" if len(left) == 1 else "cases have"
        first = f"first {next(iter(left.values()))[0]!r}, though the run is complete"
        raise RowsError(f"{where}: {len(left)} of {in_scope} {lack} no row, {first}", hint=_HINT)


def _see_suite(stored: Run | StartedRun, where: str) -> None:
    cases = stored.suite_cases
    if len({case_id for case_id, _digest, _in_scope in cases}) < len(cases):
        raise RowsError(f"{where}: suite_cases names a case twice", hint=_HINT)
    if stored.scope == "full" and not stored.case_filter and not all(in_scope for _id, _digest, in_scope in cases):
        raise RowsError(f"{where}: the scope is full, and suite_cases leaves cases out", hint=_HINT)
