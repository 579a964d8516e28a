"""The size of the house by area: code lines, statements, modules, classes; lines of data; words of the pages.

`make size` prints it beside what `dev/size.toml` allows, and `make size LOWER=1` takes the file down to it. Code lines
are those without blanks, comments and docstrings. Statements are counted as well: longer lines make nothing smaller.
"""

from __future__ import annotations

import argparse
import ast
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
ALLOWED = ROOT / "dev/size.toml"
PACKAGE = "package"
_BESIDE = ("tests", "bench", "dev", "fuzz", "examples")
_DATA = ("yaml", "yml", "j2", "js", "css", "json", "txt")
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_MEASURES = ("code", "statements", "modules", "classes")

Sizes = dict[str, dict[str, int]]


def measured(root: Path = ROOT) -> Sizes:
    """What is there: an area -> measure -> amount; `package` is the sum of its areas, with data and words.

    Folders beside the package stand in brackets: they are shown, and have no limit.
    """
    areas: Sizes = {}
    for path in sorted((root / "raggate_action").rglob("*.py")):
        _add(areas, _area(path.relative_to(root / "raggate_action")), path)
    package = {measure: sum(area[measure] for area in areas.values()) for measure in _MEASURES}
    folders = [root / "raggate_action", root / "templates"]
    data = [path for folder in folders for ending in _DATA for path in folder.rglob(f"*.{ending}")]
    package["data"] = sum(path.read_text().count("\n") for path in data)
    # The reference is made of what the program says itself.
    pages = [path for path in (root / "docs").rglob("*.md") if path.parent.name != "reference"]
    package["words"] = _words([*root.glob("*.md"), *pages])
    sizes = {PACKAGE: package, **areas}
    for folder in _BESIDE:
        for path in sorted((root / folder).rglob("*.py")):
            _add(sizes, f"[{folder}]", path, lines=True)
    sizes["[notes]"] = {"words": _words((root / "dev").rglob("*.md"))}
    return sizes


def allowed(text: str) -> Sizes:
    """What the file allows, as `measured` has it."""
    return tomllib.loads(text)


def above(sizes: Sizes, limits: Sizes) -> list[str]:
    """What is larger than its limit, a sentence each; an area without a limit is larger than none."""
    found = []
    for area, amounts in _bounded(sizes).items():
        for measure, amount in amounts.items():
            limit = limits.get(area, {}).get(measure, 0)
            if amount > limit:
                found.append(f"{area}: {amount:,} {measure}, {limit:,} allowed")
    return found


def lowered(sizes: Sizes, limits: Sizes) -> str:
    """The file with each limit at most what is there; no limit rises, and an area that is gone has none."""
    parts = []
    for area, amounts in _bounded(sizes).items():
        least = {measure: min(amount, limits.get(area, {}).get(measure, amount)) for measure, amount in amounts.items()}
        parts.append(f'["{area}"]\n' + "".join(f"{measure} = {amount}\n" for measure, amount in least.items()))
    return "\n".join(parts)


def table(sizes: Sizes, limits: Sizes) -> Iterator[str]:
    """Lines to print: an area each, and of code lines what is allowed."""
    yield f"{'area':24}" + "".join(f"{measure:>12}" for measure in (*_MEASURES, "allowed"))
    for area in sorted(sizes, key=lambda name: (name == PACKAGE, name)):
        amounts = sizes[area]
        if "code" in amounts:
            limit = limits.get(area, {}).get("code", "-")
            yield f"{area:24}" + "".join(f"{amounts[measure]:>12,}" for measure in _MEASURES) + f"{limit:>12}"
    package = sizes[PACKAGE]
    yield f"lines of data and templates: {package['data']:,}; lines of tests: {sizes['[tests]']['lines']:,}"
    yield f"words of the pages: {package['words']:,}; of notes in dev: {sizes['[notes]']['words']:,}"


def _bounded(sizes: Sizes) -> Sizes:
    return {area: amounts for area, amounts in sizes.items() if not area.startswith("[")}


def _area(path: Path) -> str:
    if len(path.parts) == 1:
        return "(top)"
    return "/".join(path.parts[:2]) if path.parts[0] == "core" and len(path.parts) > 2 else path.parts[0]


def _add(sizes: Sizes, area: str, path: Path, *, lines: bool = False) -> None:
    found = _of_module(path.read_text())
    total = sizes.setdefault(area, dict.fromkeys(found if lines else _MEASURES, 0))
    for measure in total:
        total[measure] += found[measure]


def _of_module(text: str) -> Mapping[str, int]:
    docstrings: set[int] = set()
    statements = classes = 0
    for node in ast.walk(ast.parse(text)):
        statements += isinstance(node, ast.stmt)
        classes += isinstance(node, ast.ClassDef)
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            first = node.body[0]
            docstrings.update(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    lines = text.splitlines()
    code = [
        line
        for number, line in enumerate(lines, 1)
        if number not in docstrings and line.strip() and not line.lstrip().startswith("#")
    ]
    amounts = (len(code), statements, 1, classes)
    return dict(zip(_MEASURES, amounts, strict=True)) | {"lines": len(lines)}


def _words(paths: Iterator[Path] | list[Path]) -> int:
    return sum(len(path.read_text().split()) for path in paths)


def main(arguments: list[str]) -> int:
    """Print the table; 1 where something is above its limit."""
    parser = argparse.ArgumentParser(description="The size of the house by area, beside what dev/size.toml allows.")
    parser.add_argument("--lower", action="store_true", help="take the file down to what is there; nothing in it rises")
    options = parser.parse_args(arguments)
    sizes = measured()
    limits = allowed(ALLOWED.read_text()) if ALLOWED.exists() else {}
    if options.lower:
        ALLOWED.write_text(lowered(sizes, limits))
        limits = allowed(ALLOWED.read_text())
    found = above(sizes, limits)
    sys.stdout.write("\n".join([*table(sizes, limits), *(f"ABOVE: {each}" for each in found)]) + "\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
