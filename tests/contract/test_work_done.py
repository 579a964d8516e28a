"""How much a run does, by what does not depend on the machine: modules loaded at the start, and calls a case.

A landing that adds work says so here: it is looked at again, or the bound is raised with its reason. Seconds, which do
depend on the machine, are `make bench`'s.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench.generate import generate

SMALL, LARGE = 50, 150
# What is counted, what it came to when the bound was set, and the bound: 3 % above. With the page JUnit and SARIF are
# written, which read the rows once more.
BOUNDS: dict[str, tuple[float, float]] = {
    "modules": (264, 271),
    "failing": (756, 778),
    "failing, the page": (174, 179),
    "failing, with a baseline": (796, 819),
    "failing, with a baseline, the page": (186, 191),
    "prose": (799, 822),
    "prose, the page": (154, 158),
    "prose, with a baseline": (881, 907),
    "prose, with a baseline, the page": (159, 164),
    "structured": (423, 435),
    "structured, the page": (150, 154),
    "structured, with a baseline": (597, 614),
    "structured, with a baseline, the page": (157, 161),
}
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def work_done(tmp_path_factory: pytest.TempPathFactory) -> dict[str, float]:
    """Counted in a process of its own: in this one anything may be loaded and remembered."""
    directory = tmp_path_factory.mktemp("work")
    for kind in ("structured", "failing", "prose"):
        for cases in (SMALL, LARGE):
            generate(directory / str(cases) / kind, cases=cases, kind=kind, seed=1)
    command = [sys.executable, "-m", "tests.work_done", ".", str(SMALL), str(LARGE)]
    # Two counts are equal only with one order of sets, and with paths of one length: a comment that does not fit is
    # written again.
    env = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, check=True, cwd=directory, env=env, stdout=subprocess.PIPE)
    found: dict[str, float] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("counted", BOUNDS)
def test_a_run_does_no_more_work_than_it_did(counted: str, work_done: dict[str, float]) -> None:
    before, bound = BOUNDS[counted]
    now = work_done[counted]
    assert now <= bound, (
        f"{counted}: {now:g}, at most {bound:g} ({before:g} when that was set). Look what the landing does for every "
        "case or loads at the start that it need not, or raise the bound here and give the reason in its message."
    )


def test_every_count_has_its_bound(work_done: dict[str, float]) -> None:
    assert work_done.keys() == BOUNDS.keys()
