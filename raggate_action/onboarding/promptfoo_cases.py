"""promptfoo: tests with their assertions become cases with what the answer must contain and do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pydantic import JsonValue

from raggate_action.onboarding.tool_cases import ToolCase, question_in, text_in, texts_in
from raggate_action.strings.questions import QUESTION_NAMES
from raggate_action.suite_files.csv_file import first_name_of

_CONTEXTS = ("context", "contexts", "documents", "retrieved_contexts")
_VARIABLE = re.compile(r"\{\{-?\s*(\w+)\s*-?\}\}")
# `icontains: a rule` in a cell.
_IN_CELL = re.compile(r"(?P<type>(?:not-)?[a-z][a-z-]*)(?:\((?P<threshold>[\d.]+)\))?:\s*(?P<value>.*)", re.DOTALL)

# Type of an assertion -> field of a case and what its value becomes there.
_Carried = tuple[str, Callable[[Any], list[JsonValue]]]


def _texts(value: Any) -> list[JsonValue]:
    return list(texts_in([value] if isinstance(value, str | int | float) else value))


def _expression(value: Any) -> list[JsonValue]:
    try:
        re.compile(str(value))
    except re.error:
        return []
    return [{"regex": str(value)}] if value else []


def _must_not(value: Any) -> list[JsonValue]:
    return [{"must_not": text} for text in _texts(value)]


_ASSERTIONS: dict[str, _Carried] = {
    "contains": ("must_contain", _texts),
    "regex": ("must_contain", _expression),
    "not-contains": ("must_not_contain", _texts),
    "not-regex": ("must_not_contain", _expression),
    "llm-rubric": ("criteria", _texts),
    "not-llm-rubric": ("criteria", _must_not),
}


def config_tests(document: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The tests of a configuration, each with what `defaultTest` adds; one in another file has no variables."""
    default = document.get("defaultTest")
    default = default if isinstance(default, dict) else {}
    tests = document["tests"]
    for test in tests if isinstance(tests, list) else [tests]:
        if not isinstance(test, dict):
            yield {"vars": {}, "assert": ()}
            continue
        asserts = [*(default.get("assert") or ()), *(test.get("assert") or ())]
        yield {**test, "vars": {**(default.get("vars") or {}), **(test.get("vars") or {})}, "assert": asserts}


def promptfoo_case(row: Mapping[str, Any]) -> ToolCase | None:
    """A test, a line of a table of tests, or a result, which is a test with its answer."""
    test = row.get("testCase") if isinstance(row.get("testCase"), dict) else row
    assert isinstance(test, Mapping)  # noqa: S101
    given = row.get("vars") or test.get("vars")
    variables = given if isinstance(given, dict) else _cells(row)
    name = first_name_of(variables, QUESTION_NAMES)
    if name is None and len(variables) == 1:
        (name,) = variables
    question = question_in(variables[name]) if name else _prompt(row)
    if not question:
        return None
    taken = {f"vars.{name}" if name else "prompt": "question"}
    labels, left = _labels(_asserts(test, row), variables, taken)
    reply = _reply(row, variables, taken)
    left += [f"vars.{each}" for each, value in variables.items() if value and f"vars.{each}" not in taken]
    return ToolCase(question, "", labels, reply, taken, tuple(dict.fromkeys(left)))


def _prompt(row: Mapping[str, Any]) -> str:
    prompt = row.get("prompt")
    return text_in(prompt.get("raw")) if isinstance(prompt, dict) else ""


def _cells(row: Mapping[str, Any]) -> dict[str, Any]:
    """The variables of a line of a table: the columns that promptfoo gives no meaning."""
    return {name: value for name, value in row.items() if not str(name).startswith("__") and value not in (None, "")}


def _asserts(test: Mapping[str, Any], row: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for each in test.get("assert") or ():
        if isinstance(each, dict):
            yield each
    for name, cell in row.items():
        if str(name).startswith("__expected") and isinstance(cell, str) and cell.strip():
            yield _of_cell(cell.strip())


def _of_cell(cell: str) -> Mapping[str, Any]:
    found = _IN_CELL.fullmatch(cell)
    if found is None:
        return {"type": "equals", "value": cell}
    return {"type": found["type"], "value": found["value"].strip(), "threshold": found["threshold"]}


def _labels(
    asserts: Iterator[Mapping[str, Any]], variables: Mapping[str, Any], taken: dict[str, str]
) -> tuple[dict[str, JsonValue], list[str]]:
    """The labels that assertions come to, and the assertions that come to none; `taken` is told of the former."""
    labels: dict[str, JsonValue] = {}
    left: list[str] = []
    for each in asserts:
        kind = str(each.get("type", ""))
        value = _filled(each.get("value"), variables)
        field, read = _ASSERTIONS.get(kind.replace("icontains", "contains"), ("", _texts))
        if field and value is not None and (found := read(value)):
            known = labels.setdefault(field, [])
            assert isinstance(known, list)  # noqa: S101
            known += [item for item in found if item not in known]
        elif kind == "equals" and isinstance(value, str) and value.strip():
            field = "reference_answer"
            labels.setdefault(field, value.strip())
        elif kind == "latency" and isinstance(each.get("threshold"), int | float) and each["threshold"] > 0:
            field = "max_latency_ms"
            labels[field] = each["threshold"]
        else:
            left.append(f"assert {kind}")
            continue
        taken[f"assert {kind}"] = field
    return labels, left


def _filled(value: Any, variables: Mapping[str, Any]) -> Any:
    """A value with its variables filled in; None where one has no text, or the value stands in a file."""
    if isinstance(value, list):
        filled = [_filled(each, variables) for each in value]
        return None if None in filled else filled
    if not isinstance(value, str):
        return value
    if value.startswith("file://"):
        return None
    found = _VARIABLE.sub(lambda name: text_in(variables.get(name[1])) or name[0], value)
    return None if "{{" in found or "{%" in found else found


def _reply(row: Mapping[str, Any], variables: Mapping[str, Any], taken: dict[str, str]) -> JsonValue:
    response = row.get("response")
    output = response.get("output") if isinstance(response, dict) else None
    if output is None:
        return None
    taken["response.output"] = "answer"
    reply: dict[str, JsonValue] = {"answer": output} if isinstance(output, str) else {"output": output}
    name = next((name for name in _CONTEXTS if variables.get(name)), None)
    if name is not None and isinstance(output, str):
        held = variables[name]
        reply["context"] = [held] if isinstance(held, str) else held
        taken[f"vars.{name}"] = "context"
    return reply
