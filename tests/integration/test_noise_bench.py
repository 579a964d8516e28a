"""The bench on noise: an app that is steady or broken is decided as it is, and the same runs give the same counts."""

from __future__ import annotations

import json

import pytest

from bench.__main__ import RESULTS
from bench.noise import CONFIRM, OWN_ROWS, App, Row, Suite, apps, broken, by_chance, counted, noisy, own_decision
from bench.table import MISSED

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
    assert counted(row, 10) == [ours, literal]


def test_asking_again_releases_runs_that_the_first_answers_block() -> None:
    row = Row("same app", 20, "release", NOISY, NOISY)
    ours, literal = counted(row, 40)
    assert ours >= 36
    assert literal <= 24
    assert counted(row, 40) == [ours, literal], "the same seeds"


def test_a_run_asks_each_case_again_that_is_in_doubt_and_no_other() -> None:
    asked = [0] * 10

    def app(position: int, _draw: object) -> str:
        asked[position] += 1
        return "declined" if position == 3 or (position == 5 and asked[5] == 1) else "right"

    rows = Suite(10).run(app, None, baseline=None, confirm=CONFIRM)  # type: ignore[arg-type]
    assert asked == [1, 1, 1, 3, 1, 2, 1, 1, 1, 1]
    assert [row.state for row in rows] == ["passed"] * 3 + ["failed", "passed", "flaky"] + ["passed"] * 4


def kept(name: str) -> list[list[str]]:
    (table,) = json.loads((RESULTS / f"{name}.json").read_text())["tables"]
    rows: list[list[str]] = table["rows"]
    return rows


def test_the_results_have_every_row_and_none_misses_its_aim() -> None:
    rows = kept("noise")
    assert [tuple(row[:3]) for row in rows] == [(row.what, str(row.cases), row.wanted) for row in apps()]
    assert [row for row in rows if MISSED in row] == []


def test_an_app_that_is_false_by_chance_as_on_main_is_released_more_often_and_a_worse_one_blocked() -> None:
    suite, as_main, worse = Suite(60), by_chance("wrong number", 1 / 80), by_chance("wrong number", 1 / 10)

    def blocked(head: App) -> int:
        runs = [own_decision(suite, as_main, head, 5, str(number)) for number in range(20)]
        return sum(run.decision.kind == "block" for run in runs)

    # One answer of 60 or more is false in 1 - (79/80)^60 = 53 % of runs: 11 of 20.
    assert blocked(as_main) <= 3
    assert blocked(worse) >= 18


def test_a_worse_app_is_blocked_in_9_of_10_runs() -> None:
    rows = kept("own-rates")
    assert [(mains, wanted) for _what, mains, wanted, _blocked in rows] == [
        (mains, wanted) for _main, _head, wanted in OWN_ROWS for mains in ("1", "5")
    ]
    for what, mains, wanted, blocked in rows:
        hits = int(blocked.partition(" of ")[0])
        # Beside one run of main's nobody can tell 1 of 20 from chance.
        fewest = 50 if "1 of 20 here" in what and mains == "1" else 90 if "1 of 10 here" in what else 80
        assert hits >= fewest if wanted == "block" else hits <= 20
