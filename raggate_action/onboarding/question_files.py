"""Questions and answers that a team already has, in its own files or those of other tools, as cases and traces."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from raggate_action.errors import UsageError
from raggate_action.onboarding.app_probe import reply_parts
from raggate_action.onboarding.file_rows import PlacedRow, file_rows, readable, unusable
from raggate_action.onboarding.starter_cases import StarterCase
from raggate_action.onboarding.tool_cases import ToolCase
from raggate_action.onboarding.tool_formats import FORMATS, Format, rows_of_document, with_read_cells
from raggate_action.schema.trace import Trace
from raggate_action.strings.numbers import count
from raggate_action.strings.questions import LONGEST_ID, QUESTION_NAMES, folded_question, id_of_question
from raggate_action.suite_files.problems import name_text, path_text, word_list
from raggate_action.targets.reply_mapping import ReplyMapping

# Labels that a tool's author meant otherwise than a gate reads them: a reviewer looks at each.
PROPOSED = frozenset({"required_quotes", "required_source_ids"})
_LEFT_AT_MOST = 20


class QuestionFile:
    """The questions of a file, each once.

    Attributes:
        cases: All of them, in order; one that the suite asks already has the id it has there.
        new: Those that the suite does not ask yet.
        has_answers: What it has are an app's answers, not right ones.
        paths: Trace field -> key of the row it was read from, of the first answer.
        lines: What was carried and what not, for people.
    """

    def __init__(self, path: Path, *, known: Mapping[str, Sequence[str]] = {}, answers: bool = False) -> None:
        """Read a file of questions, with or without answers.

        Args:
            path: The file.
            known: Folded question -> ids of the cases that ask it, of the suite that is there.
            answers: It is given for the app's answers: `answer` beside a question is one, not the right one.

        Raises:
            UsageError: It cannot be read, or has no questions; with `answers`, none of them is answered.
        """
        form, rows = _format_and_rows(path)
        self.cases: list[StarterCase] = []
        self.new: list[StarterCase] = []
        self.paths: Mapping[str, str] = {}
        # By the form that the last row has.
        self._mapping = ReplyMapping()
        self._answers = answers or not form.is_plain
        self._known, self._present = known, frozenset(case_id for ids in known.values() for case_id in ids)
        self._ids = set(self._present)
        self._doubtful: dict[str, Sequence[str]] = {}
        self._asked = set[tuple[str, str]]()
        self._numbers = Counter[str]()
        self._taken, self._left, self._out = Counter[tuple[str, str]](), Counter[str](), Counter[str]()
        columns: dict[str, None] = {}
        number = 0
        for number, row in enumerate(rows, 1):  # noqa: B007 - told below
            columns |= dict.fromkeys(map(str, row)) if len(columns) < _LEFT_AT_MOST else {}
            self._add(form.case(row))
        if not self.cases:
            raise _no_questions(path, form, columns)
        if answers and not self.traces:
            raise UsageError(
                f"{path_text(path)} has questions and no recorded answers to them",
                hint='Give lines of {"question": "...", "answer": "...", "contexts": ["..."]}, or the app by --url.',
            )
        self.has_answers = any(trace.context for trace in self.traces) or (self._answers and bool(self.traces))
        self.lines = (f"{path_text(path)} is read as {form.name}: {count(number, 'row')}, {self._size}", *self._table())

    @property
    def traces(self) -> list[Trace]:
        """The app's answers."""
        return [each.trace for each in self.cases if each.trace is not None]

    @property
    def trace_lines(self) -> str:
        """The same as JSON lines."""
        dumped = (trace.model_dump(mode="json", exclude_none=True, exclude_defaults=True) for trace in self.traces)
        return "".join([_line(each) for each in dumped])

    def _add(self, case: ToolCase | None) -> None:
        if case is None:
            self._out["without a question"] += 1
            return
        # Asked again with other demands it is a case of its own.
        key = case.question, json.dumps(case.labels)
        if key in self._asked:
            self._out["with a question that came before"] += 1
            return
        self._asked.add(key)
        self._left.update(case.left)
        there: Sequence[str] = self._known.get(folded_question(case.question), ())
        there = [case.case_id] if case.case_id in self._present else there
        if len(there) > 1:
            self._doubtful[case.question] = there
        case_id = there[0] if there else self._new_id(case)
        trace = self._trace(case, case_id)
        labels, taken = dict(case.labels), dict(case.taken)
        counts_as_answer = trace is not None and (self._answers or bool(trace.context))
        if trace is not None and counts_as_answer and labels.get("reference_answer") == trace.reply.text:
            # The one column of answers cannot be both what the app said and what is right.
            del labels["reference_answer"]
            taken = {name: "answer" if field == "reference_answer" else field for name, field in taken.items()}
        self._taken.update(taken.items())
        self.cases.append(StarterCase(case_id, case.question, labels, trace=trace))
        if not there:
            self.new.append(self.cases[-1])

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
        self.paths = self.paths or read.paths
        return read.trace.model_copy(update={"case_id": case_id})

    @property
    def _size(self) -> str:
        known = len(self.cases) - len(self.new)
        in_suite = f", {known:,} of them in the suite already" if known else ""
        answered = f", {count(len(self.traces), 'answer')}" if self.traces else ""
        return f"{count(len(self.cases), 'question')}{in_suite}{answered}"

    def _table(self) -> Iterator[str]:
        for (source, field), number in self._taken.items():
            proposed = ", proposed" if field in PROPOSED else ""
            yield f"  {name_text(source)} -> {field}{proposed} ({number:,})"
        if self._left:
            names = [f"{name_text(name)} ({number:,})" for name, number in self._left.most_common(_LEFT_AT_MOST)]
            more = f" and {len(self._left) - len(names)} more" if len(self._left) > len(names) else ""
            yield f"  not carried: {', '.join(names)}{more}"
        if self._out:
            yield "  left out: " + ", ".join(f"{count(number, 'row')} {why}" for why, number in self._out.items())
        for question, ids in self._doubtful.items():
            asked = f"“{question}” is asked by {count(len(ids), 'case')}, {', '.join(ids[:3])}"
            yield f"{asked}; it was taken for {ids[0]}"


