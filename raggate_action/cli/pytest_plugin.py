"""A suite in the app's own tests: each case a test with its own name, and one test for the decision.

    pytest --raggate                          # every raggate.yaml that pytest comes across
    pytest --raggate evals/raggate.yaml -k refund

The suite is run once, when the first of its tests is due: cases that pytest was told to leave out are not asked, and of
several pytest-xdist workers one runs it for all. Without `--raggate` nothing is collected, and nothing but this file is
loaded.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from raggate_action.python_api import DecidedRun
    from raggate_action.schema.case_run import CaseRun
    from raggate_action.schema.run import Run

_NAMES = frozenset({"raggate.yaml", "raggate.yml"})
# No case is called that: a case's id is never empty between the brackets of a test's name.
_DECISION = "[decision]"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The one option."""
    text = "collect raggate suites (raggate.yaml, or any suite file that is named): one test for each case"
    parser.getgroup("raggate", "release gate for RAG apps").addoption("--raggate", action="store_true", help=text)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Where suites are asked for and none was found, what pytest needs."""
    config = session.config
    if not config.getoption("--raggate") or any(isinstance(item, _SuiteItem) for item in session.items):
        return
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and not session.testsfailed:
        places = ", ".join(str(place) for place in config.args)
        reporter.write_line(f"raggate: --raggate needs a suite, and there is no raggate.yaml in {places}")
        reporter.write_line("  Name its file: `pytest --raggate evals/raggate.yaml`; `raggate-action init` writes one.")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A suite file, if suites are asked for."""
    if not parent.config.getoption("--raggate"):
        return None
    named = file_path.suffix in {".yaml", ".yml"} and parent.session.isinitpath(file_path)
    return SuiteFile.from_parent(parent, path=file_path) if named or file_path.name in _NAMES else None


class SuiteFile(pytest.File):
    """A suite and its cases. Every mistake in its files is one error of collection, as `check` words it."""

    _decided: DecidedRun | None = None
    size = 0

    def collect(self) -> Iterator[pytest.Item]:
        """One test for each case, in suite order, and one for the decision."""
        from raggate_action.errors import SuiteError
        from raggate_action.suite_files import load_suite

        try:
            loaded = load_suite(self.path, environment=os.environ)
        except SuiteError as error:
            raise self.CollectError(str(error)) from None
        self.size = len(loaded.cases)
        for case in loaded.cases:
            yield CaseItem.from_parent(self, name=case.case.case_id)
        yield DecisionItem.from_parent(self, name=_DECISION)

    def decided(self) -> DecidedRun:
        """The run of the chosen tests, made on first use."""
        if self._decided is None:
            from raggate_action.python_api import read_run

            directory = self._directory()
            with _alone(directory.with_suffix(".lock")):
                if not (directory / "run.json").exists():
                    self._run(directory)
            self._decided = read_run(directory)
        return self._decided

    def _run(self, directory: Path) -> None:
        from raggate_action.run.run_execution import execute
        from raggate_action.run.run_plan import RunRequest
        from raggate_action.run.sync_bridge import outside_any_loop
        from raggate_action.suite_files import load_suite

        chosen = self.chosen()
        loaded = load_suite(self.path, environment=os.environ)
        request = RunRequest(
            loaded=loaded,
            suite_file=os.fspath(self.path),
            scope="full",
            out=directory,
            case_ids=() if len(chosen) in {0, len(loaded.cases)} else chosen,
            quiet=True,
        )
        outside_any_loop(lambda run_loop: execute(request, run_loop))

    def chosen(self) -> tuple[str, ...]:
        """Ids of the cases that pytest selected."""
        return tuple(item.name for item in self.session.items if isinstance(item, CaseItem) and item.parent is self)

    def _directory(self) -> Path:
        """Where the run stands: among what pytest keeps of the last sessions, the same for all workers of one."""
        # pytest offers its temporary folder to fixtures only; an item that is no function has none.
        folder: Path = self.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]  # noqa: SLF001
        if hasattr(self.config, "workerinput"):
            folder = folder.parent
        return folder / f"raggate-{hashlib.sha256(self.nodeid.encode()).hexdigest()[:12]}"


