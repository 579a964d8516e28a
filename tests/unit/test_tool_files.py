"""Files as other tools write them (`dev/tool_files` makes them): what is carried, and what is said to stay behind."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from raggate_action.errors import UsageError
from raggate_action.onboarding.question_files import QuestionFile

FILES = Path(__file__).parents[1] / "tool_files"
PARCEL, DESK = "How long can a parcel be returned?", "When is the desk open?"
RIGHT = {PARCEL: "Within 30 days of delivery.", DESK: "From 9 to 17 hours, on working days."}
GOLD = {
    PARCEL: ["A parcel can be returned within 30 days of delivery."],
    DESK: ["The desk is open from 9 to 17 hours on working days."],
}
ANSWERS = {PARCEL: "A parcel can be returned within 30 days of delivery.", DESK: "The desk is open from 9 to 17 hours."}
# What the app was shown: more than the gold contexts.
SHOWN = {PARCEL: [*GOLD[PARCEL], "Refunds are paid to the card that was charged."], DESK: GOLD[DESK]}


def found_in(file: QuestionFile) -> dict[str, dict[str, Any]]:
    return {each.question: dict(each.labels) for each in file.cases}


def shown_in(file: QuestionFile) -> dict[str, list[str | None]]:
    traces = {each.question: each.trace for each in file.cases}
    return {
        asked: [chunk.text for chunk in trace.context_chunks] for asked, trace in traces.items() if trace is not None
    }


@pytest.mark.parametrize(
    ("name", "form", "labels", "context"),
    [
        ("ragas.jsonl", "Ragas", {"reference_answer", "required_quotes"}, True),
        ("ragas.csv", "Ragas", {"reference_answer", "required_quotes"}, True),
        ("ragas_testset.jsonl", "Ragas", {"reference_answer", "required_quotes"}, None),
        ("ragas_old.csv", "Ragas", {"reference_answer"}, True),
        ("ragas_old.json", "Ragas", {"reference_answer"}, True),
        ("deepeval_goldens.json", "DeepEval", {"reference_answer", "required_quotes"}, None),
        ("deepeval_goldens.csv", "DeepEval", {"reference_answer", "required_quotes"}, None),
        ("deepeval_goldens.jsonl", "DeepEval", {"reference_answer", "required_quotes"}, None),
        ("deepeval_cases.json", "DeepEval", {"reference_answer", "required_quotes", "expected_tools"}, True),
        ("deepeval_cases.csv", "DeepEval", {"reference_answer", "required_quotes", "expected_tools"}, True),
        ("deepeval_run.json", "DeepEval", {"reference_answer", "required_quotes", "expected_tools"}, True),
        ("langsmith_examples.json", "LangSmith examples", {"reference_answer"}, None),
        ("langsmith_runs.jsonl", "LangSmith runs", set(), True),
        ("langfuse_items.json", "Langfuse items", {"reference_answer"}, None),
        ("inspect_log.json", "inspect_ai samples", {"reference_answer"}, False),
        ("mlflow_records.json", "MLflow records", {"reference_answer"}, None),
        ("mlflow_traces.json", "MLflow traces", set(), True),
        ("openinference_console.jsonl", "OpenTelemetry spans", set(), True),
        ("openinference_otlp.json", "OpenTelemetry spans", set(), True),
        ("otel_genai.json", "OpenTelemetry spans", set(), True),
    ],
)
def test_a_file_of_a_tool_is_read_as_it_is(name: str, form: str, labels: set[str], *, context: bool | None) -> None:
    file = QuestionFile(FILES / name)
    assert f" is read as {form}: 2 rows, 2 questions" in file.lines[0]
    whole = {
        "reference_answer": RIGHT,
        "required_quotes": GOLD,
        "expected_tools": {asked: ["search"] for asked in RIGHT},
    }
    assert found_in(file) == {asked: {name: whole[name][asked] for name in labels} for asked in RIGHT}  # type: ignore[index]
    # The evidence is what the app retrieved, never the gold context; a test set has neither answer nor evidence.
    assert file.has_answers is (context is not None)
    answers = {each.question: each.trace.reply.text for each in file.cases if each.trace is not None}
    assert answers == (ANSWERS if context is not None else {})
    assert shown_in(file) == (SHOWN if context else {asked: [] for asked in answers})


@pytest.mark.parametrize("name", ["promptfooconfig.yaml", "promptfoo.json", "promptfoo.jsonl"])
def test_assertions_of_promptfoo_are_musts_and_criteria(name: str) -> None:
    file = QuestionFile(FILES / name)
    first, judged, desk = [dict(each.labels) for each in file.cases]
    assert first == {"must_contain": ["30 days"], "must_not_contain": ["14 days"]}
    assert judged == {"criteria": ["says when the time begins", {"must_not": "promises a refund in cash"}]}
    assert desk == {
        "must_contain": [{"regex": "9 .* 17"}],
        "must_not_contain": ["closed"],
        "max_latency_ms": 3000,
    }
    [left] = [line for line in file.lines if "not carried" in line]
    assert "assert javascript (1)" in left
    if name != "promptfooconfig.yaml":
        assert shown_in(file)[DESK] == []
        assert [chunk.text for chunk in file.cases[0].trace.context_chunks] == GOLD[PARCEL]  # type: ignore[union-attr]


def test_the_table_counts_what_was_carried_and_what_not() -> None:
    assert [line.removeprefix("  ") for line in QuestionFile(FILES / "deepeval_run.json").lines[1:]] == [
        "input -> question (2)",
        "expectedOutput -> reference_answer (2)",
        "context -> required_quotes, proposed (2)",
        "expectedTools -> expected_tools (2)",
        "actualOutput -> answer (2)",
        "retrievalContext -> context (2)",
        "toolsCalled -> tool_calls (2)",
        "name -> case_id (2)",
        "not carried: flaky (2), success (2), metricsData (2), runDuration (2), order (2)",
    ]


def written(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        ("excel", 'question,reference\r\n"How long, please?",30 days\r\n'),
        ("tabs", "question\treference\nHow long, please?\t30 days\n"),
        ("unix, all quoted", '"question","reference"\n"How long, please?","30 days"\n'),
        ("semicolons", "question;reference\nHow long, please?;30 days\n"),
        ("bars", "question|reference\nHow long, please?|30 days\n"),
        ("single quotes", "'question','reference'\n'How long, please?','30 days'\n"),
        ("a separator named first", "sep=;\nquestion;reference\nHow long, please?;30 days\n"),
        ("a byte order mark", '\ufeffquestion,reference\n"How long, please?",30 days\n'),
    ],
)
def test_every_dialect_of_csv_is_read(tmp_path: Path, dialect: str, text: str) -> None:
    file = QuestionFile(written(tmp_path, "a.csv", text))
    assert found_in(file) == {"How long, please?": {"reference_answer": "30 days"}}, dialect


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.csv", "question\nWhy?\nHow\0long?\n", "a.csv line 3: this line holds a NUL"),
        ("a.csv", 'question\nWhy?\n"How long?\n', "a.csv line 3: a cell in double quotes is not closed"),
        ("a.csv", "question\nWhy\n".encode("utf-16"), "a.csv is not UTF-8"),
        ("a.json", '[{"question": "Why?"}, {"question": }]', "a.json line 1 is not JSON: Expecting value"),
        (
            "a.json",
            '[{"question": "Why?"}\n{"question": "How?"}]',
            "a.json line 2 is not JSON: Expecting ',' delimiter",
        ),
        ("a.json", '[{"question": "Why?"},\n', "a.json line 2 is not JSON: Expecting value"),
        ("a.eval", b"PK", "a.eval is a binary log of inspect_ai: `inspect log convert"),
        ("a.parquet", b"PAR1", "a.parquet is Parquet: `pandas.read_parquet"),
        ("promptfoo.yaml", "prompts: [p]\ntests: file://tests.csv\n", "has no test with variables"),
        ("a.yaml", "a: [\n", "a.yaml line 2: this is not YAML"),
    ],
)
def test_what_cannot_be_read_is_refused_with_file_and_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str | bytes, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError) as raised:
        QuestionFile(written(tmp_path, name, text))
    assert message in str(raised.value)
    assert raised.value.hint


QUESTION_IN = {
    "a.csv": "question\nWhy?\n", "a.txt": "Why?\n", "a.json": '[{"question": "Why?"}]',
    "a.jsonl": '{"question": "Why?"}\n', "a.yaml": "- question: Why?\n",
}  # fmt: skip


@pytest.mark.parametrize("name", QUESTION_IN)
@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo, lambda path: path.symlink_to("/dev/zero")])
def test_what_is_no_file_is_refused_at_once(tmp_path: Path, name: str, make: Callable[[Path], object]) -> None:
    make(tmp_path / name)
    with pytest.raises(UsageError, match=rf"{name} is a folder, a pipe or a device$"):
        QuestionFile(tmp_path / name)
    # A link to a file is read.
    kept = written(tmp_path, f"kept-{name}", QUESTION_IN[name])
    (tmp_path / f"link-{name}").symlink_to(kept)
    assert len(QuestionFile(tmp_path / f"link-{name}").cases) == 1


def test_the_same_question_with_other_demands_is_a_case_of_its_own(tmp_path: Path) -> None:
    rows = [{"input": "Why?", "expected_output": right} for right in ("One.", "Two.", "One.")]
    file = QuestionFile(written(tmp_path, "a.json", json.dumps(rows)))
    assert [(each.case_id, each.labels.get("reference_answer")) for each in file.cases] == [
        ("why", "One."),
        ("why-2", "Two."),
    ]
    assert file.lines[-1] == "  left out: 1 row with a question that came before"


def test_a_table_of_promptfoo_tests_has_its_assertions_in_cells(tmp_path: Path) -> None:
    text = "question,__expected,__expected2\nWhy?,icontains: a rule,not-contains: magic\nHow?,By hand,is-json: {}\n"
    file = QuestionFile(written(tmp_path, "tests.csv", text))
    assert found_in(file) == {
        "Why?": {"must_contain": ["a rule"], "must_not_contain": ["magic"]},
        "How?": {"reference_answer": "By hand"},
    }
    assert "  not carried: assert is-json (1)" in file.lines


def test_spans_as_phoenix_lists_them_are_read_nested_and_as_columns(tmp_path: Path) -> None:
    ids = {"trace_id": "t", "span_id": "a"}
    root = {"context": ids, "parent_id": None, "attributes": {"input": {"value": "Why?"}, "output": {"value": "So."}}}
    found = {"retrieval": {"documents": [{"document": {"id": "1", "content": "So it is."}}]}}
    search = {"context": {**ids, "span_id": "b"}, "parent_id": "a", "attributes": found}
    nested = QuestionFile(written(tmp_path, "nested.json", json.dumps({"data": [search, root]})))
    flat = {"context.trace_id": "t", "context.span_id": "a", "attributes.openinference.span.kind": "CHAIN"}
    columns = [{**flat, "attributes.input.value": "Why?", "attributes.output.value": "So."}]
    table = QuestionFile(written(tmp_path, "flat.jsonl", json.dumps(columns[0]) + "\n"))
    for file, context in ((nested, ["So it is."]), (table, [])):
        [question] = file.cases
        assert question.trace is not None
        assert (question.question, question.trace.reply.text) == ("Why?", "So.")
        assert [chunk.text for chunk in question.trace.context_chunks] == context
