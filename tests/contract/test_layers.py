"""The structure, held by a test: imports go down only, one library has one door, nothing is a loop or a monolith."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "raggate_action"
FILES = sorted(PACKAGE.rglob("*.py"))

# Floor of a file by the first part of its path; a file may import lower floors, and its own family.
FLOORS = {
    "addresses": 0,
    "connection_errors": 1,
    "documents": 1,
    "errors": 1,
    "visible_text": 0,
    "template_files": 2,
    "schema": 1,
    "isolation": 2,
    "json_lines": 2,
    "time_limit": 1,
    "suite_patterns": 2,
    "mapping": 2,
    "numbers": 2,
    "replies": 2,
    "passages": 1,
    "passage_places": 2,
    "retry_after": 1,
    "core": 3,
    "judges": 3,
    "report": 3,
    "github": 3,
    "suite_files": 3,
    "targets": 3,
    "run_store": 3,
    "pipeline": 4,
    "action": 5,
    "onboarding": 5,
    "face": 5,
    # Names the face for type checkers; at run time nothing is imported before a name is asked for (see below).
    "__init__": 6,
    "commands": 6,
    "parser": 7,
    "pytest_plugin": 7,
    "app_arguments": 2,
    "stored_run_arguments": 2,
    "judging_arguments": 3,
    "ab_arguments": 3,
    "main": 8,
    "__main__": 9,
}

# The same within the core.
CORE_FLOORS = {
    "text": 1,
    "counting": 1,
    "mutants": 1,
    "statistics": 1,
    "evidence_checks": 2,
    "decision": 2,
    "panel_ab": 4,
    "support": 3,
    "comparison": 4,
    "disclosure": 4,
    "panel": 4,
    "gates": 5,
}

# Outside library -> the files that may import it.
DOORS: dict[str, set[str]] = {
    "github": {"github/connection.py"},
    "httpx": {"targets/http.py"},
    "jinja2": {"judges/prompts.py", "report/render.py"},
    "jmespath": {"mapping.py"},
    "numpy": set(),  # for the tests of our statistics alone, as is scipy
    "openai": {"judges/openai_chat.py"},
    "pytest": {"pytest_plugin.py"},
    "requests": {"github/connection.py"},
    "scipy": set(),
    "sentencex": {"core/text/sentences.py"},
    "urllib3": {"github/connection.py"},
    "yaml": {"suite_files/yaml_file.py"},
}
IMPURE = {"os", "time", "random", "socket", "subprocess", "pathlib", "asyncio", "threading"}


def name_of(path: Path) -> str:
    return str(path.relative_to(PACKAGE))


def family(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def own_imports(path: Path) -> set[str]:
    """Families of our own that a file imports."""
    found = {part.split(".")[1] for part in imports(path) if part.startswith("raggate_action.")}
    return {part for part in found if part in FLOORS}


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_imports_go_down_only(path: Path) -> None:
    here = family(path)
    upward = {other for other in own_imports(path) if other != here and FLOORS[other] >= FLOORS[here]}
    assert not upward, f"{name_of(path)} on floor {FLOORS[here]} imports {upward}"


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_one_library_has_one_door(path: Path) -> None:
    outside = {part.split(".")[0] for part in imports(path)}
    strangers = {lib for lib in outside & DOORS.keys() if name_of(path) not in DOORS[lib]}
    assert not strangers, f"{name_of(path)} imports {strangers}"


@pytest.mark.parametrize("path", [path for path in FILES if family(path) in {"core", "report"}], ids=name_of)
def test_the_core_touches_no_clock_no_file_no_network(path: Path) -> None:
    touched = {part.split(".")[0] for part in imports(path)} & IMPURE
    assert not touched
    assert ".now(" not in path.read_text()


# How a text is written, and made harmless, is for a sink to know.
SINKS = {f"raggate_action.report.{name}" for name in ("escape", "markdown", "plain", "render")}
VIEWS = [path for path in FILES if family(path) == "report" and path.stem.endswith(("view", "page", "text", "extent"))]


@pytest.mark.parametrize("path", VIEWS, ids=name_of)
def test_a_view_knows_no_sink(path: Path) -> None:
    assert len(VIEWS) > 10
    assert not SINKS & set(imports(path))
    marks = [
        node.value
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.search(r"\*\*|</|^> ", node.value)
    ]
    assert not marks, "markup stands in a view"


CORE = [path for path in FILES if family(path) == "core" and len(path.relative_to(PACKAGE).parts) > 2]


@pytest.mark.parametrize("path", CORE, ids=name_of)
def test_imports_within_the_core_go_down_only(path: Path) -> None:
    here = path.relative_to(PACKAGE).parts[1]
    others = {part.split(".")[2] for part in imports(path) if part.startswith("raggate_action.core.")} - {here}
    upward = {other for other in others if CORE_FLOORS[other] >= CORE_FLOORS[here]}
    assert not upward, f"{name_of(path)} imports {upward}"


def test_every_file_has_a_floor() -> None:
    assert {family(path) for path in FILES} <= FLOORS.keys()


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_functions_fit_two_screens_and_modules_have_one_subject(path: Path) -> None:
    text = path.read_text()
    assert len(text.splitlines()) <= 500
    long = {
        node.name: (node.end_lineno or 0) - node.lineno + 1 - _docstring_lines(node)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert not {name: lines for name, lines in long.items() if lines > 60}


def _docstring_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    first = node.body[0]
    is_text = (
        isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    )
    return (first.end_lineno or 0) - first.lineno + 1 if is_text else 0


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["run", "--help"]], ids=" ".join)
def test_quick_answers_load_nothing_heavy(arguments: list[str]) -> None:
    code = (
        "import sys\nfrom raggate_action.main import main\n"
        f"try:\n    main({arguments})\nexcept SystemExit:\n    pass\n"
        "heavy = {'pydantic', 'yaml', 'jinja2', 'httpx', 'asyncio', 'jmespath', 'sentencex', 'github', 'requests', 'openai', 'httpx2'} & set(sys.modules)\n"
        "sys.exit(f'loaded {heavy}' if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_importing_the_package_loads_nothing_else_of_it() -> None:
    code = (
        "import sys, raggate_action\n"
        "assert dir(raggate_action) and raggate_action.__version__\n"
        "sys.exit(' '.join(name for name in sys.modules if name.startswith('raggate_action.')) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