class _FailureMessage(Exception):  # noqa: N818 - it never leaves this module
    """The message of a failing test."""


class _SuiteItem(pytest.Item):
    parent: SuiteFile

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The reasons of the gates; a traceback only for an unexpected error."""
        from raggate_action.errors import RaggateError

        if isinstance(excinfo.value, RaggateError):
            return "\n".join(filter(None, (str(excinfo.value), excinfo.value.hint)))
        return (
            str(excinfo.value) if isinstance(excinfo.value, _FailureMessage) else super().repr_failure(excinfo, style)
        )


class CaseItem(_SuiteItem):
    """One case. It fails if it fails in the run; a known-bad case fails if it is not blocked where it must be."""

    def runtest(self) -> None:
        """Look the case up in the run."""
        from raggate_action.core.counting.judge_only_findings import unblocked_reason

        decided = self.parent.decided()
        row = next(row for row in decided.rows() if row.case_id == self.name)
        if row.kind == "known_bad":
            panel = decided.run.panel
            advises = panel is not None and panel.only_advises
            if unblocked_reason(row, decided.run.policy.gates, panel_advises=advises):
                pytest.skip("not measured: it is not known whether it is blocked")
            if not row.blocked_as_named:
                raise _FailureMessage(_case_explanation(row, decided.run))
        elif row.state == "failed":
            raise _FailureMessage(_case_explanation(row, decided.run))
        elif row.state == "unmeasured":
            pytest.skip("not measured: no rule and no judge could tell")

    def reportinfo(self) -> tuple[Path, None, str]:
        """The suite file and the case."""
        return self.path, None, f"case {self.name}"


class DecisionItem(_SuiteItem):
    """The release gates on all of the suite."""

    def runtest(self) -> None:
        """Look the decision up in the run."""
        if len(self.parent.chosen()) < self.parent.size:
            pytest.skip("the gates are for the whole suite, and some of its cases were left out")
        _see_release(self.parent.decided())

    def reportinfo(self) -> tuple[Path, None, str]:
        """The suite file and the decision."""
        return self.path, None, "decision"


@pytest.fixture
def raggate_suite(request: pytest.FixtureRequest) -> Callable[..., DecidedRun]:
    """A function that runs a suite and fails the test, with the reasons, unless the app may be released.

    It takes what `run_suite` takes; a relative path is meant from the test's own folder. It returns the decided run.
    """
    folder = request.path.parent

    def run(suite: Any, target: Any = None, **more: Any) -> DecidedRun:
        __tracebackhide__ = True
        from raggate_action.python_api import run_suite

        decided = run_suite(folder / suite if isinstance(suite, str | os.PathLike) else suite, target, **more)
        try:
            _see_release(decided)
        except _FailureMessage as refused:
            pytest.fail(str(refused), pytrace=False)
        return decided

    return run


def _see_release(decided: DecidedRun) -> None:
    """Fail unless the run may be released or its suite only advises."""
    from raggate_action.errors import ExitCode
    from raggate_action.run.decision_text_and_exit_code import exit_code, outcome_lines
    from raggate_action.run.stored_runs import stored_reporting

    if exit_code(decided.run.decision) != ExitCode.RELEASE:
        raise _FailureMessage("\n".join(outcome_lines(stored_reporting(decided.directory))))


def _case_explanation(row: CaseRun, run: Run) -> str:
    from raggate_action.cli.explain_command import printed
    from raggate_action.report.page_cases import case_parts
    from raggate_action.run.case_list import CaseList

    return "\n".join(printed(case_parts(CaseList(run, None).add(row, lambda: row), row, run.policy.gates)))


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """Hold a lock file. The system releases it when the process ends."""
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
