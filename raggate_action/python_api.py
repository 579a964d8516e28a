"""What Python programs use: run a suite against a callable, and read a stored run. Documented in `docs/python.md`."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import weakref
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from pydantic_core import PydanticSerializationError, to_json

from raggate_action.errors import SuiteError, UsageError
from raggate_action.report.render import render_comment
from raggate_action.report.report_input import Reporting
from raggate_action.run.run_execution import execute
from raggate_action.run.run_plan import RunRequest
from raggate_action.run.run_session import asks_context, judges_time
from raggate_action.run.stored_runs import baseline_of, stored_reporting
from raggate_action.run.sync_bridge import outside_any_loop
from raggate_action.run_store import read_rows
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.comparison import Comparison
from raggate_action.schema.decision import DecisionKind
from raggate_action.schema.run import Invocation, Run
from raggate_action.schema.target import FunctionTarget, RecordedTarget, TargetSection
from raggate_action.strings.questions import free_id, id_of_question
from raggate_action.suite_files import LoadedSuite, load_suite
from raggate_action.targets.in_process import AppCallable, InProcessApp
from raggate_action.targets.interface import no_progress
from raggate_action.targets.path_choice import ChoosingApp

PathLike: TypeAlias = str | os.PathLike[str]
# A suite file, a suite as a mapping with the keys of one, or its cases alone; a case of text is its question.
AnySuite: TypeAlias = PathLike | Mapping[str, Any] | Iterable[Mapping[str, Any] | str]


@dataclass(frozen=True, repr=False)
class DecidedRun:
    """A run and what was decided on it.

    Attributes:
        run: What `run.json` holds: counts, gates, slices, the decision with its reasons.
        comparison: What moved against the baseline; None without one.
        directory: The run directory; of a run that was given none a temporary one, which lives as long as this object.
    """

    run: Run
    comparison: Comparison | None
    directory: Path
    _reporting: Reporting

    @property
    def decision(self) -> DecisionKind:
        """`release`, `block` or `inconclusive`; what a suite that only advises would have decided as well."""
        return self.run.decision.kind

    def __repr__(self) -> str:
        counts = self.run.counts
        return f"<DecidedRun {self.run.suite}: {self.decision}, {counts.passed} of {counts.cases} passed>"

    def _repr_markdown_(self) -> str:
        """What a notebook shows of it: the comment."""
        return self.comment()

    def rows(self) -> Iterator[CaseRun]:
        """Every case as judged, one at a time, read from the run directory.

        Raises:
            RunStoreError: The directory has gone, or was changed meanwhile.
        """
        return read_rows(self.directory)

    def comment(self) -> str:
        """The Markdown a reviewer reads on a pull request: the decision, why, what to repair first."""
        return render_comment(self._reporting)


def run_suite(
    suite: AnySuite,
    target: AppCallable | None = None,
    *,
    scope: str = "full",
    baseline: PathLike | None = None,
    out: PathLike | None = None,
) -> DecidedRun:
    """Ask the app every case of a suite, judge the answers, decide. Failing cases are a result, never an exception.

    It blocks until the run is decided, in whatever thread it is called, and also where an event loop is running.

    Args:
        suite: The suite file; or a list of cases, each a mapping as a case file has it or its question as text, where a
            case without `case_id` is named by its question; or a whole suite as a mapping, with the keys of a suite
            file, whose `cases` and `evidence` are lists of such mappings. Paths in it are relative to the working
            directory.
        target: The app: called with each case as a mapping (`case_id`, `question`, ...), returns a trace as a mapping,
            or the answer as text; may be async. What it raises is the failure of that case. Of the suite's own target
            only `timeout_s` and `concurrency` hold then, 60 s and one case at a time where it does not say. None asks
            the target that the suite names.
        scope: Which cases: a scope of the suite.
        baseline: Run directory to compare with.
        out: Run directory to write, replacing the run in it; without one nothing is left on disk.

    Raises:
        SuiteError: Suite, case or evidence files cannot be used; every problem is listed.
        UsageError: Something of another type than it has to be, a scope that the suite does not have, a baseline of
            another suite, or a target that cannot be called.
        RunStoreError: The run directory cannot be written, or the baseline cannot be read.
        KeyboardInterrupt: Ctrl-C; what has finished is kept in `out`.
    """
    if not isinstance(scope, str):
        raise _wrong_type("scope", scope, "a scope's name", hint='Give its name, as in `scope="pr"`.')
    compared = _path(baseline, "baseline") if baseline is not None else None
    directory = _path(out, "out") if out is not None else Path(tempfile.mkdtemp(prefix="raggate-"))
    try:
        with _suite_file(suite, asks_itself=target is None) as path:
            is_file = isinstance(suite, str | os.PathLike)
            loaded, app, notes = _with_target(path, target, top=None if is_file else path.parent)
            before, note = baseline_of(compared, loaded, out=directory) if compared is not None else (None, None)
            request = RunRequest(
                loaded=loaded if is_file else loaded._replace(directory=Path.cwd()),
                suite_file=os.fspath(path) if is_file else "",
                scope=scope,
                out=directory,
                baseline=before,
                baseline_note=note,
                invocation=Invocation(baseline=os.fspath(compared) if compared is not None else None),
                target=app,
                notes=notes,
                quiet=True,
            )
            outside_any_loop(lambda run_loop: execute(request, run_loop))
        decided = read_run(directory)
    except BaseException:
        if out is None:
            shutil.rmtree(directory, ignore_errors=True)
        raise
    if out is None:
        weakref.finalize(decided, shutil.rmtree, directory, ignore_errors=True)
    return decided


def read_run(directory: PathLike) -> DecidedRun:
    """A stored run, as `raggate-action report` shows it.

    A run that did not finish comes out `inconclusive`.

    Args:
        directory: A run directory, as `run_suite` and `raggate-action run` write it.

    Raises:
        UsageError: It is no path.
        RunStoreError: There is no run, or its files were changed after raggate wrote them.
    """
    path = _path(directory, "the run directory")
    reporting = stored_reporting(path)
    return DecidedRun(run=reporting.run, comparison=reporting.comparison, directory=path, _reporting=reporting)


def _with_target(
    suite: Path, target: AppCallable | None, *, top: Path | None
) -> tuple[LoadedSuite, ChoosingApp | None, tuple[str, ...]]:
    """The suite, the app in place of its own target (None for its own), and notes for the report."""
    if target is None:
        return load_suite(suite, environment=os.environ, top=top), None, ()
    if not callable(target):
        raise UsageError(
            f"the target is a {type(target).__name__}, which cannot be called",
            hint="Give a function that takes the case as a mapping and returns a mapping or text.",
        )
    name = _name_of(target)
    standing_in = FunctionTarget(kind="function", function=name)
    loaded = load_suite(suite, environment=os.environ, target=standing_in, top=top)
    timeout_s, concurrency = _bounds(loaded.written_target)
    suite_run = loaded.suite.model_copy(update={"target": standing_in.model_copy(update={"timeout_s": timeout_s})})
    app = InProcessApp(
        target,
        timeout_s=timeout_s,
        concurrency=concurrency,
        secrets=loaded.secrets,
        warm_up=judges_time(loaded),
        store=loaded.evidence,
    )
    choosing = ChoosingApp(app, asks_context=asks_context(loaded.suite), tell=no_progress)
    note = f"The app was asked through the Python callable {name}; a command asks the target that the suite names."
    return loaded._replace(suite=suite_run), choosing, (note,)


def _wrong_type(what: str, value: object, wanted: str, *, hint: str) -> UsageError:
    return UsageError(f"{what} is of type {type(value).__name__}, and not {wanted}", hint=hint)


def _path(value: object, what: str) -> Path:
    if not isinstance(value, str | os.PathLike):
        raise _wrong_type(what, value, "a path", hint='Give a path as text or as `Path`, as in "raggate-run".')
    return Path(value)


# What of a suite names files that lie beside it.
_WITH_FILES = ("judges", "ab")
_SUITE_HINT = (
    """Give a suite file's path, or cases: `run_suite([{"question": "...", "must_contain": ["..."]}], app)`."""
)


