"""The rows of a file of any usual form: CSV, JSON lines, lines of text, or one document of JSON or YAML."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO, TypeAlias

from raggate_action.errors import UsageError
from raggate_action.suite_files.csv_file import csv_rows
from raggate_action.suite_files.located_tree import json_value
from raggate_action.suite_files.problems import FileProblems, path_text
from raggate_action.suite_files.yaml_file import read_yaml

# A document is held in memory whole.
LARGEST_DOCUMENT = 128 << 20
_HINT = (
    'Give a .csv, .json, .jsonl or .yaml with a row per question, as in {"question": "...", "reference": "..."}, '
    "or a .txt with a question per line."
)
# "1. What ...", "- What ..."
_LIST_MARK = re.compile(r"\s*(?:[-*\u2022]|\d{1,4}[.)])\s+")
_LONGEST_LINE = 1_000
# What cannot be read here, and the export that can.
_EXPORTS = {
    ".eval": "is a binary log of inspect_ai: `inspect log convert --to json --output-dir . FILE` writes JSON",
    ".parquet": 'is Parquet: `pandas.read_parquet(FILE).to_json("rows.jsonl", orient="records", lines=True)`',
    ".arrow": 'is Arrow: `datasets.Dataset.from_file(FILE).to_json("rows.jsonl")`',
    ".xlsx": "is a workbook: save the sheet as CSV UTF-8",
    ".db": "is a data base: export traces as JSON (MLflow: `mlflow.search_traces(return_type='list')`, `to_json()`)",
}


# The line that a row begins on, 0 inside a document, and the row.
PlacedRow: TypeAlias = tuple[int, Any]


def unusable(path: Path, what: str, *, hint: str = _HINT) -> UsageError:
    """The error about a file that cannot be read."""
    return UsageError(f"{path_text(path)} {what}", hint=hint)


def file_rows(path: Path) -> Iterator[PlacedRow] | dict[str, Any]:
    """The rows of a file, each read when it is taken; or the document that it is.

    Raises:
        UsageError: It cannot be read; of a later row when that is taken, with its line.
    """
    suffix = path.suffix.lower()
    if suffix in _EXPORTS:
        raise unusable(path, _EXPORTS[suffix], hint="Make that export, and give its file.")
    if suffix not in _READERS:
        raise unusable(path, "is no kind of file read here")
    with readable(path):
        size = path.stat().st_size
        if not path.is_file():
            raise unusable(path, "is a folder, a pipe or a device")
        if size > LARGEST_DOCUMENT and suffix in {".json", ".yaml", ".yml"}:
            raise unusable(path, f"is one document of {size >> 20} MiB", hint="Give it as JSON lines, a row per line.")
        found = _READERS[suffix](path)
    if isinstance(found, list):
        return ((0, row) for row in found)
    if not isinstance(found, dict | Iterator):
        raise unusable(path, "holds something that is no row")
    return found


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """Say in words why a file cannot be read, when it is opened or at a later row.

    Raises:
        UsageError: It cannot be read.
    """
    try:
        yield
    except OSError as error:
        raise unusable(path, f"cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise unusable(path, "is not UTF-8", hint="Save it as UTF-8 (in a spreadsheet: CSV UTF-8).") from None


def _open(path: Path) -> TextIO:
    return path.open(encoding="utf-8-sig", newline="")


def _json_document(path: Path) -> Any:
    with _open(path) as stream:
        return _json(stream.read(), path, 1)


def _yaml_document(path: Path) -> Any:
    problems = FileProblems(path_text(path))
    with _open(path) as stream:
        node = read_yaml(stream.read(), problems)
    for problem in problems.kept:
        raise unusable(path, f"line {problem.mark.line}: {problem.text}")
    return json_value(node) if node is not None else None


def _json(text: str, path: Path, line: int) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        at = line + getattr(error, "lineno", 1) - 1
        raise unusable(path, f"line {at} is not JSON: {getattr(error, 'msg', error)}") from None
    except RecursionError:
        raise unusable(path, "is nested too deeply") from None


def _json_lines(path: Path) -> Iterator[PlacedRow]:
    with _open(path) as stream:
        for number, line in enumerate(stream, 1):
            if line.strip():
                yield number, _json(line, path, number)


def _question_lines(path: Path) -> Iterator[PlacedRow]:
    """A question a line, as people write them down; blank lines and headings (`# Fees`) ask nothing."""
    with _open(path) as stream:
        for number, line in enumerate(stream, 1):
            question = _LIST_MARK.sub("", line, count=1).strip()
            if len(question) > _LONGEST_LINE:
                raise unusable(path, f"line {number} is no question: it has {len(question):,} characters")
            if question and not question.startswith("#"):
                yield number, {"question": question}


def _table(path: Path) -> Iterator[PlacedRow]:
    problems = FileProblems(path_text(path))
    with _open(path) as stream:
        rows = csv_rows(stream.read(), problems)
    header = next(rows, None)
    names = [cell.strip() for cell in header.cells] if header is not None else []
    for row in rows:
        yield row.mark.line, {name: _cell(value) for name, value in zip(names, row.cells, strict=False) if name}
    for problem in problems.kept:
        raise unusable(path, f"line {problem.mark.line}: {problem.text}")


def _cell(text: str) -> Any:
    """A cell; one that holds a list or a mapping, as JSON or as Python writes it, as that."""
    if not text.lstrip().startswith(("[", "{")):
        return text
    for read in (json.loads, ast.literal_eval):
        try:
            value = read(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue
        return value if isinstance(value, list | dict) else text
    return text


_READERS: dict[str, Callable[[Path], Any]] = {
    ".txt": _question_lines,
    ".csv": _table,
    ".tsv": _table,
    ".json": _json_document,
    ".jsonl": _json_lines,
    ".ndjson": _json_lines,
    ".yaml": _yaml_document,
    ".yml": _yaml_document,
}
