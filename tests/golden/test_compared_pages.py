"""What a reader has to find of a run's answers beside its baseline's; the bytes are held by `test_comment_golden`."""

from __future__ import annotations

import re

import pytest

from raggate_action.report.comment_size import COMMENT_BOUNDS, COMMENT_EXTENTS, SUMMARY_BOUNDS
from raggate_action.report.page_sections import comment_view
from raggate_action.report.render import (
    comment_pieces,
    render_comment,
    render_summary,
)
from raggate_action.schema.judge_rows import JudgeRow
from raggate_action.schema.run import Policy
from tests.golden import pages
from tests.golden.compared_pages import compared, not_compared, run_ab, with_ab, with_hostile_ab
from tests.golden.hostile import ATTACKS, hostile
from tests.golden.markdown_laws import assert_whole
from tests.open_lines import open_text
from tests.panel_ab_builders import scored


def ab_line(page: str) -> str:
    """The one line that stays open."""
    (line,) = [line for line in page.splitlines() if line.startswith("**A/B:**")]
    return line


def rows_of(page: str, table: str) -> dict[str, list[str]]:
    """Cells of a table by its first one; `table` is the summary of its fold."""
    _before, _title, rest = page.partition(f"<summary>{table}")
    lines = rest.partition("</details>")[0].splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| `")]
    return {row[0].strip("`"): row[1:] for row in cells}


def test_the_line_says_which_answers_are_held_beside_which_and_who_is_ahead() -> None:
    line = ab_line(render_comment(compared()))
    assert line.startswith(
        "**A/B:** **No difference is shown.** This pull request wins 5 of 12 questions, the base branch 1, 6 are ties; "
    )
    # Six questions differ, and of 64 ways the signs may fall 4 are as far: 64 / 4.
    assert "; chance alone gives such a difference once in 16. That is no proof that there is none." in line
    assert "1 of 18 judgements lost." in line
    assert line.endswith("Not compared: 2 new, or another case than on the baseline, 1 without an answer on one side.")


def test_one_example_stands_open_with_both_answers_and_the_reason() -> None:
    """The question that the base branch wins; under `texts: ids` no word of it."""
    page = render_comment(compared())
    example = page.partition("**A/B:**")[2].partition("<details>")[0].splitlines()[2:6]
    assert example == [
        "- `egg-free`: Which desserts are free of eggs?",
        "  - base branch: The sorbet is `[menu-44]`. Of the others the menu does not say.",
        "  - this pull request: The sorbet and the panna cotta.",
        "  - 2 of 2 judges prefer the base branch's: Nothing shown speaks of the panna cotta.",
    ]
    told = compared()
    ids = told._replace(run=told.run.model_copy(update={"policy": Policy(texts="ids")}))
    assert "panna cotta" not in render_comment(ids)


def test_no_arm_and_no_p_value_is_named_on_a_pull_request() -> None:
    for page in (render_comment(compared()), render_summary(compared())):
        assert not re.search(r"\b(control|treatment|arms?)\b|\bp [=<>]", page, re.IGNORECASE)


def test_the_tables_have_every_judge_and_dimension_and_say_where_the_rows_are() -> None:
    page = render_comment(compared())
    assert rows_of(page, "A/B by judge (12 questions, 3 judges)") == {
        # Judge: lab, treatment, control, ties, lost, mean delta, same in both orders, scores of 5.
        "owl": ["Northlab", "5", "1", "6", "0", "+2.25", "–", "5/60"],
        "lark": ["Southlab", "5", "1", "6", "0", "+2.25", "–", "5/60"],
        "crow": ["Eastlab", "5", "0", "6", "1", "+2.73", "–", "5/50"],
    }
    # Five questions of three judges at 4, one of two at 3: 66 of 17; the control 15 at 3, two at 4.
    assert rows_of(page, "A/B by dimension")["groundedness"][:3] == ["3.88", "3.12", "+0.76"]
    assert (
        "Judging took 18 judgements of 6 pairs: 17 made, 1 lost (1 timed out); 18 calls, 0.0421 USD without `crow`"
        in page
    )
    assert "stands in `judge_rows.csv` and the findings with their limits in `findings.md` of the run directory" in page


def test_what_was_lost_on_a_protected_question_and_concerns_stand_in_the_comment_and_limits_too() -> None:
    page = render_comment(compared())
    assert "Every judge prefers the base branch's on 1 question whose wrong answers do harm: `egg-free`." in page
    assert "**Look at the rubric before the change" in page
    assert "1 of 36 rows has no scores" in page
    assert "This is one run" not in page
    summary = render_summary(compared())
    assert "This is one run" in summary
    assert "A/B by question (12)" in summary


def test_without_a_key_one_sentence_says_so_and_there_is_no_table() -> None:
    page = render_comment(not_compared())
    assert ab_line(page) == (
        "**A/B:** No judge compared the answers with the baseline's, for ADA_KEY is not set."
        " 6 changed answers were not judged."
    )
    assert "A/B by judge" not in page


def test_a_comment_that_may_hold_no_rows_keeps_the_line_and_a_run_without_it_has_none() -> None:
    last = "".join(comment_pieces(comment_view(compared(), COMMENT_EXTENTS[-1])))
    assert "No difference is shown." in ab_line(last)
    assert "A/B by judge" not in last
    assert "A/B" not in render_comment(pages.release())


def test_thousands_of_questions_keep_within_the_bounds() -> None:
    rows: list[JudgeRow] = [
        scored(f"question-{number:05}-{'x' * 90}", "owl", "44444", "11111") for number in range(3_000)
    ]
    page = render_comment(with_ab(pages.thousand_failing(), run_ab(rows)))
    assert COMMENT_BOUNDS.hold(page)
    assert "This run is worse." in ab_line(page)
    assert len(open_text(page).lines) <= 25


@pytest.mark.parametrize("attack", ATTACKS)
def test_no_name_question_or_sentence_of_a_model_becomes_markup(attack: str) -> None:
    page = render_summary(with_hostile_ab(hostile(lambda: "x", rows=1, compared=False), lambda: attack))
    assert_whole(page, characters=SUMMARY_BOUNDS.characters, size=SUMMARY_BOUNDS.bytes, markers=0)
    assert "A/B by question (1)" in page
