"""A reader needs nothing but the repository: no pointer to a document that is not in it, no docstring that says nothing."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
CODE = sorted((ROOT / "raggate_action").rglob("*.py"))
TEXTS = sorted(
    path
    for pattern in ("*.md", "action.yml", "docs/**/*.md", "docs/**/*.json", "templates/*", "raggate_action/**/*")
    for path in ROOT.glob(pattern)
    if "__pycache__" not in path.parts and path.is_file()
)

# `rules 7`, `seed 004`, `design 10`, also across a line's end with its indentation and `#`; `action-craft C2`.
POINTER = re.compile(
    r"\b(?:rules|seed|design)\b[\s#]+\d{1,3}\b(?! (?:cases|words|times))|\baction-craft\b|\bhouse-review\b"
)


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def pointers(text: str) -> list[str]:
    return [" ".join(found[0].split()) for found in POINTER.finditer(text)]


def empty_docstrings(text: str) -> Iterator[str]:
    """Public functions and methods whose docstring says nothing, by name; a note on a dunder is not asked for.

    Of a function that takes arguments, fewer than three words say nothing; of another, fewer than two.
    """
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or node.name.startswith("_"):
            continue
        arguments = node.args
        names = [a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
        takes = bool({*names} - {"self", "cls"}) or arguments.vararg is not None or arguments.kwarg is not None
        docstring = ast.get_docstring(node)
        if docstring is not None and len(docstring.split()) < (3 if takes else 2):
            yield node.name


def test_no_text_points_to_a_document_that_is_not_here() -> None:
    assert len(TEXTS) > 250, "the files are no longer found"
    assert {name_of(path): found for path in TEXTS if (found := pointers(path.read_text()))} == {}


def test_no_docstring_says_nothing() -> None:
    assert {name_of(path): found for path in CODE if (found := list(empty_docstrings(path.read_text())))} == {}
