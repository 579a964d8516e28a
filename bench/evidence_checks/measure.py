"""Measure the evidence checks on labelled rows: how often they cry wolf, what they find, what that is worth.

    python bench/evidence_checks/measure.py                 # the labelled files beside the checkout, where present
    python bench/evidence_checks/measure.py FILES...        # any JSONL of rows {id, doc_id, chunks, answer, grounded}

A row is flagged when a finding stands that does more than warn. "Not grounded" is the fault.
Rates of rows have intervals of a bootstrap over documents, for rows of one document share evidence.
Rows are also counted by the half of the documents that was not looked at while the rules were written.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.evidence_checks.labelled import (
    NUMBERS,
    Measured,
    bootstrap,
    is_held_out,
    measure,
    name_of,
    read_rows,
    wilson,
)

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
FILES = ("wice_claims.jsonl", "summedits.jsonl", "factcheck_claims.jsonl")
# What part of an app's answers is taken to be faulty where precision is told for an app.
_FAULTS_OF_AN_APP = 0.1

Flag = Callable[[Measured], bool]


def files_named(names: Sequence[str]) -> list[Path]:
    """The files asked for, else the known ones that are there; says which are not."""
    if names:
        return [Path(name) for name in names]
    found = [path for name in FILES if (path := DATA / name).is_file()]
    missing = [name for name in FILES if not (DATA / name).is_file()]
    if missing:
        print(f"Not there, not measured: {', '.join(missing)} (looked for in ../{DATA.parent.name}/{DATA.name}).")
    return found


def flags_of(rows: Sequence[Measured]) -> dict[str, Flag]:
    """What is counted: the number rule, then each kind of finding that occurs, then all of them."""
    every = [finding for row in rows for finding in row.findings]
    codes = sorted({name_of(finding) for finding in every if not finding.advisory})
    warning = sorted({name_of(finding) for finding in every if finding.advisory})
    flags: dict[str, Flag] = {"**absent number, date, money, ...**": lambda row: row.flagged(*NUMBERS)}
    for code in codes:
        flags[code] = lambda row, code=code: row.flagged(code)  # type: ignore[misc]
    flags["conflict, certain"] = lambda row: any(finding.certain for finding in row.findings)
    flags["**any finding that can block**"] = lambda row: row.flagged()
    for code in warning:
        flags[f"{code}, warns only"] = lambda row, code=code: row.warned(code)  # type: ignore[misc]
    flags["always flag"] = lambda _row: True
    flags["always pass"] = lambda _row: False
    return flags


def table(rows: Sequence[Measured]) -> None:
    """One line per rule."""
    good = [row for row in rows if row.grounded]
    bad = [row for row in rows if not row.grounded]
    print(f"\n{len(rows)} rows of {len({row.document for row in rows})} documents, {len(good)} grounded.\n")
    heads = (
        "rule",
        "flagged of grounded",
        "found of faults",
        "right when it flags",
        "right at 10 % faults",
        "bal. accuracy",
    )
    print(f"| {' | '.join(heads)} |\n|{' --- |' * len(heads)}")
    for name, flag in flags_of(rows).items():
        false, true = sum(map(flag, good)), sum(map(flag, bad))
        alarms, finds = [[(row.document, flag(row)) for row in side] for side in (good, bad)]
        at_tenth = _at_tenth(false, len(good), true, len(bad))
        balanced = ((true / len(bad) if bad else 0) + (1 - false / len(good) if good else 0)) / 2
        shares = bootstrap(alarms), bootstrap(finds), wilson(true, true + false)
        print(f"| {name} | {' | '.join(shares)} | {at_tenth} | {balanced:.2f} |")
    supported = [row for row in rows if row.supported]
    wrong = sum(not row.grounded for row in supported)
    quoted, claims = sum(row.quoted for row in rows), sum(row.claims for row in rows)
    print(f"\nSupported by exact quotation: {wilson(len(supported), len(rows))} of rows, wrong in {wrong};")
    print(f"{wilson(quoted, claims)} of claims, in rows labelled a fault {sum(r.quoted for r in bad)}.")
    times = sorted(row.ms for row in rows)
    ninety_fifth = times[int(0.95 * len(times))]
    print(f"CPU ms per answer, chunks indexed: mean {statistics.fmean(times):.2f}, p95 {ninety_fifth:.2f}.")


def _at_tenth(false: int, good: int, true: int, bad: int) -> str:
    """Precision if one answer in ten were faulty, from the two rates."""
    if not good or not bad:
        return ""
    hits = _FAULTS_OF_AN_APP * true / bad
    alarms = (1 - _FAULTS_OF_AN_APP) * false / good
    return f"{100 * hits / (hits + alarms):.0f} %" if hits + alarms else ""


def main() -> int:
    """Print the tables of every file; 0 also where no labelled file is there."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="FILES")
    parser.add_argument(
        "--seen-half", action="store_true", help="only the half that may be looked at while writing rules"
    )
    parser.add_argument("--alarms", action="store_true", help="print what was flagged on grounded rows")
    options = parser.parse_args()
    for path in files_named(options.files):
        rows = [row for row in read_rows(path) if not (options.seen_half and is_held_out(row["doc_id"]))]
        measured = measure(rows)
        print(f"\n## {path.name}")
        table(measured)
        if not options.seen_half:
            print("\nOf these, documents not looked at while the rules were written:")
            table([row for row in measured if is_held_out(row.document)])
        if options.alarms:
            for row in measured:
                for finding in row.findings if row.grounded else ():
                    print(f"- {row.row_id}: {name_of(finding)}: {finding.reason} | {row.answer}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
