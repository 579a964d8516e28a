"""What irrCAC and krippendorff say, for the tests of our statistics in `tests/unit`.

Neither stands among the test dependencies: irrCAC (last release 2024) cannot be installed on Python 3.13,
and krippendorff is under the GPL. Each runs in an environment of its own:

    uv run --no-project --python 3.11 --with irrCAC==0.4.4 --with setuptools python dev/oracles.py agreement
    uv run --no-project --python 3.11 --with irrCAC==0.4.4 --with setuptools python dev/oracles.py agreement_of_many
    uv run --no-project --python 3.11 --with krippendorff==0.9.0 python dev/oracles.py alpha
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
# A string for each rater, a digit for each thing rated; a point where it gave none.
SCORES = (
    # The example of Krippendorff (2011): alpha .815.
    ("123321412...", "1233224125.3", ".3332342251.", "12332441251."),
    ("5554535555", "5455535545", "5555445555", "5545534555"),
    ("12345", "54321", "11111"),
    ("13", "31"),
    ("5555555551", "5555555551"),
    ("5.4.3.2.1.", ".5.4.3.2.1", "5544332211"),
    ("241355142534", "3413541.2434", "25.254143.35", "141.55143514", "1313.4253525", "24145.152434"),
    ("..3", "4..", "44."),
)
# The same of verdicts: for the treatment, for the control, a tie.
VERDICTS = (
    ("tttttttttt", "tttttttttc", "ttttttttct", "tttttttt-t"),
    ("tc-tc-tc", "tc-tc-tc", "tc-tc-tc"),
    ("ttcct-.", "tc.ct--", "t.cctc-"),
    ("ttttccc---", "tttcccc--t", "ttc-ccct--", "t.ttc.c-c-", "tctt.cc--."),
    ("cccc", "tttt"),
    ("t..-", "tc..", ".cc-"),
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


def agreement_of_many() -> list[list[object]]:
    """AC1 of each grid of verdicts."""
    import pandas as pd
    from irrCAC.raw import CAC

    found: list[list[object]] = []
    for grid in VERDICTS:
        things = pd.DataFrame([[None if given == "." else given for given in each] for each in zip(*grid, strict=True)])
        rated = CAC(things, categories=["t", "c", "-"], digits=12)
        found.append([grid, float(rated.gwet()["est"]["coefficient_value"])])
    return found


def alpha() -> list[list[object]]:
    """Krippendorff's ordinal alpha of each grid of scores."""
    import krippendorff

    found: list[list[object]] = []
    for grid in SCORES:
        given = [[float("nan") if each == "." else int(each) for each in rater] for rater in grid]
        found.append([grid, float(krippendorff.alpha(given, level_of_measurement="ordinal"))])
    return found


if __name__ == "__main__":
    of = {"agreement": agreement, "agreement_of_many": agreement_of_many, "alpha": alpha}
    sys.stdout.write(json.dumps(of[sys.argv[1]]()) + "\n")