@contextmanager
def _suite_file(suite: object, *, asks_itself: bool) -> Iterator[Path]:
    """The suite's file; one that is made for the moment where the suite is held in memory.

    Args:
        suite: As `run_suite` takes it.
        asks_itself: The app is the target that the suite names.
    """
    if isinstance(suite, str | os.PathLike):
        yield Path(suite)
        return
    sections = dict(suite) if isinstance(suite, Mapping) else {"cases": suite}
    file_section = next((name for name in _WITH_FILES if name in sections), None)
    if file_section is not None:
        raise UsageError(
            f"the suite is held in memory, and its `{file_section}` needs files beside it",
            hint="Write the suite into a file and give its path.",
        )
    cases = sections.get("cases")
    if isinstance(cases, str | bytes | Mapping) or not isinstance(cases, Iterable):
        raise _wrong_type("the suite", suite, "a path or a list of cases", hint=_SUITE_HINT)
    if asks_itself and "target" not in sections:
        raise UsageError("the cases name no app to ask", hint="Give it as `target`: `run_suite(cases, target=my_app)`.")
    with tempfile.TemporaryDirectory(prefix="raggate-") as folder:
        top = Path(folder)
        (top / "cases.jsonl").write_bytes(_lines(_named_cases(cases), "cases"))
        evidence = sections.get("evidence")
        if isinstance(evidence, list | tuple) and all(isinstance(chunk, Mapping) for chunk in evidence):
            (top / "evidence.jsonl").write_bytes(_lines(evidence, "evidence"))
            sections["evidence"] = ["evidence.jsonl"]
        elif isinstance(evidence, list | tuple):
            sections["evidence"] = [os.fspath(Path.cwd() / str(name)) for name in evidence]
        nobody = {"kind": "function", "function": "memory:nobody"}
        written = {"suite": "in-memory", "target": nobody, **sections, "cases": ["cases.jsonl"]}
        (top / "suite.json").write_bytes(_lines([written], "the suite"))
        try:
            yield top / "suite.json"
        except SuiteError as error:
            hint = "Line 2 of cases.jsonl is the second of the cases that were given."
            raise SuiteError(str(error), hint=hint) from None


