"""YAML: what plain characters are read as, and what is refused with its place."""

from __future__ import annotations

import pytest
import yaml

from raggate_action.suite_files import yaml_file
from raggate_action.suite_files.located_tree import json_value
from raggate_action.suite_files.problems import FileProblems
from raggate_action.suite_files.yaml_file import read_yaml


def read(text: str) -> tuple[object, list[str]]:
    problems = FileProblems("f")
    node = read_yaml(text, problems)
    return (None if node is None else json_value(node)), [str(problem) for problem in problems.kept]


@pytest.fixture(params=["CSafeLoader", "SafeLoader"])
def _either_parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml_file, "_LOADER", getattr(yaml, request.param))


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("no", "no"),
        ("on", "on"),
        ("2026-06-02", "2026-06-02"),
        ("12:30:45", "12:30:45"),
        ("1_000", "1_000"),
        (".inf", ".inf"),
        (".nan", ".nan"),
        ("1e999", "1e999"),
        ("9" * 5000, "9" * 5000),
        ("'12'", "12"),
        ("!!str 12", "12"),
        ("~", None),
        ("", None),
        ("Null", None),
        ("True", True),
        ("false", False),
        ("12", 12),
        ("007", 7),
        ("-3", -3),
        ("0o17", 15),
        ("0x1F", 31),
        ("1.50", 1.5),
        (".5", 0.5),
        ("1e3", 1000.0),
    ],
)
def test_plain_characters_are_read_by_the_core_schema_of_yaml_1_2(source: str, value: object) -> None:
    document, problems = read(f"key: {source}")
    assert problems == []
    assert isinstance(document, dict)
    assert document["key"] == value
    assert type(document["key"]) is type(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param("a: &x [1]\nb: *x", {"a": [1], "b": [1]}, id="an alias stands for its value"),
        pytest.param("a: &x {p: 1, q: 2}\nb: {<<: *x, q: 3}", {"a": {"p": 1, "q": 2}, "b": {"p": 1, "q": 3}}, id="a key written wins over a merged one"),
        pytest.param("a: &x {p: 1}\nb: &y {q: 2}\nc: {<<: [*x, *y]}", {"a": {"p": 1}, "b": {"q": 2}, "c": {"p": 1, "q": 2}}, id="several mappings merge"),
        pytest.param("1: a\ntrue: b", {"1": "a", "true": "b"}, id="keys are text as written"),
        pytest.param("", None, id="an empty document is null"),
        pytest.param("%YAML 1.2\n---\na: 1", {"a": 1}, id="a version directive is read"),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("_either_parser")
def test_yaml_that_is_read(text: str, value: object) -> None:
    assert read(text) == (value, [])


# Line by line 21, 211, 2,111, 21,111, 211,111 characters; the fifth alias of line 6 passes a million.
BOMB = "a: &a [x,x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{after}: &{after} [{','.join(['*' + before] * 10)}]\n"
    for before, after in zip("abcdefghi", "bcdefghij", strict=True)
)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        pytest.param("a: 1\nb: 2\na: 3", "f:3:1: key `a` is written twice, first on line 1; keep one of them", id="a key written twice"),
        pytest.param("a: !!python/object:os.system x", "f:1:4: the tag `!!python/object:os.system` is not read; remove it, and put text in quotes", id="a tag"),
        pytest.param("a: !mine {b: 1}", "f:1:4: the tag `!mine` is not read; remove it, and put text in quotes", id="a tag on a mapping"),
        pytest.param("a: 1\n---\nb: 2", "f:2:1: a second document begins here; keep one document per file", id="two documents"),
        pytest.param("? [a]\n: b", "f:1:3: a key is a list or a mapping; write keys as plain text", id="a list as a key"),
        pytest.param("a: *x", "f:1:4: `*x` refers to nothing written above; write `&x` before a finished value", id="an alias of nothing"),
        pytest.param("a: &x [*x]", "f:1:8: `*x` refers to nothing written above; write `&x` before a finished value", id="an alias of itself"),
        pytest.param("a: {<<: b}", "f:1:9: `<<` takes mappings in; write `<<: *name` of a mapping above", id="a merge of text"),
        pytest.param(BOMB, "f:6:20: aliases repeat their content into something huge; write it out once", id="aliases that multiply"),
        pytest.param("[" * 900, "f:1:101: this is nested more than 100 levels deep; write it flatter", id="deep nesting"),
        pytest.param("x: &x " + "[" * 60 + "]" * 60 + "\ny: " + "[" * 60 + "*x" + "]" * 60, "f:2:64: this is nested more than 100 levels deep; write it flatter", id="nesting through an alias"),
        pytest.param("a: b\x07", "f:1:5: found the character '\\x07'; remove it, or write it in quotes as \\x.. or \\u....", id="a control character"),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("_either_parser")
def test_yaml_that_is_refused_says_where_and_what_to_write(text: str, problem: str) -> None:
    assert read(text)[1] == [problem]


@pytest.mark.usefixtures("_either_parser")
def test_endless_nesting_is_refused_where_the_parser_or_we_stop() -> None:
    # libyaml 0.2.6 refuses the thousand-and-first level before it hands out the first.
    (problem,) = read("[" * 100_000)[1]
    assert problem.startswith(
        ("f:1:101: this is nested more than 100", "f:1:1001: this is not YAML: exceeded maximum nest")
    )


def test_a_syntax_error_names_its_place() -> None:
    assert read("a: 1\nb: c: d")[1] == [
        "f:2:5: this is not YAML: mapping values are not allowed in this context; check indentation and quotes here"
    ]


def test_further_problems_are_found_after_a_duplicate_key() -> None:
    value, problems = read("a: 1\na: 2\nb: !x y\n")
    assert value == {"a": 1, "b": "y"}
    assert len(problems) == 2
