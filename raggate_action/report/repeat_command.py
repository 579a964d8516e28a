"""The command that runs one case again: the same suite, app or traces, scope and baseline."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator

from raggate_action.report.escape import copyable
from raggate_action.report.page import Command, Text
from raggate_action.schema.run import WITHHELD_URL, Run


def repeat_line(run: Run, *case_ids: str) -> Text:
    """The command that repeats these cases, to be copied, without those whose id cannot be; empty when none can."""
    command_for = repeated_by(run)
    command = command_for(*[each for each in case_ids if copyable(command_for(each))])
    return ("repeat: ", Command(command)) if " --case" in command and copyable(command) else ""


def repeat_command(case_id: str, run: Run) -> str:
    """The command for a case, quoted for a shell and for nothing else.

    It is to be typed where the run was started. For a run of a workflow that is the top of a checkout on any machine.
    An address belongs to the machine it was asked from, so such a command has none: the suite's own is asked.
    Empty where the suite is no file: only the program that holds it can run it again.
    """
    return repeated_by(run)(case_id)


def repeated_by(run: Run) -> Callable[..., str]:
    """Gives the command for any of the run's cases; what all of them share is made once. See `repeat_command`."""
    begin, end = repeat_ends(run)

    def command(*case_ids: str) -> str:
        options = [word for each in case_ids for word in _option("case", each)]
        return " ".join(filter(None, [begin, *options, end])) if begin else ""

    return command


def repeat_ends(run: Run) -> tuple[str, str]:
    """What stands before the cases in the command and behind them. See `repeat_command`."""
    if not run.suite_file:
        return "", ""
    # A name that begins with a dash would be read as an option.
    suite = f"./{run.suite_file}" if run.suite_file.startswith("-") else run.suite_file
    return f"raggate-action run {_word(suite)}", " ".join(_of_the_run(run))


def _of_the_run(run: Run) -> list[str]:
    """The options that are the same for all cases."""
    words: list[str] = []
    if run.scope != "full":
        words += _option("scope", run.scope)
    invocation = run.invocation
    if invocation.traces is not None:
        words += _option("traces", invocation.traces)
    if invocation.target_url is not None and run.origin is None:
        withheld = invocation.target_url == WITHHELD_URL
        words += ["--target-url", f'"{WITHHELD_URL}"'] if withheld else _option("target-url", invocation.target_url)
    if invocation.baseline is not None and run.origin is None:
        words += _option("baseline", invocation.baseline)
    return words


def _option(name: str, value: str) -> Iterator[str]:
    if value.startswith("-"):
        yield _word(f"--{name}={value}")
    else:
        yield from (f"--{name}", _word(value))


def _word(text: str) -> str:
    """One word of a shell; zsh reads a bare `=name` as the path of a program."""
    return f"'{text}'" if text.startswith("=") and shlex.quote(text) == text else shlex.quote(text)
