"""`run.json`: told apart by its first keys, and written without ever standing in memory whole."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from pydantic_core import PydanticSerializationError, from_json, to_json

from raggate_action.errors import RunStoreError
from raggate_action.run_store.files import RUN, store_errors
from raggate_action.schema.base import Record
from raggate_action.schema.run import SCHEMA_VERSION, Run, StartedRun, SuiteCase

# We write these keys first, so that a large file is told by its beginning.
_FIRST_KEYS = re.compile(rb'\s*\{\s*"schema_version":\s*(\d{1,9}),\s*"complete":\s*(true|false),\s*"suite":')
_BEGINNING_BYTES = 4096


class RunHead(NamedTuple):
    """The first keys of a `run.json`: version of the format, and whether the run came to its end."""

    schema_version: int
    complete: bool


def read_head(directory: Path) -> RunHead | None:
    """The first keys of the `run.json` in `directory`; None when there is no such file or it is none of ours."""
    file = directory / RUN
    with store_errors(file):
        try:
            descriptor = os.open(file, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        except FileNotFoundError:
            return None
        with open(descriptor, "rb") as stream:  # noqa: PTH123 (a descriptor, not a path)
            content = stream.read(_BEGINNING_BYTES)
            if found := _FIRST_KEYS.match(content):
                return RunHead(int(found[1]), complete=found[2] == b"true")
            content += stream.read()
    return _parsed_head(content)


def _parsed_head(content: bytes) -> RunHead | None:
    """The same from a file whose keys somebody put in another order."""
    try:
        keys = from_json(content)
    except ValueError:
        return None
    if not isinstance(keys, dict) or not isinstance(keys.get("suite"), str):
        return None
    version, complete = keys.get("schema_version"), keys.get("complete")
    if type(version) is not int or not isinstance(complete, bool):
        return None
    return RunHead(version, complete)


def refuse_newer(directory: Path, head: RunHead) -> None:
    """See that this version of raggate knows the format.

    Raises:
        RunStoreError: A newer raggate wrote it.
    """
    if head.schema_version > SCHEMA_VERSION:
        raise RunStoreError(
            f"{directory / RUN} has schema_version {head.schema_version}; this raggate reads up to {SCHEMA_VERSION}",
            hint="A newer raggate wrote this run: update raggate, or make the run again.",
        )


def started_pieces(started: StartedRun) -> Iterator[bytes]:
    """The bytes of `run.json` while the run goes on."""
    yield _indented(started)
    yield b"\n"


def run_pieces(run: Run, suite_cases: Iterable[SuiteCase]) -> Iterator[bytes]:
    """The bytes of `run.json` of a complete run: keys in the record's order, the suite's cases last, one per line.

    Args:
        run: The run; its own `suite_cases` are not looked at.
        suite_cases: Every case of the suite in order, taken one at a time.
    """
    whole = _indented(run.model_copy(update={"complete": True}), leave_out={"suite_cases"})
    yield whole.removesuffix(b"\n}")
    yield b',\n  "suite_cases": ['
    separator = b"\n    "
    for case in suite_cases:
        yield separator + to_json(case)
        separator = b",\n    "
    yield b"]\n}\n" if separator == b"\n    " else b"\n  ]\n}\n"


def _indented(record: Record, *, leave_out: set[str] | None = None) -> bytes:
    try:
        return record.model_dump_json(indent=2, exclude=leave_out).encode()
    except PydanticSerializationError:
        # Half a surrogate pair from an answer, which UTF-8 cannot hold.
        plain = record.model_dump(mode="json", exclude=leave_out)
        return json.dumps(plain, indent=2, ensure_ascii=False).encode(errors="replace")
