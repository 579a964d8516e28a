"""Who installed the package has no `docs/`: what it says names documents by addresses that lead somewhere."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from raggate_action import __version__, errors
from raggate_action import version as documents
from raggate_action.errors import RaggateError
from raggate_action.github.pygithub_client import GitHubFault

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "raggate_action"
DOOR = PACKAGE / "version.py"
# Files of the repository that no installed package has.
MENTION = re.compile(r"\bdocs/|\bREADME\b|\b(?:SECURITY|CHANGELOG)\.md|\bexamples/|\btests/", re.IGNORECASE)
RELEASED = f"https://github.com/raggate-action/raggate-action/blob/v{__version__}/"


def texts(path: Path) -> Iterator[str]:
    """Every text a file of the package may print: its strings without docstrings, or the whole of a template."""
    if path.suffix != ".py":
        yield path.read_text()
        return
    tree = ast.parse(path.read_text())
    bodies = [node.body for node in ast.walk(tree) if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)]
    docstrings = {body[0].value for body in bodies if body and isinstance(body[0], ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in docstrings:
            yield node.value


def sources() -> list[Path]:
    # The words of a language are what answers are read by, and never printed.
    read_by = PACKAGE / "core" / "text" / "languages"
    return sorted(
        path for path in [*PACKAGE.rglob("*.py"), *(ROOT / "templates").rglob("*.j2")] if read_by not in path.parents
    )


def test_no_message_names_a_file_that_only_the_repository_has() -> None:
    found = [(path.name, text) for path in sources() if path != DOOR for text in texts(path) if MENTION.search(text)]
    assert not found, f"name it by its address, from {DOOR.name}"


def test_the_search_finds_what_it_looks_for() -> None:
    assert len([text for text in texts(DOOR) if MENTION.search(text)]) >= 4


def anchors(page: str) -> set[str]:
    """The anchors of a page, as GitHub makes them of headings."""
    headings = re.findall(r"^#+ (.+)$", (ROOT / page).read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def error_slugs() -> list[str]:
    known: list[type[RaggateError]] = [
        each for each in vars(errors).values() if isinstance(each, type) and issubclass(each, RaggateError)
    ]
    known.append(GitHubFault)
    return sorted({each.slug for each in known})


ADDRESSES = [
    *(value for value in vars(documents).values() if isinstance(value, str) and value.startswith(RELEASED)),
    *map(documents.error_entry, error_slugs()),
]


@pytest.mark.parametrize("address", ADDRESSES, ids=lambda address: address.removeprefix(RELEASED))
def test_an_address_leads_to_a_heading_of_the_released_version(address: str) -> None:
    page, _, anchor = address.removeprefix(RELEASED).partition("#")
    assert anchor in anchors(page)


def test_an_error_is_told_with_the_address_of_its_entry(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "raggate_action", "check", "none.yaml"]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}
    )
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == f"  More: {RELEASED}docs/errors.md#suite"
