"""Records that are loaded with their first value: checks, places of errors, JSON and schema are those of the record."""

from __future__ import annotations

import subprocess
import sys
from typing import Annotated, Any

import pytest
from pydantic import ValidationError

from raggate_action.schema.base import Record
from raggate_action.schema.later import Later
from raggate_action.schema.panel import Panel

_WHOLE = '{"ab": {"members": [], "prompt": "p", "quorum": 2, "trial": {"unpriced": ["tone", "facts"]}}}'
_LATER: Any = Annotated[Any, Later("panel", "Panel")]


class _AtOnce(Record):
    ab: Panel | None = None


class _Later(Record):
    ab: _LATER | None = None


def _errors(kind: type[Record], text: str) -> list[tuple[object, str]]:
    with pytest.raises(ValidationError) as found:
        kind.model_validate_json(text)
    return [(each["loc"], each["type"]) for each in found.value.errors()]


def test_a_value_is_read_and_written_as_the_record_is() -> None:
    read = _Later.model_validate_json(_WHOLE)
    assert read.ab == _AtOnce.model_validate_json(_WHOLE).ab
    assert read.ab is not None
    assert read.ab.trial.unpriced == ("tone", "facts")
    assert read.model_dump_json() == _AtOnce(ab=read.ab).model_dump_json()
    assert read.model_dump(mode="json") == _AtOnce(ab=read.ab).model_dump(mode="json")
    assert _Later.model_validate_json("{}").ab is None


def test_what_is_wrong_is_said_at_the_same_place() -> None:
    for wrong in (
        '{"ab": {"unknown": 1}}',
        _WHOLE.replace("2,", '"many",'),
        _WHOLE.replace('"tone"', "1"),
        '{"ab": 1}',
    ):
        assert _errors(_Later, wrong) == _errors(_AtOnce, wrong)


def test_it_is_described_as_the_record_is() -> None:
    described, at_once = _Later.model_json_schema(), _AtOnce.model_json_schema()
    assert described.get("$defs") == at_once.get("$defs")
    # A field of a type that is not known yet has its own name as a title beside.
    assert described["properties"]["ab"] == at_once["properties"]["ab"] | {"title": "Ab"}


def test_a_run_without_a_comparison_loads_none_of_its_records() -> None:
    script = "import sys, raggate_action.cli.run_command; sys.exit('raggate_action.schema.ab_run' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
