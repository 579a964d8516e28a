"""Traces recorded before, one JSON object per line, joined with cases by `case_id`, else by their question."""

from __future__ import annotations

import json
from array import array
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO

from pydantic import ValidationError
from pydantic_core import from_json, to_json

from raggate_action.errors import TargetError
from raggate_action.isolation.error_line import ErrorLines
from raggate_action.isolation.secrets import Secrets
from raggate_action.network.bounded_reply import BYTE_ORDER_MARK, json_problem
from raggate_action.replies.mapping import ReplyMismatchError
from raggate_action.schema.case import PlacedCase
from raggate_action.schema.trace import Answered, NoTrace, Reply, TargetFailure, Trace, TraceLine
from raggate_action.strings.questions import folded_question, question_of
from raggate_action.targets.interface import TOGETHER
from raggate_action.targets.read_reply import (
    LARGEST_REPLY,
    TOO_LARGE,
    OffSchema,
    Unread,
    excerpt_of,
    not_json,
    off_schema,
    without_blank_error,
)
from raggate_action.targets.reply_mapping import NotChosenError, ReplyMapping

_READ_AHEAD = 1 << 20
# Single lines are fetched by offset; what is read beyond them is thrown away.
_READ_ONE = 1 << 14
_NAMED_AT_MOST = 3
_PROBLEMS_AT_MOST = 100
_NAME_LENGTH = 80
# What a line of a stored run says beside its trace; each begins a field of `TraceLine`.
_SAYS_MORE = tuple([f'"{name}"'.encode() for name in TraceLine.model_fields.keys() - Trace.model_fields.keys()])
_WITHHELD = "its answer was kept out of the file, for it repeated text that its asker may not read"


