"""Right answers in other words, and wrong ones about the same facts: how often the rules cry wolf, and what they find.

    python bench/evidence_checks/reworded.py            # tables, whole pull requests, every alarm and miss verbatim
    python bench/evidence_checks/reworded.py --dev      # the facts that may be looked at while rules are written

Facts are split: `dev` was looked at while the rules were written, `held` was counted when they were frozen. Intervals
are those of a bootstrap over facts, for the rows of one fact share evidence and words.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bench.evidence_checks.labelled import LANGUAGE, bootstrap, findings_of, name_of
from bench.evidence_checks.rewordings import Record, records
from raggate_action.core.decision.baseline_gates import blocks
from raggate_action.core.evidence_checks.evidence_index import IndexCache
from raggate_action.schema.case_run import Finding
from raggate_action.schema.comparison import NewSuspects
from raggate_action.schema.policy import SuspectGate

SIZES = (10, 60, 200)
RUNS = 400
SEED = "whole pull requests"
# What a case of a pull request may be: values that have to be worked out are told apart.
RECKONED = "derived"


class Row(NamedTuple):
    """A row and what the rules said of it."""

    record: Record
    findings: tuple[Finding, ...]

    @property
    def fact(self) -> str:
        """The fact it is about: rows of one fact share evidence."""
        return "-".join(self.record["id"].split("-")[:2])

    @property
    def blocking(self) -> list[Finding]:
        """The findings that count."""
        return [finding for finding in self.findings if not finding.advisory]


def checked() -> Iterator[Row]:
    """Every row, checked."""
    for record in records():
        chunks = [(f"chunk {number}", text) for number, text in enumerate(record["chunks"], 1)]
        shown = IndexCache(LANGUAGE).shown(chunks)
        yield Row(record, tuple(findings_of(record["answer"], shown, question=record["question"])))


def by_kind(rows: Sequence[Row], flags: Sequence[tuple[str, Callable[[Row], bool]]]) -> None:
    """One line per kind of row, one column per flag."""
    print(f"| kind | rows | {' | '.join(name for name, _ in flags)} |\n|{' --- |' * (len(flags) + 2)}")
    kinds = sorted({row.record["kind"] for row in rows})
    for kind in [*kinds, "**all**"]:
        of_kind = [row for row in rows if kind in {row.record["kind"], "**all**"}]
        cells = [bootstrap([(row.fact, flag(row)) for row in of_kind]) for _, flag in flags]
        print(f"| {kind} | {len(of_kind)} | {' | '.join(cells)} |")


def by_code(rows: Sequence[Row]) -> None:
    """One line per kind of finding: on how many right rows it stands, and how often it is right."""
    rights, wrongs = Counter[str](), Counter[str]()
    for row in rows:
        names = {name_of(finding) + (", advisory" if finding.advisory else "") for finding in row.findings}
        (rights if row.record["right"] else wrongs).update(names)
    total = sum(row.record["right"] for row in rows)
    print("| finding | on right rows | on wrong rows | right when it stands |\n| --- | --- | --- | --- |")
    for name in sorted(rights | wrongs):
        right, wrong = rights[name], wrongs[name]
        print(f"| {name} | {right} ({100 * right / total:.2f} %) | {wrong} | {100 * wrong / (right + wrong):.0f} % |")


def released(rows: Sequence[Row], cases: int) -> float:
    """Share of pull requests that pass the gate on new suspects, every answer being a right one in other words."""
    passed = 0
    for run in range(RUNS):
        drawn = random.Random(f"{SEED}:{cases}:{run}").sample(rows, cases)
        kinds = [{finding.kind for finding in row.blocking} & {"conflict", "absent"} for row in drawn]
        new = NewSuspects(
            conflict=sum("conflict" in found for found in kinds),
            absent=sum(found == {"absent"} for found in kinds),
            sharp=sum(any(finding.sharp for finding in row.blocking) for row in drawn),
        )
        passed += not blocks(new, SuspectGate(), compared=cases)
    return passed / RUNS


def whole_pull_requests(rows: Sequence[Row]) -> None:
    """Releases of pull requests in which every right answer was reworded."""
    rights = [row for row in rows if row.record["right"]]
    plain = [row for row in rights if row.record["kind"] != RECKONED]
    print(f"\n## Pull requests that reword every answer, {RUNS} runs each: share released\n")
    print("| cases | rewordings, complements, negations, quotations, addresses | with reckoned values too |")
    print("| --- | --- | --- |")
    for cases in SIZES:
        print(f"| {cases} | {100 * released(plain, cases):.1f} % | {100 * released(rights, cases):.1f} % |")


def verbatim(rows: Sequence[Row]) -> None:
    """Every false alarm, then every miss."""
    print("\n### False alarms\n")
    for row in rows:
        for finding in row.blocking if row.record["right"] else ():
            print(f"- {row.record['id']}: {name_of(finding)}: {finding.reason} | {row.record['answer']!r}")
    missed: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if not row.record["right"] and not row.blocking:
            missed[row.record["kind"]].append(row)
    print("\n### Wrong answers without a finding that counts\n")
    for kind, left in sorted(missed.items()):
        print(f"{kind}:\n")
        print(*(f"- {row.record['id']}: {row.record['answer']!r}" for row in left), "", sep="\n")


def main() -> int:
    """Print everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dev", action="store_true", help="only the facts looked at while rules were written")
    options = parser.parse_args()
    rows = list(checked())
    for part in ("dev",) if options.dev else ("dev", "held", "fresh"):
        of_part = [row for row in rows if row.record["set"] == part]
        print(f"\n## Facts: {part}\n\nRight answers:\n")
        certain = ("certain", lambda row: any(finding.certain for finding in row.findings))
        any_blocking = ("any that counts", lambda row: bool(row.blocking))
        sharp = ("sharp", lambda row: any(finding.sharp for finding in row.findings))
        by_kind([row for row in of_part if row.record["right"]], (certain, sharp, any_blocking))
        print("\nWrong answers:\n")
        by_kind([row for row in of_part if not row.record["right"]], (certain, sharp, any_blocking))
        print("\nFindings:\n")
        by_code(of_part)
        whole_pull_requests(of_part)
    verbatim([row for row in rows if not options.dev or row.record["set"] == "dev"])
    return 0


if __name__ == "__main__":
    sys.exit(main())
