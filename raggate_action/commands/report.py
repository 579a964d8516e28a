"""`report`: a stored run's texts again, offline and byte for byte."""

from __future__ import annotations

import argparse
import sys

from raggate_action.errors import ExitCode
from raggate_action.pipeline.conclude import head_of, recount
from raggate_action.pipeline.stored import stored_baseline
from raggate_action.report.render import render_comment, render_summary
from raggate_action.run_store import read_comparison, read_stored, rows_of


def run(options: argparse.Namespace) -> int:
    """Print the comment or the summary. Without --baseline the comparison stored with the run is shown."""
    stored = read_stored(options.directory)
    baseline = stored_baseline(options.baseline, suite=stored.suite) if options.baseline else None
    reporting = recount(
        head_of(stored),
        rows_of(options.directory, stored),
        suite_cases=stored.suite_cases,
        baseline=baseline,
        comparison=None if options.baseline else read_comparison(options.directory),
    )
    render = render_summary if options.format == "summary" else render_comment
    sys.stdout.write(render(reporting))
    return ExitCode.RELEASE
