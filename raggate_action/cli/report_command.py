"""`report`: a stored run's texts again, offline and byte for byte."""

from __future__ import annotations

import argparse
import sys

from raggate_action.errors import ExitCode
from raggate_action.report.render import render_comment, render_summary
from raggate_action.run.stored_runs import stored_reporting


def run(options: argparse.Namespace) -> int:
    """Print the comment or the summary. Without --baseline the comparison stored with the run is shown."""
    reporting = stored_reporting(options.directory, baseline=options.baseline)
    render = render_summary if options.format == "summary" else render_comment
    sys.stdout.write(render(reporting))
    return ExitCode.RELEASE
