"""`init`: it asks an app one question, writes a first suite for it, and runs that suite."""

from __future__ import annotations

import argparse
import asyncio
import os
import shlex
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from raggate_action.cli import run_command
from raggate_action.cli.terminal import at_the_terminal
from raggate_action.errors import ExitCode, UsageError
from raggate_action.onboarding.added_cases import Additions, additions, additions_of_documents, write_additions
from raggate_action.onboarding.app_address import AppOptions
from raggate_action.onboarding.document_files import read_documents
from raggate_action.onboarding.document_questions import DEFAULT_COUNT, cases_from, document_lines
from raggate_action.onboarding.first_suite import GATE, FirstSuite, Wishes, for_app, recorded_suite
from raggate_action.onboarding.git_ignore import add_lines, lines_to_ignore, repository_top
from raggate_action.onboarding.interview import interview
from raggate_action.onboarding.question_files import QuestionFile, read_questions
from raggate_action.onboarding.reply_choice import named_paths
from raggate_action.onboarding.starter_cases import StarterCase, unanswered
from raggate_action.onboarding.suite_text import (
    CASES,
    MANY_CASES,
    SUITE,
    EvidenceKind,
    NewFile,
    cases_text,
    file_plan,
    write_new,
)
from raggate_action.report.escape import log_line
from raggate_action.run.clock import moment_now
from raggate_action.run.decision_text_and_exit_code import say
from raggate_action.strings.numbers import count
from raggate_action.suite_files.problems import path_text
from raggate_action.version import JUDGES

_WORKFLOWS = Path(".github/workflows")
_RUN = "raggate-run"
_NAMED = 5
_SHOWN_LINES = 1000


def run(options: argparse.Namespace) -> int:
    """Ask once, write the files that do not exist, run the suite, say what to do next.

    Returns:
        0 if the files are written and the first run decided, release or block; 3 if it was inconclusive.
    """
    app = _seen_from(options.folder, app_options(options))
    _only_one_app(app, options.traces)
    source = options.traces or options.questions
    if (source or options.documents) and not app.names_an_app and (options.folder / SUITE).is_file():
        return _add(options, _additions(options))
    proposed, read = _from_documents(options)
    with ExitStack() as files:
        questions = _question_file(options.questions, files, answers=False)
        recorded = _question_file(options.traces, files, answers=True)
        return _write_suite(options, app, _SuiteSources(proposed, read, questions, recorded), files)


def _additions(options: argparse.Namespace) -> Additions:
    """What the named file or documents add to the suite that is there."""
    if options.judges:
        raise UsageError(
            f"--judges belongs to a new suite, and {path_text(options.folder / SUITE)} is there",
            hint=f"Write its `judges:` section: {JUDGES}",
        )
    source = options.traces or options.questions
    if options.documents is None:
        _refuse_count(options)
        return additions(options.folder, source, answers=options.traces is not None)
    if source is not None:
        raise UsageError(
            "a suite is there, which one source is added to at a time",
            hint="Give --documents first, then the file in a command of its own.",
        )
    most = options.count or DEFAULT_COUNT
    return additions_of_documents(options.folder, options.documents, most=most, environment=os.environ, tell=tell)


def _refuse_count(options: argparse.Namespace) -> None:
    if options.count is not None:
        raise UsageError("--count belongs to --documents", hint="Give the folder of your documents by --documents.")


def _add(options: argparse.Namespace, added: Additions) -> int:
    """Add new cases, and answers to them, to the suite that is there."""
    try:
        lines = [f"raggate: {log_line(line)}" for line in added.lines]
        say([*lines, *_file_lines(added.files, dry=options.dry_run)])
        if options.dry_run:
            return ExitCode.RELEASE
        write_additions(options.folder, added)
    finally:
        if added.file is not None:
            added.file.close()
    inside = "" if options.folder.resolve() == Path.cwd() else f"cd {shlex.quote(str(options.folder))} && "
    _keep_out_of_git(options.folder)
    if not added.files:
        return ExitCode.RELEASE
    say([f"  next: look through what is marked `proposed`, then {inside}{added.next}"])
    return ExitCode.RELEASE


