"""`run`: from the suite to the exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from raggate_action.cli.commands import Run
from raggate_action.network.addresses import printable_address
from raggate_action.run.decision_text_and_exit_code import exit_code, outcome_lines, say
from raggate_action.run.run_execution import execute
from raggate_action.run.run_plan import RunRequest
from raggate_action.run.run_session import load, refuse_missing_traces
from raggate_action.run.stored_runs import baseline_of, history_before
from raggate_action.run_store.run_files import REPORT
from raggate_action.schema.run import WITHHELD_URL, Invocation

_OUT = Path("raggate-run")
# Looking at a few cases must not replace the run of all.
_OUT_OF_CASES = Path("raggate-case")
# Judging a run's own traces again must not replace them.
_OUT_OF_REPLAY = Path("raggate-replay")


def run(options: Run) -> int:
    """Run the suite, decide, write the run directory, print the outcome."""
    refuse_missing_traces(options.traces)
    loaded = load(options.suite, traces=options.traces, target_url=options.target_url)
    out = options.out or _usual_out(options)
    baseline, note = baseline_of(options.baseline, loaded, out=out) if options.baseline else (None, None)
    request = RunRequest(
        loaded=loaded,
        suite_file=str(options.suite),
        scope=options.scope,
        case_ids=tuple(options.case),
        baseline=baseline,
        baseline_note=note,
        history=() if options.baseline else history_before(out, loaded.suite.suite),
        out=out,
        invocation=invocation_of(options, out),
        resume=options.resume,
        enforce=options.enforce,
        reuse=options.reuse,
    )
    today = datetime.now(UTC).date()
    for waiver in loaded.suite.waivers:
        if not waiver.holds_on(today):
            text = f"the waiver for {waiver} expired on {waiver.expires}: the failure counts again"
            sys.stderr.write(f"raggate: {text}\n")
    reporting = execute(request).reporting
    say([*outcome_lines(reporting), *_places(out)])
    return exit_code(reporting.run.decision)


def _places(out: Path) -> Iterator[str]:
    """Where to read on; the page alone for people at a terminal, where it can be opened."""
    yield f"  comment: {out / 'comment.md'}"
    at_terminal = sys.stdout is not None and sys.stdout.isatty() and "CI" not in os.environ
    if at_terminal and (out / REPORT).is_file():
        yield f"  page: {out / REPORT} (open it by `raggate-action report --open`)"


def _usual_out(options: Run) -> Path:
    usual = _OUT_OF_CASES if options.case else _OUT
    own = options.traces is not None and options.traces.resolve().parent == usual.resolve()
    return _OUT_OF_REPLAY if own else usual


def invocation_of(options: Run, out: Path) -> Invocation:
    """The options that are needed to repeat a case with the same outcome."""
    traces, url, baseline = options.traces, options.target_url, options.baseline
    up = Path(os.path.relpath(Path.cwd(), out.resolve()))
    return Invocation(
        traces=str(traces) if traces is not None else None,
        target_url=(url if printable_address(url) == url else WITHHELD_URL) if url is not None else None,
        # A run that is written over its own baseline leaves none to compare with.
        baseline=str(baseline) if baseline is not None and baseline.resolve() != out.resolve() else None,
        # Seen from outside the checkout, a relative path would name private folders of this machine.
        directory=up.as_posix() if set(up.parts) <= {os.pardir} else None,
    )
