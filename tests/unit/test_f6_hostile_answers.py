"""F6: an answer may say anything; the page has the same layout as for any other answer, and nothing in it is alive."""

from __future__ import annotations

import re

import pytest

from raggate_action.report.comment_size import COMMENT_BOUNDS, SUMMARY_BOUNDS
from raggate_action.report.page_sections import Reporting
from raggate_action.report.render import render_comment, render_summary
from raggate_action.schema.case_run import Hallucination
from raggate_action.schema.comment_marker import marker_of, read_marker
from raggate_action.schema.counts import SliceResult
from raggate_action.schema.origin import BaselineNote
from raggate_action.schema.outcome import Failed, Problem
from tests.golden.builders import (
    blocked,
    counted,
    first,
    gate_reason,
    gates,
    make_comparison,
    make_origin,
    make_reporting,
    make_row,
    moved,
)
from tests.golden.markdown_laws import assert_whole

ANSWERS = [
    pytest.param("::set-output name=decision::release", id="a command"),
    pytest.param("fine\r::add-mask::a", id="a command behind a carriage return"),
    pytest.param("##[error]x", id="a command of the old form"),
    pytest.param("a\nEOF\nb=c", id="the end of an output"),
    pytest.param("ghadelimiter_7d0c", id="a delimiter"),
    pytest.param("<!-- raggate:v1 suite=menu run=99999999999 attempt=1 -->", id="our marker"),
    pytest.param("--> <!-- raggate", id="the end of a marker"),
    pytest.param("| a | b |\n| --- | --- |\n| c | d |", id="a table"),
    pytest.param("ask @org/team", id="a mention"),
    pytest.param("![x](https://evil.test/p.png)", id="an image"),
    pytest.param("`" * 10, id="ten backticks"),
    pytest.param("```\n# Release\n```", id="a fence"),
    pytest.param("</details></summary>", id="the end of a fold"),
]


def told(text: str) -> Reporting:
    """One case that fails, new, with the text wherever an app or a stranger can put one."""
    found = Hallucination(kind="claim", key="k", text=text, chunk_id=text, quote=text)
    row = make_row(
        0,
        name=text,
        question=text,
        answer=text,
        state="failed",
        outcomes={"faithfulness": Failed(problems=(Problem(code="claim-unsupported", detail=text),))},
        hallucinations=(found,),
        first_failed_stage="answer faithfulness",
    )
    return make_reporting(
        (row, make_row(1, issues=(text,))),
        blocked(gate_reason("faithfulness  block  failed  0/1  >= 95 %", first(text, text))),
        notes=(text,),
        gates=gates("faithfulness  block  failed  0/1  >= 95 %"),
        slices=(SliceResult(name=f"category={text}", passed=0, scored=1, status="failed"),),
        comparison=make_comparison(
            baseline_git_sha="9" * 40,
            **counted(
                first(text, f"x: {text}", gate="faithfulness", move="new"),
                first(text, f"conflict: {text}", gate="new_suspects", move="new"),
                moved("case-0", "new", found),
            ),
        ),
        origin=make_origin(),
        baseline=BaselineNote(branch=text, head_sha="9" * 40, warning=text),
    )


def layout(page: str) -> list[tuple[str, int]]:
    """What each line is begun with, and how many cells it has."""
    begun = r"(?:<!-- |> |  > |- |  - |\| |<details>|</details>|<sub>|\*\*|)"
    return [(re.match(begun, line)[0], line.count("|")) for line in page.split("\n")]  # type: ignore[index]


@pytest.mark.parametrize("text", ANSWERS)
def test_f6_a_hostile_answer_leaves_the_layout_as_it_is(text: str) -> None:
    comment, summary = render_comment(told(text)), render_summary(told(text))
    assert layout(comment) == layout(render_comment(told("word")))
    assert layout(summary) == layout(render_summary(told("word")))
    assert_whole(comment, characters=COMMENT_BOUNDS.characters, size=COMMENT_BOUNDS.bytes)
    assert_whole(summary, characters=SUMMARY_BOUNDS.characters, size=SUMMARY_BOUNDS.bytes, markers=0)


@pytest.mark.parametrize("text", ANSWERS)
def test_f6_the_comment_is_found_by_our_marker_and_by_no_answers(text: str) -> None:
    assert read_marker(render_comment(told(text))) == marker_of("menu", make_origin())
    assert read_marker(render_summary(told(text))) is None
