"""The files of other tools: one table of how each is recognised and of how its fields map to a case and an answer."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from pydantic import JsonValue

from raggate_action.onboarding.promptfoo_cases import config_tests, promptfoo_case
from raggate_action.onboarding.span_rows import mlflow_span_row, otlp_spans, span_traces
from raggate_action.onboarding.tool_cases import ToolCase, question_in, quotes_in, text_in, texts_in
from raggate_action.schema.case import Case
from raggate_action.strings.questions import QUESTION_NAMES
from raggate_action.suite_files.csv_file import ID_NAMES, REFERENCE_NAMES, first_name_of
from raggate_action.suite_files.located_tree import number_or_boolean

# Under which a document keeps its rows, where it is no list itself.
_LIST_KEYS = (
    "data", "rows", "examples", "samples", "test_cases", "testCases", "goldens", "questions", "cases", "dataset",
    "items", "runs", "traces", "spans", "results",
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

Row = Mapping[str, Any]


class Columns(NamedTuple):
    """Where the rows of a format have what a case and an answer need: names of columns, `a.b` inside a mapping.

    Attributes:
        question, case_id, reference, quotes, sources, tools: Of the case.
        answer, contexts, calls: Of the app's reply.
        separator: Between the texts of a list in a cell; empty where cells hold lists.
    """

    question: Sequence[str]
    case_id: Sequence[str] = ()
    reference: Sequence[str] = ()
    quotes: Sequence[str] = ()
    sources: Sequence[str] = ()
    tools: Sequence[str] = ()
    answer: Sequence[str] = ()
    contexts: Sequence[str] = ()
    calls: Sequence[str] = ()
    separator: str = ""


class Format(NamedTuple):
    """A form of file.

    Attributes:
        name: Whose it is.
        has_row: Whether a row, by its keys, is of this form.
        case: What a row says; None for one without a question.
        has_document: Whether a document is of this form.
        rows: The rows of such a document.
        gathered: The rows that make cases, out of those of the file.
    """

    name: str
    has_row: Callable[[Row], bool]
    case: Callable[[Row], ToolCase | None]
    has_document: Callable[[Row], bool] = lambda _: False
    rows: Callable[[Row], Iterable[Any]] = lambda _: ()
    gathered: Callable[[Iterable[Row]], Iterable[Row]] = iter


def by_columns(columns: Columns, row: Row) -> ToolCase | None:
    """A row read by its columns."""
    flat = _flat(row)
    taken: dict[str, str] = {}

    def first(names: Sequence[str], field: str) -> Any:
        name = next((name for name in names if flat.get(name) not in (None, "", [], {})), None)
        if name is None:
            return None
        taken[name] = field
        return flat[name]

    cell = first(columns.question, "question")
    question = question_in(cell)
    if not question:
        return None
    labels: dict[str, JsonValue] = {}
    reference = text_in(first(columns.reference, "reference_answer"))
    if reference and len(reference) <= _LONGEST_REFERENCE:
        labels["reference_answer"] = reference
    if quotes := quotes_in(first(columns.quotes, "required_quotes"), columns.separator):
        labels["required_quotes"] = list(quotes)
    if sources := texts_in(first(columns.sources, "required_source_ids")):
        labels["required_source_ids"] = list(sources)
    if tools := _tool_names(first(columns.tools, "expected_tools")):
        labels["expected_tools"] = list(tools)
    answer = first(columns.answer, "answer")
    reply: dict[str, Any] | None = None
    if answer is not None:
        reply = {"answer": answer} if isinstance(answer, str) else {"output": answer}
        contexts = first(columns.contexts, "context")
        if contexts is not None:
            reply["context" if isinstance(answer, str) else "contexts"] = _chunks(contexts, columns.separator)
        if calls := _tool_names(first(columns.calls, "tool_calls")):
            reply["tool_calls"] = list(calls)
    case_id = text_in(first(columns.case_id, "case_id"))
    if _NUMBERED.fullmatch(case_id):
        case_id = ""
    left = ["turns before the question"] if isinstance(cell, list) and len(cell) > 1 else []
    left += [name for name, value in row.items() if value not in (None, "", [], {}) and not _is_taken(name, taken)]
    return ToolCase(question, case_id, labels, reply, taken, tuple(left))


def _is_taken(name: str, taken: Mapping[str, str]) -> bool:
    return any(each == name or each.startswith(f"{name}.") for each in taken)


def _chunks(value: Any, separator: str) -> Any:
    """The chunks of a reply; of a cell the texts between separators, or the one that it is."""
    if isinstance(value, str):
        return value.split(separator) if separator else [value]
    return value


def _tool_names(value: Any) -> tuple[str, ...]:
    """Names of tools: texts, or mappings with a name."""
    items = value if isinstance(value, list) else []
    names = [each.get("name") if isinstance(each, dict) else each for each in items]
    return tuple(dict.fromkeys([name for name in names if isinstance(name, str) and name]))


def _flat(row: Row) -> dict[str, Any]:
    """A row with its inner mappings as `inputs.question`; what a cell holds as JSON is read."""
    flat: dict[str, Any] = {}
    for name, value in row.items():
        flat[str(name)] = value
        if isinstance(value, dict):
            flat.update({f"{name}.{inner}": held for inner, held in value.items()})
    return flat


def _plain_case(row: Row) -> ToolCase | None:
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
        labels[name], taken[name] = _case_field(name, row[name]), name
    left = () if has_answer else tuple([name for name, value in row.items() if value and not _is_taken(name, taken)])
    return ToolCase(
        text, text_in(flat[identity]) if identity else "", labels, replied if has_answer else None, taken, left
    )


def _case_field(name: str, value: Any) -> JsonValue:
    """A field of a case: a list in a cell is split at semicolons, and a plain number is one."""
    if not isinstance(value, str):
        return value  # type: ignore[no-any-return]
    if name in _LIST_FIELDS:
        return [part.strip() for part in value.split(";") if part.strip()]
    return number_or_boolean(value.strip())


def _has(*names: str) -> Callable[[Row], bool]:
    """Whether a row has all of these keys."""
    return lambda row: row.keys() >= set(names)


def _has_any(needed: str, *names: str) -> Callable[[Row], bool]:
    return lambda row: needed in row and not row.keys().isdisjoint(names)


def _deepeval_run(document: Row) -> Iterator[Any]:
    yield from document["testRunData"].get("testCases", ()) if "testRunData" in document else document["testCases"]


_RAGAS = Columns(
    question=("user_input", "question"), reference=("reference", "ground_truth", "ground_truths"),
    quotes=("reference_contexts",), sources=("reference_context_ids",),
    answer=("response", "answer"), contexts=("retrieved_contexts", "contexts"),
)  # fmt: skip
# `context` is the gold context, `retrieval_context` what the app found.
_DEEPEVAL = Columns(
    question=("input",), case_id=("name",), reference=("expected_output", "expectedOutput"), quotes=("context",),
    tools=("expected_tools", "expectedTools"), answer=("actual_output", "actualOutput"),
    contexts=("retrieval_context", "retrievalContext"), calls=("tools_called", "toolsCalled"), separator="|",
)  # fmt: skip
_LANGSMITH_EXAMPLES = Columns(
    question=(*(f"inputs.{name}" for name in QUESTION_NAMES if "." not in name), "inputs"),
    reference=(*(f"outputs.{name}" for name in REFERENCE_NAMES if "." not in name), "outputs"),
)  # fmt: skip
_LANGSMITH_RUNS = Columns(question=_LANGSMITH_EXAMPLES.question, answer=("outputs",))
_LANGFUSE_ITEMS = Columns(
    question=("input",), reference=("expectedOutput", "expected_output"),
)  # fmt: skip
_LANGFUSE_TRACES = Columns(question=("input",), answer=("output",))
_INSPECT = Columns(question=("input",), case_id=("id",), reference=("target",), answer=("output",))
_MLFLOW_RECORDS = Columns(
    question=_LANGSMITH_EXAMPLES.question,
    reference=("expectations.expected_response", "expectations.expected_answer"), answer=("outputs",),
)  # fmt: skip

_GOLD = ("expected_output", "expectedOutput", "retrieval_context", "retrievalContext", "actual_output", "actualOutput")

# In this order: the first that fits is taken.
FORMATS = (
    Format("an output of promptfoo", _has("testCase", "vars"), promptfoo_case,
           lambda document: "results" in document and "evalId" in document,
           lambda document: document["results"]["results"]),
    Format("a configuration of promptfoo", lambda row: "assert" in row and "vars" in row, promptfoo_case,
           lambda document: "tests" in document and ("prompts" in document or "providers" in document), config_tests),
    Format("promptfoo tests", lambda row: any(str(name).startswith("__expected") for name in row), promptfoo_case),
    Format("OpenTelemetry spans", lambda row: "attributes" in row or "attributes.openinference.span.kind" in row,
           partial(by_columns, Columns(("question",), answer=("answer",), contexts=("contexts",))),
           _has("resourceSpans"), otlp_spans, span_traces),
    Format("MLflow traces", lambda row: "info" in row and "data" in row, mlflow_span_row,
           lambda document: "info" in document and "data" in document, lambda document: (document,)),
    Format("MLflow records", _has("inputs", "expectations"), partial(by_columns, _MLFLOW_RECORDS)),
    Format("LangSmith runs", _has("inputs", "outputs", "run_type"), partial(by_columns, _LANGSMITH_RUNS)),
    Format("LangSmith examples", _has("inputs", "outputs"), partial(by_columns, _LANGSMITH_EXAMPLES)),
    Format("Langfuse items", _has_any("input", "datasetId", "dataset_id", "datasetName"),
           partial(by_columns, _LANGFUSE_ITEMS)),
    Format("Langfuse traces", lambda row: row.keys() >= {"input", "output"} and not row.keys().isdisjoint(
           {"sessionId", "session_id", "observations", "htmlPath"}), partial(by_columns, _LANGFUSE_TRACES)),
    Format("inspect_ai samples", _has("input", "target"), partial(by_columns, _INSPECT),
           _has("eval", "samples"), lambda document: document["samples"]),
    Format("DeepEval", _has_any("input", *_GOLD), partial(by_columns, _DEEPEVAL),
           lambda document: "testRunData" in document or "testCases" in document, _deepeval_run),
    Format("Ragas", lambda row: "user_input" in row or (
           "question" in row and not row.keys().isdisjoint({"ground_truth", "ground_truths"})),
           partial(by_columns, _RAGAS)),
)  # fmt: skip
PLAIN = Format("questions", lambda _: True, _plain_case)


def rows_of_document(document: Row) -> Iterable[Any]:
    """The rows of a document that no tool owns: a list under a usual key, one list per column, or itself a row."""
    names, data = document.get("columns"), document.get("data")
    if isinstance(names, list) and isinstance(data, list) and all(isinstance(row, list) for row in data):
        # As pandas and MLflow write a table.
        return [dict(zip(names, row, strict=False)) for row in data]
    for key in _LIST_KEYS:
        if isinstance(document.get(key), list):
            return document[key]  # type: ignore[no-any-return]
    columns = {name: held for name, held in document.items() if isinstance(held, list)}
    if columns and len({len(held) for held in columns.values()}) == 1:
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return [document]


def with_read_cells(row: Row) -> Row:
    """A row whose cells of JSON are read: `inputs` of an export as CSV is a text."""
    if not any(isinstance(value, str) and value.startswith("{") for value in row.values()):
        return row
    return {name: _json_object(value) for name, value in row.items()}


def _json_object(value: Any) -> Any:
    if not isinstance(value, str) or not value.startswith("{"):
        return value
    try:
        found = json.loads(value)
    except ValueError:
        return value
    return found if isinstance(found, dict) else value
