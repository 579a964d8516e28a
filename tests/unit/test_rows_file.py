"""Files of judge rows: what is read, what is cleaned and said, what is an error and where it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from raggate_action.errors import UsageError
from raggate_action.report.ab_view import remark_text
from raggate_action.report.plain_sink import plain
from raggate_action.schema.judge_rows import Claimed, JudgeRow, RowsRemark
from raggate_action.schema.judgement import Lost
from raggate_action.suite_files import judge_rows_file
from raggate_action.suite_files.judge_rows_file import RowsFile, read_rows_file
from raggate_action.suite_files.judge_rows_writing import rows_csv
from tests.judge_row_files import COLUMNS, DIMENSIONS, cells_of, csv_of, wild_file, wild_rows

SMALL = ("question_id", "judge_name", "clear_A", "clear_B")
EMPTY = {f"{name}_{side}": "" for name in DIMENSIONS for side in "AB"}


def read(text: str | bytes, tmp_path: Path) -> RowsFile:
    path = tmp_path / "rows.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_rows_file(path)


def remarks(found: RowsFile) -> dict[str, RowsRemark]:
    return {each.code: each for each in found.remarks}


def wrong(text: str | bytes, tmp_path: Path) -> list[str]:
    with pytest.raises(UsageError) as caught:
        read(text, tmp_path)
    return [line.removeprefix(f"{tmp_path}/") for line in str(caught.value).splitlines()]


# What is read


def test_rows_from_the_wild_are_cleaned_and_it_is_said(tmp_path: Path) -> None:
    raw = wild_rows()
    assert len(raw) == 19
    assert len({row["question_id"] for row in raw}) == 9
    found = read_rows_file(wild_file(tmp_path / "judge_data.csv"))
    assert len(found.rows) == 19
    assert {row.question_id for row in found.rows} == {"Q3", "Q8", "Q11", "Q14", "Q17"}
    assert {row.question_type for row in found.rows} == {"safety", "trap", "pairing"}
    assert found.dimensions == DIMENSIONS
    said = remarks(found)
    assert said.keys() == {"trimmed", "cells-missing"}
    assert (said["trimmed"].count, said["trimmed"].rows) == (45, 15)
    assert said["trimmed"].names == ("question_id", "question_type", "verdict")
    assert said["trimmed"].lines[:3] == (2, 4, 5)
    assert (said["cells-missing"].count, said["cells-missing"].names) == (1, ("Q17 × kimi",))


def test_a_is_the_control_and_what_the_judge_says_stands_beside(tmp_path: Path) -> None:
    row = cells_of("Q1", "kimi", (2, 4), "safety", total_A="11", verdict="a")
    assert read(csv_of([row]), tmp_path).rows == (
        JudgeRow(
            run_id="r-1",
            timestamp="2026-05-02T09:00:00Z",
            question_id="Q1",
            question_text="What about Q1, then?",
            question_type="safety",
            judge="kimi",
            control_response="The menu, it says so (Q1).",
            treatment_response='The menu does not "say" so (Q1).',
            control=dict.fromkeys(DIMENSIONS, 2),
            treatment=dict.fromkeys(DIMENSIONS, 4),
            claimed=Claimed(control=11, treatment=20, verdict="control"),
            reason="It says what it knows.",
        ),
    )


@pytest.mark.parametrize("separator", [";", "\t"], ids=["semicolons", "tabs"])
def test_what_separates_the_cells_is_read_off_the_header(tmp_path: Path, separator: str) -> None:
    lines = [
        ["question_id", "judge_name", "clear_A", "clear_B", "verdict_reason"],
        ["Q1", "owl", "1", "2", '"a, b; c"'],
    ]
    (row,) = read("\n".join(map(separator.join, lines)), tmp_path).rows
    assert (row.control, row.treatment, row.reason) == ({"clear": 1}, {"clear": 2}, "a, b; c")


def test_spaces_around_a_cell_in_quotes_are_no_part_of_it(tmp_path: Path) -> None:
    text = 'question_id, judge_name , clear_A,clear_B,verdict_reason\n"Q1" , "owl, the" ,1,2, "said ""x"" ,"" y"\n'
    (row,) = read(text, tmp_path).rows
    assert (row.question_id, row.judge, row.reason) == ("Q1", "owl, the", 'said "x" ," y')


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "byte order mark"])
def test_line_ends_and_the_mark_change_nothing(tmp_path: Path, mark: bytes, end: str) -> None:
    row = cells_of("Q1", "kimi", (2, 4), augmented_response="two\nlines, really")
    found = read(mark + csv_of([row], end=end).encode(), tmp_path)
    assert found.rows[0].treatment_response == "two\nlines, really"
    assert found.remarks == ()


def test_a_judge_is_its_model_where_nobody_names_it(tmp_path: Path) -> None:
    columns = ("judge_model", "judge_harness", "question_id", "clear_A", "clear_B")
    rows = [
        {"judge_model": "kimi-k2", "judge_harness": harness, "question_id": "Q1", "clear_A": "1", "clear_B": "2"}
        for harness in ("plain", "tools")
    ]
    found = read(csv_of(rows, columns), tmp_path)
    assert [(row.judge, row.harness) for row in found.rows] == [("kimi-k2", "plain"), ("kimi-k2", "tools")]


def test_any_rubric_is_found_by_its_columns(tmp_path: Path) -> None:
    found = read(
        "clear_B,question_id,short_A,judge_name,clear_A,short_B,total_A,total_B\n2,Q1,3,owl,1,4,4,6\n", tmp_path
    )
    assert found.dimensions == ("clear", "short")
    assert (found.rows[0].control, found.rows[0].treatment) == ({"clear": 1, "short": 3}, {"clear": 2, "short": 4})


@pytest.mark.parametrize(
    ("verdict", "winner", "clear"),
    [
        ("A", "control", True), (" b\t", "treatment", True), ("TIE", "tie", True), ("", None, True),
        ("A wins", None, False), ("draw", None, False), ("A | B | tie", None, False), ("AB", None, False),
    ],
)  # fmt: skip
def test_only_a_clear_verdict_is_one(tmp_path: Path, verdict: str, winner: str | None, *, clear: bool) -> None:
    found = read(csv_of([cells_of("Q1", "kimi", (2, 4), verdict=verdict)]), tmp_path)
    assert found.rows[0].claimed.verdict == winner
    assert found.rows[0].winner == "treatment"
    unclear = remarks(found).get("claim-unclear")
    assert (unclear is None) is clear
    assert unclear is None or (unclear.count, unclear.lines, unclear.names) == (1, (2,), ("verdict",))


def test_a_total_that_is_no_number_counts_as_not_said(tmp_path: Path) -> None:
    found = read(csv_of([cells_of("Q1", "kimi", (2, 4), total_A="n/a", total_B="20.0")]), tmp_path)
    assert found.rows[0].claimed == Claimed(control=None, treatment=20, verdict="treatment")
    assert remarks(found)["claim-unclear"].names == ("total_A",)
    assert remarks(found)["decimals"].names == ("total_B",)


def test_a_row_without_any_score_is_a_lost_one(tmp_path: Path) -> None:
    found = read(csv_of([cells_of("Q1", "kimi", (1, 2)), cells_of("Q1", "owl", (1, 2), **EMPTY)]), tmp_path)
    assert found.rows[1].lost == Lost(code="judge-empty", detail="the row has no scores")
    assert found.rows[1].winner is None
    assert remarks(found)["unscored"].lines == (3,)


def test_other_columns_are_left_alone_and_named_and_absent_ones_too(tmp_path: Path) -> None:
    found = read("question_id,judge_name,clear_A,clear_B,tokens_in,Note_A\nQ1,owl,1,2,88,x\n", tmp_path)
    assert remarks(found)["columns-ignored"].names == ("tokens_in", "Note_A")
    assert remarks(found)["columns-absent"].names[:2] == ("run_id", "timestamp")
    assert remarks(found)["columns-absent"].count == 10


def test_of_many_columns_the_first_are_named_and_the_others_counted_once(tmp_path: Path) -> None:
    others = [f"c{n}" for n in range(40)]
    found = read(csv_of([cells_of("Q1", "kimi", (1, 2))], (*COLUMNS, *others)), tmp_path)
    first = ", ".join(others[:12])
    assert plain(remark_text(remarks(found)["columns-ignored"])) == (f"40 columns not used: {first} and 28 more.")


def test_judges_that_read_different_answers_are_said(tmp_path: Path) -> None:
    rows = [cells_of("Q1", "kimi", (1, 2)), cells_of("Q1", "owl", (1, 2), augmented_response="Another one.")]
    assert remarks(read(csv_of(rows), tmp_path))["answers-differ"].names == ("Q1",)


def test_a_swapped_grid_lacks_its_second_orders(tmp_path: Path) -> None:
    rows = [cells_of("Q1", judge, (1, 2), order=order) for judge, order in (("owl", "1"), ("owl", "2"), ("kimi", "1"))]
    found = read(csv_of(rows, (*COLUMNS, "order")), tmp_path)
    assert [row.order for row in found.rows] == [1, 2, 1]
    assert remarks(found)["cells-missing"].names == ("Q1 × kimi, swapped",)


# What is a score


def test_the_published_table_of_a_panel_is_read_by_its_scores(tmp_path: Path) -> None:
    beside = {
        "retrieved_chunks_A": "c1;c2", "retrieved_chunks_B": "c1;c2", "latency_A": "2", "latency_B": "3",
        "model_A": "haiku", "model_B": "haiku", "tool_calls_A": "0", "tool_calls_B": "1", "confidence_A": "4",
        "confidence_B": "5",
    }  # fmt: skip
    rows = [cells_of("Q1", judge, (2, 4), **beside) for judge in ("kimi", "sonnet", "minimax")]
    found = read(csv_of(rows, (*COLUMNS, *beside)), tmp_path)
    assert found.dimensions == DIMENSIONS
    assert [sum(row.control.values()) for row in found.rows] == [10, 10, 10]
    assert remarks(found).keys() == {"pairs-unscored"}
    left_out = remarks(found)["pairs-unscored"]
    assert left_out.count == 5
    assert left_out.names == tuple(f"{name}_A/_B" for name in ("retrieved_chunks", "latency", "model", "tool_calls", "confidence"))  # fmt: skip


def table(tmp_path: Path, **values: tuple[str, str]) -> RowsFile:
    """Four rows that score `clear` from 1 to 4, and beside it, for each name, what stands in the rows' A and B."""
    names = [f"{name}_{side}" for name in values for side in "AB"]
    rows = [
        {"question_id": f"Q{n}", "judge_name": "owl", "clear_A": str(n), "clear_B": str(n)}
        | {f"{name}_{side}": given.split("|")[n - 1] for name, pair in values.items() for side, given in zip("AB", pair, strict=True)}
        for n in range(1, 5)
    ]  # fmt: skip
    return read(csv_of(rows, (*SMALL, *names)), tmp_path)


