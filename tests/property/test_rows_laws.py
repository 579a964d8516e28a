"""Laws of a file of judge rows: what is written is read back, whatever answers hold; no cell of it is a formula."""

from __future__ import annotations

import csv
import io
import re
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from raggate_action.errors import UsageError
from raggate_action.schema.judge_rows import Claimed, JudgeRow, Winner
from raggate_action.schema.judgement import Lost
from raggate_action.suite_files.judge_rows_file import read_rows_file
from raggate_action.suite_files.judge_rows_writing import as_text, from_cell, rows_csv

# Much of what matters to a table and to a spreadsheet, and any other character but those no text file holds.
TEXTS = st.text(
    st.one_of(st.sampled_from("=+-@'\"\t\r\n,; (|!a1＝"), st.characters(codec="utf-8", exclude_characters="\x00")),
    max_size=30,
)
# As people write ids: nothing around them that is trimmed.
NAMES = TEXTS.map(lambda text: f"x{text}x") | st.sampled_from(["=x", "-1", "@a", "'=x", "Q1"])
WINNERS: st.SearchStrategy[Winner | None] = st.sampled_from(["control", "treatment", "tie", None])
NUMBERS = st.none() | st.integers(-(10**14), 10**14)


@st.composite
def judge_rows(draw: st.DrawFn) -> tuple[tuple[str, ...], list[JudgeRow]]:
    names = draw(st.lists(st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True), min_size=1, max_size=3, unique=True))
    names = [name for name in names if name not in {"total", "claimed_total"}] or ["clear"]
    scores = st.fixed_dictionaries({name: st.integers(1, 5) for name in names})
    keys = draw(
        st.lists(
            st.tuples(NAMES, NAMES, NAMES | st.just(""), st.sampled_from([1, 2])), min_size=1, max_size=4, unique=True
        )
    )
    types = {question: draw(NAMES | st.just("")) for question, _judge, _harness, _order in keys}
    labs = {(judge, harness): draw(NAMES | st.just("")) for _question, judge, harness, _order in keys}
    rows = []
    for question, judge, harness, order in keys:
        kind = draw(st.sampled_from(["scored", "scored", "lost", "no-answer", "identical"]))
        lost = Lost(code="judge-timeout", detail=draw(TEXTS)) if kind == "lost" else None
        rows.append(
            JudgeRow(
                run_id=draw(NAMES | st.just("")),
                timestamp=draw(NAMES | st.just("")),
                question_id=question,
                question_text=draw(TEXTS),
                question_type=types[question],
                judge=judge,
                harness=harness,
                lab=labs[judge, harness],
                order=order,
                shown_first=draw(st.sampled_from(["control", "treatment", None])),
                control_response=draw(TEXTS),
                treatment_response=draw(TEXTS),
                control=draw(scores) if kind == "scored" else {},
                treatment=draw(scores) if kind == "scored" else {},
                claimed=Claimed(control=draw(NUMBERS), treatment=draw(NUMBERS), verdict=draw(WINNERS)),
                reason=draw(TEXTS),
                lost="no-answer" if kind == "no-answer" else lost,
                identical=kind == "identical",
            )
        )
    return tuple(names), rows


@settings(deadline=None)
@given(judge_rows())
def test_what_is_written_is_read_back(given_rows: tuple[tuple[str, ...], list[JudgeRow]]) -> None:
    dimensions, rows = given_rows
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "judge_rows.csv"
        written = b"".join(rows_csv(rows, dimensions))
        path.write_bytes(written)
        found = read_rows_file(path)
    assert found.rows == tuple(rows)
    assert found.dimensions == dimensions
    assert {each.code for each in found.remarks} <= {"answers-differ", "cells-missing"}
    assert b"".join(rows_csv(found.rows, found.dimensions)) == written


@settings(deadline=None)
@given(judge_rows())
def test_other_readers_see_as_many_cells_and_none_that_begins_as_a_formula(
    given_rows: tuple[tuple[str, ...], list[JudgeRow]],
) -> None:
    dimensions, rows = given_rows
    text = b"".join(rows_csv(rows, dimensions)).decode()
    table = list(csv.reader(io.StringIO(text, newline="")))
    assert len(table) == len(rows) + 1
    assert {len(row) for row in table} == {len(table[0])}
    assert not [cell for row in table for cell in row if re.match(r"\s*[=+\-@＝]", cell)]


@given(TEXTS)
def test_a_text_comes_back_from_its_cell(text: str) -> None:
    assert from_cell(as_text(text)) == text


@given(TEXTS)
def test_parted_by_semicolons_and_lines_no_part_computes(text: str) -> None:
    parts = re.split(r"[;\t\r\n]", as_text(text))
    assert not [part for part in parts if re.match(r"\s*[=@＝]|\s*[+-](?! |$)|\s*[+-].*[(|!]", part)]


LINES = st.lists(
    st.lists(
        st.sampled_from(
            (
                "question_id",
                "judge_name",
                "a_A",
                "a_B",
                "Q1",
                "owl",
                "1",
                "5",
                "6",
                "",
                '"',
                '""',
                "=1",
                "\t",
                ";",
                "\x00",
                "\ufeff",
                "order",
                "lost",
                "cut: x",
            )
        ),
        max_size=6,
    ),
    max_size=5,
)


@settings(deadline=None)
@given(st.binary(max_size=80) | LINES.map(lambda table: "\n".join([",".join(row) for row in table]).encode()))
def test_any_file_is_read_or_refused_with_its_place(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.csv"
        path.write_bytes(content)
        try:
            found = read_rows_file(path)
        except UsageError as refused:
            assert all(re.search(r"rows\.csv:\d+:\d+: .|^and \d", line) for line in str(refused).splitlines())  # noqa: PT017
        else:
            assert found.rows
            assert found.dimensions
