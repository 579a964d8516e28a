"""What the commands about judges and labels take. Loads nothing heavy."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from raggate_action.cli.app_arguments import suite_argument

LABEL_EXAMPLES: Final = """\
  raggate-action label raggate-run                    until you quit; the next time it goes on from there
  raggate-action label raggate-run --count 20         twenty claims, and no more
  raggate-action label raggate-run --calibration labels/menu.jsonl"""
LABEL_EXITS: Final = """\
keys: s supported, p partial, u unsupported, c contradicted, ? skip, b back (undoes the last label), n note,
e all of the evidence, q quit. Every label is written at once; NO_COLOR and TERM=dumb are kept to.

exit codes: 0 whatever was labelled, 2 usage (no terminal, no finished run), 130 Ctrl-C, which loses no label"""

CALIBRATE_EXITS: Final = """\
exit codes: 0 printed, 1 a judge that counted does no longer, 2 usage, 3 no judge could be asked, or one that counted
could not be judged again, 4 bug in raggate"""
AUDIT_EXITS: Final = """\
not for: composing or rewriting answers, retrieving chunks, style, facts that are in no chunk. Rules find faults
and recognise quotations; what is put in other words they leave `unverified`, unless --judge asks models about it.

exit codes: 0 faithful, 1 partial or unfaithful, 2 usage, 3 unverified, 4 bug in raggate"""


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


def calibrate_arguments(parser: argparse.ArgumentParser) -> None:
    """What `calibrate` takes."""
    suite_argument(parser)
    parser.add_argument("--no-reuse", action="store_true", help="ask again what was judged before")


def audit_arguments(parser: argparse.ArgumentParser) -> None:
    """What `audit` takes."""
    parser.add_argument("--answer", type=Path, required=True, metavar="FILE", help="the answer as text; - for stdin")
    parser.add_argument(
        "--chunks",
        type=Path,
        required=True,
        metavar="FILE",
        help='the chunks it was made from, lines of {"id": ..., "text": ...} or {"chunk_id": ..., "text": ...}',
    )
    parser.add_argument("--language", default="en", metavar="L", help="of the answer, ISO 639-1 (default: en)")
    parser.add_argument(
        "--judge", type=Path, metavar="SUITE", help="ask the judges of this suite about what rules leave open"
    )


def _positive(text: str) -> int:
    number = int(text) if text.isdecimal() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no count: write 1 or more")
    return number
