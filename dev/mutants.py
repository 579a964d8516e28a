"""Whether tests notice a fault in the rules: drawn by a seed, put into a copy of the checkout, held against its tests.

A fault is one change to one expression of gates, decision, comparison or evidence checks. Its tests are the unit and
property tests that import the module; a module that none imports is held by those of its folder. By hand: an hour.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
_FOLDERS = ("gates", "decision", "comparison", "evidence_checks")
_WORKERS = os.cpu_count() or 1
# Of the processor, so that a busy machine ends no test; and by the clock, for one that only waits.
_LONGEST_CPU_S, _LONGEST_S = 120, 1_200
_OTHER: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult,
}  # fmt: skip


class Mutant(NamedTuple):
    """One fault.

    Attributes:
        module: The file it is put into.
        line: Where.
        was: The expression as it is.
        instead: The expression with the fault.
        text: The whole module with the fault.
    """

    module: Path
    line: int
    was: str
    instead: str
    text: str


def mutants_of(module: Path) -> Iterator[Mutant]:
    """Every fault that can be put into a module, in the order of its lines."""
    tree = ast.parse(module.read_text())
    for number, node in enumerate(ast.walk(tree)):
        changed = _changed(node)
        if isinstance(node, ast.expr) and changed is not None:
            whole = copy.deepcopy(tree)
            _replace(whole, number, changed)
            yield Mutant(module, node.lineno, ast.unparse(node), ast.unparse(changed), ast.unparse(whole))


def _changed(node: ast.AST) -> ast.expr | None:
    """The expression with a fault; None where it takes none."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _OTHER:
        return ast.Compare(node.left, [_OTHER[type(node.ops[0])](), *node.ops[1:]], node.comparators)  # type: ignore[list-item]
    if isinstance(node, ast.BoolOp):
        return ast.BoolOp(_OTHER[type(node.op)](), node.values)  # type: ignore[arg-type]
    if isinstance(node, ast.BinOp) and type(node.op) in _OTHER and not isinstance(node.left, ast.Constant):
        return ast.BinOp(node.left, _OTHER[type(node.op)](), node.right)  # type: ignore[arg-type]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return node.operand
    if isinstance(node, ast.IfExp):
        return ast.IfExp(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse)
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        return ast.Constant(not node.value)
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return ast.Constant(node.value + 1)
    return None


def _replace(tree: ast.Module, number: int, changed: ast.expr) -> None:
    """Put an expression in the place of the node of this number in the order of `ast.walk`."""
    node = next(node for at, node in enumerate(ast.walk(tree)) if at == number)
    for parent in ast.walk(tree):
        for field, value in ast.iter_fields(parent):
            if value is node:
                setattr(parent, field, changed)
            elif isinstance(value, list):
                value[:] = [changed if each is node else each for each in value]
    ast.fix_missing_locations(tree)


def tests_of(module: Path) -> list[str]:
    """The test files that import a module, or else its folder."""
    name = ".".join(module.relative_to(ROOT).with_suffix("").parts)
    files = {
        path.relative_to(ROOT).as_posix(): path.read_text()
        for folder in ("unit", "property")
        for path in sorted((ROOT / "tests" / folder).glob("test_*.py"))
    }
    for imported in (name, name.rpartition(".")[0]):
        found = [file for file, text in files.items() if re.search(rf"\b{re.escape(imported)}\b", text)]
        if found:
            return found
    return []


def _is_noticed(mutant: Mutant, place: Path) -> bool | None:
    """Whether its tests fail in a copy of the checkout that holds it; None where they do not end in time."""
    file = place / mutant.module.relative_to(ROOT)
    file.write_text(mutant.text)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-x",
        "-n",
        "0",
        "-p",
        "no:cacheprovider",
        *tests_of(mutant.module),
    ]
    env = {**os.environ, "PYTHONPATH": str(place), "THOROUGH": "0"}
    try:
        command = ["sh", "-c", f'ulimit -t {_LONGEST_CPU_S}; exec "$@"', "sh", *command]
        done = subprocess.run(command, cwd=place, env=env, capture_output=True, timeout=_LONGEST_S, check=False)
    except subprocess.TimeoutExpired:
        return None
    finally:
        shutil.copyfile(mutant.module, file)
    return done.returncode != 0


def main(arguments: list[str]) -> int:
    """Draw, try and list; 0 however many survive, for a person reads the list."""
    parser = argparse.ArgumentParser(description="Whether tests notice a fault in the rules.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--number", type=int, default=400)
    options = parser.parse_args(arguments)
    modules = [path for folder in _FOLDERS for path in sorted((ROOT / "raggate_action/core" / folder).glob("*.py"))]
    offered = [mutant for module in modules for mutant in mutants_of(module)]
    drawn = random.Random(options.seed).sample(offered, min(options.number, len(offered)))  # noqa: S311
    _say(f"seed {options.seed}: {len(drawn)} of {len(offered)} mutants, {_WORKERS} at once")
    left: list[Mutant] = []
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(_WORKERS) as pool:
        places: SimpleQueue[Path] = SimpleQueue()
        for number in range(_WORKERS):
            places.put(_copied(Path(folder, str(number))))

        def try_out(mutant: Mutant) -> None:
            place = places.get()
            noticed = _is_noticed(mutant, place)
            places.put(place)
            if not noticed:
                found = "SURVIVES" if noticed is False else "NO END IN TIME"
                left.append(mutant)
                where = mutant.module.relative_to(ROOT)
                _say(f"{found} {where}:{mutant.line}: {mutant.was}  ->  {mutant.instead}")

        for _ in pool.map(try_out, drawn):
            pass
    _say(f"{len(drawn) - len(left)} of {len(drawn)} noticed")
    return 0


def _copied(place: Path) -> Path:
    """The files that tests need, in a place of their own."""
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in filter(None, done.stdout.split("\0")):
        target = place / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_file():
            shutil.copyfile(ROOT / name, target)
    return place


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
