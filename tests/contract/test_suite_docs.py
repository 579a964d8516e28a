"""`docs/suite.md` and `docs/trace.md` name every key a user can write, and no default that is not so."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from pydantic import BaseModel

from raggate_action.isolation.own_process import PLAIN_NAMES
from raggate_action.schema import ab, policy, slices, suite, target
from raggate_action.schema.base import Record
from raggate_action.schema.case import Case
from raggate_action.schema.evidence import Chunk
from raggate_action.schema.trace import Trace

DOCS = Path(__file__).parents[2] / "docs"
SUITE = (DOCS / "suite.md").read_text()
TRACE = (DOCS / "trace.md").read_text()
WRITTEN: tuple[type[BaseModel], ...] = (
    suite.Suite, target.HttpTarget, target.CommandTarget, target.FunctionTarget, target.RecordedTarget, target.HttpRequest,
    target.Ready, suite.EvidenceFiles, suite.Pipeline, suite.Scope, slices.Slices, policy.Gates, policy.CaseGate,
    policy.Penalties, policy.Waiver, Case, Chunk, ab.Ab, ab.Arm, ab.Rubric, ab.Dimension, ab.Level,
)  # fmt: skip


@pytest.mark.parametrize("record", WRITTEN, ids=lambda record: record.__name__)
def test_every_key_is_documented(record: type[BaseModel]) -> None:
    missing = {name for name in record.model_fields if f"`{name}`" not in SUITE and f"{name}:" not in SUITE}
    assert missing <= {"kind"}


def test_every_field_of_a_trace_is_documented() -> None:
    assert {name for name in Trace.model_fields if name not in TRACE} <= {"stage_latency_ms"}


def test_the_sample_trace_is_one() -> None:
    block = re.search(r"```json\n(.*?)```", TRACE, re.DOTALL)
    assert block is not None
    Trace.model_validate_json(json.dumps(json.loads(block[1])))


@pytest.mark.parametrize(
    ("record", "field", "told"),
    [
        (target.HttpTarget, "concurrency", "`concurrency` 8"),
        (target.HttpTarget, "attempts", "`attempts` 3"),
        (target.CommandTarget, "timeout_s", "`timeout_s` 60"),
        (slices.Slices, "min_cases", "`min_cases` 20"),
        (policy.Penalties, "must_contain", "`must_contain` 0.2"),
        (policy.Penalties, "must_not_contain", "`must_not_contain` 0.3"),
        (policy.Penalties, "expected_tool", "`expected_tool` 0.2"),
        (policy.Penalties, "forbidden_tool", "`forbidden_tool` 0.3"),
        (policy.Penalties, "latency", "`latency` 0.1"),
        (policy.BehaviourGate, "per_case", "`per_case` 0.7"),
    ],
)
def test_defaults_are_as_told(record: type[Record], field: str, told: str) -> None:
    assert told in SUITE
    assert told.endswith(f" {record.model_fields[field].default}")


def test_every_variable_a_program_may_see_is_documented() -> None:
    assert [name for name in PLAIN_NAMES if f"`{name}`" not in SUITE] == []
