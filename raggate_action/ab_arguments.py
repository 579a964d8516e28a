"""What the commands about two arms take. Loads nothing heavy."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

AGGREGATE_EXAMPLES: Final = """\
  raggate-action aggregate judge_rows.csv
  raggate-action aggregate judge_rows.csv --out ab-findings
  raggate-action aggregate judge_rows.csv --control-lab Northlab --treatment-lab Northlab"""
AGGREGATE_EXITS: Final = "exit codes: 0 printed, 2 the file cannot be read, 4 bug in raggate"


def aggregate_arguments(parser: argparse.ArgumentParser) -> None:
    """What `aggregate` takes."""
    parser.add_argument(
        "rows", type=Path, metavar="ROWS.csv", help="question_id, judge_name, and X_A and X_B for each thing scored"
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="write ab.json, judge_rows.csv and findings.md there")
    parser.add_argument("--control-lab", metavar="L", help="who trained the control's model (A)")
    parser.add_argument("--treatment-lab", metavar="L", help="who trained the treatment's model (B)")