@pytest.mark.parametrize(
    ("name", "pair", "is_score"),
    [
        ("short", ("1|2|3|4", "5|4|3|2"), True), ("short", ("1.0|2.0|3|4", "5|4|3|2"), True),
        ("cost_awareness", ("1|2|3|4", "5|4|3|2"), True), ("model_fit", ("1|1|1|1", "5|5|5|5"), True),
        ("elapsed", ("812|640|701|99", "1200|3|77|81"), False), ("grounded", ("0.8|0.9|1|0.7", "0.9|0.9|1|1.0"), False),
        ("grade", ("70|82|91|64", "71|80|95|60"), False), ("notes", ("good|bad||", "bad|good||"), False),
        ("flag", ("true|false|true|true", "true|true|true|true"), False), ("unused", ("|||", "|||"), False),
        ("confidence", ("4|4|5|5", "3|3|3|3"), False), ("tool_calls", ("1|1|1|1", "2|2|3|1"), False),
        ("rank", ("1|1|2|1", "2|2|1|2"), False), ("position", ("1|2|1|2", "2|1|2|1"), False),
        ("latency_s", ("2|3|2|4", "3|3|3|5"), False), ("citations", ("0|0|0|7", "0|0|8|0"), False),
    ],
)  # fmt: skip
def test_a_pair_of_columns_is_a_score_where_it_holds_scores(
    tmp_path: Path, name: str, pair: tuple[str, str], *, is_score: bool
) -> None:
    found = table(tmp_path, **{name: pair})
    assert found.dimensions == (("clear", name) if is_score else ("clear",))
    left_out = remarks(found).get("pairs-unscored")
    assert (left_out is None) is is_score
    assert left_out is None or left_out.names == (f"{name}_A/_B",)


