"""Questions and answers that a team already has, in its own files or those of other tools, as cases and traces.

A thousand are held in memory; of a larger file the rest is written to temporary files while it is read.
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any, NamedTuple

from pydantic import JsonValue

from raggate_action.errors import UsageError
from raggate_action.onboarding.app_probe import reply_parts
from raggate_action.onboarding.file_rows import FileRows, PlacedRow, file_rows, readable, unusable
from raggate_action.onboarding.tool_cases import ToolCase
from raggate_action.onboarding.tool_formats import FORMATS, PLAIN, Format, rows_of_document, with_read_cells
from raggate_action.schema.trace import Trace
from raggate_action.strings.numbers import count
from raggate_action.strings.questions import LONGEST_ID, QUESTION_NAMES, id_of_question
from raggate_action.suite_files.problems import name_text, path_text, word_list
from raggate_action.targets.reply_mapping import ReplyMapping

MOST_IN_MEMORY = 1000
TRACES = "gate/traces.jsonl"
# Labels that a tool's author meant otherwise than a gate reads them: a reviewer looks at each.
PROPOSED = frozenset({"required_quotes", "required_source_ids"})
_LEFT_AT_MOST = 20


class TeamQuestion(NamedTuple):
    """One question of a file.

    Attributes:
        case_id: Unique in the file.
        question: What is asked.
        labels: What a good answer does, by field of a case.
        trace: What the app answered; None where the file has no answer of it.
    """

    case_id: str
    question: str
    labels: Mapping[str, JsonValue] = MappingProxyType({})
    trace: Trace | None = None

    @property
    def reference(self) -> str | None:
        """A right answer; None where the file has none."""
        found = self.labels.get("reference_answer")
        return found if isinstance(found, str) else None


class PresentCases(NamedTuple):
    """What a suite has already.

    Attributes:
        ids: Of its cases.
        id_of: The id of its case that asks a question; None for a new one.
    """

    ids: frozenset[str] = frozenset()
    id_of: Callable[[str], str | None] = lambda _question: None


class QuestionFile(NamedTuple):
    """A file, read.

    Attributes:
        path: Its path, as people see it.
        questions: Its questions, in order, each once; of many the first `MOST_IN_MEMORY`.
        size: How many there are.
        answered: How many of them have an answer of the app.
        known: How many rows ask what the suite asks already.
        table: What was carried and what not, for people, a line each.
        has_answers: What it has are an app's answers, not right ones.
        paths: Trace field -> key of the row it was read from.
        cases, traces: All of them as JSON lines; None where all are in `questions`.
    """

    path: str
    questions: tuple[TeamQuestion, ...]
    size: int
    answered: int
    known: int
    table: tuple[str, ...]
    has_answers: bool
    paths: Mapping[str, str]
    cases: IO[bytes] | None = None
    traces: IO[bytes] | None = None

    def close(self) -> None:
        """Let go of what is not in memory."""
        for file in filter(None, (self.cases, self.traces)):
            file.close()

    @property
    def trace_lines(self) -> str | IO[bytes]:
        """The traces as JSON lines."""
        return self.traces or "".join([recorded_line(each.trace) for each in self.questions if each.trace is not None])


def case_line(case_id: str, question: str, labels: Mapping[str, JsonValue]) -> str:
    """A case as a line of JSON; what somebody has to look at is named in it."""
    proposed = [name for name in labels if name in PROPOSED]
    fields = {"case_id": case_id, "question": question, **labels, **({"proposed": proposed} if proposed else {})}
    return json.dumps(fields, ensure_ascii=False) + "\n"


def recorded_line(trace: Trace) -> str:
    """A trace as a line of JSON."""
    dumped = trace.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
    return json.dumps(dumped, ensure_ascii=False) + "\n"


def read_questions(path: Path, *, known: PresentCases = PresentCases(), answers: bool = False) -> QuestionFile:  # noqa: B008 - a tuple
    """Read a file of questions, with or without answers.

    Args:
        path: The file.
        known: What the suite it is read for has already.
        answers: It is given for the app's answers: `answer` beside a question is one, not the right one.

    Raises:
        UsageError: It cannot be read, or has no questions; with `answers`, none of them is answered.
    """
    form, rows = _format_and_rows(path, file_rows(path))
    reading = _QuestionReader(known, answers=answers or form is not PLAIN)
    for row in rows:
        reading.add(form.case(row), row)
    if not reading.size and not reading.known:
        raise _no_questions(path, form, reading)
    if answers and not reading.answered:
        raise UsageError(
            f"{path_text(path)} has questions and no recorded answers to them",
            hint='Give lines of {"question": "...", "answer": "...", "contexts": ["..."]}, or the app itself by --url.',
        )
    cases, traces = reading.rewound_files
    return QuestionFile(
        path_text(path), tuple(reading.first), reading.size, reading.answered, reading.known,
        tuple(reading.table(path, form)),
        reading.has_context or (bool(reading.answered) and (answers or form is not PLAIN)),
        reading.paths, cases, traces,
    )  # fmt: skip


def _format_and_rows(path: Path, found: FileRows) -> tuple[Format, Iterable[Mapping[str, Any]]]:
    """Whose file it is, and its rows as that format gathers them."""
    rows = found.rows
    form = None
    if (document := found.document) is not None:
        form = next((each for each in FORMATS if each.has_document(document)), None)
        values = form.rows(document) if form is not None else rows_of_document(document)
        rows = (PlacedRow(0, value) for value in values)
    mappings = _mappings(path, rows)
    if form is None:
        first = next(mappings, None)
        mappings = chain([] if first is None else [first], mappings)
        form = next((each for each in FORMATS if first is not None and each.has_row(first)), PLAIN)
    return form, form.gathered(mappings)


def _mappings(path: Path, rows: Iterable[PlacedRow]) -> Iterator[Mapping[str, Any]]:
    with readable(path):
        for placed in rows:
            row = {"question": placed.row} if isinstance(placed.row, str) else placed.row
            if not isinstance(row, dict):
                where = f"line {placed.line} " if placed.line else ""
                raise unusable(path, f"{where}holds something that is no row")
            yield with_read_cells(row)


class _QuestionReader:
    """Rows become questions one by one.

    Attributes:
        first: The first questions.
        size, answered, known: As of `QuestionFile`.
        has_context: Some answer shows what it rests on.
        paths: Of the first answer.
        columns: Every key of the rows, for messages.
    """

    def __init__(self, known: PresentCases, *, answers: bool) -> None:
        self.first: list[TeamQuestion] = []
        self.size = self.answered = self.known = 0
        self.has_context = False
        self.paths: Mapping[str, str] = {}
        self.columns: dict[str, None] = {}
        # By the form that the last row has.
        self._mapping = ReplyMapping()
        self._rows = 0
        self._known = known
        self._answers = answers
        self._asked = set[int]()
        self._ids = set(known.ids)
        self._numbers = Counter[str]()
        self._taken = Counter[tuple[str, str]]()
        self._left = Counter[str]()
        self._out = Counter[str]()
        self._files: tuple[IO[bytes], IO[bytes]] | None = None

    @property
    def rewound_files(self) -> tuple[IO[bytes] | None, IO[bytes] | None]:
        """The files of cases and traces, rewound; None for both where everything is in `first`."""
        if self._files is None:
            return None, None
        for file in self._files:
            file.seek(0)
        return self._files

    def add(self, case: ToolCase | None, row: Mapping[str, Any]) -> None:
        """Take a row in."""
        self._rows += 1
        if len(self.columns) < _LEFT_AT_MOST:
            self.columns.update(dict.fromkeys(map(str, row)))
        if case is None:
            self._out["without a question"] += 1
            return
        # Asked again with other demands it is a case of its own.
        key = hash((case.question, json.dumps(case.labels)))
        if key in self._asked:
            self._out["with a question that came before"] += 1
            return
        self._asked.add(key)
        self._left.update(case.left)
        there = case.case_id if case.case_id in self._known.ids else self._known.id_of(case.question)
        case_id = there or self._new_id(case)
        trace = self._trace(case, case_id)
        labels = dict(case.labels)
        counts_as_answer = trace is not None and (self._answers or bool(trace.context))
        if trace is not None and counts_as_answer and labels.get("reference_answer") == trace.reply.text:
            # The one column of answers cannot be both what the app said and what is right.
            del labels["reference_answer"]
            fields = {name: "answer" if field == "reference_answer" else field for name, field in case.taken.items()}
            self._taken.update(fields.items())
        else:
            self._taken.update(case.taken.items())
        self.known += there is not None
        self._keep(TeamQuestion(case_id, case.question, labels, trace), is_new=there is None)

    def _new_id(self, case: ToolCase) -> str:
        own = case.case_id
        is_id = bool(own) and len(own) <= LONGEST_ID and own.isprintable() and " " not in own
        base = case_id = own if is_id else id_of_question(case.question)
        while case_id in self._ids:
            self._numbers[base] += 1
            case_id = f"{base}-{self._numbers[base] + 1}"
        self._ids.add(case_id)
        return case_id

    def _trace(self, case: ToolCase, case_id: str) -> Trace | None:
        if case.reply is None:
            return None
        read = reply_parts(case.reply, self._mapping, case.question)
        if read.trace is None:
            self._out["with an answer that cannot be read"] += 1
            return None
        self.answered += 1
        self.has_context |= bool(read.trace.context)
        self.paths = self.paths or read.paths
        return read.trace.model_copy(update={"case_id": case_id})

    def _keep(self, question: TeamQuestion, *, is_new: bool) -> None:
        self.size += is_new
        held = len(self.first) < MOST_IN_MEMORY
        if held:
            self.first.append(question)
        if self._files is None and not held:
            # They live as long as the file that was read does, and go with it.
            self._files = tempfile.TemporaryFile(), tempfile.TemporaryFile()  # noqa: SIM115
            for each in self.first:
                self._write(each, is_new=each.case_id not in self._known.ids)
        if self._files is not None:
            self._write(question, is_new=is_new)

    def _write(self, question: TeamQuestion, *, is_new: bool) -> None:
        assert self._files is not None  # noqa: S101
        cases, traces = self._files
        if is_new:
            cases.write(case_line(question.case_id, question.question, question.labels).encode(errors="replace"))
        if question.trace is not None:
            traces.write(recorded_line(question.trace).encode(errors="replace"))

    def table(self, path: Path, form: Format) -> Iterator[str]:
        """What was carried and what not."""
        answers = f", {count(self.answered, 'answer')}" if self.answered else ""
        known = f", {self.known:,} of them in the suite already" if self.known else ""
        yield (
            f"{path_text(path)} is read as {form.name}: {count(self._rows, 'row')}, "
            f"{count(self.size + self.known, 'question')}{known}{answers}"
        )
        for (source, field), number in self._taken.items():
            proposed = ", proposed" if field in PROPOSED else ""
            yield f"  {name_text(source)} -> {field}{proposed} ({number:,})"
        if self._left:
            names = [f"{name_text(name)} ({number:,})" for name, number in self._left.most_common(_LEFT_AT_MOST)]
            more = f" and {len(self._left) - len(names)} more" if len(self._left) > len(names) else ""
            yield f"  not carried: {', '.join(names)}{more}"
        if self._out:
            yield "  left out: " + ", ".join(f"{count(number, 'row')} {why}" for why, number in self._out.items())


def _no_questions(path: Path, form: Format, reading: _QuestionReader) -> UsageError:
    if form.name == "a configuration of promptfoo":
        return unusable(path, "has no test with variables", hint="Where its tests are in another file, give that file.")
    if form is not PLAIN or set(reading.columns) & {*QUESTION_NAMES}:
        return unusable(path, "has no question in any of its rows", hint="Write one question per row, as text.")
    return UsageError(
        f"{path_text(path)} has no column of questions; it has {word_list(list(reading.columns)[:12]) or 'nothing'}",
        hint=f"Call the column `question`; known are {word_list(QUESTION_NAMES)} as well.",
    )
