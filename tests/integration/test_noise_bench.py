"""The bench on noise: an app that is steady or broken is decided as it is, and the same runs give the same counts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bench.noise import CONFIRM, RUNS, App, Row, Suite, broken, counted, noisy, reworded, table

PAGE = (Path(__file__).parents[2] / "docs/performance.md").read_text().partition("## Noise")[2].partition("\n## ")[0]
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


@pytest.mark.parametrize(
    ("head", "cases", "warns"),
    [
        pytest.param(reworded(0.2, 0.0), 20, 0, id="few quote, then and now"),
        pytest.param(reworded(0.8, 0.0), 20, 0, id="more quote"),
        pytest.param(reworded(0.2, 0.0), 60, 10, id="a third of those that quoted"),
    ],
)
def test_the_gate_on_verified_answers_warns_of_a_fall_alone(head: App, cases: int, warns: int) -> None:
    base = reworded(0.2 if cases == 20 else 0.3, 0.0)
    row = Row("reworded", cases, "release", head, base)
    runs = [Suite(cases).decision(row, str(n), confirm=CONFIRM) for n in range(10)]
    assert sum(gate.gate == "verified" and gate.status == "failed" for run in runs for gate in run.gates) == warns
    assert {run.decision.kind for run in runs} == {"release"}
