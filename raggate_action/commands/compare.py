"""`compare`: two stored runs, compared and decided again, offline."""

from __future__ import annotations

import argparse
import sys

from raggate_action.pipeline.conclude import recount
from raggate_action.pipeline.decision_lines import exit_code, outcome_lines
from raggate_action.pipeline.stored import stored_baseline
from raggate_action.report.render import render_comment
from raggate_action.run_store import read_rows, read_run


def run(options: argparse.Namespace) -> int:
    """Print the comment of HEAD against BASE; exits as a run would."""
    head = read_run(options.head)
    reporting = recount(head, read_rows(options.head), baseline=stored_baseline(options.base, suite=head.suite))
    sys.stdout.write(render_comment(reporting))
    sys.stderr.writelines(f"{line}\n" for line in outcome_lines(reporting))
    return exit_code(reporting.run.decision)
