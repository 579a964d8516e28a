"""Stored runs changed by a stranger: values of a real run replaced, removed, doubled, then shown by every command.

The input is not the files but the changes, four bytes each, so that a fuzzer need not learn JSON first.
"""

from __future__ import annotations

import io
import json
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from copy import deepcopy
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any, NamedTuple

from raggate_action.action.announcement import run_outputs
from raggate_action.cli import explain_command as explain
from raggate_action.cli import report_command as report
from raggate_action.cli.commands import Explain, Report
from raggate_action.cli.main import main
from raggate_action.errors import RaggateError
from raggate_action.report.remarks import remarks
from raggate_action.run.count_and_decide import texts_of
from raggate_action.run.stored_runs import recount_stored
from raggate_action.run_store import DirectoryFiles, read_stored
from raggate_action.run_store.run_file import described_file
from raggate_action.run_store.run_files import TIED_FILES
from raggate_action.schema.origin import Origin

ROOT = Path(__file__).parents[1]
_FILES = ("run.json", "cases.jsonl", "comparison.json")
# What replaces a value; every harness of values begins with what has broken something before.
VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 987_654, 2**31, 2**63, 10**30, 0.5, -0.5, 1e-320, 1e12, 1e308, float("inf"),
    float("nan"), "", "x", "full", "failed", "passed", "block", "release", "never", "2026-13-41", "2026-06-02",
    "0001-01-01T00:00:00+14:00", "1e-999999999", "0.3333333333333333", "\x1b[31mred\x1b[0m", "a\n::error::b",
    "##[error]x", "\u202e\u0007", "| <!-- raggate:v1 suite=x --> |", "known_bad", "unmeasured", [], {}, [[]], [""],
)  # fmt: skip
_OPERATIONS = 4
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e]")
_ORIGIN = Origin(
    repository="a/b", server_url="https://github.test", event="pull_request", workflow_run_id=7, head_sha="a"
)


class Place(NamedTuple):
    """A value inside a document: its holder and its key or index there."""

    holder: Any
    key: Any


def places(document: Any) -> Iterator[Place]:
    """Every value inside a document of dicts and lists, in order."""
    keys = document.items() if isinstance(document, dict) else enumerate(document) if isinstance(document, list) else ()
    for key, value in list(keys):
        yield Place(document, key)
        yield from places(value)


@cache
def real_run() -> Path:
    """A run directory as `run` leaves it, with a comparison; its baseline is the same run. Not to be changed."""
    folder = Path(mkdtemp(prefix="raggate-fuzz-"))
    example = folder / "example"
    shutil.copytree(ROOT / "examples/deploy_policy", example, ignore=shutil.ignore_patterns("raggate-run"))
    suite = str(example / "raggate.yaml")
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        main(["run", suite, "--out", str(folder / "base")])
        main(["run", suite, "--out", str(folder / "head"), "--baseline", str(folder / "base")])
    return folder / "head"


def read_documents(directory: Path) -> dict[str, Any]:
    """The files of a run by name, parsed; those of lines as lists."""
    texts = {name: (directory / name).read_text() for name in _FILES}
    return {
        name: [json.loads(line) for line in text.splitlines()] if name.endswith("l") else json.loads(text)
        for name, text in texts.items()
    }


def write_documents(directory: Path, documents: dict[str, Any]) -> None:
    """Write them where a run directory is expected."""
    for name, document in documents.items():
        lines = document if name.endswith("l") else [document]
        (directory / name).write_text("".join(json.dumps(line) + "\n" for line in lines))
    if isinstance(documents["run.json"], dict):
        tie(directory)


def tie(directory: Path) -> None:
    """Make `run.json` vouch for the files that lie beside it, as somebody who may write them all can."""
    files = DirectoryFiles(directory)
    described: dict[str, Any] = {}
    for name in TIED_FILES:
        if (stream := files.open(name)) is not None:
            with stream:
                described[name] = described_file(stream).model_dump()
    run = json.loads((directory / "run.json").read_text())
    (directory / "run.json").write_text(json.dumps({**run, "files": described}))


def change(documents: dict[str, Any], data: bytes) -> None:
    """Make one change of four bytes: where (two), what is done, with which value."""
    every = [place for name in _FILES for place in places(documents[name])]
    if not every:
        return
    holder, key = every[int.from_bytes(data[:2]) % len(every)]
    # Copies: a list shared with VALUES would be changed for every later input, and could be put into itself.
    value = deepcopy(VALUES[data[3] % len(VALUES)])
    match data[2] % _OPERATIONS:
        case 0 if isinstance(holder, list):
            holder.append(deepcopy(holder[key]))
        case 1:
            del holder[key]
        case _:
            holder[key] = value


def stored_runs(data: bytes) -> None:
    """Changes to a real run; report, explain and publish then work, or refuse in words."""
    documents = read_documents(real_run())
    first_case = documents["cases.jsonl"][0]["case_id"]
    for start in range(0, min(len(data), 40) - 3, 4):
        change(documents, data[start : start + 4])
    with TemporaryDirectory() as folder:
        directory = Path(folder)
        write_documents(directory, documents)
        for show in showings(directory, first_case):
            shown = outcome(show)
            if found := _CONTROLS.search(shown):
                raise AssertionError(f"{found[0]!r} reaches the terminal: {shown!r:.2000}")


def showings(directory: Path, case: str) -> Iterator[Callable[[], object]]:
    """Everything that shows the run in a directory."""
    base = real_run().parent / "base"
    for text in ("comment", "summary"):
        for beside in (None, base):
            options = Report(directory=directory, format=text, baseline=beside)
            yield lambda options=options: report.run(options)  # type: ignore[misc]
    yield lambda: report.run(Report(directory=base, baseline=directory))
    yield lambda: report.run(Report(directory=directory, history=True))
    yield lambda: explain.run(Explain(directory=directory, case=case))
    yield lambda: published(directory)


def published(directory: Path) -> None:
    """What the second stage would post of a directory."""
    reporting = recount_stored(read_stored(directory), directory, None, found=(_ORIGIN, None))
    noted = [str(each) for each in remarks(reporting)]
    said = [*texts_of(reporting).values(), *run_outputs(reporting).values(), *noted]
    sys.stdout.writelines(f"{text}\n" for text in said)


def outcome(show: Callable[[], object]) -> str:
    """What is printed, or the words of the refusal."""
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(out):
        try:
            show()
        except RaggateError as error:
            if not (str(error) and error.hint):
                raise AssertionError("a refusal without words") from error
            # As the command line prints it.
            from raggate_action.report.escape import clean

            return clean(f"{error} {error.hint}")
    return out.getvalue()


def run_seeds() -> tuple[bytes, ...]:
    """A few changes to begin from."""
    return (b"", *[bytes([0, place, 2, value]) for place, value in ((9, 29), (40, 7), (90, 15))], bytes(range(40)))
