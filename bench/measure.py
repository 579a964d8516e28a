"""Measure raggate against the floor: whole processes, taking turns, medians.

    python bench/measure.py                                    # everything; about ten minutes
    python bench/measure.py --sizes 1000,10000 --repeats 3     # quicker

Prints a Markdown table. CPU seconds and peak memory are what the system says of the finished child process. It fails
when raggate and the floor do not agree on how many cases pass.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
OUT = HERE / "out"
SIZES = (1000, 10_000, 100_000)
# What `counts` in run.json begins with. A full parse would make this process large, and a child's peak memory is
# never told as less than what its parent had when it was started.
_COUNTS = re.compile(r'"counts": \{\s*"cases": (\d+),\s*"passed": (\d+)')
_COUNTS_WITHIN = 1 << 20
_RAGGATE = (sys.executable, "-m", "raggate_action")


class Cost(NamedTuple):
    """What one process cost: CPU seconds of user and system, wall seconds, peak resident memory in MiB."""

    cpu_s: float
    wall_s: float
    peak_mib: float


class Workload(NamedTuple):
    """One row of the table.

    Attributes:
        name: What people read.
        kind, cases: What is generated; without cases the command is measured as it stands.
        command: Arguments of raggate for rows without cases.
        bar_s: CPU seconds that must not be exceeded; None is without a bar.
    """

    name: str
    kind: str = ""
    cases: int = 0
    command: tuple[str, ...] = ()
    bar_s: float | None = None

    @property
    def directory(self) -> Path:
        """Where its suite stands."""
        return OUT / f"{self.kind}-{self.cases}"


class Result(NamedTuple):
    """The medians of a workload; the floor's are None where there is nothing to hold against it."""

    workload: Workload
    ours: Cost
    floor: Cost | None
    agreed: str


def workloads(sizes: Sequence[int]) -> Iterator[Workload]:
    """The rows of the table: structured by size, then the variants that are within the sizes, then the start-up."""
    bars = {1000: 0.5, 10_000: 2.0, 100_000: 16.0}
    for size in sizes:
        yield Workload(f"{size:,} structured", "structured", size, bar_s=bars.get(size))
    if 10_000 in sizes:
        yield Workload("10,000 free text", "prose", 10_000)
        yield Workload("10,000 paraphrased", "paraphrased", 10_000)
        yield Workload("10,000 paraphrased, 400 chunks", "shared", 10_000)
    if 100_000 in sizes:
        yield Workload("100,000 shuffled", "shuffled", 100_000)
    yield Workload("one case", "structured", 1, bar_s=0.4)
    yield Workload("--version", command=("--version",), bar_s=0.15)
    yield Workload("--help", command=("--help",), bar_s=0.15)


def cost_of(command: Sequence[str], said: Path, *, allowed: frozenset[int] = frozenset({0})) -> Cost:
    """Run one process to its end and ask the system what it cost; its output goes to the file `said`."""
    with said.open("wb") as output:
        began = time.perf_counter()
        # Waited for by id below, because only that tells the cost of this child alone.
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)
        _pid, status, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - began
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in allowed:
        raise SystemExit(f"{' '.join(command)} ended with {child.returncode}:\n{said.read_text(errors='replace')}")
    return Cost(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024)


def measure_one(workload: Workload, repeats: int) -> Result:
    """Floor and raggate in turn, so that both meet the same weather. The first round warms up and does not count."""
    said = OUT / "said.txt"
    if not workload.cases:
        costs = [cost_of([*_RAGGATE, *workload.command], said) for _ in range(repeats + 1)]
        return Result(workload, median(costs[1:]), None, "")
    generated(workload)
    ours, floors, run = [], [], OUT / "run"
    suite = str(workload.directory / "raggate.yaml")
    agreed = ""
    for _ in range(repeats + 1):
        floors.append(cost_of([sys.executable, str(HERE / "floor.py"), str(workload.directory)], said))
        expected = said.read_text()
        # Removing the run before is no part of the work.
        shutil.rmtree(run, ignore_errors=True)
        # 1 says that the release is blocked, as it has to be here.
        ours.append(cost_of([*_RAGGATE, "run", suite, "--out", str(run)], said, allowed=frozenset({0, 1})))
        agreed = pass_count(run)
        if agreed != expected.strip():
            raise SystemExit(f"{workload.name}: raggate says {agreed}, the floor {expected}")
    shutil.rmtree(run)
    return Result(workload, median(ours[1:]), median(floors[1:]), agreed)


def generated(workload: Workload) -> None:
    """Generate a workload, unless this generator has done so already."""
    stamp = workload.directory / "generated"
    generator = (HERE / "generate.py").read_text(encoding="utf-8")
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != generator:
        arguments = ["--cases", str(workload.cases), "--kind", workload.kind]
        command = [sys.executable, str(HERE / "generate.py"), str(workload.directory), *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        stamp.write_text(generator, encoding="utf-8")


def pass_count(run: Path) -> str:
    """What raggate counted, in the floor's words."""
    with (run / "run.json").open(encoding="utf-8") as content:
        found = _COUNTS.search(content.read(_COUNTS_WITHIN))
    if found is None:
        raise SystemExit(f"{run / 'run.json'} has no counts")
    return f"{found[2]} of {found[1]} pass"


def median(costs: Sequence[Cost]) -> Cost:
    """The median of each figure by itself."""
    return Cost(*(statistics.median(figures) for figures in zip(*costs, strict=True)))


def row_of(result: Result) -> str:
    """The result as a row of the table."""
    workload, ours, floor = result.workload, result.ours, result.floor
    bar = "" if workload.bar_s is None else f"{workload.bar_s:g}"
    if workload.bar_s is not None and ours.cpu_s > workload.bar_s:
        bar += " (over)"
    cells = [workload.name, f"{ours.cpu_s:.2f}", bar]
    cells += ["", ""] if floor is None else [f"{floor.cpu_s:.2f}", f"{ours.cpu_s / floor.cpu_s:.1f}"]
    cells += [f"{ours.wall_s:.2f}", f"{ours.peak_mib:.0f}", "" if floor is None else f"{floor.peak_mib:.0f}"]
    return f"| {' | '.join([*cells, result.agreed])} |"


HEADER = """\
| cases | raggate CPU s | at most | floor CPU s | times the floor | wall s | peak MiB | floor MiB | both say |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |"""


def main() -> None:
    """Read the command line, measure, print."""
    parser = argparse.ArgumentParser(description="Measure raggate against the floor.")
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="numbers of cases, with commas between")
    parser.add_argument("--repeats", type=int, default=5, help="rounds that count; one more warms up")
    given = parser.parse_args()
    # An installed package has its bytecode; compiling anew at every start would measure the compiler.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    OUT.mkdir(exist_ok=True)
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} CPUs, load {os.getloadavg()[0]:.1f}, ", end="")
    print(f"medians of {given.repeats}\n\n{HEADER}", flush=True)
    for workload in workloads([int(size) for size in given.sizes.split(",") if size]):
        print(row_of(measure_one(workload, given.repeats)), flush=True)


if __name__ == "__main__":
    main()
