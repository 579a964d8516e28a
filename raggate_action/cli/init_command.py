"""`init`: it asks an app one question, writes a first suite for it, and runs that suite."""

from __future__ import annotations

import asyncio
import os
import shlex
import sys
from pathlib import Path

from raggate_action.cli import run_command
from raggate_action.cli.commands import Init, Run
from raggate_action.cli.named_app import app_in_words, at_the_terminal, target_of_options, tell
from raggate_action.errors import ExitCode, UsageError
from raggate_action.onboarding.added_cases import add_documents, add_file, name_in_suite, write_additions
from raggate_action.onboarding.document_files import read_documents
from raggate_action.onboarding.document_questions import DEFAULT_COUNT, cases_from, document_lines
from raggate_action.onboarding.first_suite import ask_three_questions, plan_suite, read_recorded
from raggate_action.onboarding.git_ignore import add_lines, lines_to_ignore, repository_top
from raggate_action.onboarding.question_files import QuestionFile
from raggate_action.onboarding.reply_choice import named_paths
from raggate_action.onboarding.setup import EVIDENCE_KINDS, Setup
from raggate_action.onboarding.starter_cases import unanswered
from raggate_action.onboarding.suite_text import SUITE, cases_file, is_there, refuse_occupied, write_new
from raggate_action.report.escape import log_line
from raggate_action.run.clock import moment_now
from raggate_action.run.decision_text_and_exit_code import say
from raggate_action.strings.numbers import count
from raggate_action.suite_files.problems import path_text
from raggate_action.targets.target_factory import LiveTarget
from raggate_action.version import JUDGES

_RUN = "raggate-run"
_NAMED = 5
_SHOWN_LINES = 1000
_APP = (
    "How is your app asked? Its address (http://...), a Python function (module:callable), a program "
    "(python app.py {{question}}), or a .jsonl of answers"
)
_QUESTION = "A question it should be able to answer (Enter: one is made up from its own evidence)"
_EVIDENCE = f"Where are its chunks kept? {', '.join(EVIDENCE_KINDS)} (Enter: elsewhere, or not now)"
_TRIES = 3


def run(options: Init) -> int:
    """Ask once, write the files that do not exist, run the suite, say what to do next.

    Returns:
        0 if the files are written and the first run decided, release or block; 3 if it was inconclusive.
    """
    app = _named_app(options)
    setup = Setup(
        options.folder,
        os.environ,
        moment_now(),
        tell,
        at_the_terminal if sys.stdin.isatty() else None,
        response=named_paths(options.response),
        evidence=options.evidence,
        judges=options.judges,
    )
    source, most = options.traces or options.questions, options.count or DEFAULT_COUNT
    if options.documents is None and options.count is not None:
        raise UsageError("--count belongs to --documents", hint="Give the folder of your documents by --documents.")
    if (source or options.documents) and app is None and (options.folder / SUITE).is_file():
        return _add(options, setup, most)
    if options.documents is not None:
        if options.traces is not None:
            raise UsageError(
                "--traces have their questions already",
                hint="Leave out --documents, or give the app itself by --url, --function or --command: it is asked.",
            )
        documents = read_documents(options.documents)
        setup.cases = cases_from(documents, most=most)
        setup.lines += document_lines(documents, setup.cases, most=most)
    if source is not None:
        _take_file(setup, source, answers=options.traces is not None)
    is_recorded = setup.file is not None and app is None and setup.file.has_answers
    if app is None and not is_recorded:
        app = _interview(setup)
    if app is None:
        read_recorded(setup)
    else:
        asyncio.run(ask_three_questions(app, setup))
    plan_suite(setup)
    refuse_occupied(setup.files, needed=lambda path: path.name != "release-gate.yml", within=_named_folders(setup))
    return _write(options, setup)


def _write(options: Init, setup: Setup) -> int:
    """Write the files of a suite and run it; its exit code."""
    kept = [path for path in setup.files if is_there(path)]
    say([*(f"raggate: {log_line(line)}" for line in setup.lines), *_file_lines(setup, dry=options.dry_run)])
    if options.dry_run:
        return ExitCode.RELEASE
    write_new({path: text for path, text in setup.files.items() if path not in kept})
    _keep_out_of_git(setup.folder)
    code = _first_run(setup.folder)
    say([*_note_declines(setup), *_next(setup, kept, code)])
    return ExitCode.RELEASE if code == ExitCode.BLOCK else code


def _add(options: Init, setup: Setup, most: int) -> int:
    """Add new cases, and answers to them, to the suite that is there."""
    source, then = options.traces or options.questions, "raggate-action run"
    if setup.judges:
        raise UsageError(
            f"--judges belongs to a new suite, and {path_text(setup.folder / SUITE)} is there",
            hint=f"Write its `judges:` section: {JUDGES}",
        )
    if source is not None and options.documents is not None:
        raise UsageError(
            "a suite is there, which one source is added to at a time",
            hint="Give --documents first, then the file in a command of its own.",
        )
    if source is not None:
        then = add_file(setup, source, answers=options.traces is not None)
    elif options.documents is not None:
        add_documents(setup, options.documents, most=most)
    text = name_in_suite(setup)
    refuse_occupied(setup.files, needed=lambda _path: True, within=(setup.folder,))
    say([*(f"raggate: {log_line(line)}" for line in setup.lines), *_file_lines(setup, dry=options.dry_run)])
    if options.dry_run:
        return ExitCode.RELEASE
    write_additions(setup, text)
    _keep_out_of_git(setup.folder)
    if setup.files:
        say([f"  next: look through what is marked `proposed`, then {_inside(setup.folder)}{then}"])
    return ExitCode.RELEASE


