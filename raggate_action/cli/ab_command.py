"""`ab`: two arms asked the same questions, their answers compared by judges who know of no arms."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from raggate_action.report.ab_run_view import outcome_lines
from raggate_action.report.plain_sink import plain
from raggate_action.run.ab.two_arms import compare_arms, exit_code
from raggate_action.run.decision_text import say
from raggate_action.run.run_plan import RunRequest
from raggate_action.suite_files import load_suite
from raggate_action.suite_files.ab_section import asked_arms
from raggate_action.suite_files.problems import path_text

_OUT = Path("raggate-ab")
# Looking at a few cases must not replace the comparison of all.
_OUT_OF_CASES = Path("raggate-ab-case")


def run(options: argparse.Namespace) -> int:
    """Compare, write the directory, say what came of it."""
    loaded = load_suite(options.suite, environment=os.environ, arms=True)
    out = options.out or (_OUT_OF_CASES if options.case else _OUT)
    request = RunRequest(
        loaded=loaded,
        suite_file=str(options.suite),
        out=out,
        scope=options.scope,
        case_ids=tuple(options.case),
        reuse=options.reuse,
        arms=asked_arms(loaded.suite, loaded.written_target, os.environ),
    )
    done = compare_arms(request)
    say([*map(plain, outcome_lines(done)), f"  findings: {path_text(out / 'findings.md')}"])
    return exit_code(done)
