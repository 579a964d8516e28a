"""Whole runs beside the floor, in turn, the least of several rounds: CPU seconds and peak memory.

A row is missed where it is over its bound. It stops where raggate and the floor do not agree on how many cases pass.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.generate import generate
from bench.table import MISSED, Options, Table

HERE = Path(__file__).resolve().parent
OUT = HERE / "out"
# What `counts` in run.json begins with. A full parse would make this process large, and a child's peak memory is
# never told as less than what its parent had when it was started.
_COUNTS = re.compile(r'"counts": \{\s*"cases": (\d+),\s*"passed": (\d+)')
_COUNTS_WITHIN = 1 << 20
# 1 says that the release is blocked, as it has to be here.
_ENDS = frozenset({0, 1})


class Cost(NamedTuple):
    """What one process cost, as the system says: CPU seconds of user and system, wall seconds, peak memory in MiB.

    Attributes:
        run_s: The CPU seconds without those of the report page.
        page_s: Those of the page; 0 where none was written.
    """

    cpu_s: float
    run_s: float
    page_s: float
    wall_s: float
    peak_mib: float


def cost_of(
    command: Sequence[str], said: Path, *, allowed: frozenset[int] = frozenset({0}), page: Path | None = None
) -> Cost:
    """Run one process to its end.

    Args:
        command: The process.
        said: The file that its output goes to.
        allowed: Its exit codes.
        page: Where it leaves the CPU seconds of its page, see `timed_page.py`; None is a process without one.
    """
    with said.open("wb") as output:
        began = time.perf_counter()
        # Waited for by id below, because only that tells the cost of this child alone.
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)
        _pid, status, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - began
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in allowed:
        raise SystemExit(f"{' '.join(command)} ended with {child.returncode}:\n{said.read_text(errors='replace')}")
    cpu, of_page = usage.ru_utime + usage.ru_stime, float(page.read_text(encoding="utf-8")) if page else 0.0
    return Cost(cpu, cpu - of_page, of_page, wall, usage.ru_maxrss / 1024)


def least(costs: Sequence[Cost]) -> Cost:
    """The least of each figure by itself: a machine's speed changes within the hour, and only ever adds."""
    return Cost(*map(min, zip(*costs, strict=True)))


class Workload(NamedTuple):
    """One row of the table.

    Attributes:
        name: What people read.
        kind, cases: What is generated.
        times, page_times, mib: At most so many times the floor's CPU seconds, the page left out; so many for the page;
            and so many MiB. They lie some 15 % above what was measured then.
        with_baseline: The run is compared with one of the same suite.
        rounds: How often it is measured; the first of several does not count.
    """

    name: str
    kind: str
    cases: int
    times: float
    page_times: float
    mib: float
    with_baseline: bool = False
    rounds: int = 5


WORKLOADS = (
    Workload("one case", "structured", 1, 30, 2, 72),
    Workload("1,000 labelled", "structured", 1000, 27, 9, 87),
    Workload("10,000 labelled", "structured", 10_000, 29, 18, 100, rounds=3),
    Workload("100,000 labelled", "structured", 100_000, 29, 18, 150, rounds=1),
    Workload("1,000 with a baseline", "structured", 1000, 36, 11, 99, with_baseline=True),
    Workload("1,000 failing", "failing", 1000, 25, 8, 80),
    Workload("1,000 quoted", "prose", 1000, 48, 11, 106),
    Workload("1,000 shared chunks", "shared", 1000, 43, 11, 102),
    Workload("1,000 paraphrased", "paraphrased", 1000, 53, 11, 114, rounds=3),
)
COLUMNS = (
    "cases", "raggate CPU s", "without its page", "floor CPU s", "times the floor", "at most", "the page, us a case",
    "times the floor", "at most", "wall s", "peak MiB", "at most", "both say", "",
)  # fmt: skip


def tables(options: Options) -> Iterator[Table]:
    """The one table; `sample` is the most rounds, and leaves out what has more than 10,000 cases."""
    OUT.mkdir(exist_ok=True)
    chosen = [each for each in WORKLOADS if not options.sample or each.cases <= 10_000]
    machine = f"Python {sys.version.split()[0]}, {os.cpu_count()} CPUs, load {os.getloadavg()[0]:.1f}"
    rows = (measured(each, min(each.rounds, options.sample or each.rounds)) for each in chosen)
    yield Table(f"Speed and memory beside the floor: {machine}", COLUMNS, rows)


def measured(workload: Workload, rounds: int) -> list[str]:
    """Floor and raggate in turn, so that both meet the same weather: the row."""
    said, run, page = OUT / "said.txt", OUT / "run", OUT / "page_s.txt"
    directory = OUT / f"{workload.kind}-{workload.cases}"
    generate(directory, cases=workload.cases, kind=workload.kind, seed=1)
    suite = str(directory / "raggate.yaml")
    command = [sys.executable, str(HERE / "timed_page.py"), str(page), "run", suite, "--out", str(run)]
    if workload.with_baseline:
        baseline = OUT / "baseline"
        shutil.rmtree(baseline, ignore_errors=True)
        cost_of([sys.executable, "-m", "raggate_action", "run", suite, "--out", str(baseline)], said, allowed=_ENDS)
        command += ["--baseline", str(baseline)]
    floors, costs, expected = [], [], ""
    for _ in range(rounds + (rounds > 1)):
        floors.append(cost_of([sys.executable, str(HERE / "floor.py"), str(directory)], said))
        expected = said.read_text().strip()
        # Removing the run before is no part of the work.
        shutil.rmtree(run, ignore_errors=True)
        costs.append(cost_of(command, said, allowed=_ENDS, page=page))
        if pass_count(run) != expected:
            raise SystemExit(f"{workload.name}: raggate says {pass_count(run)}, the floor {expected}")
    ours, floor = least(costs[rounds > 1 :]), least(floors[rounds > 1 :])
    times, page_times = ours.run_s / floor.cpu_s, ours.page_s / floor.cpu_s
    over = times > workload.times or page_times > workload.page_times or ours.peak_mib > workload.mib
    return [
        workload.name,
        *[f"{each:.2f}" for each in (ours.cpu_s, ours.run_s, floor.cpu_s)],
        *[f"{times:.1f}", f"{workload.times:g}"],
        # Of one case it is what the page takes to begin with.
        *[f"{ours.page_s * 1e6 / workload.cases:,.0f}", f"{page_times:.1f}", f"{workload.page_times:g}"],
        *[f"{ours.wall_s:.2f}", f"{ours.peak_mib:.0f}", f"{workload.mib:g}", expected, MISSED if over else ""],
    ]


def pass_count(run: Path) -> str:
    """What raggate counted, in the floor's words."""
    with (run / "run.json").open(encoding="utf-8") as content:
        found = _COUNTS.search(content.read(_COUNTS_WITHIN))
    if found is None:
        raise SystemExit(f"{run / 'run.json'} has no counts")
    return f"{found[2]} of {found[1]} pass"
