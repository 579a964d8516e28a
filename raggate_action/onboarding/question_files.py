"""Questions and answers that a team already has, in its own files or those of other tools: JSON, JSON lines or CSV."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from raggate_action.errors import UsageError
from raggate_action.onboarding.app_probe import read_reply
from raggate_action.schema.trace import Trace
from raggate_action.strings.questions import LONGEST_ID, free_id, id_of_question
from raggate_action.suite_files.csv_file import ID_NAMES, QUESTION_NAMES, REFERENCE_NAMES, first_name_of, rows_of
from raggate_action.suite_files.problems import FileProblems, listed, path_text

# Under which a file keeps its rows, where it is no list itself.
_LIST_KEYS = ("data", "rows", "examples", "samples", "test_cases", "goldens", "questions", "cases", "dataset")
# Longer ones are whole documents, of which no reviewer makes a reference.
_LONGEST_REFERENCE = 4000
_BOM = "\ufeff"


class TeamQuestion(NamedTuple):
    """One question with the rest of its row.

    Attributes:
        case_id: Unique in the file.
        question: What is asked.
        reference: A right answer; None where the file has none.
        row: All that the file has of it.
    """

    case_id: str
    question: str
    reference: str | None = None
    row: Mapping[str, Any] = MappingProxyType({})


class QuestionFile(NamedTuple):
    """The questions of a file.

    Attributes:
        questions: In the order of the file, each once.
        left_out: Rows without a question in one text, and questions that came before.
        columns: Which column was taken for what, for people: `question from user_input`.
    """

    questions: tuple[TeamQuestion, ...]
    left_out: int
    columns: tuple[str, ...]


def read_questions(path: Path) -> QuestionFile:
    """Read a file of questions.

    Raises:
        UsageError: It cannot be read, or has no column of questions.
    """
    rows = [_flat(row) for row in _rows(path)]
    names = dict.fromkeys(name for row in rows for name in row)
    question = first_name_of(names, QUESTION_NAMES)
    if question is None:
        found = listed(list(names)[:12]) or "nothing"
        raise UsageError(
            f"{path_text(path)} has no column of questions; it has {found}",
            hint=f"Call the column `question`; known are {listed(QUESTION_NAMES)} as well.",
        )
    reference = first_name_of([name for name in names if name != question], REFERENCE_NAMES)
    identity = first_name_of(names, ID_NAMES)
    questions: dict[str, TeamQuestion] = {}
    seen: set[str] = set()
    for row in rows:
        text = _text(row.get(question))
        if not text or text in seen:
            continue
        seen.add(text)
        own = _text(row.get(identity or ""))
        case_id = free_id(own if _is_id(own) else id_of_question(text), questions)
        questions[case_id] = TeamQuestion(case_id, text, _reference(row.get(reference or "")), row)
    if not questions:
        raise UsageError(
            f"{path_text(path)} has no question in its column `{question}`",
            hint="Write one question per row, as text.",
        )
    columns = [f"question from `{question}`", *([f"reference answer from `{reference}`"] if reference else [])]
    return QuestionFile(tuple(questions.values()), len(rows) - len(questions), tuple(columns))


def _is_id(text: str) -> bool:
    return bool(text) and len(text) <= LONGEST_ID and text.isprintable() and " " not in text


def _reference(value: object) -> str | None:
    """One right answer; of a list, as some tools keep it, the first."""
    if isinstance(value, list):
        value = value[0] if value else None
    text = _text(value)
    return text if text and len(text) <= _LONGEST_REFERENCE else None


def _text(value: object) -> str:
    """A text on its own; of a conversation the last turn that a person wrote."""
    if isinstance(value, list) and value and all(isinstance(turn, dict) for turn in value):
        user_turns = [turn for turn in value if turn.get("role", turn.get("type")) in {"user", "human"}]
        value = user_turns[-1].get("content") if user_turns else None
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return str(value).strip()


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row with its inner mappings as `inputs.question`."""
    flat: dict[str, Any] = {}
    for name, value in row.items():
        flat[str(name)] = value
        if isinstance(value, dict):
            flat.update({f"{name}.{inner}": held for inner, held in value.items()})
    return flat


