"""`report`: a stored run's texts again, offline and byte for byte."""

from __future__ import annotations

import argparse
import sys

from raggate_action.errors import ExitCode
from raggate_action.pipeline.conclude import recount
from raggate_action.pipeline.stored import stored_baseline
from raggate_action.report.render import render_comment, render_summary
from raggate_action.run_store import read_comparison, read_rows, read_run


def run(options: argparse.Namespace) -> int:
    """Print the comment or the summary. Without --baseline the comparison stored with the run is shown."""
    stored = read_run(options.directory)
    baseline = stored_baseline(options.baseline, suite=stored.suite) if options.baseline else None
    reporting = recount(stored, read_rows(options.directory), baseline=baseline)
    if options.baseline is None:
        reporting = reporting._replace(run=stored, comparison=read_comparison(options.directory))
    render = render_summary if options.format == "summary" else render_comment
    sys.stdout.write(render(reporting))
    return ExitCode.RELEASE
