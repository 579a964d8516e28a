"""How long verdicts that wait take on their lanes: a run's own work beside the waiting.

    python -m bench.waiting_verdicts                        # 1,000 answers, 1 s each, 32 at once

Recorded traces of the structured workload are drafted, written down, waited for, gated and journalled. Ideal is the
waiting alone: rounds of as many as there are lanes. It fails above 1.125 times that (36 s for 32 rounds of 1 s).
"""

from __future__ import annotations

import argparse
import asyncio
import math
import os
import resource
import tempfile
import time
from pathlib import Path

from bench.generate import generate
from raggate_action.core.gates.case_row import Evaluated
from raggate_action.core.gates.diagnosis import Drafted, rule_verdicts
from raggate_action.run.ask_and_judge import evaluate
from raggate_action.run.clock import moment_now
from raggate_action.run.judging_steps import Evaluation
from raggate_action.run.run_session import rulebook, target_of
from raggate_action.run_store import RunDirectory
from raggate_action.schema.base import parse_moment
from raggate_action.schema.verdicts import Verdicts
from raggate_action.suite_files import load_suite
from tests.stored_runs import make_started

_MOST = 1.125


class Waiting:
    """Asked about every answer; a verdict takes `wait_s`. Counts how many wait at once at most."""

    def __init__(self, wait_s: float) -> None:
        self.most_at_once = 0
        self._at_once = 0
        self._wait_s = wait_s

    def asks(self, _drafted: Drafted) -> bool:
        """Of every answer."""
        return True

    async def of(self, drafted: Drafted, ask: int = 0) -> Verdicts:  # noqa: ARG002 - as `VerdictSource` has it
        """What rules say, later."""
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        await asyncio.sleep(self._wait_s)
        self._at_once -= 1
        return rule_verdicts(drafted)


def run(folder: Path, cases: int, lanes: int, wait_s: float) -> tuple[float, int]:
    """Evaluate a suite made in `folder`; gives seconds and how many waited at once at most."""
    generate(folder, cases=cases, kind="structured", seed=1)
    loaded = load_suite(folder / "raggate.yaml", environment=os.environ)
    source = Waiting(wait_s)
    with RunDirectory.create(folder / "run", make_started()) as directory:
        evaluation = Evaluation(
            target=target_of(loaded),
            rules=rulebook(loaded, parse_moment(moment_now())),
            verdicts=source,
            now=moment_now,
            cases_at=loaded.cases.at,
            waiting=directory.waiting,
            lanes=lanes,
        )

        def take(done: Evaluated) -> None:
            directory.append(done.row, done.trace, durable=True)

        began = time.perf_counter()
        asyncio.run(evaluate(loaded.cases, evaluation, take))
        return time.perf_counter() - began, source.most_at_once


def main() -> int:
    """Measure once and print one line."""
    parser = argparse.ArgumentParser(description="Measure verdicts that wait.")
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--lanes", type=int, default=32)
    parser.add_argument("--wait-s", type=float, default=1.0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        seconds, at_once = run(Path(folder), given.cases, given.lanes, given.wait_s)
    ideal = math.ceil(given.cases / given.lanes) * given.wait_s
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    asked = f"{given.cases:,} verdicts of {given.wait_s:g} s, {given.lanes} lanes"
    print(f"{asked}: {seconds:.1f} s (ideal {ideal:.1f} s), {at_once} at once, peak {peak:.0f} MiB")
    return int(seconds > _MOST * ideal)


if __name__ == "__main__":
    raise SystemExit(main())
