"""The files of other tools: how each is recognised, and how its columns become a case (`formats.yaml`)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from pydantic import JsonValue

from raggate_action.onboarding.promptfoo_cases import config_tests, promptfoo_case
from raggate_action.onboarding.span_rows import mlflow_span_row, span_traces
from raggate_action.onboarding.tool_cases import ToolCase, question_in, quotes_in, text_in, texts_in
from raggate_action.schema.case import Case
from raggate_action.strings.data_tables import read_table
from raggate_action.strings.questions import QUESTION_NAMES
from raggate_action.suite_files.csv_file import ID_NAMES, REFERENCE_NAMES, first_name_of
from raggate_action.suite_files.located_tree import number_or_boolean

# Under which a document keeps its rows, where it is no list itself.
_LIST_KEYS = (
    "data", "rows", "examples", "samples", "test_cases", "testCases", "goldens", "questions", "cases", "dataset",
    "items", "runs", "traces", "spans", "resourceSpans", "results", "results.results", "testRunData.testCases",
)  # fmt: skip
# What files that no tool owns call an answer of the app; under any other name they have right answers.
_ANSWERS = frozenset({"answer", "response", "actual_output", "output", "prediction", "generated_answer", "completion"})
# Of such a row, what is no part of the app's reply.
_NOT_REPLIED = frozenset(
    {"question", "user_input", "input", "query", "reference", "ground_truth", "ground_truths", "expected_output",
     "reference_contexts", "reference_answer"}
)  # fmt: skip
# Fields of a case that a file may have under their own names.
_CASE_FIELDS = tuple(
    name
    for name in Case.model_fields
    if name not in {"case_id", "question", "messages", "input", "trace", "reference_answer", "proposed"}
)
_LIST_FIELDS = frozenset(name for name in _CASE_FIELDS if isinstance(Case.model_fields[name].default, tuple))
# Longer ones are whole documents, of which no reviewer makes a reference.
_LONGEST_REFERENCE = 4000
# DeepEval's names for cases that have none, which say where in a run they stood.
_NUMBERED = re.compile(r"test_case_\d+")
_EMPTY: tuple[Any, ...] = (None, "", [], {})

Row = Mapping[str, Any]


def _questions(row: Row) -> ToolCase | None:
    """A row of a file that no tool owns: the usual names, and beside them the app's reply in any form."""
    flat = _flat(row)
    question = first_name_of(flat, QUESTION_NAMES)
    text = question_in(flat[question]) if question else ""
    if not question or not text:
        return None
    taken = {question: "question"}
    reference = first_name_of([name for name in flat if name != question], REFERENCE_NAMES)
    replied = {name: value for name, value in row.items() if name not in _NOT_REPLIED and name != question}
    has_answer = bool(_ANSWERS & replied.keys())
    right = text_in(flat[reference]) if reference else ""
    labels: dict[str, JsonValue] = {}
    if reference and right and len(right) <= _LONGEST_REFERENCE:
        labels["reference_answer"], taken[reference] = right, "reference_answer"
    if quotes := quotes_in(row.get("reference_contexts")):
        labels["required_quotes"], taken["reference_contexts"] = list(quotes), "required_quotes"
    identity = first_name_of(flat, ID_NAMES)
    if identity:
        taken[identity] = "case_id"
    for name in (name for name in _CASE_FIELDS if row.get(name) not in (None, "")):
        value, taken[name] = row[name], name
        if isinstance(value, str):
            # A list in a cell is split at semicolons, and a plain number is one.
            parts = [part.strip() for part in value.split(";") if part.strip()]
            value = parts if name in _LIST_FIELDS else number_or_boolean(value.strip())
        labels[name] = value
    left = () if has_answer else tuple([name for name, value in row.items() if value and not _is_taken(name, taken)])
    case_id = text_in(flat[identity]) if identity else ""
    return ToolCase(text, case_id, labels, replied if has_answer else None, taken, left)


_READERS: Mapping[str, Callable[[Row], ToolCase | None]] = {
    "promptfoo": promptfoo_case,
    "mlflow": mlflow_span_row,
    "questions": _questions,
}


