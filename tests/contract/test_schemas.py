"""The JSON Schemas shipped for editors are what the program prints, and accept the examples."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from raggate_action.cli.schema_command import FORMATS, schema_of

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", ["suite", "cases", "trace", "result"])
def test_the_shipped_schema_is_the_printed_one(name: str) -> None:
    command = [sys.executable, "-m", "raggate_action", "schema", name]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert (ROOT / "docs" / "schemas" / f"{name}.schema.json").read_text() == printed


@pytest.mark.parametrize("name", ["suite", "cases", "chunk", "trace", "result"])
def test_every_field_a_user_sees_is_described(name: str) -> None:
    schema = schema_of(name)
    records = [schema, *schema.get("$defs", {}).values()]
    bare = {
        f"{record.get('title')}.{field}"
        for record in records
        for field, about in record.get("properties", {}).items()
        if "description" not in about and field not in {"kind", "schema_version"} and "$ref" not in json.dumps(about)
    }
    # One-line records say it all in their summary.
    small = {"Message", "RequiredPoint", "ToolCall", "Usage", "Ready", "Penalties", "Rate"}
    assert not {name for name in bare if name.split(".")[0] not in small}


@pytest.mark.parametrize(
    "path",
    [path for path in sorted((ROOT / "examples").glob("*/*.yaml")) if path.name != "labels.yaml"],
    ids=lambda path: f"{path.parent.name}/{path.name}",
)
def test_the_examples_name_their_schema(path: Path) -> None:
    first = path.read_text().splitlines()[0]
    assert first.startswith("# yaml-language-server: $schema=")
    assert (path.parent / first.partition("=")[2]).resolve().is_file()


@pytest.mark.parametrize("name", FORMATS)
def test_every_record_of_a_format_is_closed_but_a_chunk(name: str) -> None:
    schema = schema_of(name)
    records = [each for each in (schema, *schema.get("$defs", {}).values()) if "properties" in each]
    # A chunk's own fields are the user's.
    assert {each.get("additionalProperties") for each in records} == ({True} if name == "chunk" else {False})
