"""JSON with places: agrees with the standard reader on every value, and names where a text is none."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from raggate_action.suite_files.json_file import read_json
from raggate_action.suite_files.located_tree import MappingNode, json_value
from raggate_action.suite_files.problems import FileProblems, Mark

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner)
    ),
    max_leaves=20,
)


def told(text: str) -> list[str]:
    problems = FileProblems("f")
    read_json(text, problems)
    return [str(problem) for problem in problems.kept]


@given(JSON, st.sampled_from([None, 2]), st.booleans())
def test_every_json_value_is_read_as_it_was_written(value: object, indent: int | None, ascii_only: bool) -> None:  # noqa: FBT001
    problems = FileProblems("f")
    node = read_json(json.dumps(value, indent=indent, ensure_ascii=ascii_only), problems)
    assert node is not None
    assert json_value(node) == value
    assert len(problems) == 0


@given(st.text(alphabet='{}[],:"\\ntu0123.-eE \n'))
def test_what_the_standard_reader_refuses_is_refused_with_a_place(text: str) -> None:
    try:
        json.loads(text)
    except ValueError:
        assert len(told(text)) == 1


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"a": 1,\n "a": 2}', "f:2:2: key `a` is written twice, first on line 1; keep one of them"),
        ('{"a" 1}', "f:1:6: this is not JSON: expecting ':' delimiter"),
        ('{"a": 1\n', "f:2:1: this is not JSON: expecting ',' delimiter"),
        ("[1 2]", "f:1:4: this is not JSON: expecting ',' delimiter"),
        ("{} x", "f:1:4: this is not JSON: extra data"),
        ('["a\nb"]', "f:1:4: this is not JSON: invalid control character at"),
        ('["\\ud800"]', "f:1:2: a text holds half a character (a lone \\ud800 to \\udfff); write the whole pair"),
        ("[1e999]", "f:1:2: the number 1e999 is too large; write a smaller one, or write it as text"),
        ("[" * 5000, "f:1:101: this is nested more than 100 levels deep; write it flatter"),
    ],
)
def test_json_that_is_refused_says_where_and_what_to_write(text: str, problem: str) -> None:
    assert told(text) == [problem]


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity", "True", "01", "1.", "+1", "'a'"])
def test_what_only_looks_like_json_is_refused(word: str) -> None:
    (problem,) = told(f"[{word}]")
    assert problem.startswith("f:1:")
    assert ": this is not JSON: " in problem


def test_a_line_of_a_file_keeps_its_place_in_the_file() -> None:
    node = read_json('{"a": {"b": 1}}', FileProblems("f"), line=7)
    assert isinstance(node, MappingNode)
    inner = node.get("a")
    assert isinstance(inner, MappingNode)
    assert inner.entries["b"].key_mark == Mark(7, 8)
