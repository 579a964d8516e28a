"""Counts what a run does, by itself in a process of its own: the package's modules loaded, and calls of its functions.

What writes the report page, JUnit and SARIF is counted apart.

    python -m tests.work_done DIRECTORY SMALL LARGE

For each suite in the directory it prints what a case costs: the calls of the large suite less those of the small one,
by the cases that the one has more. So start-up falls out.
"""

from __future__ import annotations

import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from raggate_action.cli.main import main
from raggate_action.run import run_execution

_PACKAGE = str(Path(sys.modules["raggate_action"].__path__[0]))


def own_modules() -> int:
    """How many modules of the package are loaded."""
    return len([name for name in sys.modules if name.partition(".")[0] == "raggate_action"])


class Calls(NamedTuple):
    """How often functions of the package are called: to write the report page, and for all else."""

    run: int
    page: int


def calls_of(*arguments: str) -> Calls:
    """What a command calls.

    Comprehensions and generator expressions are left out: which of them are calls differs between Python 3.11 and 3.14.
    """
    calls, page, write = 0, 0, vars(run_execution)["write_or_warn"]

    def writing(*given: Any) -> None:
        nonlocal page
        before = calls
        write(*given)
        page += calls - before

    def see(frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(_PACKAGE):
            calls += code.co_name[0] != "<" or code.co_name == "<lambda>"

    vars(run_execution)["write_or_warn"] = writing
    sys.setprofile(see)
    try:
        _run(*arguments)
    finally:
        sys.setprofile(None)
        vars(run_execution)["write_or_warn"] = write
    return Calls(calls - page, page)


def _run(*arguments: str) -> None:
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        code = main(["run", *arguments])
    if code not in {0, 1}:
        raise SystemExit(f"{' '.join(arguments)} ended with {code}")


def measured(directory: Path, small: int, large: int) -> dict[str, float]:
    """Own modules after a first run without judges, and calls a case of every kind of suite there is."""
    found: dict[str, float] = {}
    for kind in sorted(path.name for path in (directory / str(small)).iterdir()):
        calls: dict[str, list[Calls]] = {kind: [], f"{kind}, with a baseline": []}
        # Twice the small one: what is made once a process is made before it is counted.
        for number, size in enumerate((small, small, large)):
            suite, out = str(directory / str(size) / kind / "raggate.yaml"), str(directory / f"out-{kind}-{number}")
            first = calls_of(suite, "--out", out)
            found.setdefault("modules", own_modules())
            calls[kind].append(first)
            again = calls_of(suite, "--baseline", out, "--out", f"{out}-compared")
            calls[f"{kind}, with a baseline"].append(again)
        for name, (_warm, few, many) in calls.items():
            found[name] = (many.run - few.run) / (large - small)
            found[f"{name}, the page"] = (many.page - few.page) / (large - small)
    return found


if __name__ == "__main__":
    sys.stdout.write(json.dumps(measured(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))))
