"""Measure raggate against the floor: whole processes, taking turns, the least of several rounds.

    python bench/measure.py                         # everything; less than ten minutes
    python bench/measure.py --sizes 1000,10000      # without the hundred thousand cases: four minutes

Prints a Markdown table. CPU seconds and peak memory are what the system says of the finished child process. It exits 1
when a row is over its bound, and when raggate and the floor do not agree on how many cases pass.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
OUT = HERE / "out"
SIZES = (1000, 10_000, 100_000)
# By row: at most so many times the floor's CPU seconds, the page left out; so many for the page; and so many MiB.
# Without cases the floor is an interpreter that does nothing. They lie some 15 % above what was measured then.
BOUNDS: dict[str, tuple[float, float, float]] = {
    "1,000 structured": (27, 9, 87),
    "10,000 structured": (29, 18, 100),
    "100,000 structured": (29, 18, 150),
    "1,000 with a baseline": (36, 11, 99),
    "1,000 failing": (25, 8, 80),
    "1,000 quoted": (48, 11, 106),
    "1,000 paraphrased": (53, 11, 114),
    "1,000 paraphrased, 400 chunks": (43, 11, 102),
    "10,000 shuffled": (29, 18, 100),
    "one case": (30, 2, 72),
    "--version": (6, 0, 30),
    "--help": (6, 0, 30),
}
# What `counts` in run.json begins with. A full parse would make this process large, and a child's peak memory is
# never told as less than what its parent had when it was started.
_COUNTS = re.compile(r'"counts": \{\s*"cases": (\d+),\s*"passed": (\d+)')
_COUNTS_WITHIN = 1 << 20
_RAGGATE = (sys.executable, "-m", "raggate_action")


class Cost(NamedTuple):
    """What one process cost: CPU seconds of user and system, wall seconds, peak resident memory in MiB.

    Attributes:
        run_s: The CPU seconds without those of the report page.
        page_s: Those of the page; 0 where none was written.
    """

    cpu_s: float
    run_s: float
    page_s: float
    wall_s: float
    peak_mib: float


class Workload(NamedTuple):
    """One row of the table.

    Attributes:
        name: What people read.
        kind, cases: What is generated; without cases the command is measured as it stands.
        command: Arguments of raggate for rows without cases.
        with_baseline: The run is compared with one of the same suite.
        rounds: How often it is measured at most.
    """

    name: str
    kind: str = ""
    cases: int = 0
    command: tuple[str, ...] = ()
    with_baseline: bool = False
    rounds: int = 5

    @property
    def directory(self) -> Path:
        """Where its suite stands."""
        return OUT / f"{self.kind}-{self.cases}"


class Result(NamedTuple):
    """The least costs of a workload, and those of the floor."""

    workload: Workload
    ours: Cost
    floor: Cost
    agreed: str

    @property
    def times(self) -> float:
        """How many times the floor's CPU seconds, the page left out: no floor makes one."""
        return self.ours.run_s / self.floor.cpu_s

    @property
    def page_times(self) -> float:
        """How many times the floor's CPU seconds the page takes by itself."""
        return self.ours.page_s / self.floor.cpu_s

    @property
    def is_over(self) -> bool:
        """Whether a bound is exceeded."""
        times, page_times, mib = BOUNDS[self.workload.name]
        return self.times > times or self.page_times > page_times or self.ours.peak_mib > mib