def _question_file(path: Path | None, files: ExitStack, *, answers: bool) -> QuestionFile | None:
    if path is None:
        return None
    file = read_questions(path, answers=answers)
    files.callback(file.close)
    return file


class _SuiteSources(NamedTuple):
    """What a first suite is made of, besides the app.

    Attributes:
        proposed: Questions that documents answer.
        documents_read: What is told of those documents.
        questions: A team's own.
        recorded: Answers of the app.
    """

    proposed: tuple[StarterCase, ...]
    documents_read: tuple[str, ...]
    questions: QuestionFile | None
    recorded: QuestionFile | None


def _write_suite(options: argparse.Namespace, app: AppOptions, given: _SuiteSources, files: ExitStack) -> int:
    """The files of a suite, written, and its first run; its exit code."""
    questions, recorded = given.questions, given.recorded
    evidence: EvidenceKind | None = options.evidence
    question = None
    if recorded is None and not app.names_an_app and questions is not None and questions.has_answers:
        recorded = questions
    if not app.names_an_app and recorded is None:
        if not sys.stdin.isatty():
            raise UsageError(
                "nothing says how your app is asked",
                hint="Give --url http://..., --function module:callable, --command '...' or --traces FILE.",
            )
        answers = interview(at_the_terminal, evidence=evidence)
        question, evidence = answers.question, answers.evidence
        if isinstance(answers.app, Path):
            recorded = _question_file(answers.app, files, answers=True)
        else:
            app = answers.app
    wishes = Wishes(
        options.folder,
        question,
        questions,
        evidence,
        os.environ,
        moment_now(),
        tell,
        given.proposed,
        response=named_paths(options.response),
        ask=at_the_terminal if sys.stdin.isatty() else None,
        judges=options.judges,
    )
    suite = recorded_suite(recorded, wishes) if recorded is not None else asyncio.run(for_app(app, wishes))
    planned = _planned_files(options.folder, suite)
    findings = (*given.documents_read, *suite.findings)
    say([*(f"raggate: {log_line(line)}" for line in findings), *_file_lines(planned, dry=options.dry_run)])
    if options.dry_run:
        return ExitCode.RELEASE
    write_new(planned)
    _keep_out_of_git(options.folder)
    code = _first_run(options.folder)
    say([*_note_declines(options.folder, suite), *_next(options.folder, suite, planned, code)])
    return ExitCode.RELEASE if code == ExitCode.BLOCK else code


def _from_documents(options: argparse.Namespace) -> tuple[tuple[StarterCase, ...], tuple[str, ...]]:
    """The questions that the named documents answer, and what is to be told of them; nothing where none are named."""
    if options.documents is None:
        _refuse_count(options)
        return (), ()
    if options.traces is not None:
        raise UsageError(
            "--traces have their questions already",
            hint="Leave out --documents, or give the app itself by --url, --function or --command: it is asked.",
        )
    documents, most = read_documents(options.documents), options.count or DEFAULT_COUNT
    cases = cases_from(documents, most=most)
    return cases, tuple(document_lines(documents, cases, most=most))


def app_options(options: argparse.Namespace) -> AppOptions:
    """The app that the command line names."""
    return AppOptions(
        url=options.url,
        body=options.body,
        headers=tuple(options.header),
        function=options.function,
        python=options.python,
        env=tuple(options.env),
        command=options.program,
    )


def _seen_from(folder: Path, app: AppOptions) -> AppOptions:
    """The app with the path of its interpreter relative to the suite's folder."""
    python = app.python
    if python is None or os.sep not in python or Path(python).is_absolute():
        return app
    return app._replace(python=os.path.relpath(python, folder))


def _only_one_app(app: AppOptions, traces: Path | None) -> None:
    if traces is not None and app.names_an_app:
        raise UsageError("--traces are answers already", hint="Leave out --url, --function and --command, or --traces.")
    if app.url is None and (app.body is not None or app.headers):
        raise UsageError("--body and --header belong to --url", hint="Give the app's address by --url.")
    if app.function is None and app.python is not None:
        raise UsageError("--python belongs to --function", hint="Give the app by --function module:callable.")
    if app.function is None and app.command is None and app.env:
        raise UsageError("--env belongs to --function and --command", hint="Give the app by one of them.")


