"""A reader needs nothing but the repository: no pointer to a document that is not in it, no docstring that says nothing."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CODE = sorted((ROOT / "raggate_action").rglob("*.py"))
TEXTS = sorted(
    path
    for pattern in ("*.md", "action.yml", "docs/**/*.md", "docs/**/*.json", "templates/*", "raggate_action/**/*")
    for path in ROOT.glob(pattern)
    if path.is_file() and path.suffix != ".pyc"
)

# `rules 7`, `seed 004`, `design 10`, also across a line's end with its indentation and `#`; `action-craft C2`.
POINTER = re.compile(
    r"\b(?:rules|seed|design)\b[\s#]+\d{1,3}\b(?! (?:cases|words|times))|\baction-craft\b|\bhouse-review\b"
)

# What is still to be mended: how many pointers a file has. It may shrink only: a file that has fewer is an error here too.
STILL_POINTING: dict[str, int] = {
    "raggate_action/core/comparison/moved_suspects.py": 1,
    "raggate_action/core/comparison/suite_changes.py": 1,
    "raggate_action/core/counting/amounts.py": 1,
    "raggate_action/core/decision/decide.py": 2,
    "raggate_action/core/decision/limit_gates.py": 3,
    "raggate_action/core/decision/release_report.py": 4,
    "raggate_action/core/decision/run_gates.py": 1,
    "raggate_action/core/decision/self_test_gate.py": 2,
    "raggate_action/core/decision/slices.py": 2,
    "raggate_action/core/decision/suspect_gate.py": 1,
    "raggate_action/core/gates/admissibility.py": 2,
    "raggate_action/core/gates/answer_gates.py": 9,
    "raggate_action/core/gates/behaviour.py": 2,
    "raggate_action/core/gates/diagnose.py": 2,
    "raggate_action/core/gates/hallucinations.py": 1,
    "raggate_action/core/gates/row.py": 3,
    "raggate_action/core/support/claims.py": 4,
    "raggate_action/core/support/shown.py": 1,
    "raggate_action/run_store/files.py": 1,
    "raggate_action/schema/outcome.py": 1,
}

# The same for docstrings: of functions that take arguments, fewer than three words; of others, fewer than two.
STILL_SAYING_NOTHING: dict[str, int] = {
    "raggate_action/run_store/sources.py": 1,
}


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def pointers(text: str) -> list[str]:
    return [" ".join(found[0].split()) for found in POINTER.finditer(text)]


def empty_docstrings(text: str) -> Iterator[str]:
    """Public functions and methods whose docstring says nothing, by name; a note on a dunder is not asked for."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or node.name.startswith("_"):
            continue
        arguments = node.args
        names = [a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
        takes = bool({*names} - {"self", "cls"}) or arguments.vararg is not None or arguments.kwarg is not None
        said = ast.get_docstring(node)
        if said is not None and len(said.split()) < (3 if takes else 2):
            yield node.name


def test_no_text_points_to_a_document_that_is_not_here() -> None:
    assert len(TEXTS) > 250, "the files are no longer found"
    found = Counter({name_of(path): len(pointers(path.read_text())) for path in TEXTS})
    assert {name: count for name, count in found.items() if count} == STILL_POINTING


def test_no_docstring_says_nothing() -> None:
    found = Counter({name_of(path): len(list(empty_docstrings(path.read_text()))) for path in CODE})
    assert {name: count for name, count in found.items() if count} == STILL_SAYING_NOTHING


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("labels count (rules 6).", ["rules 6"]),
        ("Source: design 10, rules 11.", ["design 10", "rules 11"]),
        ("    # ... of the\n    # rules\n    # 7 and 8", ["rules # 7"]),
        ("the agent suite's (seed 004)", ["seed 004"]),
        ("reference action-craft C2", ["action-craft"]),
        ("The rules of 2026 hold; a seed of 7; by design, 3 of them.", []),
        ("`seed: 7` stands in the suite, seed=7 in a call.", []),
        ("ruled 7 times; rules. 7 of them", []),
    ],
)
def test_a_pointer_is_told_from_prose(text: str, found: list[str]) -> None:
    assert pointers(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('def read(path):\n    """Read it."""\n', ["read"]),
        ('class A:\n    def readable(self):\n        """Yes."""\n', ["readable"]),
        ('class A:\n    def rows(self):\n        """The rows."""\n', []),
        ('def read(path):\n    """Read a file."""\n', []),
        ('def _read(path):\n    """Read."""\n', []),
        ('async def ask(*cases):\n    """Asks."""\n', ["ask"]),
    ],
)
def test_a_docstring_that_says_nothing_is_told_from_a_short_one(text: str, found: list[str]) -> None:
    assert list(empty_docstrings(text)) == found