def workloads(sizes: Sequence[int]) -> Iterator[Workload]:
    """The rows of the table: structured by size, then the variants that are within the sizes, then the start-up."""
    for size in sizes:
        yield Workload(f"{size:,} structured", "structured", size, rounds=max(1, 5 - size // 5000))
    if 1000 in sizes:
        yield Workload("1,000 with a baseline", "structured", 1000, with_baseline=True)
        yield Workload("1,000 failing", "failing", 1000)
        yield Workload("1,000 quoted", "prose", 1000)
        yield Workload("1,000 paraphrased", "paraphrased", 1000, rounds=3)
        yield Workload("1,000 paraphrased, 400 chunks", "shared", 1000)
    if 10_000 in sizes:
        yield Workload("10,000 shuffled", "shuffled", 10_000, rounds=3)
    yield Workload("one case", "structured", 1)
    yield Workload("--version", command=("--version",))
    yield Workload("--help", command=("--help",))


def cost_of(
    command: Sequence[str], said: Path, *, allowed: frozenset[int] = frozenset({0}), page: Path | None = None
) -> Cost:
    """Run one process to its end and ask the system what it cost.

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


def measure_one(workload: Workload, rounds: int) -> Result:
    """Floor and raggate in turn, so that both meet the same weather. The first of several rounds does not count."""
    said = OUT / "said.txt"
    ours, floors, run = [], [], OUT / "run"
    agreed, page = "", None
    # 1 says that the release is blocked, as it has to be here.
    command, floor, allowed = [*_RAGGATE, *workload.command], [sys.executable, "-c", ""], frozenset({0, 1})
    suite = str(workload.directory / "raggate.yaml")
    if workload.cases:
        generated(workload)
        page = OUT / "page_s.txt"
        command = [sys.executable, str(HERE / "timed_page.py"), str(page), "run", suite, "--out", str(run)]
        floor = [sys.executable, str(HERE / "floor.py"), str(workload.directory)]
    if workload.with_baseline:
        before = OUT / "baseline"
        shutil.rmtree(before, ignore_errors=True)
        cost_of([*_RAGGATE, "run", suite, "--out", str(before)], said, allowed=allowed)
        command += ["--baseline", str(before)]
    for _ in range(rounds + (rounds > 1)):
        floors.append(cost_of(floor, said))
        expected = said.read_text()
        # Removing the run before is no part of the work.
        shutil.rmtree(run, ignore_errors=True)
        ours.append(cost_of(command, said, allowed=allowed, page=page))
        agreed = pass_count(run) if workload.cases else ""
        if agreed != expected.strip():
            raise SystemExit(f"{workload.name}: raggate says {agreed}, the floor {expected}")
    warm = rounds > 1
    return Result(workload, least(ours[warm:]), least(floors[warm:]), agreed)


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


def least(costs: Sequence[Cost]) -> Cost:
    """The least of each figure by itself: a machine's speed changes within the hour, and only ever adds."""
    return Cost(*map(min, zip(*costs, strict=True)))


def row_of(result: Result) -> str:
    """The result as a row of the table."""
    workload, ours, floor = result.workload, result.ours, result.floor
    times, page_times, mib = BOUNDS[workload.name]
    cells = [workload.name, f"{ours.cpu_s:.2f}", f"{ours.run_s:.2f}", f"{floor.cpu_s:.2f}"]
    cells += [f"{result.times:.1f}", f"{times:g}"]
    # Of one case it is what the page takes to begin with.
    cells += [f"{ours.page_s * 1e6 / workload.cases:,.0f}", f"{result.page_times:.1f}"] if ours.page_s else ["", ""]
    cells += [f"{page_times:g}" if page_times else "", f"{ours.wall_s:.2f}", f"{ours.peak_mib:.0f}", f"{mib:g}"]
    cells.append(result.agreed)
    return f"| {' | '.join([*cells, 'over' if result.is_over else ''])} |"


HEADER = """\
| cases | raggate CPU s | without its page | floor CPU s | times the floor | at most \
| the page, us a case | times the floor | at most | wall s | peak MiB | at most | both say | |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"""


def main() -> None:
    """Read the command line, measure, print; exits 1 where a row is over its bound."""
    parser = argparse.ArgumentParser(description="Measure raggate against the floor.")
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="numbers of cases, with commas between")
    parser.add_argument("--rounds", type=int, default=5, help="rounds that count at most; one more warms up")
    given = parser.parse_args()
    # An installed package has its bytecode; compiling anew at every start would measure the compiler.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    OUT.mkdir(exist_ok=True)
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} CPUs, load {os.getloadavg()[0]:.1f}, ", end="")
    print(f"the least of up to {given.rounds} rounds\n\n{HEADER}", flush=True)
    over = []
    for workload in workloads([int(size) for size in given.sizes.split(",") if size]):
        result = measure_one(workload, min(given.rounds, workload.rounds))
        over += [workload.name] * result.is_over
        print(row_of(result), flush=True)
    if over:
        raise SystemExit(f"over the bound: {', '.join(over)}")


if __name__ == "__main__":
    main()