def test_a_slip_among_scores_is_no_other_column(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="`short_B` is '44'; write a whole number from 1 to 5"):
        table(tmp_path, short=("1|2|3|4", "5|44|3|2"))


def test_one_column_that_holds_no_scores_lacks_no_other(tmp_path: Path) -> None:
    found = read("question_id,judge_name,clear_A,clear_B,notes_A,latency_B\nQ1,owl,1,2,good,3\n", tmp_path)
    assert found.dimensions == ("clear",)
    assert remarks(found)["columns-ignored"].names == ("notes_A", "latency_B")


def test_calls_that_are_all_lost_have_scored_nothing_and_are_read(tmp_path: Path) -> None:
    text = "question_id,judge_name,clear_A,clear_B,latency_A,latency_B\nQ1,owl,,,812,640\nQ2,owl,,,1,2\n"
    found = read(text, tmp_path)
    assert found.dimensions == ("clear",)
    assert remarks(found)["unscored"].count == 2


def test_a_row_of_this_program_that_is_cut_off_is_told(tmp_path: Path) -> None:
    rows = [JudgeRow(question_id=f"Q{n}", judge="owl", control={"clear": 1}, treatment={"clear": 2}) for n in range(2)]
    written = b"".join(rows_csv(rows, ["clear"])).decode()
    assert wrong(written.rstrip(",\n"), tmp_path) == [
        "rows.csv:3:1: this row has 17 cells, the header 23; write a cell for each, an empty one too"
    ]


