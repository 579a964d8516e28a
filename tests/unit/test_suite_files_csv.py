"""Tables of cases: cells, lists, types, and what does not fit into a table."""

from __future__ import annotations

import pytest

from raggate_action.schema.case import Case
from raggate_action.suite_files.csv_file import read_csv
from raggate_action.suite_files.problems import FileProblems
from raggate_action.suite_files.records import read_record


def read(text: str) -> tuple[list[Case | None], list[str]]:
    problems = FileProblems("f")
    rows = read_csv(text, problems)
    cases = [read_record(Case, node, problems) for node in rows.items] if rows else []
    return cases, [str(problem) for problem in problems.kept]


def test_a_row_is_a_case_with_lists_numbers_booleans_and_absent_cells() -> None:
    table = (
        "case_id,question,tags,weight,released,must_contain,max_latency_ms,required_points\r\n"
        '007,"Is ""raki"" sold,\r\nand since when?",smoke; pr ;,2.5,TRUE,,800,approval\r\n'
        "\r\n"
        "true,12,,,,a;b,,\r\n"
    )
    cases, problems = read(table)
    assert problems == []
    assert cases == [
        Case(
            case_id="007",
            question='Is "raki" sold,\r\nand since when?',
            tags=("smoke", "pr"),
            weight=2.5,
            released=True,
            max_latency_ms=800,
            required_points=("approval",),
        ),
        Case(case_id="true", question="12", must_contain=("a", "b")),
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        pytest.param("case_id,question\na,b,c", "f:2:5: this row has 3 cells, the header 2; put cells that hold a comma in double quotes", id="a cell too many"),
        pytest.param('case_id,question\na,"b', 'f:2:3: a cell in double quotes is not closed; end it with `"`, and write `""` for a quote inside', id="a quote left open"),
        pytest.param("case_id,question,case_id\na,b,c", "f:1:18: column `case_id` is there twice; keep one of them", id="a column twice"),
        pytest.param("case_id,input.lang\na,b", "f:1:9: column `input.lang` holds nested values; write such cases as YAML, JSON or JSONL", id="a dotted name"),
        pytest.param("case_id,messages\na,b", "f:1:9: column `messages` holds nested values; write such cases as YAML, JSON or JSONL", id="a nested field"),
        pytest.param("case_id,question,\na,b,c", "f:1:18: this column has no name; write the name of a case field", id="a column without a name"),
        pytest.param('case_id,question\n"a\nb",x\nc,q,"1\n2"', "f:4:5: this row has 3 cells, the header 2; put cells that hold a comma in double quotes", id="lines inside cells count"),
        pytest.param("case_id,question,weight\na,b,heavy", "f:2:5: `weight` is 'heavy'; write a number", id="text for a number"),
        pytest.param("case_id,qestion\na,b", "f:2:3: unknown key `qestion`; did you mean `question`?", id="an unknown column"),
    ],
)  # fmt: skip
def test_a_table_that_is_wrong_says_where_and_what_to_write(text: str, problem: str) -> None:
    assert read(text)[1] == [problem]
