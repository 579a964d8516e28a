"""The bench on poorer answers: what chance has little part in comes out, by the product's own rules, and repeatably."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.poorer import ROWS, RUNS, UNCHANGED, App, Row, canned, counted, list_style, one_sentence, other_words


@pytest.mark.parametrize(
    ("row", "as_wanted"),
    [
        pytest.param(Row("unchanged", UNCHANGED, "release", None, (40,), (1,)), 5, id="unchanged"),
        pytest.param(Row("collapse", App(canned), "block", None, (10,), (1,)), 5, id="one answer for all"),
        pytest.param(Row("cut", App(cut=1.0), "block", None, (10,), (1,)), 5, id="all cut"),
        pytest.param(Row("no price", App(drops=1.0), "block", None, (10,), (1,)), 5, id="no price anywhere"),
        pytest.param(Row("words", App(other_words), "release", None, (10,), (1,)), 5, id="other words"),
        pytest.param(Row("sentence", App(one_sentence), "release", None, (10,), (1,)), 5, id="one sentence"),
        pytest.param(Row("declines", App(declines=1.0), "block", None, (10,), (1,)), 5, id="all decline"),
        pytest.param(Row("strays", App(strays=1.0), "block", None, (10,), (1,)), 5, id="all off the question"),
        pytest.param(Row("lists", App(list_style), "release", None, (10,), (1,)), 5, id="lists"),
    ],
)
def test_what_chance_has_little_part_in(row: Row, as_wanted: int) -> None:
    (found,) = counted([row], 5)
    assert found.as_wanted == as_wanted
    assert next(counted([row], 5)) == found, "the same seeds"


def test_recorded_answers_cost_no_call_and_a_collapse_asks_every_case_four_times() -> None:
    (recorded,) = counted([Row("recorded", App(canned), "block", None, (10,), (1,), live=False)], 2)
    (live,) = counted([Row("live", App(canned), "block", None, (10,), (1,))], 2)
    assert (recorded.calls, live.calls) == (0, 2 * 10 * 4)


def test_every_row_but_those_to_be_read_has_an_aim() -> None:
    assert all(row.aim is not None for row in ROWS)


FIGURES = (
    (Path(__file__).parents[2] / "docs/varying-answers.md").read_text().partition("bench on poorer answers -->")[2]
).partition("\n## ")[0]


def test_the_page_has_every_row_of_the_bench_and_none_misses_its_aim() -> None:
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in FIGURES.splitlines() if line.startswith("| ")]
    shown = [
        (what, int(size), int(mains), wanted) for what, size, mains, wanted, *_rest in lines[1:] if size.isdecimal()
    ]
    assert shown == [(row.what, size, mains, row.wanted) for row in ROWS for size in row.sizes for mains in row.mains]
    aims = [row.aim or 0.0 for row in ROWS for _size in row.sizes for _mains in row.mains]
    reached = [int(cells[4].partition(" of ")[0]) / RUNS for cells in lines[1:] if cells[1].isdecimal()]
    assert [at for at, (share, aim) in enumerate(zip(reached, aims, strict=True)) if share < aim] == []
