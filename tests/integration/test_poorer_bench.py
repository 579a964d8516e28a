"""The bench on poorer answers: what chance has little part in comes out, by the product's own rules, and repeatably."""

from __future__ import annotations

import json

import pytest

from bench.__main__ import RESULTS
from bench.poorer import ROWS, UNCHANGED, App, Row, canned, counted, list_style, one_sentence, other_words
from bench.table import MISSED


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(Row("unchanged", UNCHANGED, "release", 1, (40,)), id="unchanged"),
        pytest.param(Row("collapse", App(canned), "block", 1, (10,)), id="one answer for all"),
        pytest.param(Row("cut", App(cut=1.0), "block", 1, (10,)), id="all cut"),
        pytest.param(Row("no price", App(drops=1.0), "block", 1, (10,)), id="no price anywhere"),
        pytest.param(Row("words", App(other_words), "release", 1, (10,)), id="other words"),
        pytest.param(Row("sentence", App(one_sentence), "release", 1, (10,)), id="one sentence"),
        pytest.param(Row("declines", App(declines=1.0), "block", 1, (10,)), id="all decline"),
        pytest.param(Row("strays", App(strays=1.0), "block", 1, (10,)), id="all off the question"),
        pytest.param(Row("lists", App(list_style), "release", 1, (10,)), id="lists"),
    ],
)
def test_what_chance_has_little_part_in(row: Row) -> None:
    found = counted(row, row.sizes[0], 1, 5)
    assert found[0] == 5
    assert counted(row, row.sizes[0], 1, 5) == found, "the same seeds"


def test_recorded_answers_cost_no_call_and_a_collapse_asks_every_case_four_times() -> None:
    recorded = counted(Row("recorded", App(canned), "block", 1, live=False), 10, 1, 2)
    live = counted(Row("live", App(canned), "block", 1), 10, 1, 2)
    assert (recorded[2], live[2]) == (0, 2 * 10 * 4)


def test_the_results_have_every_row_of_the_bench_and_none_misses_its_aim() -> None:
    (table,) = json.loads((RESULTS / "poorer.json").read_text())["tables"]
    shown = [(what, int(size), int(mains), wanted) for what, size, mains, wanted, *_rest in table["rows"]]
    assert shown == [(row.what, size, mains, row.wanted) for row in ROWS for size in row.sizes for mains in row.mains]
    assert [row for row in table["rows"] if MISSED in row] == []
