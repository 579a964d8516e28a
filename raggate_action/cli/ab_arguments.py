"""What the commands about two arms take. Loads nothing heavy."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from raggate_action.cli.app_arguments import suite_argument

AB_EXAMPLES: Final = """\
  raggate-action ab                                   the arms of ./raggate.yaml, every case
  raggate-action ab suites/menu.yaml --scope smoke    only the cases of scope `smoke`
  raggate-action ab --case refund-7                   one question, into raggate-ab-case
  raggate-action ab --no-reuse                        ask judges again what they have said before"""
AB_EXITS: Final = """\
exit codes: 0 compared, 1 the gate `ab` blocks and the control is preferred, 2 usage, 3 nothing could be judged, or an
arm answered nothing, 4 bug in raggate"""
AGGREGATE_EXAMPLES: Final = """\
  raggate-action aggregate judge_rows.csv
  raggate-action aggregate judge_rows.csv --out ab-findings
  raggate-action aggregate judge_rows.csv --control-lab Northlab --treatment-lab Northlab"""
AGGREGATE_EXITS: Final = "exit codes: 0 printed, 2 the file cannot be read, 4 bug in raggate"


def ab_arguments(parser: argparse.ArgumentParser) -> None:
    """What `ab` takes."""
    suite_argument(parser)
    parser.add_argument("--scope", default="full", metavar="S", help="which cases (default: full)")
    parser.add_argument("--case", action="append", default=[], metavar="ID", help="only this case; may be repeated")
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="where to write (default: raggate-ab; raggate-ab-case with --case)"
    )
    parser.add_argument(
        "--no-reuse", dest="reuse", action="store_false", help="ask judges again what they have said before"
    )


def aggregate_arguments(parser: argparse.ArgumentParser) -> None:
    """What `aggregate` takes."""
    parser.add_argument(
        "rows", type=Path, metavar="ROWS.csv", help="question_id, judge_name, and X_A and X_B for each thing scored"
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="write ab.json, judge_rows.csv and findings.md there")
    parser.add_argument("--control-lab", metavar="L", help="who trained the control's model (A)")
    parser.add_argument("--treatment-lab", metavar="L", help="who trained the treatment's model (B)")
