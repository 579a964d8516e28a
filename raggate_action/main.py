"""The command line: reads arguments, runs one command, and turns what happened into an exit code."""

from __future__ import annotations

import argparse
import gc
import os
import signal
import sys
import traceback
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module

from raggate_action.errors import ExitCode, RaggateError
from raggate_action.isolation.own_process import protect_own_process
from raggate_action.parser import build_parser

# What these print is their result, to be kept byte for byte; of the others stdout is a log as well.
_PRINTING_CONTENT = frozenset({"audit", "compare", "report", "schema"})


def main(arguments: Sequence[str]) -> int:
    """Run one command and return the exit code; the only place that maps errors to codes."""
    # A cancelled job is told by SIGTERM: it ends as Ctrl-C does, with the app's processes.
    signal.signal(signal.SIGTERM, lambda _number, _frame: signal.raise_signal(signal.SIGINT))
    parser = build_parser()
    options = parser.parse_args(arguments)
    if options.command is None:
        parser.print_help()
        return ExitCode.USAGE
    try:
        if options.command == "action":
            # Before anything is read from the environment, which a protected process is handed anew.
            protect_own_process()
    except RaggateError as error:
        return _failed(error)
    # Loading code and suites makes many objects and little garbage, in which the collector would look for cycles.
    gc.set_threshold(200_000, 20, 20)
    with _log(options.command):
        return _outcome(options)


def _log(command: str) -> AbstractContextManager[object]:
    """In a workflow the log is read for commands; nothing a stranger says may be one (rules 11)."""
    if os.environ.get("GITHUB_ACTIONS") != "true":
        return nullcontext()
    from raggate_action.github.runner_log import runner_log

    return runner_log(content=command in _PRINTING_CONTENT)


def _outcome(options: argparse.Namespace) -> int:
    try:
        command = import_module(f"raggate_action.commands.{options.module}")
        return int(command.run(options))
    except RaggateError as error:
        return _failed(error)
    except BrokenPipeError:
        # The reader went away (`| head`); stdout is closed so that the interpreter does not complain again.
        sys.stderr.close()
        return ExitCode.RELEASE
    except KeyboardInterrupt:
        _complain("interrupted; what has finished is kept: the same command with --resume goes on from there")
        return 130
    except Exception:  # noqa: BLE001  Python's own exit code for a traceback is 1, which would read as "block"
        traceback.print_exc()
        _complain("this is a bug in raggate; please report it with the lines above")
        return ExitCode.BUG


def _failed(error: RaggateError) -> int:
    _complain(f"{error}\n  {error.hint} (docs/errors.md#{error.slug})")
    return error.exit_code


def _complain(text: str) -> None:
    sys.stderr.write(f"raggate: {text}\n")
