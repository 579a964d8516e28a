"""`run.json` and `ab.json`: recognised among other files; and the first written without ever standing in memory whole.

With 100,000 cases `run.json` has 10 MiB. Written at once it would take 50 MiB of memory more, half as long again, and
five lines for each case.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import IO, Final, NamedTuple

from pydantic_core import PydanticSerializationError, from_json, to_json

from raggate_action.errors import OldRunError, RunStoreError
from raggate_action.run_store.run_files import AB, BUFFER_BYTES, RUN, store_errors
from raggate_action.run_store.stored_files import (
    RunFiles,
    RunSource,
    file_label,
    files_of,
    read_beginning,
    read_document,
)
from raggate_action.schema.base import Record
from raggate_action.schema.run import SCHEMA_VERSION, Run, StartedRun, StoredFile, SuiteCase

_AB_VERSION = 1
# The keys of a header come first in what is written here. Parsing all of a large `run.json` for them makes objects of
# each case of the suite, 50 MiB of them with 100,000 cases.
_BEGINNING = 4096


class Kind(NamedTuple):
    """What a directory of ours may hold.

    Attributes:
        file: The file it is known by, which is written last.
        name: What messages call it.
        version: The version of its format that this raggate writes.
        is_ours: Whether the keys of such a file are ours.
        hint: What to do where a newer raggate wrote it.
    """

    file: str
    name: str
    version: int
    is_ours: Callable[[dict[str, object]], bool]
    hint: str


A_RUN: Final = Kind(
    RUN,
    "run",
    SCHEMA_VERSION,
    lambda keys: isinstance(keys.get("suite"), str),
    "A newer raggate wrote this run: update raggate, or make the run again.",
)
A_COMPARISON: Final = Kind(
    AB,
    "comparison of two arms",
    _AB_VERSION,
    lambda keys: keys.get("kind") == "ab",
    "A newer raggate wrote it: update raggate, or compare again.",
)


class RunHeader(NamedTuple):
    """What tells such a file from any other.

    Attributes:
        schema_version: The version of its format.
        complete: What it holds came to its end.
        suite: The name of its suite; empty where it has none.
        files: The files that belong to it, by name, as they stand there.
    """

    schema_version: int
    complete: bool
    suite: str = ""
    files: Mapping[str, object] = {}


def read_header(source: RunSource, kind: Kind = A_RUN) -> RunHeader | None:
    """The header of a stored run, or of what else it is; None when there is no such file or it is none of ours.

    Raises:
        RunStoreError: It cannot be read, or does not begin with its header and is too large to be a run's.
    """
    files = files_of(source)
    found = _first_header(read_beginning(files, kind.file, _BEGINNING) or b"", kind)
    return found or _header_in(read_document(files, kind.file) or b"", kind)


def header_of(content: bytes, kind: Kind = A_RUN) -> RunHeader | None:
    """The header of such a file, cut off or not, its keys in any order; None where it is none of ours."""
    return _first_header(content[:_BEGINNING], kind) or _header_in(content, kind)


def _first_header(content: bytes, kind: Kind) -> RunHeader | None:
    """The header where it stands in what a file begins with; None where that is not certain."""
    # What stands behind the last comma may be the first part of a value.
    return _header_in(content[: content.rfind(b",") + 1], kind)


def _header_in(content: bytes, kind: Kind) -> RunHeader | None:
    try:
        keys = from_json(content, allow_partial=True)
    except ValueError:
        return None
    if not isinstance(keys, dict) or not kind.is_ours(keys):
        return None
    version, complete = keys.get("schema_version"), keys.get("complete")
    # Not isinstance: True is an int, and no version.
    if type(version) is not int or not isinstance(complete, bool):
        return None
    suite, stored = keys.get("suite"), keys.get("files")
    return RunHeader(
        version, complete, suite if isinstance(suite, str) else "", stored if isinstance(stored, dict) else {}
    )


def described_file(stream: IO[bytes]) -> StoredFile:
    """What `run.json` holds of a file, read from its beginning."""
    digest, lines = hashlib.sha256(), 0
    for piece in iter(partial(stream.read, BUFFER_BYTES), b""):
        digest.update(piece)
        lines += piece.count(b"\n")
    return StoredFile(digest=digest.hexdigest(), lines=lines)


def see_fits(files: RunFiles, name: str) -> bool:
    """Whether there is a file `name`; of a finished run it is the one that the run ended with.

    Raises:
        RunStoreError: It is another one, or one of the two is missing; or the run is of another format.
    """
    where = file_label(files, name)
    header = read_header(files)
    if header is not None:
        see_readable(files, header)
    expected = header.files.get(name) if header is not None else None
    stream = files.open(name)
    if stream is None:
        if expected is not None:
            raise RunStoreError(f"{where}: No such file or directory", hint="The run is not whole: make it again.")
        return False
    with store_errors(where), stream:
        if header is None or not header.complete:
            return True
        found = described_file(stream).model_dump()
    if found == expected:
        return True
    lines = expected.get("lines") if isinstance(expected, dict) else None
    what = " is not the file that the run ended with"
    if isinstance(lines, int) and lines != found["lines"]:
        what = f": the number of lines is {found['lines']:,}, and was {lines:,} when the run ended"
    raise RunStoreError(
        f"{where}{what}", hint="The run directory was changed after raggate wrote it: make the run again."
    )


def refuse_newer(source: RunSource, header: RunHeader, kind: Kind = A_RUN) -> None:
    """See that this version of raggate knows the format.

    Raises:
        RunStoreError: A newer raggate wrote it.
    """
    if header.schema_version > kind.version:
        where = file_label(files_of(source), kind.file)
        raise RunStoreError(
            f"{where} has schema_version {header.schema_version}; this raggate reads {kind.version}", hint=kind.hint
        )


def see_readable(source: RunSource, header: RunHeader) -> None:
    """See that a stored run is in this raggate's format. An older one may be replaced, but is not read.

    Raises:
        RunStoreError: A newer raggate wrote it; or an older one, and it is an `OldRunError`.
    """
    refuse_newer(source, header)
    if header.schema_version < SCHEMA_VERSION:
        where = file_label(files_of(source), RUN)
        raise OldRunError(
            f"{where} has schema_version {header.schema_version}; this raggate reads {SCHEMA_VERSION}",
            hint="An older raggate wrote this run: make the run again.",
        )


def run_pieces(run: Run | StartedRun, suite_cases: Iterable[SuiteCase]) -> Iterator[bytes]:
    """The bytes of `run.json`: keys in the record's order, the suite's cases last, one per line.

    Args:
        run: The run, going on or complete; its own `suite_cases` are not looked at.
        suite_cases: Every case of the suite in order, taken one at a time.
    """
    yield indented(run, leave_out={"suite_cases"}).removesuffix(b"\n}")
    yield b',\n  "suite_cases": ['
    separator = b"\n    "
    for case in suite_cases:
        yield separator + to_json(case)
        separator = b",\n    "
    yield b"]\n}\n" if separator == b"\n    " else b"\n  ]\n}\n"


def indented(record: Record, *, leave_out: set[str] | None = None) -> bytes:
    """A record as a file that people read too."""
    try:
        return record.model_dump_json(indent=2, exclude=leave_out).encode()
    except PydanticSerializationError:
        # Half a surrogate pair from an answer, which UTF-8 cannot hold.
        plain = record.model_dump(mode="json", exclude=leave_out)
        return json.dumps(plain, indent=2, ensure_ascii=False).encode(errors="replace")
