"""`ab`: judges compare two arms blind; `--rows` reads their scores from a file instead."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from raggate_action.cli.commands import DEFAULT_SUITE, Ab
from raggate_action.errors import ExitCode, UsageError
from raggate_action.report.ab_view import finding_text, outcome_lines, remark_text, totals_lines
from raggate_action.report.page import Text
from raggate_action.report.plain_sink import plain
from raggate_action.run.ab.rows_aggregation import FINDINGS, ROWS, aggregate_file
from raggate_action.run.ab.two_arms import ab_exit_code, compare_arms
from raggate_action.run.decision_text_and_exit_code import say
from raggate_action.run.run_plan import RunRequest
from raggate_action.run_store.run_files import AB
from raggate_action.schema.ab_run import RowsReport
from raggate_action.schema.arm_names import ArmName
from raggate_action.suite_files import load_suite
from raggate_action.suite_files.ab_section import run_arms
from raggate_action.suite_files.problems import path_text

_OUT = Path("raggate-ab")
# Looking at a few cases must not replace the comparison of all.
_OUT_OF_CASES = Path("raggate-ab-case")


def run(options: Ab) -> int:
    """Ask both arms and their judges, or read the rows of a file."""
    labs: dict[ArmName, str | None] = {"control": options.control_lab, "treatment": options.treatment_lab}
    named_labs = {arm: lab for arm, lab in labs.items() if lab}
    if options.rows is not None:
        _refuse(
            {"SUITE": options.suite, "--scope": options.scope, "--case": options.case, "--no-reuse": not options.reuse},
            "`ab --rows` reads a file and asks nobody",
        )
        return _of_rows(options.rows, named_labs, options.out)
    _refuse({f"--{arm}-lab": lab for arm, lab in named_labs.items()}, "without --rows the suite names the labs")
    return _of_arms(options)


def _refuse(given: dict[str, object], why: str) -> None:
    """Refuse options that would have no effect.

    Raises:
        UsageError: It names them, and says why they have none.
    """
    names = [name for name, value in given.items() if value]
    if names:
        raise UsageError(f"{why}: {', '.join(names)} would change nothing", hint=f"Leave out {', '.join(names)}.")


def _of_arms(options: Ab) -> int:
    """Compare, write the directory, print the outcome."""
    suite = options.suite or DEFAULT_SUITE
    loaded = load_suite(suite, environment=os.environ, arms=True)
    out = options.out or (_OUT_OF_CASES if options.case else _OUT)
    request = RunRequest(
        loaded=loaded,
        suite_file=str(suite),
        out=out,
        scope=options.scope or "full",
        case_ids=tuple(options.case),
        reuse=options.reuse,
        arms=run_arms(loaded.suite, loaded.written_target, os.environ),
    )
    done = compare_arms(request)
    say([*map(plain, outcome_lines(done)), f"  findings: {path_text(out / 'findings.md')}"])
    return ab_exit_code(done)


def _of_rows(rows: Path, labs: dict[ArmName, str], out: Path | None) -> int:
    """Print the findings and what was corrected in the file; write both if a directory is named."""
    report = aggregate_file(rows, labs, out)
    say(map(plain, _lines(report)))
    if out is not None:
        say([f"written to {path_text(out)}: {AB}, {ROWS}, {FINDINGS}"])
    return ExitCode.RELEASE


def _lines(report: RowsReport) -> Iterator[Text]:
    first, lead, *others = [finding_text(each, report.aggregate) for each in report.findings.derived]
    yield "raggate: ", first
    yield "  ", lead
    yield from totals_lines(report.aggregate)
    yield from (("  ", text) for text in others)
    for remark in report.remarks:
        yield "  file: ", remark_text(remark)