def _take_file(setup: Setup, path: Path, *, answers: bool) -> None:
    setup.file = QuestionFile(path, answers=answers)
    setup.lines += setup.file.lines


def _interview(setup: Setup) -> LiveTarget | None:
    """Ask a person for what nobody has named yet: the app, or None for a file of answers, a question, its chunks.

    Raises:
        UsageError: Nobody is there, or nothing said names an app.
    """
    if setup.ask is None:
        raise UsageError(
            "nothing says how your app is asked",
            hint="Give --url http://..., --function module:callable, --command '...' or --traces FILE.",
        )
    app = None
    for _ in range(_TRIES):
        app = app or app_in_words(setup.ask(_APP))
    if app is None:
        raise UsageError("that names no address, function, program or .jsonl file", hint=f"{_APP}.")
    if isinstance(app, Path):
        _take_file(setup, app, answers=True)
        return None
    setup.question = setup.ask(_QUESTION) or None
    if setup.evidence is None:
        kind = setup.ask(_EVIDENCE).lower()
        setup.evidence = next((each for each in EVIDENCE_KINDS if each == kind), None)
    return target_of_options(app)


def _named_app(options: Init) -> LiveTarget | None:
    """The app of the command line, the path of its interpreter relative to the suite's folder; None without one."""
    if options.traces is not None and options.names_an_app:
        raise UsageError("--traces are answers already", hint="Leave out --url, --function and --command, or --traces.")
    if options.url is None and (options.body is not None or options.header):
        raise UsageError("--body and --header belong to --url", hint="Give the app's address by --url.")
    if options.function is None and options.python is not None:
        raise UsageError("--python belongs to --function", hint="Give the app by --function module:callable.")
    if options.function is None and options.program is None and options.env:
        raise UsageError("--env belongs to --function and --command", hint="Give the app by one of them.")
    if options.python is not None and os.sep in options.python and not Path(options.python).is_absolute():
        options.python = os.path.relpath(options.python, options.folder)
    return target_of_options(options) if options.names_an_app else None


def _named_folders(setup: Setup) -> tuple[Path, Path]:
    """The suite's folder, and the top of its repository as it is shown from here."""
    top = repository_top(setup.folder)
    return setup.folder, setup.folder if top == setup.folder.resolve() else Path(os.path.relpath(top))


def _file_lines(setup: Setup, *, dry: bool) -> list[str]:
    """Each file by name; in a dry run with its text."""
    lines = []
    for path, text in setup.files.items():
        state = "kept, it is there already:" if is_there(path) else "would write" if dry else "wrote"
        lines.append(f"  {state} {log_line(path_text(path))}")
        if dry and not is_there(path):
            lines += [f"    | {log_line(line)}" if line else "    |" for line in text.splitlines()[:_SHOWN_LINES]]
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
        say([f"  added {' and '.join(lines)} to {log_line(path_text(path))}: runs belong in no commit"])


def _first_run(folder: Path) -> int:
    """Run the suite and return its exit code."""
    return run_command.run(Run(suite=folder / SUITE, out=folder / _RUN))


def _note_declines(setup: Setup) -> list[str]:
    """Write `# expect: abstain` where the app declined and nothing shown answers, and say so."""
    declined = unanswered(setup.folder / _RUN)
    if not declined:
        return []
    setup.cases = [case._replace(may_decline=case.case_id in declined) for case in setup.cases]
    name, text = cases_file("cases", setup.cases)
    (setup.folder / name).write_text(text, encoding="utf-8")
    named = ", ".join(sorted(declined)[:_NAMED]) + (", ..." if len(declined) > _NAMED else "")
    what = f"{count(len(declined), 'question')} declined, where nothing shown answers ({log_line(named)})"
    return [f"  {what}: if that is right, write `expect: abstain`"]


def _inside(folder: Path) -> str:
    return "" if folder.resolve() == Path.cwd() else f"cd {shlex.quote(str(folder))} && "


_MEANS = {
    ExitCode.RELEASE: "green: the rules found no fault; only your labels can show that the answers are right",
    ExitCode.BLOCK: "red: is the answer wrong, or the case? `raggate-action explain` shows the cases that fail",
    ExitCode.INCONCLUSIVE: "nothing is decided, for the reason above; the files are written: mend it and run again",
}


def _next(setup: Setup, kept: list[Path], code: int) -> list[str]:
    """The meaning of the verdict, the tasks that only people can do, and the next command."""
    means = next((line for known, line in _MEANS.items() if known == code), None)
    todo = [*setup.todo, *[f"{path_text(path)} was there: let it run this suite too" for path in kept]]
    shown = [log_line(path_text(setup.folder / name)) for name in (SUITE, cases_file("cases", setup.cases)[0])]
    return [
        *([f"raggate: {means}"] if means else []),
        "  a run keeps the passages shown; in a public repository, where anybody may download them, quotations alone",
        *(f"  still to do: {log_line(line)}" for line in todo),
        f"  next: look through {' and '.join(shown)}, then {_inside(setup.folder)}raggate-action run",
    ]
