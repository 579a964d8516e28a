"""How a stored run is given on the command line. Loads nothing heavy."""

from __future__ import annotations

import argparse
from pathlib import Path


def compare_arguments(parser: argparse.ArgumentParser) -> None:
    """What `compare` takes."""
    parser.add_argument("head", type=Path, metavar="HEAD", help="run directory of the change")
    parser.add_argument("base", type=Path, metavar="BASE", help="run directory of the baseline")


def report_arguments(parser: argparse.ArgumentParser) -> None:
    """What `report` takes."""
    parser.add_argument("directory", type=Path, metavar="DIR", help="run directory")
    parser.add_argument(
        "--baseline", type=Path, metavar="DIR", help="run directory to compare with instead of the stored"
    )
    parser.add_argument(
        "--format", choices=("comment", "summary"), default="comment", help="what to print (default: comment)"
    )


def explain_arguments(parser: argparse.ArgumentParser) -> None:
    """What `explain` takes."""
    parser.add_argument("directory", type=Path, metavar="DIR", help="run directory")
    parser.add_argument("case", nargs="?", metavar="CASE", help="case id; without one the failing cases are listed")


def accept_arguments(parser: argparse.ArgumentParser) -> None:
    """What `accept` takes."""
    parser.add_argument("directory", type=Path, metavar="RUN", help="run directory")
    parser.add_argument(
        "--case",
        action="append",
        default=[],
        metavar="ID",
        help="this case, even where it failed; may be repeated",
    )
    parser.add_argument("--write", action="store_true", help="write the labels into the case files")
    parser.add_argument("--suite", type=Path, metavar="SUITE", help="suite file (default: the run's own)")
