"""The structure, held by a test: imports go down only, one library has one door, nothing is a loop or a monolith."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "raggate_action"
FILES = sorted(PACKAGE.rglob("*.py"))

# Floor of a file by the first part of its path; a file may import lower floors, and its own family.
FLOORS = {
    "errors": 0,
    "version": 0,
    "network": 1,
    "strings": 1,
    "schema": 2,
    "isolation": 3,
    "replies": 4,
    "core": 5,
    "judges": 5,
    "report": 5,
    "github": 5,
    "suite_files": 5,
    "targets": 5,
    "run_store": 5,
    "judging_jobs": 6,
    "run": 7,
    "action": 8,
    "onboarding": 8,
    "python_api": 8,
    # Names `python_api` for type checkers; at run time nothing is imported before a name is asked for (see below).
    "__init__": 9,
    "cli": 10,
    "__main__": 11,
}

# The same within the core.
CORE_FLOORS = {
    "text": 1,
    "counting": 1,
    "mutants": 1,
    "statistics": 1,
    "evidence_checks": 2,
    "decision": 2,
    "ab": 4,
    "claims": 3,
    "comparison": 4,
    "disclosure": 4,
    "judging": 4,
    "poorer": 4,
    "gates": 5,
}

# Outside library -> the files that may import it.
DOORS: dict[str, set[str]] = {
    "github": {
        "action/baseline.py",  # their types
        "cli/publish_command.py",
        "github/api.py",
        "github/baseline_choice.py",
        "github/baseline_search.py",
        "github/pygithub_client.py",
    },
    "httpx": {
        "github/artifact_download.py",
        "github/artifact_upload.py",
        "network/transport.py",
        "targets/event_stream.py",
        "targets/http_target.py",
    },
    "httpx_sse": {"targets/event_stream.py"},
    "httpx2": set(),  # openai's own; it is given our httpx
    "jinja2": {"judges/prompts.py", "report/render.py", "report/html_sink.py"},
    "jmespath": {"replies/mapping.py"},
    "numpy": set(),  # for the tests of our statistics alone, as is scipy
    "openai": {"judges/openai_chat.py"},
    "pytest": {"cli/pytest_plugin.py"},
    "requests": set(),
    "scipy": set(),
    "sentencex": {"core/text/sentences.py"},
    "urllib3": set(),
    "yaml": {"strings/data_tables.py", "suite_files/yaml_file.py"},  # our own tables; what users write
}
IMPURE = {"os", "time", "random", "socket", "subprocess", "pathlib", "asyncio", "threading"}


def name_of(path: Path) -> str:
    return str(path.relative_to(PACKAGE))


def family(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(ast.parse(path.read_text())))


@cache
def imports(path: Path) -> tuple[str, ...]:
    return tuple(imported_by(nodes(path)))


def imported_by(found: Iterable[ast.AST]) -> Iterator[str]:
    for node in found:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def offending(files: Sequence[Path], found: Callable[[Path], Collection[object]]) -> dict[str, Collection[object]]:
    """What was found in files, by file; there are files."""
    assert files
    return {name_of(path): offences for path in files if (offences := found(path))}


def own_imports(path: Path) -> set[str]:
    """Families of our own that a file imports."""
    found = {part.split(".")[1] for part in imports(path) if part.startswith("raggate_action.")}
    return {part for part in found if part in FLOORS}


def test_imports_go_down_only() -> None:
    def upward(path: Path) -> set[str]:
        here = family(path)
        return {other for other in own_imports(path) if other != here and FLOORS[other] >= FLOORS[here]}

    assert offending(FILES, upward) == {}


def test_one_library_has_one_door() -> None:
    def strangers(path: Path) -> set[str]:
        outside = {part.split(".")[0] for part in imports(path)}
        return {lib for lib in outside & DOORS.keys() if name_of(path) not in DOORS[lib]}

    assert offending(FILES, strangers) == {}


def test_the_core_touches_no_clock_no_file_no_network() -> None:
    def touched(path: Path) -> set[str]:
        clock = {".now("} if ".now(" in path.read_text() else set()
        return clock | ({part.split(".")[0] for part in imports(path)} & IMPURE)

    assert offending([path for path in FILES if family(path) in {"core", "report"}], touched) == {}


# How a text is written, and made harmless, is for a sink to know.
SINKS = {f"raggate_action.report.{name}" for name in ("escape", "plain", "render")}
VIEWS = [
    path for path in FILES if family(path) == "report" and path.stem.endswith(("view", "page", "text", "size_ladder"))
]


def test_a_view_knows_no_sink_and_no_markup() -> None:
    def known(path: Path) -> list[str]:
        marks = [
            node.value
            for node in nodes(path)
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.search(r"\*\*|</|^> ", node.value)
        ]
        return [*marks, *(SINKS & set(imports(path)))]

    assert len(VIEWS) > 10
    assert offending(VIEWS, known) == {}


CORE = [path for path in FILES if family(path) == "core" and len(path.relative_to(PACKAGE).parts) > 2]


def test_imports_within_the_core_go_down_only() -> None:
    def upward(path: Path) -> set[str]:
        here = path.relative_to(PACKAGE).parts[1]
        others = {part.split(".")[2] for part in imports(path) if part.startswith("raggate_action.core.")} - {here}
        return {other for other in others if CORE_FLOORS[other] >= CORE_FLOORS[here]}

    assert offending(CORE, upward) == {}


def test_every_file_has_a_floor() -> None:
    assert {family(path) for path in FILES} <= FLOORS.keys()


def test_nothing_stands_loose_beside_the_folders() -> None:
    assert {path.stem for path in PACKAGE.glob("*.py")} == {"__init__", "__main__", "errors", "python_api", "version"}


def test_no_two_modules_have_one_name() -> None:
    named = Counter(path.stem for path in FILES if path.stem not in {"__init__", "__main__"})
    assert [name for name, times in named.items() if times > 1] == []


def test_no_module_imports_itself_by_way_of_others() -> None:
    """Imports inside functions count as well; those for type checkers alone do not."""
    modules = {".".join(("raggate_action", *path.relative_to(PACKAGE).with_suffix("").parts)): path for path in FILES}
    imported = {name: sorted(set(at_run_time(path)) & modules.keys() - {name}) for name, path in modules.items()}
    assert sum(map(len, imported.values())) > 1_000
    # Raises where there is a circle, and names it.
    assert len([*TopologicalSorter(imported).static_order()]) == len(modules)


def at_run_time(path: Path) -> Iterator[str]:
    for_checkers = {
        id(inside)
        for node in nodes(path)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for statement in node.body
        for inside in ast.walk(statement)
    }
    return imported_by(node for node in nodes(path) if id(node) not in for_checkers)


def test_functions_fit_two_screens_and_modules_have_one_subject() -> None:
    def long(path: Path) -> dict[str, int]:
        lengths = {
            node.name: (node.end_lineno or 0) - node.lineno + 1 - _docstring_lines(node)
            for node in nodes(path)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        }
        lines = len(path.read_text().splitlines())
        module = {"the module": lines} if lines > 500 else {}
        return module | {name: length for name, length in lengths.items() if length > 60}

    assert offending(FILES, long) == {}


def _docstring_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    first = node.body[0]
    is_text = (
        isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    )
    return (first.end_lineno or 0) - first.lineno + 1 if is_text else 0


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["run", "--help"], ["judges"]], ids=" ".join)
def test_quick_answers_load_nothing_heavy(arguments: list[str]) -> None:
    code = (
        "import sys\nfrom raggate_action.cli.main import main\n"
        f"try:\n    main({arguments})\nexcept SystemExit:\n    pass\n"
        "heavy = {'pydantic', 'yaml', 'jinja2', 'httpx', 'asyncio', 'jmespath', 'sentencex', 'github', 'requests', 'openai', 'httpx2'} & set(sys.modules)\n"
        "sys.exit(f'loaded {heavy}' if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_importing_the_package_loads_its_version_and_nothing_else_of_it() -> None:
    code = (
        "import sys, raggate_action\n"
        "assert dir(raggate_action) and raggate_action.__version__\n"
        "loaded = {name for name in sys.modules if name.startswith('raggate_action.')} - {'raggate_action.version'}\n"
        "sys.exit(' '.join(sorted(loaded)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
