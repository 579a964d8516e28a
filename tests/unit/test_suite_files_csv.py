"""Tables of cases: cells, lists, types, and what does not fit into a table."""

from __future__ import annotations

import pytest

from raggate_action.schema.case import Case
from raggate_action.suite_files.csv_file import MOST_ROWS, read_csv
from raggate_action.suite_files.located_records import read_record
from raggate_action.suite_files.problems import FileProblems


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


@pytest.mark.parametrize("separator", [";", "\t"], ids=["semicolons", "tabs"])
def test_what_separates_the_cells_is_read_off_the_header(separator: str) -> None:
    lines = [["case_id", "question", "tags"], ["a", "Is it, then?", '"x;y"'], ["b", ' "Is it?" ']]
    cases, problems = read("\n".join(map(separator.join, lines)))
    assert problems == []
    assert cases == [
        Case(case_id="a", question="Is it, then?", tags=("x", "y")),
        Case(case_id="b", question="Is it?"),
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        pytest.param("case_id,question\na,b,c", "f:2:1: this row has 3 cells, the header 2; put cells that hold a comma in double quotes", id="a cell too many"),
        pytest.param("case_id;question\na;b;c", "f:2:1: this row has 3 cells, the header 2; put cells that hold a semicolon in double quotes", id="a cell too many between semicolons"),
        pytest.param('case_id,question\na,"b', 'f:2:1: a cell in double quotes is not closed; end it with `"`, and write `""` for a quote inside', id="a quote left open"),
        pytest.param('case_id,question\na,b\n"x\ny",c\nd,"e" f\ng,h\n', 'f:5:1: a cell in double quotes goes on behind its closing quote; put all of it in quotes, and write `""` for a quote inside', id="words behind a quote"),
        pytest.param("case_id,question,case_id\na,b,c", "f:1: column `case_id` is there twice; keep one of them", id="a column twice"),
        pytest.param("case_id,input.lang\na,b", "f:1: column `input.lang` holds nested values; write such cases as YAML, JSON or JSONL", id="a dotted name"),
        pytest.param("case_id,messages\na,b", "f:1: column `messages` holds nested values; write such cases as YAML, JSON or JSONL", id="a nested field"),
        pytest.param("case_id,question,\na,b,c", "f:1: column 3 has no name; write the name of a case field", id="a column without a name"),
        pytest.param('case_id,question\n"a\nb",x\nc,q,"1\n2"', "f:4:1: this row has 3 cells, the header 2; put cells that hold a comma in double quotes", id="lines inside cells count"),
        pytest.param("case_id,question,weight\na,b,heavy", "f:2: `weight` is 'heavy'; write a number", id="text for a number"),
        pytest.param("case_id,qestion\na,b", "f:1: column `qestion` is no field of a case; did you mean `question`?", id="a misspelt column"),
    ],
)  # fmt: skip
def test_a_table_that_is_wrong_says_where_and_what_to_write(text: str, problem: str) -> None:
    assert read(text)[1] == [problem]


GOLDENS = "user_input,reference,reference_contexts,synthesizer_name\n" + "How long?,30 days,['x'],single_hop\n" * 50


def test_a_table_of_another_tool_is_told_once_for_each_column() -> None:
    cases, problems = read(GOLDENS)
    assert cases == []
    assert problems == [
        "f:1: column `user_input` is no field of a case; rename it to `question`",
        "f:1: column `reference` is no field of a case; rename it to `reference_answer`",
        "f:1: column `reference_contexts` is no field of a case; take it out, or name it as one",
        "f:1: column `synthesizer_name` is no field of a case; take it out, or name it as one",
        "f:1:1: column `case_id` is missing; every case needs one",
        "f:1:1: this is no table of cases yet; `raggate-action init --from f` writes cases from it",
    ]


def test_a_column_of_its_own_is_told_once_and_the_rows_are_read_without_it() -> None:
    table = "case_id,question,owner,weight\n" + "".join(f"c{n},q,ann,1\n" for n in range(40)) + "d,q,ann,heavy\n"
    cases, problems = read(table)
    assert problems == [
        "f:1: column `owner` is no field of a case; take it out, or name it as one",
        "f:42: `weight` is 'heavy'; write a number",
    ]
    assert cases[0] == Case(case_id="c0", question="q")


def test_what_other_tools_call_input_is_the_question_where_there_is_no_other() -> None:
    assert "f:1: column `input` is no field of a case; rename it to `question`" in read("input,actual\na,b")[1]
    assert read("case_id,question,input\na,b,c")[1] == [
        "f:1: column `input` holds nested values; write such cases as YAML, JSON or JSONL"
    ]


@pytest.mark.parametrize("more", [0, 1])
def test_a_table_of_more_cases_than_are_read_says_so_and_is_left(more: int) -> None:
    problems = FileProblems("cases.csv")
    table = read_csv("case_id,question\n" + "".join(f"q{n},What?\n" for n in range(MOST_ROWS + more)), problems)
    told = [f"{each.mark.line}: {each.text}" for each in problems.kept]
    # The header is line 1, so the row that is one too many is on line 100,002.
    assert told == (["100002: more than 100,000 cases of a table are not read; write several suites"] if more else [])
    assert (table is None) == bool(more)