def _named_cases(cases: Iterable[Any]) -> Iterator[dict[str, Any]]:
    """The cases, each under an id of its own."""
    taken = set[str]()
    for number, case in enumerate(cases, 1):
        if not isinstance(case, str | Mapping):
            raise _wrong_type(f"case {number}", case, "a mapping or a question", hint=_SUITE_HINT)
        written = {"question": case} if isinstance(case, str) else dict(case)
        if "case_id" not in written:
            written = {"case_id": free_id(id_of_question(str(written.get("question", "case"))), taken), **written}
        taken.add(str(written["case_id"]))
        yield written


def _lines(values: Iterable[Mapping[str, Any]], what: str) -> bytes:
    try:
        return b"".join([to_json(dict(value)) + b"\n" for value in values])
    except (PydanticSerializationError, ValueError) as error:
        hint = "Give texts, numbers, lists and mappings, as a file would have them."
        raise UsageError(f"{what} cannot be read: {error}", hint=hint) from None


def _name_of(target: AppCallable) -> str:
    """`module:qualified.name`, as a suite would name it; of what has no name of its own, its type's."""
    named = target if hasattr(target, "__qualname__") else type(target)
    module, path = (re.sub(r"[^\w.]", "", str(getattr(named, part))) for part in ("__module__", "__qualname__"))
    return f"{module}:{path}"


def _bounds(written: TargetSection) -> tuple[float, int]:
    """Longest wait for a case in seconds, and cases at once; more than one only where the suite itself says so."""
    if isinstance(written, RecordedTarget):
        written = FunctionTarget(kind="function", function="a:b")
    return written.timeout_s, written.concurrency if "concurrency" in written.model_fields_set else 1
