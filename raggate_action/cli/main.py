"""The command line: it reads the arguments, runs one command and returns its exit code."""

from __future__ import annotations

import gc
import os
import signal
import sys
import traceback
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module

from raggate_action.cli.parser import Typed, parse_arguments
from raggate_action.errors import ExitCode, RaggateError
from raggate_action.isolation.own_process import protect_own_process
from raggate_action.version import ISSUES, error_entry

# What these print is their result, byte for byte; the other commands use stdout as a log as well.
_PRINTING_CONTENT = frozenset({"audit", "report", "schema"})


def main(arguments: Sequence[str]) -> int:
    """Run one command and return the exit code. Only here do errors become exit codes."""
    _end_on_sigterm_as_on_sigint()
    # Code, suites and rows are many objects and hardly a cycle, which the collector would look for again and again. Set
    # here and nowhere deeper: in somebody else's program the collector is theirs.
    gc.set_threshold(200_000, 20, 20)
    typed: Typed | None = None
    try:
        if arguments[:1] == ["action"]:
            # Before anything is read from the environment, for the log too: a protected process is handed it anew.
            protect_own_process()
    except RaggateError as error:
        with _log(""):
            return _report_error(error)
    with _log(arguments[0] if arguments else ""):
        try:
            typed = parse_arguments(arguments)
            return ExitCode.USAGE if typed is None else _run(typed)
        except RaggateError as error:
            return _report_error(error)
        except BrokenPipeError:
            # The reader went away (`| head`); stdout is closed so that the interpreter does not complain again.
            sys.stderr.close()
            return ExitCode.RELEASE
        except KeyboardInterrupt:
            resumes = typed is not None and hasattr(typed.options, "resume")
            again = "the same command with --resume" if resumes else "the same command"
            _complain(f"interrupted; what has finished is kept: {again} goes on from there")
            return 130
        except Exception:  # noqa: BLE001  Python's own exit code for a traceback is 1, which would read as "block"
            _print(traceback.format_exc().rstrip())
            _complain(f"this is a bug in raggate; please report it with the lines above: {ISSUES}")
            return ExitCode.BUG


def _run(typed: Typed) -> int:
    """Load the file of a command, and run it."""
    # What is loaded stays to the end: the collector need not go through it, neither now nor later.
    gc.disable()
    command = import_module(f"raggate_action.cli.{typed.name.replace(' ', '_')}_command")
    gc.freeze()
    gc.enable()
    return int(command.run(typed.options))


def _end_on_sigterm_as_on_sigint() -> None:
    """End on SIGTERM, which a cancelled job gets, as on Ctrl-C: with the app's processes.

    A shell without job control starts what is in its background with SIGINT ignored, and an ignored signal can be
    raised by nobody. So there it is blocked instead, which keeps a Ctrl-C meant for others away just as well, until
    SIGTERM lifts the block.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        signal.signal(signal.SIGINT, signal.default_int_handler)

    def end(_number: int, _frame: object) -> None:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        signal.raise_signal(signal.SIGINT)

    signal.signal(signal.SIGTERM, end)


def _log(command: str) -> AbstractContextManager[object]:
    """Keep commands out of a workflow's log, which the runner reads for them."""
    if os.environ.get("GITHUB_ACTIONS") != "true":
        return nullcontext()
    from raggate_action.github.workflow_commands import runner_log

    return runner_log(content=command in _PRINTING_CONTENT)


def _report_error(error: RaggateError) -> int:
    _complain(f"{error}\n  {error.hint}\n  More: {error_entry(error.slug)}")
    return error.exit_code


def _complain(text: str) -> None:
    _print(f"raggate: {text}")


def _print(text: str) -> None:
    """Write lines to stderr without control sequences, since a stranger may have chosen the names in them."""
    from raggate_action.report.escape import clean

    sys.stderr.writelines(f"{clean(line)}\n" for line in text.split("\n"))
