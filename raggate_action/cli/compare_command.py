"""`compare`: two stored runs, compared and decided again, offline."""

from __future__ import annotations

import argparse
import sys

from raggate_action.report.render import render_comment
from raggate_action.run.decision_text import exit_code, outcome_lines
from raggate_action.run.stored_runs import stored_reporting


def run(options: argparse.Namespace) -> int:
    """Print the comment of HEAD against BASE; exits as a run would."""
    reporting = stored_reporting(options.head, baseline=options.base)
    sys.stdout.write(render_comment(reporting))
    sys.stderr.writelines(f"{line}\n" for line in outcome_lines(reporting))
    return exit_code(reporting.run.decision)