def test_a_rubric_of_this_program_may_score_what_others_measure(tmp_path: Path) -> None:
    row = JudgeRow(question_id="Q1", judge="owl", control={"confidence": 1}, treatment={"confidence": 2})
    written = b"".join(rows_csv([row], ["confidence"]))
    assert read(written, tmp_path).rows == (row,)


def test_a_table_of_a_german_spreadsheet_is_read(tmp_path: Path) -> None:
    text = (
        "\ufeffquestion_id;judge_name;clear_A;clear_B;latency_A;latency_B;total_A;total_B;verdict;verdict_reason;;\r\n"
        'Q1;kimi;4,0;5,0;0,8;1,25;4,0;5,0;B;"Klar; und knapp, meist.";;\r\n'
        "Q1;owl;3;4;;;3;4\r\n"
        ";;;;;;;;;;;\r\n"
    )
    found = read(text.encode(), tmp_path)
    assert [(row.control, row.treatment) for row in found.rows] == [({"clear": 4}, {"clear": 5}), ({"clear": 3}, {"clear": 4})]  # fmt: skip
    assert found.rows[0].claimed == Claimed(control=4, treatment=5, verdict="treatment")
    assert found.rows[0].reason == "Klar; und knapp, meist."
    assert remarks(found)["decimals"].names == ("clear_A", "clear_B", "total_A", "total_B")
    assert remarks(found)["pairs-unscored"].names == ("latency_A/_B",)
    assert remarks(found)["columns-ignored"].names == ("column 11", "column 12")


@pytest.mark.parametrize("nothing", ["NaN", "null", "None", "n/a", "-", " "])
def test_what_other_programs_write_for_no_number_is_an_empty_cell(tmp_path: Path, nothing: str) -> None:
    text = (
        f"question_id,judge_name,clear_A,clear_B\nQ1,owl,1,2\nQ2,owl,{nothing},{nothing}\nQ3,owl,{nothing},{nothing}\n"
    )
    found = read(text, tmp_path)
    assert [row.control for row in found.rows] == [{"clear": 1}, {}, {}]
    assert remarks(found)["unscored"].lines == (3, 4)
    with pytest.raises(UsageError, match=r"`clear_B` is .*write a whole number from 1 to 5"):
        read(f"question_id,judge_name,clear_A,clear_B\nQ1,owl,1,{nothing}\n", tmp_path)