def case_line(case: StarterCase) -> str:
    """A case as a line of JSON; what somebody has to look at is named in it."""
    proposed = [name for name in case.labels if name in PROPOSED]
    fields: dict[str, JsonValue] = {"case_id": case.case_id, "question": case.question, **case.labels}
    return _line({**fields, **({"proposed": [*proposed]} if proposed else {})})


def _line(fields: Mapping[str, JsonValue]) -> str:
    return json.dumps(fields, ensure_ascii=False).encode(errors="replace").decode() + "\n"


def _format_and_rows(path: Path) -> tuple[Format, Iterable[Mapping[str, Any]]]:
    """Whose file it is, and its rows as that format gathers them."""
    found = file_rows(path)
    placed = ((0, row) for row in rows_of_document(found)) if isinstance(found, dict) else found
    rows = _mappings(path, placed)
    first = list(next(zip(rows), ()))
    form = next(each for each in FORMATS if each.has(first[0] if first else {}))
    return form, form.gathered(chain(first, rows))


def _mappings(path: Path, rows: Iterable[PlacedRow]) -> Iterator[Mapping[str, Any]]:
    with readable(path):
        for line, found in rows:
            row = {"question": found} if isinstance(found, str) else found
            if not isinstance(row, dict):
                where = f"line {line} " if line else ""
                raise unusable(path, f"{where}holds something that is no row")
            yield with_read_cells(row)


def _no_questions(path: Path, form: Format, columns: Mapping[str, None]) -> UsageError:
    if form.name == "a configuration of promptfoo":
        return unusable(path, "has no test with variables", hint="Where its tests are in another file, give that file.")
    if not form.is_plain or set(columns) & {*QUESTION_NAMES}:
        return unusable(path, "has no question in any of its rows", hint="Write one question per row, as text.")
    return UsageError(
        f"{path_text(path)} has no column of questions; it has {word_list(list(columns)[:12]) or 'nothing'}",
        hint=f"Call the column `question`; known are {word_list(QUESTION_NAMES)} as well.",
    )
