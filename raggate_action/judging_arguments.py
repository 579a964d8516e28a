"""What the commands about judges and labels take. Loads nothing heavy."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

LABEL_EXAMPLES: Final = """\
  raggate-action label raggate-run                    until you quit; the next time it goes on from there
  raggate-action label raggate-run --count 20         twenty claims, and no more
  raggate-action label raggate-run --calibration labels/menu.jsonl"""
LABEL_EXITS: Final = """\
keys: s supported, p partial, u unsupported, c contradicted, ? skip, b back (undoes the last label), n note,
e all of the evidence, q quit. Every label is written at once; NO_COLOR and TERM=dumb are kept to.

exit codes: 0 whatever was labelled, 2 usage (no terminal, no finished run), 130 Ctrl-C, which loses no label"""


def label_arguments(parser: argparse.ArgumentParser) -> None:
    """What `label` takes."""
    parser.add_argument("directory", type=Path, metavar="RUN", help="run directory")
    parser.add_argument("--suite", type=Path, metavar="SUITE", help="suite file (default: the run's own)")
    parser.add_argument(
        "--calibration",
        type=Path,
        metavar="FILE",
        help="file of labels (default: what the suite's `judges: calibration` says, else calibration.jsonl beside it)",
    )
    parser.add_argument("--count", type=_positive, metavar="N", help="so many labels at most (default: until you quit)")


def _positive(text: str) -> int:
    number = int(text) if text.isdecimal() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no count: write 1 or more")
    return number