def tell(line: str) -> None:
    """Show a line while raggate waits for the app."""
    sys.stderr.write(f"raggate: {log_line(line)}\n")


def _planned_files(folder: Path, suite: FirstSuite) -> tuple[NewFile, ...]:
    own = {folder / name: text for name, text in suite.files.items()}
    top = repository_top(folder)
    # Shown from where the command is given.
    place = folder if top == folder.resolve() else Path(os.path.relpath(top))
    return file_plan({**own, place / _WORKFLOWS / GATE: suite.workflow}, needed=frozenset(own), within=(folder, place))


def _file_lines(files: tuple[NewFile, ...], *, dry: bool) -> list[str]:
    """Each file by name; in a dry run with its text."""
    lines = []
    for new in files:
        state = "kept, it is there already:" if new.is_there else "would write" if dry else "wrote"
        lines.append(f"  {state} {log_line(path_text(new.path))}")
        if dry and not new.is_there:
            lines += [f"    | {log_line(line)}" if line else "    |" for line in new.lines(_SHOWN_LINES)]
    return lines


def _keep_out_of_git(folder: Path) -> None:
    """Let git ignore what runs write into the folder, and say so; a file that cannot be written stops nothing."""
    lines = lines_to_ignore(folder)
    if not lines:
        return
    path = Path(os.path.relpath(repository_top(folder))) / ".gitignore"
    try:
        add_lines(path, lines)
    except UsageError as error:
        tell(f"{error}. {error.hint}")
    else:
        say([f"  added {' and '.join(lines)} to {_display_path(path)}: runs belong in no commit"])


def _first_run(folder: Path) -> int:
    """Run the suite and return its exit code."""
    return run_command.run(
        argparse.Namespace(
            suite=folder / SUITE,
            scope="full",
            case=[],
            traces=None,
            target_url=None,
            out=folder / _RUN,
            baseline=None,
            resume=False,
            reuse=True,
            enforce=None,
        )
    )


def _note_declines(folder: Path, suite: FirstSuite) -> list[str]:
    """Write `# expect: abstain` where the app declined and nothing shown answers, and say so."""
    declined = unanswered(folder / _RUN)
    if not declined:
        return []
    cases = tuple([case._replace(may_decline=case.case_id in declined) for case in suite.cases])
    path = folder / CASES
    if CASES in suite.files:
        path.write_text(cases_text(cases))
    named = ", ".join(sorted(declined)[:_NAMED]) + (", ..." if len(declined) > _NAMED else "")
    what = f"{count(len(declined), 'question')} declined, where nothing shown answers ({log_line(named)})"
    return [f"  {what}: if that is right, write `expect: abstain`"]


def _display_path(path: Path) -> str:
    return log_line(path_text(path))


_MEANS = {
    ExitCode.RELEASE: "green: the rules found no fault; only your labels can show that the answers are right",
    ExitCode.BLOCK: "red: is the answer wrong, or the case? `raggate-action explain` shows the cases that fail",
    ExitCode.INCONCLUSIVE: "nothing is decided, for the reason above; the files are written: mend it and run again",
}


def _next(folder: Path, suite: FirstSuite, files: tuple[NewFile, ...], code: int) -> list[str]:
    """The meaning of the verdict, the tasks that only people can do, and the next command."""
    kept = [f"{path_text(new.path)} was there: let it run this suite too" for new in files if new.is_there]
    inside = "" if folder.resolve() == Path.cwd() else f"cd {shlex.quote(str(folder))} && "
    means = next((line for known, line in _MEANS.items() if known == code), None)
    suite_path = _display_path(folder / SUITE)
    cases_path = _display_path(folder / (CASES if CASES in suite.files else MANY_CASES))
    return [
        *([f"raggate: {means}"] if means else []),
        "  a run keeps the passages shown; in a public repository, where anybody may download them, quotations alone",
        *(f"  still to do: {log_line(line)}" for line in (*suite.todo, *kept[:1])),
        f"  next: look through {suite_path} and {cases_path}, then {inside}raggate-action run",
    ]
