"""Traces recorded before, one JSON object per line, joined with cases by `case_id`."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO, NamedTuple

from pydantic import ValidationError

from raggate_action.errors import TargetError
from raggate_action.isolation.secrets import Secrets
from raggate_action.json_lines import case_id_of
from raggate_action.schema.case import PlacedCase
from raggate_action.schema.reply_limits import TOO_MANY_NODES, json_has_too_many_nodes
from raggate_action.schema.trace import Answered, NoTrace, Reply, TargetFailure, Trace, TraceLine
from raggate_action.targets.error_line import ErrorLines
from raggate_action.targets.interface import TOGETHER
from raggate_action.targets.read_reply import (
    LARGEST_REPLY,
    TOO_LARGE,
    OffSchema,
    excerpt_of,
    off_schema,
    without_blank_error,
)
from raggate_action.targets.trace_index import BYTE_ORDER_MARK, TraceIndex, TraceProblems, nameless

_READ_AHEAD = 1 << 20
# Single lines are fetched by offset; what is read beyond them is thrown away.
_READ_ONE = 1 << 14
_WITHHELD = "its answer was kept out of the file, for it repeated text that its asker may not read"


class _Recorded(NamedTuple):
    """A line that names its case.

    Attributes:
        number: Its line, from 1.
        case_id: The case it is of.
        trace: Its trace, or why it is none.
        line: The line itself.
        withheld: The answer was kept out of the file: nobody can judge it again.
    """

    number: int
    case_id: str
    trace: Trace | OffSchema
    line: bytes
    withheld: bool = False


class RecordedTraces:
    """Replies from a file of traces; implements `Target`.

    Cases and traces in the same order are read in step and nothing is kept. At the first difference an index of the
    file is built, see `TraceIndex`.

    Attributes:
        problems: After the last reply, what is wrong with the file as a whole: `file:line: what`, at most a hundred.
    """

    def __init__(
        self, traces: Path, *, labelled: bool, known: Callable[[str], bool], secrets: Sequence[str] = ()
    ) -> None:
        """Prepare; nothing is read yet.

        Args:
            traces: The file.
            labelled: Whether the suite's author vouches for labels inside the traces.
            known: Whether the suite has a case of this id, in this run's scope or not.
            secrets: Struck from every trace as it is read.
        """
        self.problems: tuple[str, ...] = ()
        self._traces = traces
        self._label = _from_here(traces)
        self._labelled = labelled
        self._known = known
        self._secrets = Secrets(secrets)
        self._lines = ErrorLines(secrets)

    async def replies(self, cases: Iterable[PlacedCase]) -> AsyncGenerator[tuple[PlacedCase, Reply], None]:
        """See `Target.replies`. Never suspends: waiting would cost more than reading."""
        pairs = self._in_step(iter(cases))
        try:
            while together := tuple(islice(pairs, TOGETHER)):
                for answer in together:
                    yield answer
        except OSError as error:
            raise TargetError(
                f"{self._label} cannot be read: {error.strerror or error}",
                hint="Write traces with `raggate-action record`, or correct `target: traces`.",
            ) from None

    def _in_step(self, cases: Iterator[PlacedCase]) -> Iterator[tuple[PlacedCase, Reply]]:
        problems = TraceProblems(self._label)
        with self._traces.open("rb", buffering=_READ_AHEAD) as file:
            lines = enumerate(_without_mark(file), start=1)
            for placed in cases:
                recorded = self._next_recorded(lines, problems)
                if recorded is None or recorded.case_id != placed.case.case_id:
                    yield from self._by_index(chain([placed], cases))
                    return
                yield placed, self._reply(recorded)
            if self._next_recorded(lines, problems) is not None:
                # Traces beyond the cases: the index tells whether they are out of scope, unknown or second ones.
                yield from self._by_index(iter(()))
                return
        self.problems = tuple(map(self._lines.line, problems.found))

    def _by_index(self, cases: Iterator[PlacedCase]) -> Iterator[tuple[PlacedCase, Reply]]:
        problems = TraceProblems(self._label)
        with self._traces.open("rb", buffering=_READ_ONE) as file:
            index = TraceIndex(file, self._known, problems)
            for placed in cases:
                case_id = placed.case.case_id
                found = index.find(case_id)
                recorded = _recorded(*found, self._secrets) if found else None
                # The index knows ids by their hash only.
                if recorded is None or recorded.case_id != case_id:
                    yield placed, NoTrace(reason="trace", detail=f"{self._label} has no trace of it")
                else:
                    yield placed, self._reply(recorded)
        self.problems = tuple(map(self._lines.line, problems.found))

    def _reply(self, recorded: _Recorded) -> Reply:
        trace = recorded.trace
        if recorded.withheld:
            return NoTrace(reason="trace", detail=f"{self._label}:{recorded.number}: {_WITHHELD}")
        if isinstance(trace, OffSchema):
            # A trace is one line of the file; the parser's own count of lines would only confuse.
            problem = trace.problem.replace("at line 1 column", "at column", 1)
            return TargetFailure(
                self._lines.line(f"{self._label}:{recorded.number}: {problem}"), excerpt=excerpt_of(recorded.line)
            )
        if trace.error is not None and (trace := without_blank_error(trace)).error is not None:
            return TargetFailure(self._lines.line(trace.error), trace.latency_ms, excerpt_of(recorded.line))
        return Answered(trace=trace, labelled=self._labelled)

    def _next_recorded(self, lines: Iterator[tuple[int, bytes]], problems: TraceProblems) -> _Recorded | None:
        """The next line that names a case; lines that name none are noted."""
        for number, line in lines:
            if line.isspace():
                continue
            if (recorded := _recorded(number, line, self._secrets)) is not None:
                return recorded
            problems.add(number, nameless(line))
        return None


def trace_of(line: bytes) -> Trace | OffSchema:
    """A line of a file of traces, read; labels are whatever stands there."""
    if (problem := _size_problem(line)) is not None:
        return OffSchema(problem)
    try:
        return Trace.model_validate_json(line)
    except ValidationError as error:
        return off_schema(error, line)


def _recorded(number: int, line: bytes, secrets: Secrets) -> _Recorded | None:
    """A line, read, its secrets struck; None when it names no case."""
    if (problem := _size_problem(line)) is not None:
        case_id = case_id_of(line)
        return None if case_id is None else _Recorded(number, case_id, OffSchema(problem), line)
    line = secrets.struck_reply(line)
    try:
        # Few lines say more than a trace. Reading every line as if it did would make a run a sixth slower.
        says_more = b'"reported_case_id"' in line or b'"withheld"' in line or b'"asks"' in line
        read = (TraceLine if says_more else Trace).model_validate_json(line)
    except ValidationError as error:
        case_id = case_id_of(line)
        return None if case_id is None else _Recorded(number, case_id, off_schema(error, line), line)
    if read.case_id is None:
        return None
    if isinstance(read, TraceLine):
        return _Recorded(number, read.case_id, read.trace, line, read.withheld)
    return _Recorded(number, read.case_id, read, line)


def _size_problem(line: bytes) -> str | None:
    if len(line) > LARGEST_REPLY:
        return TOO_LARGE
    return f"off schema: {TOO_MANY_NODES}" if json_has_too_many_nodes(line) else None


def _without_mark(file: BinaryIO) -> Iterator[bytes]:
    """Lines of a file; editors on some systems put a mark before the first."""
    first = file.readline().removeprefix(BYTE_ORDER_MARK)
    return chain([first], file) if first else iter(())


def _from_here(path: Path) -> str:
    try:
        return str(path.absolute().relative_to(Path.cwd()))
    except ValueError:
        return str(path)