def _rows(path: Path) -> list[Mapping[str, Any]]:
    try:
        text = path.read_text(encoding="utf-8").removeprefix(_BOM)
    except OSError as error:
        raise _unusable(path, f"cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise _unusable(path, "is not UTF-8") from None
    match path.suffix.lower():
        case ".csv" | ".tsv":
            return list(_table(text, path))
        case ".jsonl" | ".ndjson":
            lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
            return _mappings([_json(line, path, number) for number, line in lines], path)
        case ".json":
            return _mappings(_listed(_json(text, path, 1)), path)
        case _:
            raise _unusable(path, "is no kind of file read here")


def _table(text: str, path: Path) -> Iterator[Mapping[str, Any]]:
    problems = FileProblems(path_text(path))
    rows = rows_of(text, problems)
    names = next((header.cells for header in rows), ())
    for row in rows:
        yield {name: _cell(value) for name, value in zip(names, row.cells, strict=False) if name}
    for problem in problems.kept:
        raise _unusable(path, f"line {problem.mark.line}: {problem.text}")


def _cell(text: str) -> Any:
    """A cell; one that holds a list, as JSON or as Python writes it, as that list."""
    if not text.lstrip().startswith("["):
        return text
    for read in (json.loads, ast.literal_eval):
        try:
            value = read(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue
        return value if isinstance(value, list) else text
    return text


def _json(text: str, path: Path, line: int) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        at = line + getattr(error, "lineno", 1) - 1
        raise _unusable(path, f"line {at} is not JSON: {getattr(error, 'msg', error)}") from None
    except RecursionError:
        raise _unusable(path, "is nested too deeply") from None


def _listed(value: Any) -> Any:
    """The rows of a document: a list, a list under a usual key, or one list per column."""
    if not isinstance(value, dict):
        return value
    for key in _LIST_KEYS:
        if isinstance(value.get(key), list):
            return value[key]
    columns = {name: held for name, held in value.items() if isinstance(held, list)}
    if columns and len({len(held) for held in columns.values()}) == 1:
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return [value]


def _mappings(values: Any, path: Path) -> list[Mapping[str, Any]]:
    rows = values if isinstance(values, list) else [values]
    found = [{"question": each} if isinstance(each, str) else each for each in rows]
    if not all(isinstance(each, dict) for each in found):
        raise _unusable(path, "holds something that is no row")
    return found


def _unusable(path: Path, what: str) -> UsageError:
    return UsageError(
        f"{path_text(path)} {what}",
        hint='Give a .csv, .json or .jsonl with a row per question, as {"question": "...", "reference": "..."}.',
    )


TRACES = "gate/traces.jsonl"
# What such files call an answer of the app; under any other name a file of questions has right answers.
_ANSWERS = frozenset({"answer", "response", "actual_output", "output", "prediction", "generated_answer", "completion"})
# Of a row, what is no part of the app's reply.
_NOT_REPLIED = (
    "question",
    "user_input",
    "input",
    "query",
    "reference",
    "ground_truth",
    "ground_truths",
    "expected_output",
)


class RecordedAnswers(NamedTuple):
    """Questions, and what an app answered to each.

    Attributes:
        questions: The questions.
        traces: The answers, in the same order, each under its question's id.
        paths: Trace field -> key of the row.
    """

    questions: tuple[TeamQuestion, ...]
    traces: tuple[Trace, ...]
    paths: dict[str, str]

    @property
    def lines(self) -> str:
        """The traces as JSON lines."""
        dumped = [trace.model_dump(mode="json", exclude_none=True, exclude_defaults=True) for trace in self.traces]
        return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in dumped)


def read_recorded_answers(path: Path) -> RecordedAnswers:
    """Recorded answers with their questions.

    Raises:
        UsageError: The file has no questions, or no answers to them.
    """
    found = recorded_in(read_questions(path))
    if found is None:
        raise UsageError(
            f"{path_text(path)} has questions and no recorded answers to them",
            hint='Give lines of {"question": "...", "answer": "...", "contexts": ["..."]}, or the app itself by --url.',
        )
    return found


def recorded_in(file: QuestionFile) -> RecordedAnswers | None:
    """The answers in a file of questions; None where it has no answers."""
    read = [(question, _trace(question)) for question in file.questions]
    answered = [(question, *found) for question, found in read if found is not None]
    if not answered:
        return None
    questions = [
        question._replace(reference=None) if question.reference == trace.reply.text else question
        for question, trace, _paths in answered
    ]
    return RecordedAnswers(tuple(questions), tuple(trace for _, trace, _ in answered), answered[0][2])


def has_answers(questions: Iterable[TeamQuestion]) -> bool:
    """Whether a file of questions also holds an app's answers with their context."""
    return any((found := _trace(question)) is not None and found[0].context for question in questions)


def _trace(question: TeamQuestion) -> tuple[Trace, dict[str, str]] | None:
    row = {name: value for name, value in question.row.items() if "." not in name and name not in _NOT_REPLIED}
    if not _ANSWERS & row.keys():
        return None
    read = read_reply({**row, "case_id": question.case_id})
    if read.trace is None:
        return None
    paths = {field: path for field, path in read.paths.items() if field != "case_id"}
    return read.trace.model_copy(update={"case_id": question.case_id}), paths
