"""The rows of a file of any usual form, one at a time: CSV, JSON lines, a JSON list, lines of text; or one document."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from json import JSONDecoder
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from raggate_action.errors import UsageError
from raggate_action.suite_files.csv_file import header_and_rows
from raggate_action.suite_files.located_tree import json_value
from raggate_action.suite_files.problems import FileProblems, path_text
from raggate_action.suite_files.yaml_file import read_yaml

# A document that is no list of rows is held in memory whole.
LARGEST_DOCUMENT = 128 << 20
_PIECE = 1 << 16
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


class PlacedRow(NamedTuple):
    """A row and the line it begins on."""

    line: int
    row: Any


class FileRows(NamedTuple):
    """What a file holds.

    Attributes:
        rows: Its rows, in order; each is read when it is taken.
        document: The whole of it where it is no list of rows; None else.
    """

    rows: Iterator[PlacedRow]
    document: Mapping[str, Any] | None = None


def unusable(path: Path, what: str, *, hint: str = _HINT) -> UsageError:
    """The error about a file that cannot be read."""
    return UsageError(f"{path_text(path)} {what}", hint=hint)


def file_rows(path: Path) -> FileRows:
    """Open a file.

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
        if suffix in {".jsonl", ".ndjson"}:
            return FileRows(_json_lines(path))
        if suffix in {".csv", ".tsv"}:
            return FileRows(_table(path))
        if suffix == ".txt":
            return FileRows(_question_lines(path))
        if size > LARGEST_DOCUMENT and not (suffix == ".json" and _is_list(path)):
            raise unusable(path, f"is one document of {size >> 20} MiB", hint="Give it as JSON lines, a row per line.")
        if suffix == ".json" and _is_list(path):
            return FileRows(_json_list(path))
        return _document(path, _json_document(path) if suffix == ".json" else _yaml_document(path))


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


_READERS = frozenset({".txt", ".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".yaml", ".yml"})


def _open(path: Path) -> TextIO:
    return path.open(encoding="utf-8-sig", newline="")


def _document(path: Path, value: Any) -> FileRows:
    if isinstance(value, list):
        return FileRows(PlacedRow(1, row) for row in value)
    if not isinstance(value, dict):
        raise unusable(path, "holds something that is no row")
    return FileRows(iter(()), value)


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
                yield PlacedRow(number, _json(line, path, number))


def _question_lines(path: Path) -> Iterator[PlacedRow]:
    """A question a line, as people write them down; blank lines and headings (`# Fees`) ask nothing."""
    with _open(path) as stream:
        for number, line in enumerate(stream, 1):
            question = _LIST_MARK.sub("", line, count=1).strip()
            if len(question) > _LONGEST_LINE:
                raise unusable(path, f"line {number} is no question: it has {len(question):,} characters")
            if question and not question.startswith("#"):
                yield PlacedRow(number, {"question": question})


def _is_list(path: Path) -> bool:
    with _open(path) as stream:
        return stream.read(_PIECE).lstrip().startswith("[")


_DECODER = JSONDecoder()
_SPACE = " \t\r\n"


def _json_list(path: Path) -> Iterator[PlacedRow]:
    """The items of a JSON list, of which no two are in memory together."""
    with _open(path) as stream:
        text = stream.read(_PIECE)
        line, at = 1, text.index("[") + 1
        line += text.count("\n", 0, at)
        behind_item = False
        while True:
            start = at
            while at < len(text) and text[at] in _SPACE:
                at += 1
            line += text.count("\n", start, at)
            if at == len(text):
                text, at = stream.read(_PIECE), 0
                if not text:
                    raise unusable(path, f"line {line} is not JSON: the list is not closed")
                continue
            if text[at] == "]":
                return
            if behind_item and text[at] != ",":
                raise unusable(path, f"line {line} is not JSON: Expecting ',' delimiter")
            if behind_item:
                at, behind_item = at + 1, False
                continue
            value, end, text = _item(stream, text[at:], path, line)
            yield PlacedRow(line, value)
            line += text.count("\n", 0, end)
            at, behind_item = end, True


def _item(stream: TextIO, text: str, path: Path, line: int) -> tuple[Any, int, str]:
    """The value that a text begins with, where it ends, and the text with what had to be read for it."""
    wanted = _PIECE
    while True:
        more = ""
        try:
            value, end = _DECODER.raw_decode(text)
        except ValueError as error:
            more = stream.read(wanted)
            if not more:
                at = line + getattr(error, "lineno", 1) - 1
                raise unusable(path, f"line {at} is not JSON: {getattr(error, 'msg', error)}") from None
        except RecursionError:
            raise unusable(path, "is nested too deeply") from None
        else:
            # A number may go on behind what has been read.
            if end < len(text) or not (more := stream.read(wanted)):
                return value, end, text
        # Twice as much each time: a large item is not decoded as often as it has pieces.
        text, wanted = text + more, 2 * wanted


def _table(path: Path) -> Iterator[PlacedRow]:
    problems = FileProblems(path_text(path))
    with _open(path) as stream:
        names, rows = header_and_rows(stream, problems)
        for row in rows:
            cells = {name: _cell(value) for name, value in zip(names, row.cells, strict=False) if name}
            yield PlacedRow(row.mark.line, cells)
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
