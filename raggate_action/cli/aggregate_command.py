"""`aggregate`: judge rows from a file, worked out anew. Prints the findings; nobody is asked."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from raggate_action.errors import ExitCode
from raggate_action.report.ab_view import judge_totals, totals_text
from raggate_action.report.ab_words import finding_text
from raggate_action.report.judge_row_remarks import remark_text
from raggate_action.report.page import Text
from raggate_action.report.plain_sink import plain
from raggate_action.run.ab.rows_aggregation import FINDINGS, ROWS, Aggregated, aggregate_file, write_aggregated
from raggate_action.run.decision_text import say
from raggate_action.run_store.run_files import AB
from raggate_action.schema.ab import ArmName
from raggate_action.suite_files.problems import path_text


def run(options: argparse.Namespace) -> int:
    """Print what is found, then what was cleaned in the file; with `--out` write it as well."""
    labs: dict[ArmName, str] = {}
    if options.control_lab:
        labs["control"] = options.control_lab
    if options.treatment_lab:
        labs["treatment"] = options.treatment_lab
    done = aggregate_file(options.rows, labs)
    if options.out is not None:
        write_aggregated(done, options.out, source=options.rows)
    say(map(plain, _lines(done)))
    if options.out is not None:
        say([f"written to {path_text(options.out)}: {AB}, {ROWS}, {FINDINGS}"])
    return ExitCode.RELEASE


def _lines(done: Aggregated) -> Iterator[Text]:
    first, lead, *others = [finding_text(each) for each in done.report.findings.derived]
    yield "raggate: ", first
    yield "  ", lead
    if totals := totals_text(done.report.aggregate):
        yield "  ", totals
        yield from (("    ", line) for line in judge_totals(done.report.aggregate))
    yield from (("  ", text) for text in others)
    for remark in done.report.remarks:
        yield "  file: ", remark_text(remark)
