"""Right answers in other words, and wrong ones about the same facts: how often the rules cry wolf, and what they find.

The rows are put together from hand-written facts and patterns (bench/README.md). Those of `dev` were looked at while
the rules were written, `held` was counted when they were frozen, `fresh` was written later. Intervals are those of a
bootstrap over facts, for the rows of one fact share evidence and words.
"""

from __future__ import annotations

import json
import lzma
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bench.evidence_checks.labelled import LANGUAGE, findings_of, name_of
from bench.table import Options, Table, bootstrap
from raggate_action.core.decision.baseline_gates import blocks
from raggate_action.core.evidence_checks.evidence_index import IndexCache
from raggate_action.schema.case_run import Finding
from raggate_action.schema.change import ChangeCount
from raggate_action.schema.policy import Gates

FILE = Path(__file__).resolve().with_name("rewordings.jsonl.xz")
SIZES = (10, 60, 200)
RUNS = 400
# Answers whose values have to be worked out.
RECKONED = "derived"


class Row(NamedTuple):
    """A row and what the rules said of it."""

    record: dict[str, Any]
    findings: tuple[Finding, ...]

    @property
    def fact(self) -> str:
        """The fact it is about: rows of one fact share evidence."""
        return "-".join(self.record["id"].split("-")[:2])

    @property
    def blocking(self) -> list[Finding]:
        """The findings that count."""
        return [finding for finding in self.findings if not finding.advisory]


def records() -> list[dict[str, Any]]:
    """Every row of the file: id, domain, kind, question, chunks, answer, whether it is right, and its set."""
    with lzma.open(FILE, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def checked(record: dict[str, Any]) -> Row:
    """A row, checked."""
    shown = IndexCache(LANGUAGE).shown([(f"chunk {n}", text) for n, text in enumerate(record["chunks"], 1)])
    return Row(record, tuple(findings_of(record["answer"], shown, question=record["question"])))


FLAGS: dict[str, Callable[[Row], bool]] = {
    "certain": lambda row: any(finding.certain for finding in row.findings),
    "sharp": lambda row: any(finding.sharp for finding in row.findings),
    "any that counts": lambda row: bool(row.blocking),
}


def tables(options: Options) -> Iterator[Table]:
    """Of each set: right answers by kind, wrong ones by kind, findings by code, and pull requests that reword all."""
    for part in ("dev",) if options.seen else ("dev", "held", "fresh"):
        rows = [checked(record) for record in records() if record["set"] == part]
        rights, wrongs = [[row for row in rows if row.record["right"] is right] for right in (True, False)]
        alarms = [
            f"- {row.record['id']}: {name_of(finding)}: {finding.reason} | {row.record['answer']!r}"
            for row in rights
            for finding in row.blocking
        ]
        misses = [f"- {row.record['id']}: {row.record['answer']!r}" for row in wrongs if not row.blocking]
        for name, of_kind, lines in (
            ("right answers flagged", rights, alarms),
            ("wrong answers found", wrongs, misses),
        ):
            told = ["", *lines] if options.verbatim else ()
            yield Table(f"{part}: {name}", ("kind", "rows", *FLAGS), [*by_kind(of_kind)], told)
        on = [Counter(name for row in side for name in set(map(_name, row.findings))) for side in (rights, wrongs)]
        cells = [[name, str(on[0][name]), str(on[1][name])] for name in sorted(on[0] | on[1])]
        yield Table(f"{part}: findings", ("finding", "on right rows", "on wrong rows"), cells)
        plain = [row for row in rights if row.record["kind"] != RECKONED]
        shares = [[f"{100 * released(of, size):.1f} %" for of in (plain, rights)] for size in SIZES]
        columns = ("cases", "rewordings alone", "with reckoned values too")
        about = f"{part}: pull requests that reword every answer, {RUNS} runs each: share released"
        yield Table(about, columns, [[str(size), *each] for size, each in zip(SIZES, shares, strict=True)])


def _name(finding: Finding) -> str:
    return name_of(finding) + (", advisory" if finding.advisory else "")


def by_kind(rows: Sequence[Row]) -> Iterator[list[str]]:
    """One line per kind of row, one column per flag."""
    for kind in [*sorted({row.record["kind"] for row in rows}), "**all**"]:
        own = [row for row in rows if kind in {row.record["kind"], "**all**"}]
        yield [kind, str(len(own)), *[bootstrap([(row.fact, flag(row)) for row in own]) for flag in FLAGS.values()]]


def released(rows: Sequence[Row], cases: int) -> float:
    """Share of pull requests that pass the gate on new suspects, every answer being a right one in other words."""
    passed = 0
    for run in range(RUNS):
        drawn = random.Random(f"whole pull requests:{cases}:{run}").sample(rows, cases)
        new = ChangeCount(
            new=sum(any(finding.kind in {"conflict", "absent"} for finding in row.blocking) for row in drawn),
            blocking=sum(any(finding.sharp for finding in row.blocking) for row in drawn),
        )
        passed += not blocks(new, Gates().new_suspects, cases)
    return passed / RUNS
