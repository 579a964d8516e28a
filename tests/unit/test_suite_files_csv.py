"""Tables: what separates cells, what cells hold, and what ends a table in its middle."""

from __future__ import annotations

import pytest

from raggate_action.onboarding.tool_formats import FORMATS
from raggate_action.suite_files.csv_file import csv_rows
from raggate_action.suite_files.problems import FileProblems


def read(text: str) -> tuple[list[list[str]], list[str]]:
    problems = FileProblems("f")
    rows = [[*row.cells] for row in csv_rows(text, problems)]
    return rows, [str(problem) for problem in problems.kept]


@pytest.mark.parametrize("separator", [",", ";", "\t"], ids=["commas", "semicolons", "tabs"])
def test_what_separates_the_cells_is_read_off_the_header(separator: str) -> None:
    lines = [["case_id", "question", "tags"], ["a", '"Is it, then?"', '"x;y"'], ["b", ' "Is ""it""?" ']]
    rows, problems = read("\r\n".join(map(separator.join, lines)))
    assert problems == []
    assert rows[1:] == [["a", "Is it, then?", "x;y"], ["b", 'Is "it"?']]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        pytest.param('case_id,question\na,"b', 'f:2:1: a cell in double quotes is not closed; end it with `"`, and write `""` for a quote inside', id="a quote left open"),
        pytest.param('case_id,question\na,b\n"x\ny",c\nd,"e" f\ng,h\n', 'f:5:1: a cell in double quotes goes on behind its closing quote; put all of it in quotes, and write `""` for a quote inside', id="words behind a quote"),
    ],
)  # fmt: skip
def test_a_table_that_is_wrong_says_where_and_what_to_write(text: str, problem: str) -> None:
    assert read(text)[1] == [problem]


def test_fields_of_a_case_are_imported_with_lists_split_at_semicolons() -> None:
    row = {
        "case_id": "a1",
        "question": "How long?",
        "must_contain": "28 days; four weeks",
        "weight": "2",
        "tags": "",
        "owner": "ann",
    }
    case = FORMATS[-1].case(row)
    assert case is not None
    assert case.labels == {"must_contain": ["28 days", "four weeks"], "weight": 2}
    assert case.left == ("owner",)