def test_a_number_before_each_row_is_no_column_of_ours(tmp_path: Path) -> None:
    found = read(",question_id,judge_name,clear_A,clear_B\n0,Q1,owl,1,2\n1,Q1,kimi,1,2\n", tmp_path)
    assert [row.judge for row in found.rows] == ["owl", "kimi"]
    assert remarks(found)["columns-ignored"].names == ("column 1",)


# What is an error


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "rows.csv:1:1: the file is empty; write a pair of columns for each thing scored, as `groundedness_A` and `groundedness_B`, beside `question_id`, `judge_name`"),
        ("question_id,judge_name,clear_A,clear_B\n", "rows.csv:1:1: there is no row under the header; write one for each judge and question"),
        ("judge_name,clear_A,clear_B\nowl,1,2", "rows.csv:1:1: column `question_id` is missing; every row needs one"),
        (",judge_name,clear_A,clear_B\n0,owl,1,2", "rows.csv:1:1: column `question_id` is missing; every row needs one"),
        ("qestion_id,judge_name,clear_A,clear_B\nQ1,owl,1,2", "rows.csv:1:1: column `question_id` is missing; is `qestion_id` meant? Rename it"),
        ("question_id,clear_A,clear_B\nQ1,1,2", "rows.csv:1:1: column `judge_name` (or `judge_model`) is missing; every row needs one"),
        ("question_id,judge_name,clear_A\nQ1,owl,1", "rows.csv:1:1: column `clear_A` has no `clear_B`; write the scores of both answers, or rename the column"),
        ("question_id,judge_name,clear_A,clear_B\nQ1,owl,1,6", "rows.csv:2:1: `clear_B` is '6'; write a whole number from 1 to 5"),
        ("question_id,judge_name,clear_A,clear_B\nQ1,owl,1,0", "rows.csv:2:1: `clear_B` is '0'; write a whole number from 1 to 5"),
        ("question_id,judge_name,clear_A,clear_B\nQ1,owl,1,-3", "rows.csv:2:1: `clear_B` is '-3'; write a whole number from 1 to 5"),
        ("question_id,judge_name,clear_A,clear_B\nQ1,owl,3.5,2", "rows.csv:2:1: `clear_A` is '3.5'; write a whole number from 1 to 5"),
        ("question_id,judge_name,clear_A,clear_B\nQ1,owl,=2+2,2", "rows.csv:2:1: `clear_A` is '=2+2'; write a whole number from 1 to 5"),
        ("question_id,judge_name,clear_A,clear_B\nQ1,owl,٣,2", "rows.csv:2:1: `clear_A` is '٣'; write a whole number from 1 to 5"),
        ("question_id,judge_name,clear_A,clear_B\nQ1,owl,,2", "rows.csv:2:1: `clear_A` is empty; write a whole number from 1 to 5, or leave all scores of the row empty"),
        ("question_id,judge_name,clear_A,clear_B\nQ1,owl,1", "rows.csv:2:1: this row has 3 cells, the header 4; write a cell for each, an empty one too"),
        ("question_id,judge_name,clear_A,clear_B\nQ1,owl,1,2,3", "rows.csv:2:1: this row has 5 cells, the header 4; put cells that hold a comma in double quotes"),
        ("question_id,judge_name,clear_A,clear_B\nQ1,owl,1,2\n\nQ1\t,owl,1,3", "rows.csv:4:1: judge `owl` on question `Q1` stands on line 2 already; keep one row of each, and those of one run"),
        ("question_id,judge_name,clear_A,clear_B\n ,owl,1,2", "rows.csv:2:1: the question has no id; write one"),
        ("question_id,judge_name,clear_A,clear_B\nQ1,,1,2", "rows.csv:2:1: the judge has no name; write one"),
        ("question_id,judge_name,clear_A,clear_B,question_type\nQ1,owl,1,2,a\nQ1,kimi,1,2,b", "rows.csv:3:1: question `Q1` is of type 'b', on line 2 of 'a'; write one of them"),
        ("question_id,judge_name,clear_A,clear_B,judge_lab\nQ1,owl,1,2,a\nQ2,owl,1,2,b", "rows.csv:3:1: judge `owl` is of lab 'b', on line 2 of 'a'; write one of them"),
        ("question_id,judge_name,clear_A,clear_B,clear_A \nQ1,owl,1,2,3", "rows.csv:1:1: column `clear_A` is there twice; keep one of them"),
        ("question_id,judge_name,clear_A,clear_B,order\nQ1,owl,1,2,7", "rows.csv:2:1: `order` is '7'; write 1 for what a judge saw first, 2 for the pair swapped, or take the column out"),
        ("question_id,judge_name,clear_A,clear_B,lost\nQ1,owl,,,gone", "rows.csv:2:1: `lost` begins with `gone`; write one of `no-answer`, `inadmissible`, `judge-off-schema`, `judge-timeout`, `judge-unreachable`, `judge-rate-limited`, `judge-server-error`, `judge-refused`, `judge-filtered`, `judge-truncated`, `judge-empty`, `judge-not-accepted`, `judge-key`, `budget`, `cut`"),
        ("question_id,judge_name,clear_A,clear_B,lost\nQ1,owl,1,2,budget", "rows.csv:2:1: `lost` says that there are no scores, and there are; empty it, or the scores"),
        ("question_id,judge_name,clear_A,clear_B,lost,identical\nQ1,owl,,,budget,yes", "rows.csv:2:1: a row is `lost` or `identical`, not both; empty one of them"),
        ('question_id,judge_name,clear_A,clear_B\nQ1,"owl,1,2', 'rows.csv:2:1: a cell in double quotes is not closed; end it with `"`, and write `""` for a quote inside'),
        ("question_id,judge_name,clear_A,clear_B\nQ1,owl,1\x00,2", "rows.csv:2:9: this line holds a NUL; save the file as UTF-8 text"),
        ("question_id,judge_name,clear_A,clear_B,confidence_A,confidence_B\nQ1,owl,70,82,4,5", "rows.csv:1:1: no column has scores: `clear_A/_B`, `confidence_A/_B` are no scores from 1 to 5; write a pair of columns for each thing scored, as `groundedness_A` and `groundedness_B`, beside `question_id`, `judge_name`"),
        (b"question_id,judge_name,clear_A,clear_B\nQ1,\xff,1,2", "rows.csv:2:4: the byte 0xff is not UTF-8; save the file as UTF-8"),
        ("question_id,judge_name," + ",".join(f"d{n}_A,d{n}_B" for n in range(13)), "rows.csv:1:1: 13 things are scored, and at most 12 are read; take columns out"),
        ("question_id,judge_name,clear_A,clear_B,note\nQ1,owl,1,2," + "x" * 1_000_001, "rows.csv:2:1: `note` has 1,000,001 characters, and at most 1,000,000 are read; look for a double quote that is not closed"),
    ],
)  # fmt: skip
def test_a_file_that_is_wrong_says_where_and_what_to_write(tmp_path: Path, text: str | bytes, problem: str) -> None:
    assert wrong(text, tmp_path) == [problem]


