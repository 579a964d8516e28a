"""`run`: the whole road, from suite to exit code."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

from raggate_action.pipeline.decision_lines import exit_code, outcome_lines, say
from raggate_action.pipeline.execution import RunRequest, execute
from raggate_action.pipeline.session import load
from raggate_action.pipeline.stored import stored_baseline
from raggate_action.schema.policy import Waiver

_OUT = Path("raggate-run")
# Looking at a few cases must not replace the run of all.
_OUT_OF_CASES = Path("raggate-case")
# Judging a run's own traces again must not replace them.
_OUT_OF_REPLAY = Path("raggate-replay")


def run(options: argparse.Namespace) -> int:
    """Run the suite, decide, write the run directory, say what came of it."""
    loaded = load(options)
    request = RunRequest(
        loaded=loaded,
        suite_file=str(options.suite),
        scope=options.scope,
        case_ids=tuple(options.case),
        baseline=stored_baseline(options.baseline, suite=loaded.suite.suite) if options.baseline else None,
        out=options.out or _usual_out(options),
        resume=options.resume,
        enforce=options.enforce,
    )
    for line in expired_waivers(loaded.suite.waivers, datetime.now(UTC).date()):
        sys.stderr.write(f"raggate: {line}\n")
    reporting = execute(request)
    say([*outcome_lines(reporting), f"  comment: {request.out / 'comment.md'}"])
    return exit_code(reporting.run.decision)


def _usual_out(options: argparse.Namespace) -> Path:
    if options.case:
        return _OUT_OF_CASES
    own = options.traces is not None and options.traces.resolve().parent == _OUT.resolve()
    return _OUT_OF_REPLAY if own else _OUT


def expired_waivers(waivers: tuple[Waiver, ...], today: date) -> Iterator[str]:
    """What is said at once of waivers past their date."""
    for waiver in waivers:
        if waiver.expires < today:
            yield f"the waiver of {waiver.case} for {waiver.gate} expired on {waiver.expires}: the failure counts again"