class Format:
    """A form of file.

    Attributes:
        name: Whose it is.
        is_plain: No tool owns it.
    """

    def __init__(self, entry: Mapping[str, Any]) -> None:
        self.name: str = entry["name"]
        self.is_plain = entry.get("read") == "questions"
        self._entry = entry

    def has(self, row: Row) -> bool:
        """Whether a row, by its keys, is of this form."""
        keys = ({each} if isinstance(each, str) else set(each) for each in self._entry["has"])
        return all(not row.keys().isdisjoint(each) for each in keys)

    def gathered(self, rows: Iterable[Row]) -> Iterable[Row]:
        """The rows that make cases, out of those of the file."""
        return span_traces(rows) if "gather" in self._entry else rows

    def case(self, row: Row) -> ToolCase | None:
        """What a row says; None for one without a question."""
        read = _READERS.get(self._entry.get("read", ""))
        return read(row) if read is not None else self._by_columns(row)

    def _by_columns(self, row: Row) -> ToolCase | None:
        flat, separator = _flat(row), self._entry.get("separator", "")
        taken: dict[str, str] = {}

        def first(column: str, field: str) -> Any:
            names: Sequence[str] = self._entry.get(column, ())
            name = next((name for name in names if flat.get(name) not in _EMPTY), None)
            if name is not None:
                taken[name] = field
            return flat.get(name or "")

        cell = first("question", "question")
        question = question_in(cell)
        if not question:
            return None
        reference = text_in(first("reference", "reference_answer"))
        found: dict[str, JsonValue] = {
            "reference_answer": reference if len(reference) <= _LONGEST_REFERENCE else "",
            "required_quotes": list(quotes_in(first("quotes", "required_quotes"), separator)),
            "required_source_ids": list(texts_in(first("sources", "required_source_ids"))),
            "expected_tools": list(_tool_names(first("tools", "expected_tools"))),
        }
        answer = first("answer", "answer")
        reply: dict[str, Any] | None = None
        if answer is not None:
            is_text = isinstance(answer, str)
            reply = {"answer" if is_text else "output": answer}
            contexts = first("contexts", "context")
            if isinstance(contexts, str):
                contexts = contexts.split(separator) if separator else [contexts]
            if contexts is not None:
                reply["context" if is_text else "contexts"] = contexts
            if calls := _tool_names(first("calls", "tool_calls")):
                reply["tool_calls"] = list(calls)
        case_id = text_in(first("case_id", "case_id"))
        left = ["turns before the question"] if isinstance(cell, list) and len(cell) > 1 else []
        left += [name for name, value in row.items() if value not in _EMPTY and not _is_taken(name, taken)]
        labels = {name: value for name, value in found.items() if value}
        return ToolCase(question, "" if _NUMBERED.fullmatch(case_id) else case_id, labels, reply, taken, tuple(left))


FORMATS = tuple([Format(entry) for entry in read_table(__package__, "formats.yaml")])


def _is_taken(name: str, taken: Mapping[str, str]) -> bool:
    return any(each == name or each.startswith(f"{name}.") for each in taken)


def _tool_names(value: Any) -> tuple[str, ...]:
    """Names of tools: texts, or mappings with a name."""
    items = value if isinstance(value, list) else []
    names = [each.get("name") if isinstance(each, dict) else each for each in items]
    return tuple(dict.fromkeys([name for name in names if isinstance(name, str) and name]))


def _flat(row: Row) -> dict[str, Any]:
    """A row with its inner mappings as `inputs.question`."""
    flat: dict[str, Any] = {}
    for name, value in row.items():
        flat[str(name)] = value
        if isinstance(value, dict):
            flat.update({f"{name}.{inner}": held for inner, held in value.items()})
    return flat


def rows_of_document(document: Row) -> Iterable[Any]:
    """The rows of a document: a list under a usual key, one list per column, or itself a row."""
    if "tests" in document and ("prompts" in document or "providers" in document):
        return config_tests(document)
    names, data = document.get("columns"), document.get("data")
    if isinstance(names, list) and isinstance(data, list) and all(isinstance(row, list) for row in data):
        # As pandas and MLflow write a table.
        return [dict(zip(names, row, strict=False)) for row in data]
    flat = _flat(document)
    for key in _LIST_KEYS:
        if isinstance(flat.get(key), list):
            return flat[key]  # type: ignore[no-any-return]
    columns = {name: held for name, held in document.items() if isinstance(held, list)}
    if columns and len({len(held) for held in columns.values()}) == 1:
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return [document]


def with_read_cells(row: Row) -> Row:
    """A row whose cells of JSON are read: `inputs` of an export as CSV is a text."""
    return {name: _json_object(value) for name, value in row.items()}


def _json_object(value: Any) -> Any:
    if not isinstance(value, str) or not value.startswith("{"):
        return value
    try:
        found = json.loads(value)
    except ValueError:
        return value
    return found if isinstance(found, dict) else value