def test_every_problem_is_told_at_once(tmp_path: Path) -> None:
    rows = "Q1,owl,9,2\nQ2,owl,1\nQ3,owl,1,2\nQ3,owl,1,2\n"
    assert [line.split(": ", 1)[0] for line in wrong("question_id,judge_name,clear_A,clear_B\n" + rows, tmp_path)] == [
        "rows.csv:2:1",
        "rows.csv:3:1",
        "rows.csv:5:1",
    ]


def test_problems_without_end_are_counted_and_not_kept(tmp_path: Path) -> None:
    told = wrong("question_id,judge_name,clear_A,clear_B\n" + "Q1,owl,9,2\n" * 5_000, tmp_path)
    assert len(told) == 101
    assert told[-1].startswith("and ")


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        read_rows_file(tmp_path / "none.csv")


def test_what_would_take_all_memory_or_time_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    head = ",".join(SMALL)
    judges = "".join(f"Q1,judge-{number},1,2\n" for number in range(65))
    assert wrong(f"{head}\n{judges}", tmp_path) == [
        "rows.csv:66:1: this is judge 65, and at most 64 are read; is it a judge's name?"
    ]
    monkeypatch.setattr(judge_rows_file, "MOST_ROWS", 3)
    rows = "".join(f"Q{number},owl,1,2\n" for number in range(4))
    assert wrong(f"{head}\n{rows}", tmp_path) == [
        "rows.csv:5:1: more than 3 rows are not read; write the rows of one run"
    ]
    monkeypatch.setattr(judge_rows_file, "LARGEST_FILE", 50)
    assert "larger than 0 MiB" in wrong(f"{head}\n{rows}", tmp_path)[0]
    monkeypatch.setattr(judge_rows_file, "LARGEST_FILE", 1024)
    with pytest.raises(UsageError, match="larger than"):
        read_rows_file(Path("/dev/zero"))


