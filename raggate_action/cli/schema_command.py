"""`schema`: the file formats as JSON Schema."""

from __future__ import annotations

import json
import re
import sys
from difflib import get_close_matches
from typing import Any

from pydantic import BaseModel, RootModel

from raggate_action.cli.commands import Schema
from raggate_action.errors import ExitCode, UsageError
from raggate_action.schema.ab_run import AbRun, RowsReport
from raggate_action.schema.action_result import ActionResult
from raggate_action.schema.audit import AuditReport
from raggate_action.schema.calibration import HeldAnswer, LabelledAnswer
from raggate_action.schema.case import Case
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.comparison import Comparison
from raggate_action.schema.evidence import Chunk
from raggate_action.schema.judgement import Judgement
from raggate_action.schema.run import Run
from raggate_action.schema.stored_suite import StoredSuite
from raggate_action.schema.suite import Suite
from raggate_action.schema.trace import Trace


class LabelsEntry(RootModel[LabelledAnswer | HeldAnswer]):
    """An entry of `labels.yaml`."""


FORMATS: dict[str, tuple[type[BaseModel], str]] = {
    "suite": (Suite, "raggate.yaml"),
    "cases": (Case, "a case file"),
    "case": (Case, "a case"),
    "chunk": (Chunk, "a chunk of an evidence file"),
    "trace": (Trace, "what a target returns; a line of recorded traces"),
    "case-run": (CaseRun, "a line of cases.jsonl"),
    "run": (Run, "run.json"),
    "run-suite": (StoredSuite, "suite.json of a run"),
    "comparison": (Comparison, "comparison.json"),
    "result": (ActionResult, "the action's output `result`"),
    "audit": (AuditReport, "what `audit` prints"),
    "calibration": (LabelsEntry, "an entry of labels.yaml"),
    "judgement": (Judgement, "a line of judgements.jsonl"),
    "ab": (AbRun, "ab.json of a comparison of two arms"),
    "ab-rows": (RowsReport, "ab.json as `ab --rows` writes it"),
}


def run(options: Schema) -> int:
    """Print one schema, or the names of all."""
    if options.name is None:
        width = max(map(len, FORMATS))
        sys.stdout.writelines(f"{name:<{width}}  {what}\n" for name, (_record, what) in FORMATS.items())
        return ExitCode.RELEASE
    if options.name not in FORMATS:
        near = get_close_matches(options.name, FORMATS, n=1)
        hint = f"Did you mean {near[0]}?" if near else f"Write one of: {', '.join(FORMATS)}."
        raise UsageError(f"there is no format {options.name!r}", hint=hint)
    sys.stdout.write(json.dumps(schema_of(options.name), indent=2, ensure_ascii=False) + "\n")
    return ExitCode.RELEASE


def schema_of(name: str) -> dict[str, Any]:
    """The JSON Schema of a format, every field described as its record describes it."""
    record, what = FORMATS[name]
    schema = record.model_json_schema(ref_template="#/$defs/{model}")
    for described in (schema, *schema.get("$defs", {}).values()):
        _describe_fields(described)
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"raggate: {what}"}
    if name != "cases":
        return {**schema, **head}
    items = {"type": "array", "items": {"$ref": "#/$defs/Case"}}
    defs = {**schema.pop("$defs", {}), "Case": schema}
    wrapped = {"type": "object", "properties": {"cases": items}, "required": ["cases"], "additionalProperties": False}
    return {**head, "anyOf": [items, wrapped], "$defs": defs}


_ENTRY = re.compile(r"^ {4}(?P<names>\w+(?:, \w+)*): (?P<text>.*(?:\n {8,}.*)*)", re.MULTILINE)


def _describe_fields(described: dict[str, Any]) -> None:
    """Move the `Attributes:` of a record's docstring to its fields, where editors show them."""
    summary, _, attributes = described.get("description", "").partition("\n\nAttributes:\n")
    if not attributes:
        return
    described["description"] = summary
    for entry in _ENTRY.finditer(attributes):
        for field in entry["names"].split(", "):
            if field in described.get("properties", {}):
                described["properties"][field]["description"] = " ".join(entry["text"].split())
