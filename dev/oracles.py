"""What irrCAC and ppi-python say, for the tests of our statistics: what stands in `tests/unit/test_statistics.py`.

Neither stands among the test dependencies: irrCAC (last release 2024) cannot be installed on Python 3.13, and
ppi-python (2024) brings numba and a downloader of data sets. Each is run in an environment of its own:

    uv run --no-project --python 3.11 --with irrCAC==0.4.4 --with setuptools python dev/oracles.py agreement
    uv run --no-project --python 3.11 --with ppi-python==0.2.3 python dev/oracles.py ppi
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator

# Both good, second faulty, second good, both faulty.
TABLES = (
    (92, 3, 3, 2),
    (94, 3, 3, 0),
    (45, 5, 5, 45),
    (29, 1, 2, 18),
    (30, 0, 0, 20),
    (50, 0, 0, 0),
    (0, 25, 25, 0),
    (17, 9, 14, 11),
    (400, 13, 7, 80),
)
# The same over claims drawn, then what the judge calls faulty of so many others.
RUNS = (
    ((40, 3, 2, 5), (30, 150)),
    ((30, 10, 10, 10), (400, 950)),
    ((45, 0, 0, 5), (95, 950)),
    ((60, 2, 8, 30), (250, 900)),
    ((25, 25, 25, 25), (10, 40)),
)


def _pairs(table: tuple[int, int, int, int]) -> Iterator[tuple[int, int]]:
    """Faulty is 1."""
    for count, pair in zip(table, ((0, 0), (0, 1), (1, 0), (1, 1)), strict=True):
        yield from [pair] * count


def agreement() -> list[list[object]]:
    """AC1 of each table."""
    import pandas as pd
    from irrCAC.raw import CAC

    found: list[list[object]] = []
    for table in TABLES:
        rated = CAC(pd.DataFrame(_pairs(table), columns=["first", "second"]), categories=[0, 1], digits=12)
        found.append([table, float(rated.gwet()["est"]["coefficient_value"])])
    return found


def ppi() -> list[list[object]]:
    """Value and 95 % interval of each run."""
    import numpy as np
    from ppi_py import ppi_mean_ci, ppi_mean_pointestimate

    found: list[list[object]] = []
    for table, (hits, total) in RUNS:
        people, judge = (np.array(side, dtype=float) for side in zip(*_pairs(table), strict=True))
        others = np.array([1.0] * hits + [0.0] * (total - hits))
        value = ppi_mean_pointestimate(people, judge, others)
        low, high = ppi_mean_ci(people, judge, others, alpha=0.05)
        found.append([table, [hits, total], *[float(np.ravel(each)[0]) for each in (value, low, high)]])
    return found


if __name__ == "__main__":
    sys.stdout.write(json.dumps({"agreement": agreement, "ppi": ppi}[sys.argv[1]]()) + "\n")