class RecordedTraces:
    """Replies from a file of traces; implements `Asked`.

    Cases and traces in the same order are read in step and nothing is kept. At the first difference an index of the
    whole file is built, which finds what no single case could show: traces of cases the suite does not have, second
    traces of one case, lines that name no case.

    Attributes:
        mapping: How a line becomes a trace.
        problems: After the last reply, what is wrong with the file as a whole: `file:line: what`, at most a hundred.
    """

    def __init__(
        self,
        traces: Path,
        *,
        labelled: bool,
        known: Callable[[str], bool],
        questions: Callable[[], Iterable[tuple[str, str]]] = lambda: (),
        secrets: Sequence[str] = (),
        mapping: ReplyMapping | None = None,
    ) -> None:
        """Prepare; nothing is read yet.

        Args:
            traces: The file.
            labelled: Whether the suite's author vouches for labels inside the traces.
            known: Whether the suite has a case of this id, in this run's scope or not.
            questions: Id and question of every case; asked for once a trace names no case that the suite has.
            secrets: Struck from every trace as it is read.
            mapping: How a line becomes a trace; None for a suite that says nothing of it.
        """
        self.mapping = mapping or ReplyMapping()
        self.problems: tuple[str, ...] = ()
        self._traces = traces
        self._label = _from_here(traces)
        self._labelled = labelled
        self._known = known
        self._questions = questions
        self._by_question: dict[str, list[str]] | None = None
        self._says_more = False
        self._secrets = Secrets(secrets)
        self._lines = ErrorLines(secrets)
        self._noted: list[str] = []

    async def replies(self, cases: Iterable[PlacedCase]) -> AsyncGenerator[tuple[PlacedCase, Reply | Unread], None]:
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

    def _in_step(self, cases: Iterator[PlacedCase]) -> Iterator[tuple[PlacedCase, Reply | Unread]]:
        with self._traces.open("rb", buffering=_READ_AHEAD) as file:
            lines = enumerate(_without_mark(file), start=1)
            for placed in cases:
                recorded = self._next_recorded(lines)
                if recorded is None or recorded[0] != placed.case.case_id:
                    yield from self._by_index(chain([placed], cases))
                    return
                yield placed, recorded[1]
            if self._next_recorded(lines) is not None:
                # Traces beyond the cases: the index tells whether they are out of scope, unknown or second ones.
                yield from self._by_index(iter(()))
                return
        self.problems = tuple(map(self._lines.line, self._noted))

    def _by_index(self, cases: Iterator[PlacedCase]) -> Iterator[tuple[PlacedCase, Reply | Unread]]:
        with self._traces.open("rb", buffering=_READ_ONE) as file:
            line_of, offsets = self._indexed(file)
            for placed in cases:
                case_id = placed.case.case_id
                recorded = None
                if (number := line_of.get(hash(case_id))) is not None:
                    file.seek(offsets[number - 1])
                    line = file.read(offsets[number] - offsets[number - 1])
                    recorded = self._recorded(number, line.removeprefix(BYTE_ORDER_MARK) if number == 1 else line)
                # The index knows ids by their hash only.
                if recorded is None or recorded[0] != case_id:
                    yield placed, NoTrace(reason="trace", detail=f"{self._label} has no trace of it")
                else:
                    yield placed, recorded[1]
        self.problems = tuple(map(self._lines.line, self._noted))

    def _indexed(self, file: BinaryIO) -> tuple[dict[int, int], array[int]]:
        """The line of the first trace of every case, by the hash of its id, and where every line begins."""
        self._noted = []
        line_of: dict[int, int] = {}
        offsets = array("Q", [0])
        unknown: list[str] = []
        first_unknown = unknown_count = 0
        for number, whole in enumerate(file, start=1):
            offsets.append(offsets[-1] + len(whole))
            line = whole.removeprefix(BYTE_ORDER_MARK) if number == 1 else whole
            if not line.strip():
                continue
            case_id = self._joined(line, self.mapping.case_id_of(line))
            if case_id is None:
                self._note(number, self._nameless(line))
            elif not self._known(case_id):
                first_unknown = first_unknown or number
                unknown_count += 1
                if len(unknown) < _NAMED_AT_MOST:
                    unknown.append(repr(case_id if len(case_id) <= _NAME_LENGTH else f"{case_id[:_NAME_LENGTH]}..."))
            elif (first := line_of.setdefault(hash(case_id), number)) != number:
                self._note(number, f"second trace of case {case_id!r}; the one on line {first} counts")
        if unknown_count == 1:
            self._note(first_unknown, f"trace of case {unknown[0]}, which the suite does not have")
        elif unknown_count:
            more = unknown_count - len(unknown)
            names = ", ".join(unknown) + (f" and {more:,} more" if more else "")
            self._note(first_unknown, f"{unknown_count:,} traces of cases that the suite does not have: {names}")
        return line_of, offsets

    def _note(self, number: int, what: str) -> None:
        if len(self._noted) < _PROBLEMS_AT_MOST:
            self._noted.append(f"{self._label}:{number}: {what}")

    def _next_recorded(self, lines: Iterator[tuple[int, bytes]]) -> tuple[str, Reply | Unread] | None:
        """The next line that names a case; other lines are reported."""
        for number, line in lines:
            if line.isspace():
                continue
            if (recorded := self._recorded(number, line)) is not None:
                return recorded
            self._note(number, self._nameless(line))
        return None

    def _again(self, number: int, line: bytes) -> Reply | Unread:
        recorded = self._recorded(number, line, waits=False)
        assert recorded is not None  # noqa: S101 - it named its case before
        return recorded[1]

    def _recorded(self, number: int, line: bytes, *, waits: bool = True) -> tuple[str, Reply | Unread] | None:
        """The case of a line, of an unknown one the id it names, and its reply; None where it names none."""
        read: Trace | OffSchema | Unread
        if (problem := _size_problem(line)) is not None:
            read = OffSchema(problem)
        else:
            line = self._secrets.struck_reply(line)
            read = self._read(line, partial(self._again, number, line) if waits else None)
        own = read.case_id if isinstance(read, Trace) else None
        named = own if own is not None else self.mapping.case_id_of(line)
        case_id = self._joined(line, named)
        if case_id is None:
            return None
        if isinstance(read, Unread):
            return case_id, read
        place = f"{self._label}:{number}"
        if isinstance(read, OffSchema):
            # A trace is one line of the file; the parser's own count of lines would only confuse.
            problem = read.problem.replace("at line 1 column", "at column", 1)
            return case_id, TargetFailure(self._lines.line(f"{place}: {problem}"), excerpt=excerpt_of(line))
        if case_id != named:
            # What the file calls its question is no id that the app reports.
            read = read.model_copy(update={"case_id": None})
        if isinstance(read, TraceLine):
            if read.withheld:
                return case_id, NoTrace(reason="trace", detail=f"{place}: {_WITHHELD}")
            read = read.trace
        if read.error is not None and (read := without_blank_error(read)).error is not None:
            return case_id, TargetFailure(self._lines.line(read.error), read.latency_ms, read.error)
        return case_id, Answered(trace=read, labelled=self._labelled)

    def _joined(self, line: bytes, named: str | None) -> str | None:
        """The case of a line: the one it names if the suite has it, else the one that asks its question.

        Of neither it is what the line names, or its question; None where two cases ask that, or the line has neither.
        """
        if named is not None and self._known(named):
            return named
        fitting = self._fitting(line)
        if len(fitting) == 1:
            return fitting[0]
        return named if named is not None or fitting else _question(line)

    def _fitting(self, line: bytes) -> list[str]:
        """The cases that ask the question of a line."""
        question = _question(line)
        if question is None:
            return []
        if self._by_question is None:
            self._by_question = {}
            for case_id, of_case in self._questions():
                self._by_question.setdefault(folded_question(of_case), []).append(case_id)
        return self._by_question.get(folded_question(question), [])

    def _nameless(self, line: bytes) -> str:
        """Why a line is of no case."""
        fitting = self._fitting(line)
        if len(fitting) > 1:
            names = ", ".join(map(repr, fitting[:_NAMED_AT_MOST]))
            return f"its question is that of {len(fitting)} cases, {names}; write `case_id`"
        try:
            trace = json.loads(line)
        except ValueError as error:
            return f"is not JSON ({error}); write one trace per line"
        if not isinstance(trace, dict):
            return "is no JSON object; write one trace per line"
        return "names no case; write `case_id`, or map it as in `response: {case_id: id}`"

    def _read(self, line: bytes, again: Callable[[], Reply | Unread] | None) -> Trace | OffSchema | Unread:
        try:
            return self._trace(line, again)
        except ReplyMismatchError as error:
            return OffSchema(f"off schema: {error}")
        except ValidationError as error:
            return off_schema(error, line)
        except ValueError as error:
            return OffSchema(not_json(str(error), line))

    def _trace(self, line: bytes, again: Callable[[], Reply | Unread] | None) -> Trace | Unread:
        # Few lines say more than a trace: it is looked for only where no trace was found, and once it was in the file.
        # Reading every line as if it said more would make a run a sixth slower.
        schema = TraceLine if self._says_more and _says_more(line) else Trace
        read = self.mapping.as_it_is(line, schema)
        if read is None and schema is Trace and _says_more(line):
            self._says_more, schema = True, TraceLine
            read = self.mapping.as_it_is(line, schema)
        if read is not None:
            return read
        reply = from_json(line)
        try:
            mapped = self.mapping.trace_json(reply, may_wait=again is not None)
        except NotChosenError:
            assert again is not None  # noqa: S101 - only then it may wait
            return Unread(reply, again)
        if (case_id := self.mapping.case_id_of(line)) is not None:
            mapped["case_id"] = case_id
        return schema.model_validate_json(to_json(mapped))


def _says_more(line: bytes) -> bool:
    return any(name in line for name in _SAYS_MORE)


def trace_of(line: bytes) -> Trace | OffSchema:
    """A line of a file of traces, with its labels."""
    if (problem := _size_problem(line)) is not None:
        return OffSchema(problem)
    try:
        return Trace.model_validate_json(line)
    except ValidationError as error:
        return off_schema(error, line)


def _size_problem(line: bytes) -> str | None:
    if len(line) > LARGEST_REPLY:
        return TOO_LARGE
    problem = json_problem(line)
    return None if problem is None else f"off schema: {problem}"


def _without_mark(file: BinaryIO) -> Iterator[bytes]:
    """Lines of a file; editors on some systems put a mark before the first."""
    first = file.readline().removeprefix(BYTE_ORDER_MARK)
    return chain([first], file) if first else iter(())


def _from_here(path: Path) -> str:
    try:
        return str(path.absolute().relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def _question(line: bytes) -> str | None:
    try:
        return question_of(from_json(line))
    except ValueError:
        return None