# What is written


def test_what_is_written_is_the_judges_words_and_the_sum_of_the_scores(tmp_path: Path) -> None:
    row = cells_of("Q1", "kimi", (2, 4), total_A="25", verdict="A")
    found = read(csv_of([row]), tmp_path)
    text = b"".join(rows_csv(found.rows, found.dimensions)).decode()
    head, line = (each.split(",") for each in text.splitlines())
    written = dict(zip(head[-15:], line[-15:], strict=True))
    assert (written["total_A"], written["total_B"], written["verdict"]) == ("10", "20", "B")
    assert (written["claimed_total_A"], written["claimed_total_B"], written["claimed_verdict"]) == ("25", "20", "A")
    assert read(text, tmp_path).rows == found.rows


HOSTILE = "=cmd|' /C calc'!A0"


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        (HOSTILE, f"'{HOSTILE}"), ("+1", "'+1"), ("-1", "'-1"), ("@SUM(A1)", "'@SUM(A1)"), ("\t=1", "\"\t'=1\""),
        (" =1", "' =1"), ("＝1", "'＝1"), ("'=1", "''=1"), (f"a;{HOSTILE}", f"a;'{HOSTILE}"),
        (f"a\n{HOSTILE}", f"\"a\n'{HOSTILE}\""), ("a\n- 2+HYPERLINK(B1)", "\"a\n'- 2+HYPERLINK(B1)\""),
    ],
)  # fmt: skip
def test_no_answer_is_a_formula_and_every_answer_comes_back(tmp_path: Path, text: str, cell: str) -> None:
    found = read(csv_of([cells_of("Q1", "kimi", (2, 4), augmented_response=text)]), tmp_path)
    assert found.rows[0].treatment_response == text
    written = b"".join(rows_csv(found.rows, found.dimensions))
    assert f",{cell},2,4," in written.decode()
    assert read(written, tmp_path).rows == found.rows


@pytest.mark.parametrize("text", ["- soup\n- bread", "3 - 4 = -1", "it's", "'quoted'", "a; b", "mail@example.org"])
def test_plain_words_are_written_as_they_are(tmp_path: Path, text: str) -> None:
    found = read(csv_of([cells_of("Q1", "kimi", (2, 4), augmented_response=f"x {text}")]), tmp_path)
    assert text in b"".join(rows_csv(found.rows, found.dimensions)).decode()


def test_an_apostrophe_in_a_strangers_file_is_the_answers_own(tmp_path: Path) -> None:
    found = read(csv_of([cells_of("Q1", "kimi", (2, 4), augmented_response="'=1")]), tmp_path)
    assert found.rows[0].treatment_response == "'=1"


def test_a_nul_which_no_text_file_holds_is_written_as_something_broken(tmp_path: Path) -> None:
    row = JudgeRow(question_id="Q1", judge="owl", control={"a": 1}, treatment={"a": 2}, reason="a\x00b")
    written = b"".join(rows_csv([row], ["a"]))
    assert read(written, tmp_path).rows[0].reason == "a\ufffdb"
