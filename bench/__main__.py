"""The one runner: each bench prints its tables, and writes them to bench/results/NAME.json.

    python -m bench                          # speed and memory, beside the floor
    python -m bench noise poorer             # others, by name
    python -m bench poorer --sample 20       # fewer runs; nothing is written

Exits 1 where a row is over its bound or below its aim.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from importlib import import_module
from pathlib import Path

from bench.table import MISSED, Options

RESULTS = Path(__file__).parent / "results"
# Name -> module, and the function in it that gives the tables.
BENCHES = {
    "speed": ("bench.speed", "tables"),
    "page": ("bench.report_page", "tables"),
    "noise": ("bench.noise", "tables"),
    "own-rates": ("bench.noise", "own_rates"),
    "lost-sources": ("bench.noise", "lost_sources"),
    "poorer": ("bench.poorer", "tables"),
    "labelled": ("bench.evidence_checks.labelled", "tables"),
    "reworded": ("bench.evidence_checks.reworded", "tables"),
    "faults": ("bench.evidence_checks.faults", "tables"),
    "languages": ("bench.evidence_checks.faults", "languages"),
    "declining": ("bench.evidence_checks.declining", "tables"),
    "unread": ("bench.evidence_checks.unread", "tables"),
    "names": ("bench.evidence_checks.unread", "names"),
    "arming": ("bench.judging", "arming"),
    "judge-cost": ("bench.judging", "judge_cost"),
    "panel-cost": ("bench.judging", "panel_cost"),
}


def run(name: str, options: Options, results: Path = RESULTS) -> bool:
    """Print the tables of a bench and keep them, if it is run whole; whether none of its rows is missed."""
    module, function = BENCHES[name]
    kept, met = [], True
    for table in getattr(import_module(module), function)(options):
        rows = []
        print(f"\n### {table.title}\n\n| {' | '.join(table.columns)} |\n|{' --- |' * len(table.columns)}", flush=True)
        for row in table.rows:
            print(f"| {' | '.join(row)} |", flush=True)
            rows.append(list(row))
            met = met and MISSED not in row
        for line in table.lines:
            print(line)
        head = f'"title": {json.dumps(table.title)}, "columns": {json.dumps(table.columns)}'
        kept.append(f'{{{head}, "rows": [\n' + ",\n".join(map(json.dumps, rows)) + "\n]}")
    if options.sample is None and not options.seen:
        results.mkdir(exist_ok=True)
        text = f'{{"command": "python -m bench {name}", "tables": [\n' + ",\n".join(kept) + "\n]}\n"
        (results / f"{name}.json").write_text(text, encoding="utf-8")
    return met


def main() -> int:
    """Run the benches named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHES))
    parser.add_argument("--sample", type=int, help="runs of a simulation, rounds of a process, cases of a page")
    parser.add_argument("--seen", action="store_true", help="only what may be looked at while rules are written")
    parser.add_argument("--verbatim", action="store_true", help="print every false alarm and every miss")
    given = parser.parse_args()
    if unknown := [name for name in given.names if name not in BENCHES]:
        parser.error(f"no bench is called {', '.join(unknown)}; there are {', '.join(BENCHES)}")
    # An installed package has its bytecode; compiling anew at every start would measure the compiler.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    options = Options(given.sample, given.seen, given.verbatim)
    met = [run(name, options) for name in given.names or ["speed"]]
    return int(not all(met))


if __name__ == "__main__":
    sys.exit(main())
