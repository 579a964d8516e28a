"""The suite's own citation markers find what `re` finds, in any thread, and are told by name when they never end."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

import pytest

from raggate_action.core.text.citations import Marker, find_markers
from raggate_action.errors import UsageError
from raggate_action.isolation.suite_patterns import SuitePattern
from tests.unit.test_time_limit import in_a_thread

# An alarm that rings inside a callback of the cycle collector (hypothesis has one) is lost there, with a warning; the
# next one counts.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

MARKER = r"<(?P<ids>[\w,; -]+)>"
CATASTROPHIC = r"\[(?P<ids>(?:\w+\s?)+)\]"
ENDLESS = "Tea is hot [" + "a" * 60 + " and nothing closes it"
THREADS = [pytest.param(lambda work: work(), id="main thread"), pytest.param(in_a_thread, id="another thread")]


@pytest.mark.parametrize("run", THREADS)
@pytest.mark.parametrize(
    "text", ["", "Tea <c1>, ice <c2; c3> and <no end", "“Tee” <c1> 茶 <c2> \U0001f375 <c3>", "half a pair \ud800 <c1>"]
)
def test_a_suites_marker_finds_what_the_plain_expression_finds(run: Callable[..., Any], text: str) -> None:
    known = frozenset({"c1", "c2", "c3"})
    expected = find_markers(text, [re.compile(MARKER)], known)
    assert run(lambda: find_markers(text, [SuitePattern(MARKER)], known)) == expected
    assert len(expected) == text.count("<c")


@pytest.mark.parametrize("run", THREADS)
def test_a_group_that_matched_nothing_cites_nothing(run: Callable[..., Any]) -> None:
    optional = SuitePattern(r"<(?P<ids>c\d)?>")
    assert run(lambda: find_markers("<> <c1>", [optional], {"c1"})) == (Marker(3, 7, ("c1",)),)


@pytest.mark.parametrize("run", THREADS)
def test_a_marker_that_never_ends_is_told_by_name(monkeypatch: pytest.MonkeyPatch, run: Callable[..., Any]) -> None:
    monkeypatch.setattr("raggate_action.isolation.suite_patterns.EXPRESSION_S", 0.5)

    def work() -> UsageError:
        with pytest.raises(UsageError) as caught:
            find_markers(ENDLESS, [SuitePattern(CATASTROPHIC)], frozenset())
        return caught.value

    began = time.monotonic()
    error = run(work)
    assert time.monotonic() - began < 20
    assert str(error) == f"citation_markers: {CATASTROPHIC!r} was still at work on one answer after 0.5 s"
    assert "repeats" in error.hint
