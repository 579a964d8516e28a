"""F5: a comment at its bounds, to the character and to the byte, and what is left of a run that is far over them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from raggate_action.report.comment_size import COMMENT_BOUNDS, COMMENT_EXTENTS, SUMMARY_BOUNDS
from raggate_action.report.page_sections import Reporting, comment_view
from raggate_action.report.render import (
    comment_pieces,
    render_comment,
    render_summary,
)
from raggate_action.schema.case_run import Hallucination
from raggate_action.schema.comment_marker import read_marker
from raggate_action.schema.counts import SliceResult
from raggate_action.schema.outcome import Failed, Problem
from tests.golden.builders import blocked, make_origin, make_reporting, make_row
from tests.golden.markdown_laws import assert_whole

BLOCK = blocked()
WHOLE = {"characters": COMMENT_BOUNDS.characters, "size": COMMENT_BOUNDS.bytes}
NOTE = 400


def failing(cases: int, *, glyph: str, problems: int = 1) -> Reporting:
    """A run of failing cases only; the problems of each fill their room with one character."""
    rows = []
    for number in range(cases):
        found = tuple(Problem(code="claim-unsupported", detail=f"{each}{glyph * 299}") for each in range(problems))
        outcomes = {"faithfulness": Failed(problems=found)}
        rows.append(make_row(number, state="failed", outcomes=outcomes, first_failed_stage="answer faithfulness"))
    return make_reporting(tuple(rows), BLOCK, origin=make_origin(), notes=("x",) * 10)


def size(page: str) -> int:
    return len(page.encode())


def padded(told: Reporting, target: int, measure: Callable[[str], int], *, glyph: str) -> Reporting:
    """The run with notes that bring its comment to `target`, measured in characters or in bytes."""
    missing = target - measure(render_comment(told))
    notes = list(told.run.notes)
    line, each = measure("- \n"), measure(glyph)
    while missing > NOTE * (each + 1):
        notes.append(glyph * NOTE)
        missing -= NOTE * each + line
    while missing > NOTE + line:
        notes.append("word " * 40 + "x")
        missing -= 201 + line
    notes.append(("word " * 100)[: missing - line - 1] + "x")
    return told._replace(run=told.run.model_copy(update={"notes": tuple(notes)}))


@pytest.mark.parametrize(
    ("told", "measure", "bound", "glyph"),
    [
        pytest.param(failing(150, glyph="答"), len, COMMENT_BOUNDS.characters, "答", id="characters"),
        pytest.param(failing(78, glyph="👩", problems=2), size, COMMENT_BOUNDS.bytes, "👩", id="bytes"),
    ],
)
def test_f5_a_comment_is_whole_up_to_its_bound_and_terser_above(
    told: Reporting, measure: Callable[[str], int], bound: int, glyph: str
) -> None:
    for over in (-1, 0):
        page = render_comment(padded(told, bound + over, measure, glyph=glyph))
        assert measure(page) == bound + over
        assert " shown, " not in page
        assert_whole(page, **WHOLE)
    above = render_comment(padded(told, bound + 1, measure, glyph=glyph))
    assert measure(above) < bound * 0.9
    assert re.search(r"^\d+ of \d+ shown, full table in the job summary and in ", above, re.MULTILINE)
    assert_whole(above, **WHOLE)


def huge(text: str, **fields: Any) -> Reporting:
    """Three cases with everything an app can say in one answer, and that is much."""
    said = Hallucination(kind="claim", key="k", text=text, chunk_id=text, quote=text)
    outcomes = {"faithfulness": Failed(problems=(Problem(code="claim-unsupported", detail=text),))}
    given = {"state": "failed", "outcomes": outcomes, "hallucinations": (said,), "answer": text, "question": text}
    rows = tuple(make_row(number, **{**given, **fields}) for number in range(3))
    return make_reporting(rows, BLOCK, origin=make_origin())


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("word " * 40_000, id="200 kB of words"),
        pytest.param("x" * 200_000, id="200 kB without a space"),
        pytest.param("👩‍🔬" * 20_000, id="emoji alone"),
        pytest.param("答え" * 35_000, id="Japanese alone"),
        pytest.param("```\n" * 50_000, id="fences alone"),
        pytest.param("| a | b |\n| --- | --- |\n" * 8_000, id="tables alone"),
        pytest.param("<details><summary>" * 11_000, id="folds alone"),
    ],
)
def test_f5_one_long_answer_never_breaks_a_page(text: str) -> None:
    comment, summary = render_comment(huge(text)), render_summary(huge(text))
    assert_whole(comment, **WHOLE)
    assert_whole(summary, characters=SUMMARY_BOUNDS.characters, size=SUMMARY_BOUNDS.bytes, markers=0)
    assert comment.count(" --case case-") <= 1, "one command repeats a case"
    assert all(f"`case-{number}`" in comment for number in range(3)), "every case is named"


@pytest.mark.parametrize("glyph", ["x", "答", "👩"])
def test_f5_five_thousand_slices_are_counted_and_some_are_shown(glyph: str) -> None:
    parts = tuple(
        SliceResult(name=f"category={glyph * 60}{number}", passed=0, scored=30, status="failed")
        for number in range(5_000)
    )
    told = make_reporting((make_row(0, state="failed"),), BLOCK, slices=parts, origin=make_origin())
    comment, summary = render_comment(told), render_summary(told)
    assert_whole(comment, **WHOLE)
    assert_whole(summary, characters=SUMMARY_BOUNDS.characters, size=SUMMARY_BOUNDS.bytes, markers=0)
    for page in (comment, summary):
        shown = re.search(r"^(\d+) of 5,000 shown, .*full table in `run.json`", page, re.MULTILINE)
        assert shown is not None
        assert page.count("| category=") == int(shown[1]), "as many rows as it says"


def test_f5_a_run_far_over_its_bounds_keeps_marker_verdict_and_counts() -> None:
    told = failing(5_000, glyph="👩", problems=3)
    comment = render_comment(told)
    assert_whole(comment, **WHOLE)
    marker = read_marker(comment)
    assert marker is not None
    assert (marker.suite, marker.run_id, marker.attempt) == ("menu", 17234567890, 2)
    assert "> **Block** · suite `menu` · 0 passed · 5,000 failed · 0 not measured" in comment
    assert re.search(r"^\d+ of 5,000 shown, more in the job summary, ", comment, re.MULTILINE)


@pytest.mark.parametrize(("cases", "too_long"), [(1, 0), (100, 0), (110, 1), (200, 1)])
def test_f5_no_page_is_given_up_that_would_have_done(cases: int, too_long: int) -> None:
    """A page that is given up half written is not the first that fits, were all of them written to their end."""
    told = failing(cases, glyph="x", problems=5)
    whole = ["".join(comment_pieces(comment_view(told, extent))) for extent in COMMENT_EXTENTS]
    assert render_comment(told) == next(page for page in whole if COMMENT_BOUNDS.hold(page))
    assert len([page for page in whole if not COMMENT_BOUNDS.hold(page)]) == too_long
