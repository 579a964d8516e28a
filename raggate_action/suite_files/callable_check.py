"""Whether a `module:callable` can be found, without importing anything of the app's."""

from __future__ import annotations

import ast
import importlib.util
import warnings
from importlib.machinery import all_suffixes
from pathlib import Path

from raggate_action.suite_files.problems import name_text, nearest_word_or

# With one of these in a module, nobody can tell from its text what it defines.
_DYNAMIC = frozenset({"__getattr__", "exec", "setattr", "globals", "vars"})


class Modules:
    """Looks names up as the interpreter that will run them does: in the suite's folder first.

    Args:
        directory: The suite's.
        ours: They are run by raggate's own interpreter; of another one nobody knows what is installed there.
    """

    def __init__(self, directory: Path, *, ours: bool) -> None:
        self._directory = directory
        self._ours = ours
        self._known: dict[str, str | None] = {}

    def problem(self, name: str) -> str | None:
        """Why `name` (`module:callable`) cannot be called, and what to write; None when nothing speaks against it."""
        if name not in self._known:
            self._known[name] = self._looked_up(name)
        return self._known[name]

    def _looked_up(self, name: str) -> str | None:
        module, _, attribute = name.partition(":")
        steps = module.split(".")
        if not all(steps) or not attribute.strip("."):
            return "write it as module:callable"
        place, so_far = self._directory, ""
        for number, step in enumerate(steps):
            so_far = f"{so_far}/{step}" if so_far else step
            found = _sibling_module(place, step)
            if found is None:
                if step == "py" and number == len(steps) - 1:
                    return f"a module is written without its ending: write {module.removesuffix('.py')}:{attribute}"
                if number == 0:
                    return None if self._installed(step) else f"{_missing(so_far)}, and no such module is installed"
                return _missing(so_far)
            place = found
        return self._file_problem(place, so_far, attribute.split(".", 1)[0])

    def _installed(self, module: str) -> bool:
        if not self._ours:
            return True
        try:
            return importlib.util.find_spec(module) is not None
        except (ImportError, ValueError):
            return False

    def _file_problem(self, place: Path, so_far: str, wanted: str) -> str | None:
        file = place / "__init__.py" if place.is_dir() else place
        written = name_text(f"{so_far}/__init__.py" if place.is_dir() else f"{so_far}.py")
        if not file.exists():
            return f"`{name_text(so_far)}` is a folder without `__init__.py`; name a module in it"
        if file.suffix != ".py":
            return None
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(file.read_bytes())
        except SyntaxError as error:
            # Another interpreter may be of a later version.
            return f"{written}:{error.lineno or 1} is not Python: {error.msg}; correct it" if self._ours else None
        except (OSError, ValueError, RecursionError, MemoryError) as error:
            return f"`{written}` cannot be read: {name_text(str(error))}; check the file"
        names = _defined(tree)
        if wanted in names or names & _DYNAMIC:
            return None
        otherwise = "write the name of a function in it"
        return f"`{written}` defines no `{name_text(wanted)}`; {nearest_word_or(wanted, names, otherwise=otherwise)}"


def _missing(so_far: str) -> str:
    return f"there is no `{name_text(so_far)}.py` in the suite file's folder"


def _sibling_module(place: Path, step: str) -> Path | None:
    """The module or package of that name in a folder, as an import would choose it."""
    if not place.is_dir():
        return None
    package = place / step
    if (package / "__init__.py").exists():
        return package
    for suffix in (".py", *all_suffixes()):
        if (file := place / f"{step}{suffix}").exists():
            return file
    return package if package.is_dir() else None


def _defined(tree: ast.Module) -> set[str]:
    """Every name that the module may define; too many do no harm."""
    names: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                names.add(node.name)
            case ast.Name():
                names.add(node.id)
            case ast.alias(name="*"):
                names |= _DYNAMIC
            case ast.alias():
                names.add((node.asname or node.name).split(".")[0])
            case _:
                pass
    return names
