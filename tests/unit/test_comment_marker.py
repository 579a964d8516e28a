"""The hidden first line of a comment is written one way and read one way."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from raggate_action.schema.comment_marker import (
    CommentMarker,
    instance_digest,
    instance_name,
    instance_of,
    marker_of,
    read_marker,
    suite_slug,
)
from raggate_action.schema.origin import Origin

HEAD = "0a1b2c3d4e5f60718293a4b5c6d7e8f901234567"


def origin(**fields: Any) -> Origin:
    given: dict[str, Any] = {
        "repository": "menu/app",
        "server_url": "https://github.com",
        "event": "pull_request",
        "workflow_run_id": 123,
        "run_attempt": 2,
        "head_sha": HEAD,
    }
    return Origin(**{**given, **fields})


@pytest.mark.parametrize(
    ("from_run", "line"),
    [
        pytest.param(None, "<!-- raggate:v1 suite=menu -->", id="on a laptop the suite alone"),
        pytest.param(origin(), f"<!-- raggate:v1 suite=menu run=123 attempt=2 head={HEAD} -->", id="in a workflow run"),
        pytest.param(
            origin(head_sha="--> @team"),
            "<!-- raggate:v1 suite=menu run=123 attempt=2 -->",
            id="a head that is no commit is left out",
        ),
        pytest.param(
            origin(instance='{"python": "3.11"}'),
            f"<!-- raggate:v1 suite=menu run=123 attempt=2 head={HEAD} instance=95aa2ab9 -->",
            id="in a job of a matrix",
        ),
        pytest.param(origin(workflow_run_id=0), "<!-- raggate:v1 suite=menu -->", id="without a workflow run's number"),
    ],
)
def test_the_marker_of_a_run(from_run: Origin | None, line: str) -> None:
    assert marker_of("menu", from_run).line == line


@pytest.mark.parametrize(
    ("body", "read"),
    [
        pytest.param("<!-- raggate:v1 suite=menu -->\nText", CommentMarker("menu"), id="a laptop's"),
        pytest.param(
            f"<!-- raggate:v1 suite=a run=5 attempt=1 head={HEAD} -->\r\nx", CommentMarker("a", 5, 1, HEAD), id="CRLF"
        ),
        pytest.param("<!-- raggate:v1 suite=a run=5 attempt=1 -->", CommentMarker("a", 5, 1), id="nothing behind it"),
        pytest.param("Look: <!-- raggate:v1 suite=menu -->", None, id="quoted inside a line"),
        pytest.param("\n<!-- raggate:v1 suite=menu -->", None, id="not on the first line"),
        pytest.param("> <!-- raggate:v1 suite=menu -->", None, id="in a quotation"),
        pytest.param("<!-- raggate:v1 suite=menu --> and more\n", None, id="something behind it on its line"),
        pytest.param("<!-- raggate:v2 suite=menu -->", None, id="of another version"),
        pytest.param("<!-- raggate:v1 suite=menu run=x attempt=1 -->", None, id="a run that is no number"),
        pytest.param("<!-- raggate:v1 suite=menu run=٣ attempt=1 -->", None, id="digits of another script"),
        pytest.param("", None, id="an empty comment"),
    ],
)
def test_a_marker_is_read_only_as_a_comments_own_first_line(body: str, read: CommentMarker | None) -> None:
    assert read_marker(body) == read


@given(name=st.text(max_size=90), run=st.integers(0, 10**18), attempt=st.integers(1, 99), head=st.text(max_size=50))
def test_what_is_written_is_read_again_whatever_the_suite_is_called(
    name: str, run: int, attempt: int, head: str
) -> None:
    marker = marker_of(name, origin(workflow_run_id=run, run_attempt=attempt, head_sha=head))
    assert read_marker(f"{marker.line}\nbody") == marker
    assert marker.line.count("-->") == marker.line.count("<!--") == 1


@given(st.text(max_size=90), st.text(max_size=90))
def test_two_suites_never_share_a_slug(one: str, other: str) -> None:
    assert re.fullmatch(r"[A-Za-z0-9._-]{0,64}", suite_slug(one))
    assert (suite_slug(one) == suite_slug(other)) == (one == other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("menu eu", "menu_eu", id="a space and an underscore"),
        pytest.param("a" * 65, "a" * 66, id="longer than a slug"),
        pytest.param("Speisekarte ä", "Speisekarte ö", id="letters beyond ASCII"),
    ],
)
def test_names_that_look_alike_have_slugs_of_their_own(one: str, other: str) -> None:
    assert suite_slug(one) != suite_slug(other)


def test_runs_are_ordered_by_number_and_then_by_try() -> None:
    ages = [
        CommentMarker("m").age,
        CommentMarker("m", 7, 1).age,
        CommentMarker("m", 7, 2).age,
        CommentMarker("m", 8, 1).age,
    ]
    assert ages == sorted(ages)


@pytest.mark.parametrize("given", ["", "  ", "null", "{}", "[]", " {\n} ", "null\n"])
def test_without_a_matrix_there_is_no_instance(given: str) -> None:
    assert (instance_of(given), instance_digest(instance_of(given)), instance_name(instance_of(given))) == ("", "", "")


@pytest.mark.parametrize(
    ("given", "name"),
    [
        pytest.param(
            '{\n  "python": "3.11",\n  "os": "ubuntu-24.04"\n}', "os ubuntu-24.04, python 3.11", id="a matrix"
        ),
        pytest.param('{"n": 3, "fast": true, "app": {"b": 1}}', 'app {"b": 1}, fast true, n 3', id="not only texts"),
        pytest.param("nightly  run", "nightly run", id="a name of the author's"),
        pytest.param("false", "false", id="a word that is JSON"),
        pytest.param("5", "5", id="a number that is JSON"),
        pytest.param('{"sprache": "gr\u00fcn \\ud800"}', "sprache gr\u00fcn ?", id="what is no letter"),
        pytest.param("a\x1b[31m\nb", "a?[31m b", id="a terminal's command"),
        pytest.param("[" * 100_000, "[" * 79 + "…", id="JSON too deep to read"),
    ],
)
def test_an_instance_has_one_form_and_a_name(given: str, name: str) -> None:
    instance = instance_of(given)
    assert instance_of(instance) == instance
    assert instance_name(instance) == name
    assert len(instance) <= 500
    assert origin(instance=instance).model_dump_json()


def test_instances_are_told_apart_by_what_they_are_not_by_how_they_are_written() -> None:
    one, same, other = (instance_of(text) for text in ('{"a": 1, "b": 2}', '{ "b":2,\n"a":1}', '{"a": 1, "b": 3}'))
    assert instance_digest(one) == instance_digest(same) != instance_digest(other)
    long = [instance_of("x" * 600 + end) for end in "ab"]
    assert len({instance_digest(each) for each in long}) == 2


def test_a_run_without_a_matrix_is_stored_as_before() -> None:
    assert "instance" not in origin().model_dump_json()
