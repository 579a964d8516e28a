"""The bench on noise: an app that is steady or broken is decided as it is, and the same runs give the same counts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bench.noise import (
    CONFIRM,
    OWN_ROWS,
    RUNS,
    App,
    Row,
    Suite,
    broken,
    counted,
    noisy,
    own_decision,
    table,
    wrong_by_chance,
)

PAGE = (
    (Path(__file__).parents[2] / "dev/notes/performance.md").read_text().partition("## Noise")[2].partition("\n## ")[0]
)
STEADY, NOISY = noisy(0.0), noisy(0.05)
ALL_WRONG = broken(0.0, lambda _position: True)


@pytest.mark.parametrize(
    ("row", "ours", "literal"),
    [
        pytest.param(Row("steady", 10, "release", STEADY, STEADY), 10, 10, id="a steady app"),
        pytest.param(Row("first", 10, "release", STEADY, None), 10, 10, id="its first run"),
        pytest.param(Row("broken", 10, "block", broken(0.0, lambda n: n < 2), STEADY), 10, 10, id="two cases broken"),
    ],
)
def test_what_chance_has_no_part_in_comes_out_every_time(row: Row, ours: int, literal: int) -> None:
    assert list(counted([row], 10)) == [(row, ours, literal)]


def test_asking_again_releases_runs_that_the_first_answers_block() -> None:
    row = Row("same app", 20, "release", NOISY, NOISY)
    ((_row, ours, literal),) = counted([row], 40)
    assert ours >= 36
    assert literal <= 24
    assert list(counted([row], 40)) == [(row, ours, literal)], "the same seeds"


def test_a_run_asks_each_case_again_that_is_in_doubt_and_no_other() -> None:
    asked = [0] * 10

    def app(position: int, _draw: object) -> str:
        asked[position] += 1
        return "declined" if position == 3 or (position == 5 and asked[5] == 1) else "right"

    rows = Suite(10).run(app, None, baseline=None, confirm=CONFIRM)  # type: ignore[arg-type]
    assert asked == [1, 1, 1, 3, 1, 2, 1, 1, 1, 1]
    assert [row.state for row in rows] == ["passed"] * 3 + ["failed", "passed", "flaky"] + ["passed"] * 4


def test_every_row_is_documented_with_a_count_that_meets_its_aim() -> None:
    documented = {
        (what, int(cases), wanted): int(count)
        for what, cases, wanted, count in re.findall(
            rf"^\| ([^|]+) \| (\d+) \| (\w+) \| (\d+) of {RUNS} ", PAGE, re.MULTILINE
        )
    }
    rows = list(table())
    assert set(documented) == {(row.what, row.cases, row.wanted) for row in rows}
    assert all(documented[row.what, row.cases, row.wanted] >= 0.95 * RUNS for row in rows if row.has_aim)


def test_an_app_that_is_false_by_chance_as_on_main_is_released_more_often_and_a_worse_one_blocked() -> None:
    suite, as_main, worse = Suite(60), wrong_by_chance(1 / 80), wrong_by_chance(1 / 10)

    def blocked(head: App, *, is_considered: bool) -> int:
        runs = [own_decision(suite, as_main, head, 5, str(number), is_considered=is_considered) for number in range(20)]
        return sum(run.decision.kind == "block" for run in runs)

    # One answer of 60 or more is false in 1 - (79/80)^60 = 53 % of runs: 11 of 20.
    assert 6 <= blocked(as_main, is_considered=False) <= 16
    assert blocked(as_main, is_considered=True) <= 3
    assert blocked(worse, is_considered=True) >= 18


def test_the_page_on_varying_answers_has_every_row_and_a_worse_app_is_blocked_in_9_of_10_runs() -> None:
    page = (Path(__file__).parents[2] / "docs/varying-answers.md").read_text()
    lines = page.partition("bench on own rates -->")[2].strip().split("\n\n")[0].splitlines()[2:]
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]
    assert [(mains, wanted) for _what, mains, wanted, *_counts in cells] == [
        (mains, wanted) for _main, _head, wanted in OWN_ROWS for mains in ("1", "5")
    ]
    for what, mains, wanted, ours, before in cells:
        hits, was = [int(each.partition(" of ")[0]) for each in (ours, before)]
        # Beside one run of main's nobody can tell 1 of 20 from chance.
        fewest = 50 if "1 of 20 here" in what and mains == "1" else 90 if "1 of 10 here" in what else 80
        assert hits >= fewest if wanted == "block" else hits < was
