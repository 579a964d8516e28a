"""`report`: it prints a stored run's comment or summary again, or compares two runs and decides again; offline."""

from __future__ import annotations

import argparse
import sys

from raggate_action.cli.last_run import named_or_last
from raggate_action.errors import ExitCode
from raggate_action.report.render import render_comment, render_summary
from raggate_action.run.decision_text_and_exit_code import exit_code, outcome_lines
from raggate_action.run.stored_runs import stored_reporting


def run(options: argparse.Namespace) -> int:
    """Print the comment or the summary; with a baseline, decide and exit like `run`.

    Without a baseline it shows the comparison that the run stored.
    """
    directory = named_or_last(options.directory, command="report", apart_from=options.baseline)
    reporting = stored_reporting(directory, baseline=options.baseline)
    render = render_summary if options.format == "summary" else render_comment
    sys.stdout.write(render(reporting))
    if options.baseline is None:
        return ExitCode.RELEASE
    sys.stderr.writelines(f"{line}\n" for line in outcome_lines(reporting))
    return exit_code(reporting.run.decision)
